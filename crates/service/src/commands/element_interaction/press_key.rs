//! `press_key`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::receipts::{KeysReply, keys};
use crate::text;

/// Presses a key or a combination wherever the focus is. One of key and keys is needed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PressKey {
    /// A key name or modifiers with one key.
    pub key: Option<String>,
    /// The same as key.
    pub keys: Option<String>,
}

impl PressKey {
    fn wanted(&self) -> Option<&str> {
        [&self.key, &self.keys]
            .into_iter()
            .flatten()
            .map(String::as_str)
            .find(|keys| !keys.is_empty())
    }
}

impl Command for PressKey {
    const NAME: &'static str = "press_key";
    const GROUP: Group = Group::ElementInteraction;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    type Output = KeysReply;

    fn check(&self) -> Result<(), Failure> {
        if self.wanted().is_none() {
            return Err(Failure::invalid(text!("params.missing", name = "key")));
        }
        Ok(())
    }

    async fn run(self, cx: &mut Context) -> Result<KeysReply, Failure> {
        keys(cx, self.wanted().unwrap_or_default()).await
    }
}
