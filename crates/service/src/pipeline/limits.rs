//! The limits of a command's life and the failures that tell of them.
//!
//! Invariant: a failure in here says truthfully whether the command had been started; only then is a resend unsafe.

use std::time::Duration;

use crate::command::Declaration;
use crate::config::Config;
use crate::failure::{Code, Failure};
use crate::text;

/// How long a command of this kind may run; `None` when its limit is switched off.
pub(super) fn limit_of(declaration: &Declaration, config: &Config) -> Option<Duration> {
    let hard = declaration.flags.long_running;
    let millis = if hard {
        config.command.hard_timeout_ms
    } else {
        config.command.timeout_ms
    };
    (millis > 0).then(|| Duration::from_millis(millis))
}

/// The task was busy for too long.
pub(super) fn turn_timeout() -> Failure {
    Failure::new(
        Code::CommandTimeout,
        text!("command.turn_timeout", seconds = super::TURN_LIMIT.as_secs()),
    )
    .retryable_after(1000)
    .with("started", false)
    .with("serialized", true)
    .with_text("note", text!("command.note_resend_safe"))
}

/// A started command did not end in time and was dropped.
pub(super) fn timeout(limit: Duration) -> Failure {
    let millis = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
    Failure::new(Code::CommandTimeout, text!("command.timeout", ms = millis))
        .not_retryable()
        .with("started", true)
        .with("outcomeUnknown", true)
        .with("commandTimeoutMs", millis)
        .with_text("note", text!("command.note_do_not_resend"))
}
