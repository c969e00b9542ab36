//! `wait_for_element`.

use engine::Condition;
use schemars::JsonSchema;
use serde::Deserialize;

use super::until::{Found, wait};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// Waits until the first match of a selector can be seen.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitForElement {
    /// CSS selector.
    pub selector: String,
    /// Longest wait in seconds, fractions allowed; 0 looks once.
    #[schemars(range(min = 0), extend("default" = 30))]
    pub timeout_seconds: Option<f64>,
    /// Frame by ordinal, or by a part of its address or name; the main frame when absent.
    pub frame: Option<String>,
}

impl Command for WaitForElement {
    const NAME: &'static str = "wait_for_element";
    const GROUP: Group = Group::Wait;
    const CLASS: Class = Class::Wait;
    const FLAGS: Flags = Flags::TASK.capture().resend_safe().long_running();
    type Output = Found;

    async fn run(self, cx: &mut Context) -> Result<Found, Failure> {
        let condition = Condition::Visible {
            selector: self.selector,
        };
        wait(cx, &condition, self.frame.as_deref(), self.timeout_seconds).await
    }
}
