//! The one error type of the crate. It is `Clone` because one cause (the browser has gone) fails many calls at once.

use std::fmt;
use std::time::Duration;

/// Why a call or a connection failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CdpError {
    /// The transport is closed, because the browser ended or because the connection was closed here. Final for the
    /// connection: every pending and every later call fails with it.
    #[error("the browser is gone: {reason}")]
    BrowserGone {
        /// What ended the connection, in words.
        reason: String,
    },
    /// The session cannot answer any more. Whether the command took effect is unknown.
    #[error("the session is gone: {reason}")]
    SessionGone {
        /// What ended it.
        reason: SessionEnd,
    },
    /// The browser answered with an error.
    #[error("{method} failed: {message} ({code})")]
    Protocol {
        /// The command that failed.
        method: &'static str,
        /// The JSON-RPC error code, such as -32000.
        code: i64,
        /// The browser's message, with its `data` member after a colon where there is one.
        message: String,
    },
    /// No answer came within the deadline. Whether the command took effect is unknown.
    #[error("{method} did not answer within {after:?}")]
    Timeout {
        /// The command that was not answered.
        method: &'static str,
        /// The deadline.
        after: Duration,
    },
    /// A command could not be written as JSON, or an answer or event did not have the expected shape.
    #[error("{method} has an unexpected shape: {message}")]
    Decode {
        /// The command or event concerned.
        method: String,
        /// What did not fit.
        message: String,
    },
    /// A message is larger than [`crate::ConnectionOptions::max_message_bytes`].
    #[error("a message of {bytes} bytes is over the limit of {limit} bytes")]
    TooLarge {
        /// Size of the message in bytes.
        bytes: usize,
        /// The limit in bytes.
        limit: usize,
    },
}

/// How a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SessionEnd {
    /// The browser detached it: the target closed, moved to another process, or was detached on request.
    Detached,
    /// The target's process crashed while calls were pending. Only ever the reason of a failed call: the session lives
    /// on, because a reload revives it. Until then only what the browser process does itself is answered (`Page.reload`,
    /// `Page.navigate`); other calls run into their deadline.
    Crashed,
    /// The whole connection ended.
    Closed,
}

impl fmt::Display for SessionEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Detached => "detached from its target",
            Self::Crashed => "its target crashed",
            Self::Closed => "the connection closed",
        })
    }
}

impl CdpError {
    /// A [`CdpError::Decode`] of `method` from a serde error.
    pub(crate) fn decode(method: &str, error: &serde_json::Error) -> Self {
        Self::Decode {
            method: method.to_owned(),
            message: error.to_string(),
        }
    }
}
