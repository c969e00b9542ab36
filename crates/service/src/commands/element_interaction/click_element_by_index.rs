//! `click_element_by_index`.

use engine::Target;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::command::{Class, Command, Flags, Group};
use crate::commands::ways::{CLICK_MODES, click_aliases};
use crate::context::Context;
use crate::failure::Failure;
use crate::projection::CLICK_DIAGNOSTICS;
use crate::receipts::{ClickReply, Wanted, click};

/// Clicks the element with that index.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClickElementByIndex {
    /// Index of the element in the page text.
    pub index: u32,
    /// How to click: `auto` (real input after every check), `native`, `mouse` (real input without the checks), `js`.
    #[schemars(extend("enum" = CLICK_MODES, "default" = "auto", "x-aliases" = click_aliases()))]
    pub mode: Option<String>,
    /// Milliseconds that the element may take to become clickable; `browser.action.timeoutMs` when absent.
    #[schemars(range(min = 1, max = 600_000))]
    pub timeout_ms: Option<u64>,
    /// The snapshot that the index was read in; another one is refused.
    pub snapshot_id: Option<String>,
}

impl Command for ClickElementByIndex {
    const NAME: &'static str = "click_element_by_index";
    const GROUP: Group = Group::ElementInteraction;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    const COMPACT_OMITS: &'static [&'static str] = CLICK_DIAGNOSTICS;
    type Output = ClickReply;

    async fn run(self, cx: &mut Context) -> Result<ClickReply, Failure> {
        let target = Target::Index {
            index: self.index,
            snapshot_id: self.snapshot_id,
        };
        let wanted = Wanted {
            timeout_ms: self.timeout_ms,
            ..Wanted::once(self.mode.as_deref())
        };
        click(cx, target, wanted).await
    }
}
