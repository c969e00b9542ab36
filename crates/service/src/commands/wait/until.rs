//! Waiting for a condition of the page, bounded, and ended at once when the task is.

use std::sync::Arc;
use std::time::Duration;

use engine::Condition;
use schemars::JsonSchema;
use serde::Serialize;

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
    waited_ms: u64,
}

/// Waits for `condition`.
pub(super) async fn wait(
    cx: &mut Context,
    condition: &Condition,
    frame: Option<&str>,
    seconds: Option<f64>,
) -> Result<Found, Failure> {
    let seconds = seconds.unwrap_or(DEFAULT_SECONDS).clamp(0.0, LONGEST_SECONDS);
    let limit = Duration::from_secs_f64(seconds);
    let tab = cx.settled_tab().await?;
    let task = Arc::clone(cx.task()?);
    let allowed = cx.within_deadline(limit);
    if allowed < limit {
        cx.note(text!("wait.clamped", asked = seconds, seconds = allowed.as_secs()));
    }
    tokio::select! {
        met = tab.wait_for(condition, frame, allowed, cx.until()) => match met {
            Ok(met) => Ok(Found { waited_ms: met.waited_ms }),
            Err(error) => Err(Failure::from_engine(&error, false).with("timeoutSeconds", seconds)),
        },
        () = task.ended() => Err(Failure::new(Code::ActionFailed, text!("tasks.ended_meanwhile"))),
    }
}
