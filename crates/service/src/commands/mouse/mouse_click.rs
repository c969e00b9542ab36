//! `mouse_click`.

use engine::Point;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::command::{Class, Command, Flags, Group};
use crate::commands::ways::BUTTONS;
use crate::context::Context;
use crate::failure::Failure;
use crate::projection::CLICK_DIAGNOSTICS;
use crate::receipts::{ClickReply, button_of, click_at};

/// Clicks with the real mouse at a point of the viewport, whatever is there.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MouseClick {
    /// CSS pixels from the left of the viewport.
    pub x: f64,
    /// CSS pixels from the top of the viewport.
    pub y: f64,
    /// Which button.
    #[schemars(extend("enum" = BUTTONS, "default" = "left"))]
    pub button: Option<String>,
    /// How many clicks: 2 is a double click.
    #[schemars(range(min = 1, max = 10), extend("default" = 1))]
    pub click_count: Option<u32>,
}

/// Reply of `mouse_click`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PointClicked {
    x: f64,
    y: f64,
    #[serde(flatten)]
    click: ClickReply,
}

impl Command for MouseClick {
    const NAME: &'static str = "mouse_click";
    const GROUP: Group = Group::Mouse;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    const COMPACT_OMITS: &'static [&'static str] = CLICK_DIAGNOSTICS;
    type Output = PointClicked;

    async fn run(self, cx: &mut Context) -> Result<PointClicked, Failure> {
        let (x, y) = (self.x, self.y);
        let button = button_of(self.button.as_deref());
        let click = click_at(cx, Point { x, y }, button, self.click_count.unwrap_or(1)).await?;
        Ok(PointClicked { x, y, click })
    }
}
