//! `drag_element_by_index`.

use engine::Point;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::projection::CLICK_DIAGNOSTICS;
use crate::receipts::{Drag, DragReply, drag};
use crate::text;

/// Drags one element onto another, or to a point, with the real mouse: HTML5 drag and drop, sortable lists, sliders, canvases.
///
/// Both ends are brought into view. Offsets count from the upper left corner of an element's box, in CSS pixels.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DragElementByIndex {
    /// Index of the element to drag.
    pub index: u32,
    /// Index of the element to let it go over. Without it, targetX and targetY count from the dragged element's own corner as it was before the drag.
    pub target_index: Option<u32>,
    /// Where to grab the element, from its left edge; its middle when absent.
    pub source_x: Option<f64>,
    /// Where to grab the element, from its upper edge.
    pub source_y: Option<f64>,
    /// Where to let go, from the target's left edge; its middle when absent.
    pub target_x: Option<f64>,
    /// Where to let go, from the target's upper edge.
    pub target_y: Option<f64>,
    /// Milliseconds that the element may take to become ready to be dragged; `browser.action.timeoutMs` when absent.
    #[schemars(range(min = 1, max = 600_000))]
    pub timeout_ms: Option<u64>,
    /// The snapshot that the indices were read in; another one is refused.
    pub snapshot_id: Option<String>,
}

impl Command for DragElementByIndex {
    const NAME: &'static str = "drag_element_by_index";
    const GROUP: Group = Group::ElementInteraction;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    const COMPACT_OMITS: &'static [&'static str] = CLICK_DIAGNOSTICS;
    type Output = DragReply;

    fn check(&self) -> Result<(), Failure> {
        if self.source_x.is_some() != self.source_y.is_some() || self.target_x.is_some() != self.target_y.is_some() {
            return Err(Failure::invalid(text!("drag.offsets_go_together")));
        }
        if self.target_x.is_none() && self.target_index.is_none_or(|target| target == self.index) {
            return Err(Failure::invalid(text!("drag.needs_target")));
        }
        Ok(())
    }

    async fn run(self, cx: &mut Context) -> Result<DragReply, Failure> {
        let wanted = Drag {
            index: self.index,
            source: point(self.source_x, self.source_y),
            target_index: self.target_index,
            target: point(self.target_x, self.target_y),
            timeout_ms: self.timeout_ms,
            snapshot_id: self.snapshot_id,
        };
        drag(cx, wanted).await
    }
}

fn point(x: Option<f64>, y: Option<f64>) -> Option<Point> {
    Some(Point { x: x?, y: y? })
}
