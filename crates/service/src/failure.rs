//! The one error value of the product: a stable code for programs, a localisable text for people, and the facts
//! that a caller needs to decide what to do next.
//!
//! Invariant: whatever is told about an outcome (`retryable`, `started`, `outcomeUnknown`) is decided here, from the
//! code and the class of the command, and never from the wording of a message.

use serde_json::{Map, Value, json};

use crate::messages::{Language, Text};
use crate::text;

/// Stable error codes (`errorCode` of a failed reply). Their meaning is part of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the protocol's own words; each is explained by its `as_str` form
pub enum Code {
    InvalidArgument,
    ElementNotFound,
    ElementReadOnly,
    ElementDisabled,
    ElementObscured,
    ElementHidden,
    ElementNotEditable,
    StaleElement,
    PageNavigating,
    SpuriousDispatch,
    NetworkError,
    RateLimited,
    ActionTimeout,
    EvalTimeout,
    CommandTimeout,
    ActionUncertain,
    CaptureFailed,
    CaptureCircuitOpen,
    ActionFailed,
    DialogOpen,
    NotImplemented,
    EngineNotSupported,
}

impl Code {
    /// The spelling on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Code::InvalidArgument => "INVALID_ARGUMENT",
            Code::ElementNotFound => "ELEMENT_NOT_FOUND",
            Code::ElementReadOnly => "ELEMENT_READ_ONLY",
            Code::ElementDisabled => "ELEMENT_DISABLED",
            Code::ElementObscured => "ELEMENT_OBSCURED",
            Code::ElementHidden => "ELEMENT_HIDDEN",
            Code::ElementNotEditable => "ELEMENT_NOT_EDITABLE",
            Code::StaleElement => "STALE_ELEMENT",
            Code::PageNavigating => "PAGE_NAVIGATING",
            Code::SpuriousDispatch => "SPURIOUS_DISPATCH",
            Code::NetworkError => "NETWORK_ERROR",
            Code::RateLimited => "RATE_LIMITED",
            Code::ActionTimeout => "ACTION_TIMEOUT",
            Code::EvalTimeout => "EVAL_TIMEOUT",
            Code::CommandTimeout => "COMMAND_TIMEOUT",
            Code::ActionUncertain => "ACTION_UNCERTAIN",
            Code::CaptureFailed => "CAPTURE_FAILED",
            Code::CaptureCircuitOpen => "CAPTURE_CIRCUIT_OPEN",
            Code::ActionFailed => "ACTION_FAILED",
            Code::DialogOpen => "DIALOG_OPEN",
            Code::NotImplemented => "NOT_IMPLEMENTED",
            Code::EngineNotSupported => "ENGINE_NOT_SUPPORTED",
        }
    }

    /// Whether sending the same command again can succeed. `PAGE_NAVIGATING` and `SPURIOUS_DISPATCH` are true only
    /// for commands that may be run twice; the pipeline lowers them for the others.
    pub const fn retryable(self) -> bool {
        matches!(
            self,
            Code::StaleElement
                | Code::PageNavigating
                | Code::SpuriousDispatch
                | Code::NetworkError
                | Code::RateLimited
                | Code::ActionTimeout
                | Code::CaptureFailed
                | Code::CaptureCircuitOpen
        )
    }

    /// Milliseconds to wait before such a resend, where the protocol fixes them.
    pub const fn retry_after_ms(self) -> Option<u64> {
        match self {
            Code::StaleElement => Some(300),
            Code::PageNavigating => Some(1000),
            Code::SpuriousDispatch => Some(120),
            Code::NetworkError => Some(5000),
            Code::RateLimited => Some(35_000),
            Code::ActionTimeout => Some(1500),
            _ => None,
        }
    }

    /// Whether the server itself may run a command again after it (only commands that are safe to run twice).
    pub const fn is_transient(self) -> bool {
        matches!(self, Code::PageNavigating | Code::SpuriousDispatch)
    }
}

/// A failed command: code, reason, and facts for `data`.
#[derive(Debug, Clone)]
pub struct Failure {
    /// What kind of failure it is.
    pub code: Code,
    /// The reason, rendered in the caller's language at the edge.
    pub text: Text,
    /// Members of `data` beside the code (they win over what the code implies).
    pub data: Box<Map<String, Value>>,
    /// Members of `data` that are sentences and are rendered like the reason.
    pub texts: Vec<(&'static str, Text)>,
}

impl Failure {
    /// A failure with the meaning that its code has.
    pub fn new(code: Code, text: Text) -> Self {
        Failure {
            code,
            text,
            data: Box::default(),
            texts: Vec::new(),
        }
    }

