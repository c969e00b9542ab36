//! `is_enabled`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::target::{either, needs_one};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// Whether a control takes input.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct IsEnabled {
    /// Index of the element in the page text.
    pub index: Option<u32>,
    /// CSS selector; `css >> nth=N` takes a certain match.
    pub selector: Option<String>,
    /// Frame by ordinal, or by a part of its address or name; the main frame when absent. An index needs none.
    pub frame: Option<String>,
    /// Snapshot that the index was read in; an index of another document is refused.
    pub snapshot_id: Option<String>,
}

/// Reply of `is_enabled`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Enabled {
    enabled: bool,
    /// Why not: `disabled-attribute`, `disabled-fieldset`, `aria-disabled` or `inert`.
    reason: Option<String>,
    target: String,
}

impl Command for IsEnabled {
    const NAME: &'static str = "is_enabled";
    const GROUP: Group = Group::ElementReading;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe();
    type Output = Enabled;

    fn check(&self) -> Result<(), Failure> {
        needs_one(self.index, self.selector.as_ref())
    }

    async fn run(self, cx: &mut Context) -> Result<Enabled, Failure> {
        let (target, named) = either(self.index, self.snapshot_id, self.selector, self.frame);
        let tab = cx.settled_tab().await?;
        let state = tab.element_state(&target, cx.until()).await;
        let state = state.map_err(|error| Failure::from_engine(&error, false))?;
        Ok(Enabled {
            enabled: state.enabled,
            reason: state.disabled_reason,
            target: named,
        })
    }
}
