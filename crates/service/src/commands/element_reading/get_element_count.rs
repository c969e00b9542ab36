//! `get_element_count`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// How many elements a selector matches; 0 is a success.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetElementCount {
    /// CSS selector.
    pub selector: String,
    /// Frame by ordinal, or by a part of its address or name; the main frame when absent.
    pub frame: Option<String>,
}

/// Reply of `get_element_count`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ElementCount {
    count: u64,
}

impl Command for GetElementCount {
    const NAME: &'static str = "get_element_count";
    const GROUP: Group = Group::ElementReading;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe();
    type Output = ElementCount;

    async fn run(self, cx: &mut Context) -> Result<ElementCount, Failure> {
        let tab = cx.settled_tab().await?;
        let count = tab
            .element_count(&self.selector, self.frame.as_deref(), cx.until())
            .await;
        Ok(ElementCount {
            count: count.map_err(|error| Failure::from_engine(&error, false))?,
        })
    }
}
