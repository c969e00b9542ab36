//! `scroll_to_text`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::text;

/// Brings the first element that shows a text into view; a text that is not there is told at once.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScrollToText {
    /// Text to look for, in any case.
    pub text: String,
}

/// Reply of `scroll_to_text`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InView {
    /// The page had to be scrolled.
    scrolled: bool,
    /// The element that says it.
    target: Option<Map<String, Value>>,
}

impl Command for ScrollToText {
    const NAME: &'static str = "scroll_to_text";
    const GROUP: Group = Group::ElementInteraction;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    type Output = InView;

    fn check(&self) -> Result<(), Failure> {
        if self.text.trim().is_empty() {
            return Err(Failure::invalid(text!("reading.empty_text")));
        }
        Ok(())
    }

    async fn run(self, cx: &mut Context) -> Result<InView, Failure> {
        let tab = cx.settled_tab().await?;
        let seen = tab
            .scroll_to_text(&self.text, cx.until())
            .await
            .map_err(|error| Failure::from_engine(&error, false))?;
        if !seen.seen {
            let text = text!("element.cannot_be_shown", text = self.text);
            return Err(Failure::new(Code::ActionFailed, text));
        }
        Ok(InView {
            scrolled: seen.scrolled,
            target: seen.target,
        })
    }
}
