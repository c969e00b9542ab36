//! `wait_for_url`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::until::wait;
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// Waits until the address of the current tab matches.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitForUrl {
    /// A part of the address, or a pattern from its beginning in which * stands for anything. Case matters.
    pub url: String,
    /// Longest wait in seconds, fractions allowed; 0 looks once.
    #[schemars(range(min = 0), extend("default" = 30))]
    pub timeout_seconds: Option<f64>,
}

/// Reply of `wait_for_url`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Arrived {
    url: String,
    waited_ms: u64,
}

impl Command for WaitForUrl {
    const NAME: &'static str = "wait_for_url";
    const GROUP: Group = Group::Wait;
    const CLASS: Class = Class::Wait;
    const FLAGS: Flags = Flags::TASK.capture().resend_safe().long_running();
    type Output = Arrived;

    async fn run(self, cx: &mut Context) -> Result<Arrived, Failure> {
        let pattern = self.url;
        wait(cx, None, self.timeout_seconds, |tab, within| async move {
            let url = tab.wait_for_url(&pattern, &within).await?;
            Ok(Arrived {
                url,
                waited_ms: within.waited_ms(),
            })
        })
        .await
    }
}
