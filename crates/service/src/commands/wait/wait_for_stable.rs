//! `wait_for_stable`.

use engine::StableWanted;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::until::{not, wait};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// Waits until the text, the control values and the table rows of a part of the page stop changing, and gives the text.
/// While a request that may bring content is under way the part does not count as stable, so after a query this gives
/// the new result and not the old one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitForStable {
    /// CSS selector of the part.
    #[schemars(extend("default" = "body"))]
    pub selector: Option<String>,
    /// How long nothing may change, in milliseconds; always observed.
    #[schemars(range(max = 600_000), extend("default" = 800))]
    pub quiet_ms: Option<u32>,
    /// Longest wait in seconds, fractions allowed; 0 looks once.
    #[schemars(range(min = 0), extend("default" = 30))]
    pub timeout_seconds: Option<f64>,
    /// Frame by ordinal, or by a part of its address or name; the main frame when absent.
    pub frame: Option<String>,
}

/// Quiet time when the caller names none, in milliseconds.
const QUIET_MS: u32 = 800;

/// Reply of `wait_for_stable`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Settled {
    stable: bool,
    waited_ms: u64,
    quiet_ms: u32,
    changes: u64,
    length: u64,
    fingerprint: String,
    text: String,
    selector: Option<String>,
    /// Connections that stay open and did not count.
    left_out: Option<Vec<String>>,
    url: String,
}

impl Command for WaitForStable {
    const NAME: &'static str = "wait_for_stable";
    const GROUP: Group = Group::Wait;
    const CLASS: Class = Class::Wait;
    const FLAGS: Flags = Flags::TASK.capture().resend_safe().long_running();
    const OPAQUE: &'static [&'static str] = &["text", "selector", "leftOut"];
    type Output = Settled;

    async fn run(self, cx: &mut Context) -> Result<Settled, Failure> {
        let quiet_ms = self.quiet_ms.unwrap_or(QUIET_MS);
        let selector = self.selector.filter(|selector| !selector.trim().is_empty());
        let wanted = StableWanted {
            selector: selector.clone(),
            quiet_ms: quiet_ms.into(),
        };
        wait(
            cx,
            self.frame.as_deref(),
            self.timeout_seconds,
            |tab, within| async move {
                let stable = tab.wait_for_stable(&wanted, &within).await?;
                Ok(Settled {
                    stable: true,
                    waited_ms: stable.waited_ms,
                    quiet_ms,
                    changes: stable.changes,
                    length: stable.length,
                    fingerprint: stable.fingerprint.to_string(),
                    text: stable.text,
                    selector,
                    left_out: (!stable.left_out.is_empty()).then_some(stable.left_out),
                    url: tab.url(),
                })
            },
        )
        .await
        .map_err(|failure| not(failure, "stable", quiet_ms))
    }
}
