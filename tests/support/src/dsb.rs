//! The product's own binary, started as a user starts it and spoken to over HTTP.
//!
//! Invariant: each instance lives in a temporary home of its own, with a port of its own and an environment of its own,
//! so tests run side by side; at drop the process is ended and waited for.

use crate::process::Process;
use crate::reply::Reply;
use rustix::process::Signal;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use ureq::http::{Method, Request};

/// How long the service may take until it listens.
const START: Duration = Duration::from_secs(30);
/// Longer than every deadline of the service itself, so that a test sees the service's answer and not ours.
const ANSWER: Duration = Duration::from_secs(180);
/// The largest reply that is read.
const MAX_REPLY: u64 = 256 << 20;

/// How to start an instance.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The binary: `env!("CARGO_BIN_EXE_dsb")` in the tests of the crate that builds it.
    pub binary: PathBuf,
    /// Further arguments of `serve`, as `--key=value`.
    pub args: Vec<String>,
    /// Further environment variables; nothing else is inherited but `PATH` and what names temporary folders and logs.
    pub env: Vec<(String, String)>,
    /// Files put into the working directory before the start: (relative path, content).
    pub files: Vec<(String, String)>,
}

impl Options {
    /// Options for this binary and nothing else.
    pub fn new(binary: impl Into<PathBuf>) -> Self {
        Self {
            binary: binary.into(),
            ..Self::default()
        }
    }

    /// Adds one argument.
    pub fn arg(mut self, arg: impl Into<String>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// Adds one environment variable.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// Adds one file of the working directory.
    pub fn file(mut self, path: &str, content: &str) -> Self {
        self.files.push((path.into(), content.into()));
        self
    }
}

/// A running service.
pub struct Dsb {
    // Dropped first: the folder may only go when nobody writes into it.
    process: Mutex<Process>,
    pid: u32,
    addr: SocketAddr,
    agent: ureq::Agent,
    output: Arc<Mutex<String>>,
    home: TempDir,
}

impl Dsb {
    /// Starts `dsb serve --server.port=0` and waits until it listens; panics with its output when it does not.
    pub fn start(options: &Options) -> Self {
        let home = tempfile::Builder::new()
            .prefix("dsb-test-")
            .tempdir()
            .expect("a temporary home");
        for (path, content) in &options.files {
            let path = home.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder of a file");
            std::fs::write(path, content).expect("a file of the working directory");
        }
        let mut process = Process::spawn(&mut serve_command(options, home.path()));
        let output = Arc::new(Mutex::new(String::new()));
        let (announce, listening) = channel();
        let child = process.child();
        collect(
            child.stdout.take().expect("a piped stdout"),
            Arc::clone(&output),
            announce.clone(),
        );
        collect(
            child.stderr.take().expect("a piped stderr"),
            Arc::clone(&output),
            announce,
        );
        let addr = await_listening(&listening, &output);
        let pid = process.pid();
        Self {
            process: Mutex::new(process),
            pid,
            addr,
            agent: agent(),
            output,
            home,
        }
    }

    /// Runs one command. `id` names the task, where the command needs one.
    pub fn call<'a>(&self, id: impl Into<Option<&'a str>>, method: &str, params: Value) -> Reply {
        let mut envelope = json!({"method": method, "params": params});
        if let Some(id) = id.into() {
            envelope["id"] = id.into();
        }
        self.send(&envelope)
    }

    /// Sends a whole envelope, for the members that [`Dsb::call`] does not set.
    pub fn send(&self, envelope: &Value) -> Reply {
        let body = serde_json::to_vec(envelope).expect("a JSON value");
        self.request(
            "POST",
            "/playwright/command",
            &[("content-type", "application/json")],
            &body,
        )
    }

