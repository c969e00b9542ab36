//! A child process that is always ended and always waited for.
//!
//! Invariant: signals go to the process that was started here and to no other. The process handle (pidfd) names it even
//! after its number has been given away.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// How long a process may take to end by itself after a polite signal.
const POLITE: Duration = Duration::from_secs(10);

/// The guarded child.
pub struct Process {
    child: Child,
    handle: OwnedFd,
}

impl Process {
    /// Starts `command`; panics when that cannot be done.
    pub fn spawn(command: &mut Command) -> Self {
        let child = command
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
        let handle = pidfd_open(Pid::from_child(&child), PidfdFlags::empty()).expect("a handle of the child");
        Self { child, handle }
    }

    /// The child itself, for its pipes.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal; a process that has already ended is left alone.
    pub fn signal(&self, signal: Signal) {
        let _ = pidfd_send_signal(&self.handle, signal);
    }

    /// Waits for the end; `None` when `limit` passes first.
    pub fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        let end = Instant::now() + limit;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let timeout = Timespec {
                tv_sec: left.as_secs() as i64,
                tv_nsec: left.subsec_nanos().into(),
            };
            match poll(&mut [PollFd::new(&self.handle, PollFlags::IN)], Some(&timeout)) {
                Ok(0) => return None,
                Ok(_) => return Some(self.child.wait().expect("the status of our own child")),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => panic!("cannot wait for the child: {error}"),
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.signal(Signal::TERM);
        if self.wait(POLITE).is_none() {
            self.signal(Signal::KILL);
            self.wait(POLITE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_and_times_out() {
        let mut process = Process::spawn(Command::new("sleep").arg("600"));
        assert!(process.wait(Duration::from_millis(20)).is_none(), "still running");
        process.signal(Signal::KILL);
        let status = process.wait(Duration::from_secs(10)).expect("ended by the signal");
        assert!(!status.success());
    }

    #[test]
    fn drop_ends_and_reaps() {
        let process = Process::spawn(Command::new("sleep").arg("600"));
        let pid = process.pid();
        drop(process);
        assert!(
            !std::path::Path::new(&format!("/proc/{pid}")).exists(),
            "no process and no zombie stays"
        );
    }
}
