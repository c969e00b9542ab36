//! `click_element_by_text`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::outlined::Outlined;
use crate::command::{Class, Command, Flags, Group};
use crate::commands::ways::{CLICK_MODES, click_aliases};
use crate::context::Context;
use crate::failure::Failure;
use crate::projection::CLICK_DIAGNOSTICS;
use crate::receipts::{ClickReply, Wanted, click_outlined};
use crate::text;

/// Clicks the best element for a visible text: exact before containing, clickable before not, the shortest.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClickElementByText {
    /// Visible text or a part of it, in any case.
    pub text: String,
    /// How to click: `auto` (real input after every check), `native`, `mouse` (real input without the checks), `js`.
    #[schemars(extend("enum" = CLICK_MODES, "default" = "auto", "x-aliases" = click_aliases()))]
    pub mode: Option<String>,
}

/// Reply of `click_element_by_text`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TextClicked {
    #[serde(flatten)]
    outlined: Outlined,
    text_match: &'static str,
    text_length: u64,
    text_candidates: u64,
    text_clickable: bool,
    text_match_note: Option<String>,
    #[serde(flatten)]
    click: ClickReply,
}

impl Command for ClickElementByText {
    const NAME: &'static str = "click_element_by_text";
    const GROUP: Group = Group::SelectorText;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    const COMPACT_OMITS: &'static [&'static str] = CLICK_DIAGNOSTICS;
    type Output = TextClicked;

    fn check(&self) -> Result<(), Failure> {
        if self.text.trim().is_empty() {
            return Err(Failure::invalid(text!("reading.empty_text")));
        }
        Ok(())
    }

    async fn run(self, cx: &mut Context) -> Result<TextClicked, Failure> {
        let tab = cx.settled_tab().await?;
        let (target, choice) = tab
            .find_by_text(&self.text, cx.until())
            .await
            .map_err(|error| Failure::from_engine(&error, false))?;
        let (click, outline) = click_outlined(cx, target, Wanted::once(self.mode.as_deref()), true).await?;
        let note = match (choice.exact, choice.clickable) {
            (_, false) => Some(text!("action.text_not_clickable")),
            (false, true) => Some(text!("action.text_contained", text = self.text)),
            (true, true) => None,
        };
        Ok(TextClicked {
            outlined: outline.into(),
            text_match: if choice.exact { "exact" } else { "contains" },
            text_length: choice.length,
            text_candidates: choice.candidates,
            text_clickable: choice.clickable,
            text_match_note: note.map(|note| cx.say(&note)),
            click,
        })
    }
}
