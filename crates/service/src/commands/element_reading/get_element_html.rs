//! `get_element_html`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::target::indexed;
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// Inner HTML of an element; open shadow roots stand in it as templates, and the value of a password as `[redacted]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetElementHtml {
    /// Index of the element in the page text.
    pub index: u32,
    /// Snapshot that the index was read in; an index of another document is refused.
    pub snapshot_id: Option<String>,
}

/// Reply of `get_element_html`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ElementHtml {
    html: String,
}

impl Command for GetElementHtml {
    const NAME: &'static str = "get_element_html";
    const GROUP: Group = Group::ElementReading;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe();
    const OPAQUE: &'static [&'static str] = &["html"];
    type Output = ElementHtml;

    async fn run(self, cx: &mut Context) -> Result<ElementHtml, Failure> {
        let target = indexed(self.index, self.snapshot_id);
        let tab = cx.settled_tab().await?;
        let html = tab.element_html(&target, cx.until()).await;
        Ok(ElementHtml {
            html: html.map_err(|error| Failure::from_engine(&error, false))?,
        })
    }
}
