//! `mouse_move`.

use engine::Point;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::command::Nothing;
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// Moves the pointer to a point of the viewport.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MouseMove {
    /// CSS pixels from the left of the viewport.
    pub x: f64,
    /// CSS pixels from the top of the viewport.
    pub y: f64,
}

impl Command for MouseMove {
    const NAME: &'static str = "mouse_move";
    const GROUP: Group = Group::Mouse;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    type Output = Nothing;

    async fn run(self, cx: &mut Context) -> Result<Nothing, Failure> {
        let point = Point { x: self.x, y: self.y };
        let tab = cx.settled_tab().await?;
        let main = tab.main_frame().map_err(|error| Failure::from_engine(&error, false))?;
        tab.refuse_outside(&main, point, cx.until())
            .await
            .map_err(|error| Failure::from_engine(&error, false))?;
        tab.mouse_move(point, cx.until())
            .await
            .map(|()| Nothing {})
            .map_err(|error| Failure::from_engine(&error, true))
    }
}
