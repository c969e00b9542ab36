//! `wait_for_text`.

use engine::Condition;
use schemars::JsonSchema;
use serde::Deserialize;

use super::until::{Found, wait};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// Waits until an element with that text can be seen.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitForText {
    /// The text, compared without regard to case.
    pub text: String,
    /// Longest wait in seconds, fractions allowed; 0 looks once.
    #[schemars(range(min = 0), extend("default" = 30))]
    pub timeout_seconds: Option<f64>,
    /// Frame by ordinal, or by a part of its address or name; the main frame when absent.
    pub frame: Option<String>,
}

impl Command for WaitForText {
    const NAME: &'static str = "wait_for_text";
    const GROUP: Group = Group::Wait;
    const CLASS: Class = Class::Wait;
    const FLAGS: Flags = Flags::TASK.capture().resend_safe().long_running();
    type Output = Found;

    async fn run(self, cx: &mut Context) -> Result<Found, Failure> {
        let condition = Condition::Text { text: self.text };
        wait(
            cx,
            self.frame.as_deref(),
            self.timeout_seconds,
            |tab, within| async move {
                let met = tab.wait_for(&condition, &within).await?;
                Ok(Found {
                    waited_ms: met.waited_ms,
                })
            },
        )
        .await
    }
}