    /// Any request on any route, with exactly these headers; a reply that is no JSON is given as a JSON string.
    pub fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let (status, bytes) = self.fetch(method, path, headers, body);
        let body = serde_json::from_slice(&bytes)
            .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&bytes).into_owned()));
        Reply { status, body }
    }

    /// A GET of any route.
    pub fn get(&self, path: &str) -> Reply {
        self.request("GET", path, &[], &[])
    }

    /// The bytes of any reply (screenshots, texts), with the status.
    pub fn fetch(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> (u16, Vec<u8>) {
        let mut request = Request::builder()
            .method(method.parse::<Method>().expect("a method"))
            .uri(self.url(path));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let sent = match body {
            [] if method != "POST" => self.agent.run(request.body(()).expect("a request")),
            body => self.agent.run(request.body(body).expect("a request")),
        };
        let mut response = sent.unwrap_or_else(|error| panic!("{method} {path}: {error}\n{}", self.output()));
        let bytes = response
            .body_mut()
            .with_config()
            .limit(MAX_REPLY)
            .read_to_vec()
            .expect("a whole reply");
        (response.status().as_u16(), bytes)
    }

    /// Writes these bytes to the port and reads until the service closes or `limit` passes: for requests that no client
    /// would make.
    pub fn raw(&self, bytes: &[u8], limit: Duration) -> Vec<u8> {
        let mut stream = TcpStream::connect(self.addr).expect("a connection to the service");
        stream.set_read_timeout(Some(limit)).expect("a read limit");
        stream.write_all(bytes).expect("bytes that are sent");
        let mut answer = Vec::new();
        // A reset and a limit that passed both end the answer: what came until then is what there is.
        let _ = stream.read_to_end(&mut answer);
        answer
    }

    /// Starts a task; panics when that fails.
    #[track_caller]
    pub fn task(&self, params: Value) -> Task<'_> {
        let data = self.call(None, "start", params).expect_ok();
        let id = data["id"]
            .as_str()
            .unwrap_or_else(|| panic!("start gave no id: {data:#}"))
            .to_owned();
        Task { dsb: self, id }
    }

    /// The address that the service announced.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// The address of a route.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.addr)
    }

    /// The service's process number.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// The home and working directory of the service.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// What the service has written to its outputs so far.
    pub fn output(&self) -> String {
        lock(&self.output).clone()
    }

    /// Kills the service as `kill -9` does and waits for its end.
    pub fn kill(&self) {
        let mut process = lock(&self.process);
        process.signal(Signal::KILL);
        process.wait(START).expect("a killed process ends");
    }

    /// Asks the service to end (SIGTERM) and waits; `None` when it does not end within `limit`.
    pub fn stop(&self, limit: Duration) -> Option<ExitStatus> {
        let mut process = lock(&self.process);
        process.signal(Signal::TERM);
        process.wait(limit)
    }
}

/// One task of a service, so that a test need not repeat the id.
pub struct Task<'a> {
    dsb: &'a Dsb,
    /// The task's id.
    pub id: String,
}

impl Task<'_> {
    /// Runs one command of this task.
    pub fn call(&self, method: &str, params: Value) -> Reply {
        self.dsb.call(self.id.as_str(), method, params)
    }

    /// Runs one command of this task that has to succeed; gives its data.
    #[track_caller]
    pub fn ok(&self, method: &str, params: Value) -> Value {
        self.call(method, params).expect_ok()
    }
}

fn serve_command(options: &Options, home: &Path) -> Command {
    let mut command = Command::new(&options.binary);
    command.arg("serve").arg("--server.port=0").args(&options.args);
    command.current_dir(home).env_clear().env("HOME", home);
    for name in ["PATH", "TMPDIR", "RUST_LOG", "RUST_BACKTRACE", "LLVM_PROFILE_FILE"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command.envs(options.env.iter().map(|(name, value)| (name, value)));
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Reads a pipe to its end on a thread of its own (a full pipe would stop the service) and announces the address.
fn collect(pipe: impl Read + Send + 'static, output: Arc<Mutex<String>>, announce: Sender<SocketAddr>) {
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line);
            if let Some(addr) = announced(&line) {
                let _ = announce.send(addr);
            }
            let mut output = lock(&output);
            output.push_str(&line);
            output.push('\n');
        }
    });
}

/// The address in the line `listening on http://<address>`.
fn announced(line: &str) -> Option<SocketAddr> {
    let rest = line.split_once("listening on http://")?.1;
    rest.split(|c: char| c == '/' || c.is_whitespace()).next()?.parse().ok()
}

fn await_listening(listening: &Receiver<SocketAddr>, output: &Mutex<String>) -> SocketAddr {
    // An end of the process closes both pipes and thereby the channel: the panic comes at once, with all of the output.
    listening
        .recv_timeout(START)
        .unwrap_or_else(|error| panic!("the service does not listen ({error}):\n{}", lock(output)))
}

fn agent() -> ureq::Agent {
    ureq::Agent::config_builder()
        .http_status_as_error(false)
        .proxy(None)
        .timeout_global(Some(ANSWER))
        .max_redirects(0)
        .build()
        .new_agent()
}

/// A panic of one test thread must not hide the output from the others.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_announced_address() {
        let addr = announced("2026 INFO listening on http://127.0.0.1:40123").expect("an address");
        assert_eq!(addr.port(), 40123);
        assert_eq!(
            announced("listening on http://127.0.0.1:80/ (pid 7)").map(|a| a.port()),
            Some(80)
        );
        assert_eq!(announced("listening on port 80"), None);
    }

    #[test]
    #[should_panic(expected = "the port is taken")]
    fn a_service_that_ends_at_once_fails_with_its_output() {
        let (announce, listening) = channel();
        drop(announce);
        await_listening(&listening, &Mutex::new("the port is taken\n".to_owned()));
    }
}
