//! `key_down`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::single_key::single;
use crate::command::Nothing;
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// Presses a key and holds it, until key_up or the end of the task.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeyDown {
    /// A key name, or one character.
    pub keys: String,
}

impl Command for KeyDown {
    const NAME: &'static str = "key_down";
    const GROUP: Group = Group::ElementInteraction;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    type Output = Nothing;

    fn check(&self) -> Result<(), Failure> {
        single(&self.keys).map(|_| ())
    }

    async fn run(self, cx: &mut Context) -> Result<Nothing, Failure> {
        let (key, extra) = single(&self.keys)?;
        let tab = cx.settled_tab().await?;
        tab.key_down(key, extra, cx.until())
            .await
            .map(|()| Nothing {})
            .map_err(|error| Failure::from_engine(&error, true))
    }
}
