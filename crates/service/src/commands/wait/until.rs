//! The way in which every wait is run: bounded as asked, ended at once when the task is, and honest about what was
//! missing.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use engine::{EngineError, Tab, Within};
use schemars::JsonSchema;
use serde::Serialize;

use super::missing;
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::text;

/// Seconds that a wait lasts when the caller names none.
const DEFAULT_SECONDS: f64 = 30.0;
/// Longest wait that can be asked for; the command limit ends it earlier.
const LONGEST_SECONDS: f64 = 86_400.0;

/// Reply of a wait whose condition came true.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    pub(super) waited_ms: u64,
}

/// Seconds that a wait may last.
pub(super) fn seconds_of(asked: Option<f64>) -> f64 {
    asked.unwrap_or(DEFAULT_SECONDS).clamp(0.0, LONGEST_SECONDS)
}

/// Runs a wait on the current tab. A limit that the command's own cuts short is told.
pub(super) async fn wait<T, F>(
    cx: &mut Context,
    frame: Option<&str>,
    seconds: Option<f64>,
    work: impl FnOnce(Arc<Tab>, Within) -> F,
) -> Result<T, Failure>
where
    F: Future<Output = Result<T, EngineError>> + Send,
{
    let seconds = seconds_of(seconds);
    let limit = Duration::from_secs_f64(seconds);
    let tab = cx.settled_tab().await?;
    let task = Arc::clone(cx.task()?);
    let allowed = cx.within_deadline(limit);
    if allowed < limit {
        cx.note(text!(
            "wait.clamped",
            asked = seconds,
            seconds = format!("{:.1}", allowed.as_secs_f64())
        ));
    }
    let within = Within::new(frame, allowed, cx.until());
    tokio::select! {
        result = work(tab, within) => result.map_err(|error| missing::failure(&error, seconds)),
        () = task.ended() => Err(Failure::new(Code::ActionFailed, text!("tasks.ended_meanwhile"))),
    }
}

/// A failure that also says that what was waited for did not come, except one of arguments.
pub(super) fn not(failure: Failure, member: &str, quiet_ms: u32) -> Failure {
    if failure.is_invalid_argument() {
        failure
    } else {
        failure.with(member, false).with("quietMs", quiet_ms)
    }
}
