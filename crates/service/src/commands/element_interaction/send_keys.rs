//! `send_keys`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::receipts::{KeysReply, keys};

/// Presses a key or a combination (`Enter`, `Control+A`), or types a text, wherever the focus is.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SendKeys {
    /// A key name, modifiers with one key, or plain text.
    pub keys: String,
}

impl Command for SendKeys {
    const NAME: &'static str = "send_keys";
    const GROUP: Group = Group::ElementInteraction;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    type Output = KeysReply;

    async fn run(self, cx: &mut Context) -> Result<KeysReply, Failure> {
        keys(cx, &self.keys).await
    }
}
