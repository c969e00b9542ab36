//! The engine's one error type. Every variant states a fact about the browser or the page; which code and which words
//! a caller sees is decided above. A refusal raised by the page script keeps the code that the script chose.

use std::time::Duration;

use cdp::CdpError;
use serde_json::{Map, Value};

use crate::tab::TabEnd;

/// What an engine operation may fail with.
#[derive(Debug, Clone, thiserror::Error)]
pub enum EngineError {
    /// The browser process or the connection to it is gone.
    #[error("the browser is gone: {reason}")]
    BrowserGone {
        /// What was seen of its end.
        reason: String,
    },
    /// The tab was closed or its renderer crashed.
    #[error("the tab is gone: {0}")]
    TabGone(TabEnd),
    /// The document was replaced while the call ran; nothing was acted upon.
    #[error("the page is navigating")]
    Navigating,
    /// The page script refused, with a code of the command protocol.
    #[error("refused: {code} ({reason})")]
    Refused {
        /// Code of the command protocol, such as `ELEMENT_OBSCURED`.
        code: String,
        /// Stable kebab-case reason.
        reason: String,
        /// Facts for the caller.
        facts: Map<String, Value>,
    },
    /// An operation ran out of its own time.
    #[error("{what} took longer than {} ms", after.as_millis())]
    Timeout {
        /// What was being done.
        what: String,
        /// The limit.
        after: Duration,
    },
    /// Input was, or may have been, delivered and its outcome cannot be known.
    #[error("outcome unknown: {reason}")]
    Uncertain {
        /// What went wrong after the input was sent.
        reason: String,
    },
    /// Input stopped in the middle: part of it was delivered, or may have been.
    #[error("stopped in the middle: {reason}")]
    CutOff {
        /// What stopped it.
        reason: String,
        /// How far it had got: `unit`, `sent`, `confirmed`, `of`, and what more the gesture knows.
        sent: Map<String, Value>,
    },
    /// Text meant for one element was taken by another.
    #[error("the text went to another element")]
    Strayed {
        /// What took it: tag, id, class, text.
        hit: Map<String, Value>,
    },
    /// The script given by the caller threw, or its result could not be passed.
    #[error("script failed: {}", .0.message)]
    Script(ScriptError),
    /// The script given by the caller exceeded its limit; its effects are unknown.
    #[error("script exceeded {limit_ms} ms")]
    ScriptTimeout {
        /// The limit that was exceeded.
        limit_ms: u64,
    },
    /// The network failed a navigation.
    #[error("{token} while opening {url}")]
    Network {
        /// `ERR_…` token.
        token: String,
        /// Address asked for.
        url: String,
        /// Address that the tab shows now.
        shown: String,
    },
    /// There is no history entry in that direction.
    #[error("no history entry {}", if *.back { "before" } else { "after" })]
    NoHistory {
        /// True for "back".
        back: bool,
    },
    /// Going there would send a form a second time.
    #[error("would submit a form again")]
    WouldResubmit,
    /// No frame answers to that name.
    #[error("no frame {wanted}")]
    FrameNotFound {
        /// What was asked for.
        wanted: String,
        /// The frames that exist.
        frames: Vec<String>,
    },
    /// An index does not resolve to its element any more.
    #[error("index {index} is stale: {reason}")]
    StaleIndex {
        /// The index asked for.
        index: u32,
        /// Stable kebab-case reason.
        reason: String,
        /// Facts for the caller.
        facts: Map<String, Value>,
    },
    /// A navigation is under way and the page cannot be asked anything until it ends.
    #[error("waiting for {url}")]
    NavigationPending {
        /// Where it goes.
        url: String,
    },
    /// A native dialog was left open and holds the page until it is answered.
    #[error("a dialog is open: {}", .0.message)]
    DialogOpen(Box<crate::dialogs::Dialog>),
    /// There is no native dialog to answer.
    #[error("no dialog is open")]
    NoDialog,
    /// The browser could not be started.
    #[error(transparent)]
    Launch(#[from] crate::launch::LaunchError),
    /// The browser answered a protocol call with an error.
    #[error("{method}: {message}")]
    Protocol {
        /// Protocol method.
        method: String,
        /// The browser's words.
        message: String,
    },
}

impl EngineError {
    /// Input that stopped in the middle; `sent` is an object. What tells more by itself is kept.
    pub(crate) fn cut_off(self, sent: Value) -> Self {
        match (self, sent) {
            (error @ (Self::Uncertain { .. } | Self::CutOff { .. } | Self::DialogOpen(_)), _) => error,
            (error, Value::Object(sent)) => Self::CutOff {
                reason: error.to_string(),
                sent,
            },
            (error, _) => Self::Uncertain {
                reason: error.to_string(),
            },
        }
    }

    /// A refusal: `facts` is an object, or nothing.
    pub(crate) fn refused(code: &str, reason: &str, facts: Value) -> Self {
        Self::Refused {
            code: code.to_owned(),
            reason: reason.to_owned(),
            facts: match facts {
                Value::Object(facts) => facts,
                _ => Map::new(),
            },
        }
    }
}

/// What a page script threw.
#[derive(Debug, Clone, Default)]
pub struct ScriptError {
    /// Error class, such as `TypeError`.
    pub name: String,
    /// First line of the message.
    pub message: String,
    /// Frames of the page's own code, innermost first.
    pub stack: Vec<String>,
}

/// Texts by which Chromium says that the document a call was meant for is not there any more. The protocol has no code
/// for it (all are -32000), so the texts are matched here and nowhere else.
const REPLACED: [&str; 8] = [
    "Cannot find context with specified id",
    "uniqueContextId not found",
    "Execution context was destroyed",
    "Inspected target navigated or closed",
    "Promise was collected",
    "No frame for given id found",
    "Cannot find default execution context",
    // The page moves to another process: what holds it now is not the active one yet, or not any more.
    "Not attached to an active page",
];

impl From<CdpError> for EngineError {
    fn from(error: CdpError) -> Self {
        match error {
            CdpError::BrowserGone { reason } => Self::BrowserGone { reason },
            CdpError::SessionGone { reason } => Self::TabGone(TabEnd::from(reason)),
            CdpError::Timeout { method, after } => Self::Timeout {
                what: method.to_owned(),
                after,
            },
            CdpError::Protocol { method, message, .. } => {
                if REPLACED.iter().any(|text| message.contains(text)) {
                    Self::Navigating
                } else {
                    Self::Protocol {
                        method: method.to_owned(),
                        message,
                    }
                }
            }
            other => Self::Protocol {
                method: String::new(),
                message: other.to_string(),
            },
        }
    }
}

/// Shorthand used throughout the engine.
pub type Result<T, E = EngineError> = std::result::Result<T, E>;
