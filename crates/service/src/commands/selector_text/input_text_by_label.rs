//! `input_text_by_label`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::command::{Class, Command, Flags, Group};
use crate::commands::ways::{INPUT_MODES, input_aliases};
use crate::context::Context;
use crate::failure::Failure;
use crate::receipts::{InputReply, Wish, input};
use crate::text;

/// Replaces the content of the field that a label names: its `<label>`, `aria-label`, `aria-labelledby`, or what the page
/// text shows as its label. A whole label is preferred to a part of one; a part that fits several fields is refused. An
/// empty text is refused: use `clear_text`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InputTextByLabel {
    /// The label, in any case.
    pub label: String,
    /// The new content.
    pub text: String,
    /// How to enter it: `auto`, `native` (inserted as a whole), `type` (key by key), `js` (set by script).
    #[schemars(extend("enum" = INPUT_MODES, "default" = "auto", "x-aliases" = input_aliases()))]
    pub mode: Option<String>,
    /// `text`: the field suggests, and the suggestion that equals the text is clicked.
    #[schemars(extend("enum" = ["text"]))]
    pub choose: Option<String>,
}

impl Command for InputTextByLabel {
    const NAME: &'static str = "input_text_by_label";
    const GROUP: Group = Group::SelectorText;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture().shares_look();
    const OPAQUE: &'static [&'static str] = &["value"];
    type Output = InputReply;

    async fn run(self, cx: &mut Context) -> Result<InputReply, Failure> {
        let tab = cx.settled_tab().await?;
        let found = tab.find_label(&self.label, cx.until()).await;
        let found = found.map_err(|error| Failure::from_engine(&error, false))?;
        if found.exact > 1 {
            cx.note(text!(
                "input.several_labelled",
                label = &self.label,
                count = found.exact
            ));
        }
        if let Some(whole) = &found.whole {
            cx.note(text!("input.part_of_label", label = whole));
        }
        let wish = Wish::replace(self.text, self.mode.as_deref()).choosing(self.choose.is_some());
        input(cx, found.target, wish).await
    }
}