    /// An argument error: raised before anything reached the browser, so that `started:false` is promised.
    pub fn invalid(text: Text) -> Self {
        Failure::new(Code::InvalidArgument, text)
            .with("invalidArgument", true)
            .with("started", false)
            .with_text("note", text!("failure.note_invalid"))
    }

    /// A command of the contract that this build does not have yet.
    pub fn not_implemented(text: Text) -> Self {
        Failure::new(Code::NotImplemented, text).with("started", false)
    }

    /// Adds or replaces one member of `data`.
    #[must_use]
    pub fn with(mut self, member: &str, value: impl Into<Value>) -> Self {
        self.data.insert(member.to_owned(), value.into());
        self
    }

    /// Adds or replaces one member of `data` whose value is a sentence for people.
    #[must_use]
    pub fn with_text(mut self, member: &'static str, text: Text) -> Self {
        self.texts.retain(|(name, _)| *name != member);
        self.texts.push((member, text));
        self
    }

    /// Says that sending the command again is pointless or unsafe, whatever the code says.
    #[must_use]
    pub fn not_retryable(mut self) -> Self {
        self.data.shift_remove("retryAfterMs");
        self.with("retryable", false)
    }

    /// Says that the command may be sent again after `after_ms` milliseconds.
    #[must_use]
    pub fn retryable_after(self, after_ms: u64) -> Self {
        self.with("retryable", true).with("retryAfterMs", after_ms)
    }

    /// Whether `data.invalidArgument` is true; the HTTP status follows it.
    pub fn is_invalid_argument(&self) -> bool {
        self.data.get("invalidArgument") == Some(&Value::Bool(true))
    }

    /// Whether the failure promises that nothing was started.
    pub fn never_started(&self) -> bool {
        self.data.get("started") == Some(&Value::Bool(false))
    }

    /// Whether the reply will say that a resend can succeed.
    pub fn retryable(&self) -> bool {
        self.data
            .get("retryable")
            .and_then(Value::as_bool)
            .unwrap_or(self.code.retryable())
    }

    /// The pause before a resend, in milliseconds, if there is one.
    pub fn retry_after_ms(&self) -> Option<u64> {
        let implied = if self.retryable() {
            self.code.retry_after_ms()
        } else {
            None
        };
        self.data.get("retryAfterMs").and_then(Value::as_u64).or(implied)
    }

    /// The `data` of the failed reply: code first, then whether and when to resend, then the facts.
    pub fn render_data(&self, language: Language) -> Map<String, Value> {
        let mut out = Map::new();
        out.insert("errorCode".into(), json!(self.code.as_str()));
        out.insert("retryable".into(), json!(self.retryable()));
        if let Some(after) = self.retry_after_ms() {
            out.insert("retryAfterMs".into(), json!(after));
        }
        for (member, value) in self.data.iter() {
            if member != "retryable" && member != "retryAfterMs" {
                out.insert(member.clone(), value.clone());
            }
        }
        for (member, text) in &self.texts {
            out.insert((*member).to_owned(), Value::String(text.render(language)));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_error_promises_that_nothing_started() {
        let failure = Failure::invalid(text!("failure.note_invalid"));
        let data = failure.render_data(Language::En);
        assert_eq!(data["errorCode"], "INVALID_ARGUMENT");
        assert_eq!(data["retryable"], false);
        assert_eq!(data["invalidArgument"], true);
        assert_eq!(data["started"], false);
        assert!(data["note"].as_str().unwrap().len() > 10);
        assert!(!data.contains_key("retryAfterMs"));
        assert!(failure.is_invalid_argument() && failure.never_started());
    }

    #[test]
    fn facts_win_over_what_the_code_implies() {
        let failure = Failure::new(Code::PageNavigating, text!("failure.note_invalid"));
        assert_eq!(failure.render_data(Language::En)["retryAfterMs"], 1000);
        let lowered = failure.not_retryable().render_data(Language::En);
        assert_eq!(lowered["retryable"], false);
        assert!(!lowered.contains_key("retryAfterMs"));
        let raised = Failure::new(Code::CommandTimeout, text!("failure.note_invalid"))
            .retryable_after(500)
            .render_data(Language::En);
        assert_eq!(
            (raised["retryable"].clone(), raised["retryAfterMs"].clone()),
            (json!(true), json!(500))
        );
    }

    #[test]
    fn a_repeated_member_is_replaced() {
        let failure = Failure::invalid(text!("failure.note_invalid"))
            .with("started", true)
            .with("started", false);
        assert_eq!(
            failure
                .render_data(Language::En)
                .keys()
                .filter(|key| *key == "started")
                .count(),
            1
        );
    }
}
