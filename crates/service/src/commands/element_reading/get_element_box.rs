//! `get_element_box`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::target::indexed;
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// Box of an element in CSS pixels of the main viewport, also for one inside frames.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetElementBox {
    /// Index of the element in the page text.
    pub index: u32,
    /// Snapshot that the index was read in; an index of another document is refused.
    pub snapshot_id: Option<String>,
}

/// Reply of `get_element_box`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BoxReply {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

impl Command for GetElementBox {
    const NAME: &'static str = "get_element_box";
    const GROUP: Group = Group::ElementReading;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe();
    type Output = BoxReply;

    async fn run(self, cx: &mut Context) -> Result<BoxReply, Failure> {
        let target = indexed(self.index, self.snapshot_id);
        let tab = cx.settled_tab().await?;
        let found = tab.element_box(&target, cx.until()).await;
        let found = found.map_err(|error| Failure::from_engine(&error, false))?;
        Ok(BoxReply {
            x: rounded(found.x),
            y: rounded(found.y),
            width: rounded(found.width),
            height: rounded(found.height),
        })
    }
}

/// To hundredths of a pixel: what lies beyond is noise of the arithmetic.
fn rounded(side: f64) -> f64 {
    // Adding zero turns -0.0 into 0.0.
    (side * 100.0).round() / 100.0 + 0.0
}
