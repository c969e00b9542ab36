//! `mouse_up`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::command::Nothing;
use crate::command::{Class, Command, Flags, Group};
use crate::commands::ways::BUTTONS;
use crate::context::Context;
use crate::failure::Failure;
use crate::receipts::button_of;

/// Releases a button where the pointer is.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MouseUp {
    /// Which button.
    #[schemars(extend("enum" = BUTTONS, "default" = "left"))]
    pub button: Option<String>,
}

impl Command for MouseUp {
    const NAME: &'static str = "mouse_up";
    const GROUP: Group = Group::Mouse;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    type Output = Nothing;

    async fn run(self, cx: &mut Context) -> Result<Nothing, Failure> {
        let tab = cx.settled_tab().await?;
        tab.mouse_up(button_of(self.button.as_deref()), cx.until())
            .await
            .map(|()| Nothing {})
            .map_err(|error| Failure::from_engine(&error, true))
    }
}
