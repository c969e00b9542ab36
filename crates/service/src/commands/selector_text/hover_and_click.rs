//! `hover_and_click`.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::outlined::Outlined;
use crate::command::{Class, Command, Flags, Group};
use crate::commands::element_reading::target::{either, needs_one};
use crate::commands::ways::{CLICK_MODES, click_aliases};
use crate::context::Context;
use crate::failure::Failure;
use crate::projection::CLICK_DIAGNOSTICS;
use crate::receipts::{ClickReply, Wanted, click_outlined, hover};

/// Moves the pointer over an element, waits, then clicks the same element: for menus that open under the pointer.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HoverAndClick {
    /// Index of the element in the page text.
    pub index: Option<u32>,
    /// CSS selector; `css >> nth=N` takes a certain match.
    pub selector: Option<String>,
    /// Pause between the two, in milliseconds.
    #[schemars(range(min = 0, max = 60_000), extend("default" = 300))]
    pub hover_delay_ms: Option<u64>,
    /// How to click: `auto` (real input after every check), `native`, `mouse` (real input without the checks), `js`.
    #[schemars(extend("enum" = CLICK_MODES, "default" = "auto", "x-aliases" = click_aliases()))]
    pub mode: Option<String>,
    /// The snapshot that the index was read in; another one is refused.
    pub snapshot_id: Option<String>,
}

/// Reply of `hover_and_click`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HoverClicked {
    #[serde(flatten)]
    outlined: Outlined,
    #[serde(flatten)]
    click: ClickReply,
}

impl Command for HoverAndClick {
    const NAME: &'static str = "hover_and_click";
    const GROUP: Group = Group::SelectorText;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    const COMPACT_OMITS: &'static [&'static str] = CLICK_DIAGNOSTICS;
    type Output = HoverClicked;

    fn check(&self) -> Result<(), Failure> {
        needs_one(self.index, self.selector.as_ref())
    }

    async fn run(self, cx: &mut Context) -> Result<HoverClicked, Failure> {
        let (target, _) = either(self.index, self.snapshot_id, self.selector, None);
        hover(cx, target.clone()).await?;
        // The pause is what the caller asks for: how long a menu takes to open is told by no event.
        tokio::time::sleep(Duration::from_millis(self.hover_delay_ms.unwrap_or(300))).await;
        let (click, outline) = click_outlined(cx, target, Wanted::once(self.mode.as_deref()), true).await?;
        Ok(HoverClicked {
            outlined: outline.into(),
            click,
        })
    }
}
