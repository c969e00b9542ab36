//! `clear_text`.

use engine::Target;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::receipts::{InputReply, Wish, input};
use crate::text;

/// Empties a field. One of index and selector is needed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClearText {
    /// Index of the element in the page text.
    pub index: Option<u32>,
    /// CSS selector; `css >> nth=N` takes a certain match.
    pub selector: Option<String>,
}

impl Command for ClearText {
    const NAME: &'static str = "clear_text";
    const GROUP: Group = Group::SelectorText;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture().shares_look();
    const OPAQUE: &'static [&'static str] = &["value"];
    type Output = InputReply;

    fn check(&self) -> Result<(), Failure> {
        let no_selector = self.selector.as_ref().is_none_or(|selector| selector.trim().is_empty());
        if self.index.is_none() && no_selector {
            return Err(Failure::invalid(text!("element.index_or_selector")));
        }
        Ok(())
    }

    async fn run(self, cx: &mut Context) -> Result<InputReply, Failure> {
        let target = match (self.index, self.selector) {
            (Some(index), _) => Target::Index {
                index,
                snapshot_id: None,
            },
            (None, selector) => Target::Selector {
                selector: selector.unwrap_or_default(),
                nth: None,
                frame: None,
            },
        };
        input(cx, target, Wish::replace(String::new(), None)).await
    }
}
