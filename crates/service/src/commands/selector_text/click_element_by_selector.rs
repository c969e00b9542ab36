//! `click_element_by_selector`.

use engine::Target;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::command::{Class, Command, Flags, Group};
use crate::commands::ways::{CLICK_MODES, click_aliases};
use crate::context::Context;
use crate::failure::Failure;
use crate::projection::CLICK_DIAGNOSTICS;
use crate::receipts::{ClickReply, Wanted, click};

/// Clicks an element found by a CSS selector. Of several matches the first that can be seen and reached is taken.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClickElementBySelector {
    /// CSS selector; `css >> nth=N` takes a certain match.
    pub selector: String,
    /// How to click: `auto` (real input after every check), `native`, `mouse` (real input without the checks), `js`.
    #[schemars(extend("enum" = CLICK_MODES, "default" = "auto", "x-aliases" = click_aliases()))]
    pub mode: Option<String>,
    /// Milliseconds that the element may take to become clickable; `browser.action.timeoutMs` when absent.
    #[schemars(range(min = 1, max = 600_000))]
    pub timeout_ms: Option<u64>,
    /// Frame by ordinal, or by a part of its address or name; the main frame when absent.
    pub frame: Option<String>,
    /// Which match to take, from 0.
    pub nth: Option<u32>,
}

impl Command for ClickElementBySelector {
    const NAME: &'static str = "click_element_by_selector";
    const GROUP: Group = Group::SelectorText;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    const COMPACT_OMITS: &'static [&'static str] = CLICK_DIAGNOSTICS;
    type Output = ClickReply;

    async fn run(self, cx: &mut Context) -> Result<ClickReply, Failure> {
        let target = Target::Selector {
            selector: self.selector,
            nth: self.nth,
            frame: self.frame,
        };
        let wanted = Wanted {
            timeout_ms: self.timeout_ms,
            ..Wanted::once(self.mode.as_deref())
        };
        click(cx, target, wanted).await
    }
}
