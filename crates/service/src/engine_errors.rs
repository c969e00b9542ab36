//! From what the engine reports to what a caller is told: the one place where engine errors get codes and words.
//! Invariant: once input may have been delivered, the failure says that the outcome is unknown and that a resend is not
//! safe; it never claims that nothing happened.

use engine::launch::LaunchError;
use engine::{Dialog, EngineError, ScriptError};
use serde_json::{Map, Value, json};

use crate::failure::{Code, Failure};
use crate::refusals::{number, refused, word};
use crate::text;

impl Failure {
    /// The failure for an engine error. `acted`: input may already have reached the page.
    pub fn from_engine(error: &EngineError, acted: bool) -> Self {
        let failure = Self::of_engine(error);
        let lost = matches!(
            error,
            EngineError::BrowserGone { .. }
                | EngineError::TabGone(_)
                | EngineError::Navigating
                | EngineError::Timeout { .. }
                | EngineError::Protocol { .. }
        );
        match error {
            // What acted goes on once the dialog is answered.
            EngineError::DialogOpen(_) if acted => failure.with("outcomeUnknown", true),
            _ if acted && lost => uncertain(failure),
            _ => failure,
        }
    }

    fn of_engine(error: &EngineError) -> Self {
        match error {
            EngineError::BrowserGone { reason } => {
                Self::new(Code::ActionFailed, text!("engine.browser_gone", reason = reason)).with("browserGone", true)
            }
            EngineError::TabGone(end) => {
                Self::new(Code::ActionFailed, text!("engine.tab_gone", how = end)).with("tabGone", true)
            }
            EngineError::Navigating => Self::new(Code::PageNavigating, text!("engine.navigating")),
            EngineError::Refused { code, reason, facts } => refused(code, reason, facts),
            EngineError::Timeout { what, after } => Self::new(
                Code::ActionTimeout,
                text!("engine.timeout", what = what, ms = after.as_millis()),
            ),
            EngineError::Uncertain { reason } => uncertain(Self::new(
                Code::ActionUncertain,
                text!("engine.uncertain", reason = reason),
            )),
            EngineError::CutOff { reason, sent } => uncertain(Self::new(
                Code::ActionUncertain,
                text!("engine.cut_off", reason = reason),
            ))
            .with("sent", sent.clone()),
            EngineError::Strayed { hit } => {
                let text = text!("input.strayed", hit = crate::refusals::named(hit));
                uncertain(Self::new(Code::ActionUncertain, text)).with("hit", hit.clone())
            }
            EngineError::NavigationPending { url } => {
                Self::new(Code::PageNavigating, text!("engine.navigation_pending", url = url))
                    .with("navigationPending", url.clone())
            }
            EngineError::Script(error) => script(error),
            EngineError::ScriptTimeout { limit_ms } => {
                Self::new(Code::EvalTimeout, text!("engine.script_timeout", ms = limit_ms))
                    .with("outcomeUnknown", true)
                    .with("evalTimeoutMs", *limit_ms)
            }
            EngineError::Network { token, url, shown } => network(token, url, shown),
            EngineError::DialogOpen(dialog) => dialog_open(dialog),
            EngineError::NoDialog => Self::new(Code::ActionFailed, text!("dialog.none_open")),
            EngineError::NoHistory { back: true } => Self::new(Code::ActionFailed, text!("engine.no_history_back")),
            EngineError::NoHistory { back: false } => Self::new(Code::ActionFailed, text!("engine.no_history_forward")),
            EngineError::WouldResubmit => {
                Self::new(Code::ActionFailed, text!("engine.would_resubmit")).with("wouldResubmit", true)
            }
            EngineError::FrameNotFound { wanted, frames } => Self::new(
                Code::ActionFailed,
                text!("engine.frame_not_found", wanted = wanted, frames = frames.join("; ")),
            )
            .with("frames", frames.clone()),
            EngineError::StaleIndex { index, reason, facts } => stale(*index, reason, facts),
            EngineError::Launch(error) => launch(error),
            EngineError::Protocol { method, message } => Self::new(
                Code::ActionFailed,
                text!("engine.protocol", method = method, message = message),
            ),
        }
    }
}

