//! Running the binary in a place of its own.

#![allow(dead_code)] // each test file uses its own part of this

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};

/// `dsb` in `home`, without anything of the caller's environment that it would listen to.
pub fn dsb(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dsb"));
    command.current_dir(home).env("HOME", home).stdin(Stdio::null());
    for (name, _) in std::env::vars_os() {
        let listened = ["DSB_", "SERVER_", "BROWSER_"];
        if name
            .to_str()
            .is_some_and(|name| listened.iter().any(|prefix| name.starts_with(prefix)))
        {
            command.env_remove(name);
        }
    }
    command
}

/// Standard output as text.
pub fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

/// Standard error as text.
pub fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// A service that runs until it is dropped.
pub struct Serving {
    child: Child,
    rest: BufReader<ChildStdout>,
    /// `http://127.0.0.1:port`.
    pub base: String,
}

impl Serving {
    /// Starts one on a free port and waits for its line.
    pub fn start(home: &Path, settings: &[&str]) -> Self {
        let mut command = dsb(home);
        command
            .arg("serve")
            .arg("--server.port=0")
            .args(settings)
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut rest = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        rest.read_line(&mut line).unwrap();
        let base = line
            .trim_end()
            .strip_prefix("listening on ")
            .unwrap_or_else(|| panic!("{line:?}"))
            .to_owned();
        Self { child, rest, base }
    }

    /// The process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal, waits for the end, and returns exit code and the rest of standard output.
    pub fn end(mut self, signal: Signal) -> (Option<i32>, String) {
        self.signal(signal);
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut self.rest, &mut rest).unwrap();
        (self.child.wait().unwrap().code(), rest)
    }

    fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            self.signal(Signal::TERM);
            let _ = self.child.wait();
        }
    }
}
