//! `is_checked`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::target::{either, needs_one};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::text;

/// Whether a checkbox, a radio or a switch is ticked, asked by itself or by its label.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct IsChecked {
    /// Index of the element in the page text.
    pub index: Option<u32>,
    /// CSS selector; `css >> nth=N` takes a certain match.
    pub selector: Option<String>,
    /// Frame by ordinal, or by a part of its address or name; the main frame when absent. An index needs none.
    pub frame: Option<String>,
    /// Snapshot that the index was read in; an index of another document is refused.
    pub snapshot_id: Option<String>,
}

/// Reply of `is_checked`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Checked {
    checked: bool,
    /// True for one that is neither ticked nor not.
    indeterminate: Option<bool>,
    target: String,
}

impl Command for IsChecked {
    const NAME: &'static str = "is_checked";
    const GROUP: Group = Group::ElementReading;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe();
    type Output = Checked;

    fn check(&self) -> Result<(), Failure> {
        needs_one(self.index, self.selector.as_ref())
    }

    async fn run(self, cx: &mut Context) -> Result<Checked, Failure> {
        let (target, named) = either(self.index, self.snapshot_id, self.selector, self.frame);
        let tab = cx.settled_tab().await?;
        let state = tab.element_state(&target, cx.until()).await;
        let state = state.map_err(|error| Failure::from_engine(&error, false))?;
        if !state.checkable {
            return Err(Failure::new(
                Code::ActionFailed,
                text!("element.not_checkable", target = named),
            ));
        }
        Ok(Checked {
            checked: state.checked.unwrap_or(false),
            indeterminate: state.indeterminate,
            target: named,
        })
    }
}
