//! `get_element_text`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::target::{either, needs_one};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::text;

/// Rendered text of an element. One of index and selector is needed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetElementText {
    /// Index of the element in the page text.
    pub index: Option<u32>,
    /// CSS selector; `css >> nth=N` takes a certain match.
    pub selector: Option<String>,
    /// When the text is empty, tell whether the element only draws on canvases.
    #[serde(default)]
    pub canvas_only: bool,
    /// Frame by ordinal, or by a part of its address or name; the main frame when absent.
    pub frame: Option<String>,
}

/// Reply of `get_element_text`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ElementText {
    text: String,
    target: String,
    canvas_only: Option<bool>,
    hint: Option<String>,
}

impl Command for GetElementText {
    const NAME: &'static str = "get_element_text";
    const GROUP: Group = Group::ElementReading;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe();
    const OPAQUE: &'static [&'static str] = &["text"];
    type Output = ElementText;

    fn check(&self) -> Result<(), Failure> {
        needs_one(self.index, self.selector.as_ref())
    }

    async fn run(self, cx: &mut Context) -> Result<ElementText, Failure> {
        let (target, named) = either(self.index, None, self.selector, self.frame);
        let tab = cx.settled_tab().await?;
        let found = tab.element_text(&target, self.canvas_only, cx.until()).await;
        let found = found.map_err(|error| Failure::from_engine(&error, false))?;
        let hint = (found.canvas_only == Some(true)).then(|| cx.say(&text!("element.canvas_hint")));
        Ok(ElementText {
            text: found.text,
            target: named,
            canvas_only: found.canvas_only,
            hint,
        })
    }
}
