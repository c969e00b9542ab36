//! `wait_for_function`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::until::{Found, wait};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// Waits until a JavaScript expression, or what a function returns, is truthy; promises are awaited. It is asked again
/// and again inside the page, also on the pages that come meanwhile; an exception counts as "not yet".
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitForFunction {
    /// An expression, or a function without parameters.
    pub expression: String,
    /// Longest wait in seconds, fractions allowed; 0 looks once.
    #[schemars(range(min = 0), extend("default" = 30))]
    pub timeout_seconds: Option<f64>,
    /// Frame by ordinal, or by a part of its address or name; the main frame when absent.
    pub frame: Option<String>,
}

impl Command for WaitForFunction {
    const NAME: &'static str = "wait_for_function";
    const GROUP: Group = Group::Wait;
    const CLASS: Class = Class::Wait;
    const FLAGS: Flags = Flags::TASK.capture().resend_safe().long_running();
    type Output = Found;

    async fn run(self, cx: &mut Context) -> Result<Found, Failure> {
        let expression = self.expression;
        wait(
            cx,
            self.frame.as_deref(),
            self.timeout_seconds,
            |tab, within| async move {
                let waited_ms = tab.wait_for_function(&expression, &within).await?;
                Ok(Found { waited_ms })
            },
        )
        .await
    }
}
