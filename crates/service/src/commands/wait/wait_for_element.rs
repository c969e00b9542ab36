//! `wait_for_element`.

use engine::{Condition, Visibility};
use schemars::JsonSchema;
use serde::Deserialize;

use super::until::{Found, wait};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// Waits until the first match of a selector can be seen, or is in another state.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitForElement {
    /// CSS selector; open shadow roots are searched too.
    pub selector: String,
    /// What to wait for: a match that can be seen, a match at all, no match that can be seen, no match at all.
    #[serde(default)]
    pub state: State,
    /// Longest wait in seconds, fractions allowed; 0 looks once.
    #[schemars(range(min = 0), extend("default" = 30))]
    pub timeout_seconds: Option<f64>,
    /// Frame by ordinal, or by a part of its address or name; the main frame when absent.
    pub frame: Option<String>,
}

/// State of an element.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, serde::Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // explained above
pub enum State {
    #[default]
    Visible,
    Attached,
    Hidden,
    Detached,
}

impl Command for WaitForElement {
    const NAME: &'static str = "wait_for_element";
    const GROUP: Group = Group::Wait;
    const CLASS: Class = Class::Wait;
    const FLAGS: Flags = Flags::TASK.capture().resend_safe().long_running();
    type Output = Found;

    async fn run(self, cx: &mut Context) -> Result<Found, Failure> {
        let state = match self.state {
            State::Visible => Visibility::Visible,
            State::Attached => Visibility::Attached,
            State::Hidden => Visibility::Hidden,
            State::Detached => Visibility::Detached,
        };
        let selector = self.selector;
        let condition = Condition::Element { selector, state };
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
