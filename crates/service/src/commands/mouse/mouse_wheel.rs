//! `mouse_wheel`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::command::Nothing;
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// Turns the wheel where the pointer is.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MouseWheel {
    /// Pixels; positive scrolls down.
    pub delta_y: f64,
}

impl Command for MouseWheel {
    const NAME: &'static str = "mouse_wheel";
    const GROUP: Group = Group::Mouse;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    type Output = Nothing;

    async fn run(self, cx: &mut Context) -> Result<Nothing, Failure> {
        let tab = cx.settled_tab().await?;
        tab.mouse_wheel(self.delta_y, cx.until())
            .await
            .map(|()| Nothing {})
            .map_err(|error| Failure::from_engine(&error, true))
    }
}
