//! `get_element_value`.

use engine::Target;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// Live value of a form control; a password reads `[redacted]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetElementValue {
    /// Index of the element in the page text.
    pub index: u32,
}

/// Reply of `get_element_value`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ElementValue {
    value: String,
}

impl Command for GetElementValue {
    const NAME: &'static str = "get_element_value";
    const GROUP: Group = Group::ElementReading;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe();
    const OPAQUE: &'static [&'static str] = &["value"];
    type Output = ElementValue;

    async fn run(self, cx: &mut Context) -> Result<ElementValue, Failure> {
        let target = Target::Index {
            index: self.index,
            snapshot_id: None,
        };
        let tab = cx.settled_tab().await?;
        let found = tab
            .element_value(&target, cx.until())
            .await
            .map_err(|error| Failure::from_engine(&error, false))?;
        let value = if found.redacted {
            String::from("[redacted]")
        } else {
            found.value.unwrap_or_default()
        };
        Ok(ElementValue { value })
    }
}