/// Input was or may have been delivered: say so, whatever else is known.
fn uncertain(failure: Failure) -> Failure {
    Failure {
        code: Code::ActionUncertain,
        ..failure
    }
    .not_retryable()
    .with("actionStatus", "unknown")
    .with("retrySafe", false)
    .with_text("note", text!("engine.note_uncertain"))
}

/// A native dialog was left open: what it says, and how it is answered.
fn dialog_open(dialog: &Dialog) -> Failure {
    Failure::new(
        Code::DialogOpen,
        text!("dialog.holds_the_page", kind = &dialog.kind, message = &dialog.message),
    )
    .with("dialog", json!(dialog))
    .with_text("hint", text!("dialog.how_to_answer"))
}

fn script(error: &ScriptError) -> Failure {
    let ScriptError { name, message, stack } = error;
    Failure::new(
        Code::ActionFailed,
        text!("engine.script", name = name, message = message),
    )
    .with("error", json!({"name": name, "message": message, "stack": stack}))
}

fn network(token: &str, url: &str, shown: &str) -> Failure {
    // Neither an address that cannot be read, nor a certificate or a password that is refused, gets better by waiting.
    let (hint, lasting) = match token {
        "ERR_INVALID_AUTH_CREDENTIALS" => (text!("engine.network_hint_password"), true),
        _ if token.starts_with("ERR_CERT_") => (text!("engine.network_hint_certificate"), true),
        _ => (text!("engine.network_hint"), token == "ERR_INVALID_URL"),
    };
    let failure = Failure::new(Code::NetworkError, text!("engine.network", token = token, url = url))
        .with("netError", token)
        .with("urlRequested", url)
        .with("networkErrorPage", shown.starts_with("chrome-error:"))
        .with("errorPageUrl", shown)
        .with_text("hint", hint);
    if lasting { failure.not_retryable() } else { failure }
}

fn stale(index: u32, reason: &str, facts: &Map<String, Value>) -> Failure {
    let text = match reason {
        "no-snapshot" => text!("engine.no_snapshot"),
        "not-listed" if !facts.contains_key("highest") => text!("engine.index_none_listed", index = index),
        "not-listed" => text!(
            "engine.index_out_of_range",
            index = index,
            count = number(facts, "count"),
            highest = number(facts, "highest")
        ),
        "document-replaced" => text!(
            "engine.index_document_replaced",
            index = index,
            by = word(facts, "replacedBy")
        ),
        "frame-gone" => text!("engine.index_frame_gone", index = index),
        "other-document" => text!("engine.index_other_snapshot", index = index),
        _ => text!("engine.index_removed", index = index),
    };
    let mut failure = Failure::new(Code::StaleElement, text)
        .with("index", index)
        .with("reason", reason);
    for (name, value) in facts {
        failure = failure.with(name, value.clone());
    }
    failure
}

fn launch(error: &LaunchError) -> Failure {
    let text = match error {
        LaunchError::NotFound { kind, looked } => text!("launch.not_found", kind = kind, looked = looked.join(", ")),
        LaunchError::ProfileInUse { profile } => text!("launch.profile_in_use", profile = profile.display()),
        LaunchError::NoDisplay => text!("launch.no_display"),
        LaunchError::Exited { status, stderr } => text!("launch.exited", status = status, stderr = stderr),
        LaunchError::Timeout { after, stderr } => text!("launch.timeout", ms = after.as_millis(), stderr = stderr),
        LaunchError::Os { what, error } => text!("launch.os", what = what, error = error),
    };
    Failure::new(Code::ActionFailed, text).with("started", false)
}
