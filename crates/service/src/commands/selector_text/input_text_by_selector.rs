//! `input_text_by_selector`.

use engine::Target;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::command::{Class, Command, Flags, Group};
use crate::commands::ways::{INPUT_MODES, input_aliases};
use crate::context::Context;
use crate::failure::Failure;
use crate::receipts::{InputReply, Wish, input};

/// Replaces the content of a field found by a CSS selector. An empty text is refused: use `clear_text`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InputTextBySelector {
    /// CSS selector; `css >> nth=N` takes a certain match.
    pub selector: String,
    /// The new content.
    pub text: String,
    /// How to enter it: `auto`, `native` (inserted as a whole), `type` (key by key), `js` (set by script).
    #[schemars(extend("enum" = INPUT_MODES, "default" = "auto", "x-aliases" = input_aliases()))]
    pub mode: Option<String>,
    /// `text`: the field suggests, and the suggestion that equals the text is clicked.
    #[schemars(extend("enum" = ["text"]))]
    pub choose: Option<String>,
    /// Frame by ordinal, or by a part of its address or name; the main frame when absent.
    pub frame: Option<String>,
    /// Which match to take, from 0.
    pub nth: Option<u32>,
}

impl Command for InputTextBySelector {
    const NAME: &'static str = "input_text_by_selector";
    const GROUP: Group = Group::SelectorText;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture().shares_look();
    const OPAQUE: &'static [&'static str] = &["value"];
    type Output = InputReply;

    async fn run(self, cx: &mut Context) -> Result<InputReply, Failure> {
        let target = Target::Selector {
            selector: self.selector,
            nth: self.nth,
            frame: self.frame,
        };
        let wish = Wish::replace(self.text, self.mode.as_deref()).choosing(self.choose.is_some());
        input(cx, target, wish).await
    }
}
