//! `type_text`.

use engine::Target;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::receipts::{InputReply, Wish, input};

/// Types at the end of what the field with that index holds, key by key.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TypeText {
    /// Index of the element in the page text.
    pub index: u32,
    /// The text to type.
    pub text: String,
    /// The snapshot that the index was read in; another one is refused.
    pub snapshot_id: Option<String>,
}

impl Command for TypeText {
    const NAME: &'static str = "type_text";
    const GROUP: Group = Group::ElementInteraction;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture().shares_look();
    const OPAQUE: &'static [&'static str] = &["value"];
    type Output = InputReply;

    async fn run(self, cx: &mut Context) -> Result<InputReply, Failure> {
        let target = Target::Index {
            index: self.index,
            snapshot_id: self.snapshot_id,
        };
        input(cx, target, Wish::append(self.text)).await
    }
}
