//! `input_text`.

use engine::Target;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::command::{Class, Command, Flags, Group};
use crate::commands::ways::{INPUT_MODES, input_aliases};
use crate::context::Context;
use crate::failure::Failure;
use crate::receipts::{InputReply, Wish, input};

/// Replaces the content of the field with that index. An empty text is refused: use `clear_text`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InputText {
    /// Index of the element in the page text.
    pub index: u32,
    /// The new content.
    pub text: String,
    /// How to enter it: `auto`, `native` (inserted as a whole), `type` (key by key), `js` (set by script).
    #[schemars(extend("enum" = INPUT_MODES, "default" = "auto", "x-aliases" = input_aliases()))]
    pub mode: Option<String>,
    /// `text`: the field suggests, and the suggestion that equals the text is clicked.
    #[schemars(extend("enum" = ["text"]))]
    pub choose: Option<String>,
    /// The snapshot that the index was read in; another one is refused.
    pub snapshot_id: Option<String>,
}

impl Command for InputText {
    const NAME: &'static str = "input_text";
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
        let wish = Wish::replace(self.text, self.mode.as_deref()).choosing(self.choose.is_some());
        input(cx, target, wish).await
    }
}
