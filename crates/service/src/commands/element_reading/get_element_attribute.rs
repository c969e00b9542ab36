//! `get_element_attribute`.

use engine::Target;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// Markup attribute of an element; no `value` in the reply when it has none.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetElementAttribute {
    /// Index of the element in the page text.
    pub index: u32,
    /// Name of the attribute.
    pub name: String,
}

/// Reply of `get_element_attribute`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ElementAttribute {
    value: Option<String>,
}

impl Command for GetElementAttribute {
    const NAME: &'static str = "get_element_attribute";
    const GROUP: Group = Group::ElementReading;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe();
    const OPAQUE: &'static [&'static str] = &["value"];
    type Output = ElementAttribute;

    async fn run(self, cx: &mut Context) -> Result<ElementAttribute, Failure> {
        let target = Target::Index {
            index: self.index,
            snapshot_id: None,
        };
        let tab = cx.settled_tab().await?;
        let value = tab.element_attribute(&target, &self.name, cx.until()).await;
        Ok(ElementAttribute {
            value: value.map_err(|error| Failure::from_engine(&error, false))?,
        })
    }
}
