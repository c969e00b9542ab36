//! `uncheck_element_by_index`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::command::{Class, Command, Flags, Group};
use crate::commands::element_reading::target::indexed;
use crate::commands::ways::{CLICK_MODES, click_aliases};
use crate::context::Context;
use crate::failure::Failure;
use crate::projection::CLICK_DIAGNOSTICS;
use crate::receipts::{MarkReply, mark};

/// Unticks the checkbox or switch with that index; one that is not ticked is left alone.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UncheckElementByIndex {
    /// Index of the element in the page text.
    pub index: u32,
    /// How to click: `auto` (real input after every check), `native`, `mouse` (real input without the checks), `js`.
    #[schemars(extend("enum" = CLICK_MODES, "default" = "auto", "x-aliases" = click_aliases()))]
    pub mode: Option<String>,
    /// The snapshot that the index was read in; another one is refused.
    pub snapshot_id: Option<String>,
}

impl Command for UncheckElementByIndex {
    const NAME: &'static str = "uncheck_element_by_index";
    const GROUP: Group = Group::ElementInteraction;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    const COMPACT_OMITS: &'static [&'static str] = CLICK_DIAGNOSTICS;
    type Output = MarkReply;

    async fn run(self, cx: &mut Context) -> Result<MarkReply, Failure> {
        let target = indexed(self.index, self.snapshot_id);
        mark(cx, target, false, self.mode.as_deref()).await
    }
}
