//! `is_visible`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::target::{either, needs_one};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// Whether an element is rendered with an area. Where it lies, and what covers it, does not count.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct IsVisible {
    /// Index of the element in the page text.
    pub index: Option<u32>,
    /// CSS selector; `css >> nth=N` takes a certain match.
    pub selector: Option<String>,
    /// Frame by ordinal, or by a part of its address or name; the main frame when absent. An index needs none.
    pub frame: Option<String>,
    /// Snapshot that the index was read in; an index of another document is refused.
    pub snapshot_id: Option<String>,
}

/// Reply of `is_visible`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Visibility {
    visible: bool,
    /// Why not: `display-none`, `visibility-hidden` or `zero-size`.
    reason: Option<String>,
    target: String,
}

impl Command for IsVisible {
    const NAME: &'static str = "is_visible";
    const GROUP: Group = Group::ElementReading;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe();
    type Output = Visibility;

    fn check(&self) -> Result<(), Failure> {
        needs_one(self.index, self.selector.as_ref())
    }

    async fn run(self, cx: &mut Context) -> Result<Visibility, Failure> {
        let (target, named) = either(self.index, self.snapshot_id, self.selector, self.frame);
        let tab = cx.settled_tab().await?;
        let state = tab.element_state(&target, cx.until()).await;
        let state = state.map_err(|error| Failure::from_engine(&error, false))?;
        Ok(Visibility {
            visible: state.visible,
            reason: state.hidden_reason.filter(|_| !state.visible),
            target: named,
        })
    }
}
