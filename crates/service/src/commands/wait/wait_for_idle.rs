//! `wait_for_idle`.

use engine::{IdleWanted, LONG_POLL};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::until::{not, seconds_of, wait};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::text;

/// Waits until the document has not changed and no request has been under way for a while. Connections that stay open
/// (sockets, event streams, requests older than 10 seconds) do not count and are named.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitForIdle {
    /// How long nothing may happen, in milliseconds; always observed.
    #[schemars(range(max = 600_000), extend("default" = 500))]
    pub quiet_ms: Option<u32>,
    /// Longest wait in seconds, fractions allowed; 0 looks once.
    #[schemars(range(min = 0), extend("default" = 30))]
    pub timeout_seconds: Option<f64>,
    /// CSS selector that must match too.
    pub selector: Option<String>,
    /// Text that must be on the page too.
    pub text: Option<String>,
    /// Frame by ordinal, or by a part of its address or name; the main frame when absent.
    pub frame: Option<String>,
}

/// Quiet time when the caller names none, in milliseconds.
const QUIET_MS: u32 = 500;

/// Reply of `wait_for_idle`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Idle {
    idle: bool,
    waited_ms: u64,
    mutations: u64,
    inflight: usize,
    /// Connections that stay open and did not count.
    left_out: Option<Vec<String>>,
    quiet_ms: u32,
    timeout_seconds: f64,
    url: String,
}

impl Command for WaitForIdle {
    const NAME: &'static str = "wait_for_idle";
    const GROUP: Group = Group::Wait;
    const CLASS: Class = Class::Wait;
    const FLAGS: Flags = Flags::TASK.capture().resend_safe().long_running();
    const OPAQUE: &'static [&'static str] = &["leftOut"];
    type Output = Idle;

    async fn run(self, cx: &mut Context) -> Result<Idle, Failure> {
        let quiet_ms = self.quiet_ms.unwrap_or(QUIET_MS);
        let wanted = IdleWanted {
            quiet_ms: quiet_ms.into(),
            selector: self.selector.filter(|selector| !selector.trim().is_empty()),
            text: self.text.filter(|text| !text.trim().is_empty()),
        };
        let timeout_seconds = seconds_of(self.timeout_seconds);
        let idle = wait(
            cx,
            self.frame.as_deref(),
            self.timeout_seconds,
            |tab, within| async move {
                let quieted = tab.wait_for_idle(&wanted, &within).await?;
                Ok(Idle {
                    idle: true,
                    waited_ms: quieted.waited_ms,
                    mutations: quieted.mutations,
                    inflight: 0,
                    left_out: (!quieted.left_out.is_empty()).then_some(quieted.left_out),
                    quiet_ms,
                    timeout_seconds,
                    url: tab.url(),
                })
            },
        )
        .await
        .map_err(|failure| not(failure, "idle", quiet_ms))?;
        if let Some(left_out) = &idle.left_out {
            cx.note(text!(
                "wait.left_out",
                count = left_out.len(),
                seconds = LONG_POLL.as_secs()
            ));
        }
        Ok(idle)
    }
}
