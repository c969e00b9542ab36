//! One browser process: started with its pipe on the descriptors 3 and 4, in a group of its own, its standard error kept
//! for the message when it fails. It never outlives this value.

use std::collections::VecDeque;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use command_fds::{CommandFdExt, FdMapping};
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStderr, Command};
use tokio::sync::watch;

use super::{LaunchError, LaunchOptions, flags};

/// Bytes of standard error that are kept.
const STDERR_KEPT: usize = 16 * 1024;

/// A running browser process. Dropping it kills the whole process group.
#[derive(Debug)]
pub struct BrowserProcess {
    pid: u32,
    exit: watch::Receiver<Option<ExitStatus>>,
    stderr: Arc<Mutex<VecDeque<u8>>>,
}

/// The parent's ends of the debugging pipe.
#[derive(Debug)]
pub struct PipeEnds {
    /// We write commands here.
    pub write: OwnedFd,
    /// We read replies here.
    pub read: OwnedFd,
}

/// Starts the browser. It has not answered anything yet when this returns.
///
/// # Errors
/// [`LaunchError::Os`] when the process cannot be created.
pub fn spawn(options: &LaunchOptions, sandbox: bool) -> Result<(BrowserProcess, PipeEnds), LaunchError> {
    let executable = &options.installed.executable;
    let (child_read, write) = pipe()?;
    let (read, child_write) = pipe()?;
    let mut command = std::process::Command::new(executable);
    command
        .args(flags::arguments(options, sandbox))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
        .fd_mappings(vec![
            FdMapping {
                parent_fd: child_read,
                child_fd: 3,
            },
            FdMapping {
                parent_fd: child_write,
                child_fd: 4,
            },
        ])
        .map_err(|error| LaunchError::Os {
            what: "descriptors".into(),
            error: error.to_string(),
        })?;
    let mut child = Command::from(command)
        .spawn()
        .map_err(|error| LaunchError::os(executable.display().to_string(), &error))?;
    let pid = child.id().unwrap_or_default();
    let stderr = Arc::new(Mutex::new(VecDeque::new()));
    if let Some(pipe) = child.stderr.take() {
        tokio::spawn(keep_tail(pipe, Arc::clone(&stderr)));
    }
    let (sender, exit) = watch::channel(None);
    tokio::spawn(reap(child, pid, sender));
    Ok((BrowserProcess { pid, exit, stderr }, PipeEnds { write, read }))
}

/// Both ends close on exec: the mapping to 3 and 4 is what the child inherits, and no later child inherits ours.
fn pipe() -> Result<(OwnedFd, OwnedFd), LaunchError> {
    rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC).map_err(|error| LaunchError::os("pipe", &error.into()))
}

async fn keep_tail(mut pipe: ChildStderr, kept: Arc<Mutex<VecDeque<u8>>>) {
    let mut chunk = [0; 4096];
    while let Ok(read) = pipe.read(&mut chunk).await {
        if read == 0 {
            return;
        }
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(&chunk[..read]);
        let excess = kept.len().saturating_sub(STDERR_KEPT);
        kept.drain(..excess);
    }
}

async fn reap(mut child: Child, pid: u32, exit: watch::Sender<Option<ExitStatus>>) {
    let status = child.wait().await.unwrap_or_else(|_| ExitStatus::from_raw(-1));
    // At once, while the group id cannot have been given to anyone else: a helper that outlived the browser would keep
    // the profile locked.
    kill_group(pid);
    let _ = exit.send(Some(status));
}

fn kill_group(pid: u32) {
    if let Some(group) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

impl BrowserProcess {
    /// Process id, which is also the id of its process group.
    #[must_use]
    pub const fn pid(&self) -> u32 {
        self.pid
    }

    /// Resolves when the process has ended.
    pub async fn exited(&self) -> ExitStatus {
        let mut exit = self.exit.clone();
        match exit.wait_for(Option::is_some).await {
            Ok(status) => status.unwrap_or_default(),
            Err(_) => ExitStatus::default(),
        }
    }

    /// Last words on standard error, at most a few lines.
    #[must_use]
    pub fn last_words(&self) -> String {
        let bytes: Vec<u8> = self
            .stderr
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .copied()
            .collect();
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        lines[lines.len().saturating_sub(6)..].join("\n")
    }

    /// Kills every process of the group at once.
    pub fn kill(&self) {
        if self.exit.borrow().is_none() {
            kill_group(self.pid);
        }
    }

    /// Waits for the process to end by itself for `grace`, then kills its group.
    pub async fn finish(&self, grace: Duration) {
        if tokio::time::timeout(grace, self.exited()).await.is_err() {
            self.kill();
            let _ = tokio::time::timeout(Duration::from_secs(5), self.exited()).await;
        }
    }
}

impl Drop for BrowserProcess {
    fn drop(&mut self) {
        self.kill();
    }
}
