//! `focus_element_by_index`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::command::{Class, Command, Flags, Group};
use crate::commands::element_reading::target::indexed;
use crate::context::Context;
use crate::failure::Failure;
use crate::projection::CLICK_DIAGNOSTICS;
use crate::receipts::{ClickReply, focus};

/// Gives the keyboard focus to the element with that index.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FocusElementByIndex {
    /// Index of the element in the page text.
    pub index: u32,
    /// The snapshot that the index was read in; another one is refused.
    pub snapshot_id: Option<String>,
}

impl Command for FocusElementByIndex {
    const NAME: &'static str = "focus_element_by_index";
    const GROUP: Group = Group::ElementInteraction;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    const COMPACT_OMITS: &'static [&'static str] = CLICK_DIAGNOSTICS;
    type Output = ClickReply;

    async fn run(self, cx: &mut Context) -> Result<ClickReply, Failure> {
        let target = indexed(self.index, self.snapshot_id);
        focus(cx, target).await
    }
}
