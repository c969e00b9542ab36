//! Exit codes.
//!
//! Invariant: a code says who has to act — nobody, the network, the caller's plan, or the caller's command line.

use std::process::ExitCode;

/// How a run of `dsb` ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It did what it was asked for.
    Done,
    /// The service could not be reached, did not answer in time, or answered something that is no reply.
    Transport,
    /// The service answered and the answer is a failure.
    Failed,
    /// The command line is wrong, or names a file or a selection that does not exist.
    Usage,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Done => Self::from(0),
            Exit::Transport => Self::from(1),
            Exit::Failed => Self::from(2),
            Exit::Usage => Self::from(3),
        }
    }
}

/// Reports a wrong command line.
pub fn usage(problem: &str) -> Exit {
    eprintln!("dsb: {problem}");
    Exit::Usage
}

/// Reports that the service could not be spoken to.
pub fn transport(problem: &str) -> Exit {
    eprintln!("dsb: {problem}");
    Exit::Transport
}
