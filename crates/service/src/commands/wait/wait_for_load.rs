//! `wait_for_load`.

use engine::LoadState;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::until::{Found, wait};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// Waits until the current page has got so far. Connections that stay open do not keep `networkidle` from coming.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitForLoad {
    /// How far: everything has loaded, the document is parsed, or 500 ms have passed without a request.
    #[serde(default)]
    pub state: State,
    /// Longest wait in seconds, fractions allowed; 0 looks once.
    #[schemars(range(min = 0), extend("default" = 30))]
    pub timeout_seconds: Option<f64>,
}

/// State of a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // explained above
pub enum State {
    #[default]
    Load,
    DomContentLoaded,
    NetworkIdle,
}

impl Command for WaitForLoad {
    const NAME: &'static str = "wait_for_load";
    const GROUP: Group = Group::Wait;
    const CLASS: Class = Class::Wait;
    const FLAGS: Flags = Flags::TASK.capture().resend_safe().long_running();
    type Output = Found;

    async fn run(self, cx: &mut Context) -> Result<Found, Failure> {
        let state = match self.state {
            State::Load => LoadState::Load,
            State::DomContentLoaded => LoadState::DomContentLoaded,
            State::NetworkIdle => LoadState::NetworkIdle,
        };
        wait(cx, None, self.timeout_seconds, |tab, within| async move {
            let waited_ms = tab.wait_for_load(state, &within).await?;
            Ok(Found { waited_ms })
        })
        .await
    }
}
