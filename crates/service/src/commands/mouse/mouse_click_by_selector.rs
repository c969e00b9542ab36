//! `mouse_click_by_selector`.

use engine::Target;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::command::{Class, Command, Flags, Group};
use crate::commands::ways::BUTTONS;
use crate::context::Context;
use crate::failure::Failure;
use crate::projection::CLICK_DIAGNOSTICS;
use crate::receipts::{ClickReply, Wanted, button_of, click};

/// Scrolls an element into view and clicks its middle with the real mouse, without further checks.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MouseClickBySelector {
    /// CSS selector; `css >> nth=N` takes a certain match.
    pub selector: String,
    /// Which button.
    #[schemars(extend("enum" = BUTTONS, "default" = "left"))]
    pub button: Option<String>,
    /// How many clicks: 2 is a double click.
    #[schemars(range(min = 1, max = 10), extend("default" = 1))]
    pub click_count: Option<u32>,
    /// Milliseconds that the element may take to have a box; `browser.action.timeoutMs` when absent.
    #[schemars(range(min = 1, max = 600_000))]
    pub timeout_ms: Option<u64>,
}

impl Command for MouseClickBySelector {
    const NAME: &'static str = "mouse_click_by_selector";
    const GROUP: Group = Group::Mouse;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    const COMPACT_OMITS: &'static [&'static str] = CLICK_DIAGNOSTICS;
    type Output = ClickReply;

    async fn run(self, cx: &mut Context) -> Result<ClickReply, Failure> {
        let target = Target::Selector {
            selector: self.selector,
            nth: None,
            frame: None,
        };
        let wanted = Wanted {
            mode: Some("mouse"),
            timeout_ms: self.timeout_ms,
            button: button_of(self.button.as_deref()),
            times: self.click_count.unwrap_or(1),
        };
        click(cx, target, wanted).await
    }
}
