//! Finding, starting and ending a browser process. A browser that we start runs in a process group of its own, is spoken
//! to over a pipe (no debugging port is open to anyone else) and ends when this process ends, however it ends: the
//! browser watches its end of the pipe.

mod find;
mod flags;
mod process;
mod profile;

use std::path::PathBuf;
use std::time::Duration;

pub use find::{BrowserKind, Installed, find_browser};
pub use process::{BrowserProcess, spawn};
pub use profile::{MARKER_FILE, Marker, ProfileDir};

/// What to start.
#[derive(Debug, Clone)]
pub struct LaunchOptions {
    /// The executable.
    pub installed: Installed,
    /// Directory that holds cookies and logins; created when missing.
    pub profile_dir: PathBuf,
    /// Folder inside it, `None` to pass no flag.
    pub profile_directory: Option<String>,
    /// No window.
    pub headless: bool,
    /// Whether Chromium's sandbox is used.
    pub sandbox: Sandbox,
    /// Size of the page in CSS pixels where the page does not follow a window.
    pub viewport: (u32, u32),
    /// Flags of the user, passed last.
    pub extra_args: Vec<String>,
    /// Limit for the browser's first answer.
    pub timeout: Duration,
    /// Where downloads are stored.
    pub download_dir: PathBuf,
}

/// Choice of the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sandbox {
    /// On where it works: off as root or where the first start fails for want of it.
    Auto,
    /// Always on.
    On,
    /// Always off.
    Off,
}

/// Why a browser did not come up.
#[derive(Debug, Clone, thiserror::Error)]
pub enum LaunchError {
    /// No executable of that kind was found.
    #[error("no {kind} found")]
    NotFound {
        /// Kind asked for (`auto` for any).
        kind: String,
        /// Where we looked.
        looked: Vec<String>,
    },
    /// Another process owns the profile.
    #[error("profile {} is in use", profile.display())]
    ProfileInUse {
        /// The profile directory.
        profile: PathBuf,
    },
    /// A window was asked for and there is no display.
    #[error("no display")]
    NoDisplay,
    /// The process ended before it answered.
    #[error("browser ended at start ({status}): {stderr}")]
    Exited {
        /// Exit status in words.
        status: String,
        /// Last lines of its standard error.
        stderr: String,
    },
    /// No answer within the limit.
    #[error("browser did not answer within {} ms: {stderr}", after.as_millis())]
    Timeout {
        /// The limit.
        after: Duration,
        /// Last lines of its standard error.
        stderr: String,
    },
    /// The operating system refused something.
    #[error("{what}: {error}")]
    Os {
        /// What was attempted.
        what: String,
        /// Its answer.
        error: String,
    },
}

impl LaunchError {
    pub(crate) fn os(what: impl Into<String>, error: &std::io::Error) -> Self {
        Self::Os {
            what: what.into(),
            error: error.to_string(),
        }
    }

    /// True where the process says that it could not set up its sandbox.
    #[must_use]
    pub fn names_sandbox(&self) -> bool {
        matches!(self, Self::Exited { stderr, .. } | Self::Timeout { stderr, .. } if stderr.to_lowercase().contains("sandbox"))
    }
}
