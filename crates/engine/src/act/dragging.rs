//! The mechanics of a drag: the held button, the browser's own drag taken over from it, and the moves in between.
//! Invariant: whatever way a drag ends, the button is released, a drag that was begun is ended, and drags are no longer
//! intercepted.

use cdp::protocol::input::{DispatchDragEvent, DispatchMouseEvent, DragData, SetInterceptDrags};
use serde_json::json;

use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::geometry::Point;
use crate::tab::Tab;

/// The left button in the bit set of pressed buttons.
const LEFT: i64 = 1;

/// A drag under way.
pub(super) struct Dragging<'a> {
    tab: &'a Tab,
    at: Point,
    pressed: bool,
    data: Option<DragData>,
    /// Moves that were sent since the press.
    pub(super) moves: u32,
    /// Moves that the browser has confirmed.
    confirmed: u32,
}

impl<'a> Dragging<'a> {
    /// Takes over drags that the browser begins by itself from now on.
    pub(super) async fn begin(tab: &'a Tab, at: Point, deadline: Deadline) -> Result<Self> {
        tab.update(|state| state.drag_data = None);
        let drag = Self {
            tab,
            at,
            pressed: false,
            data: None,
            moves: 0,
            confirmed: 0,
        };
        tab.call(SetInterceptDrags { enabled: true }, deadline).await?;
        drag.mouse("mouseMoved", deadline).await?;
        Ok(drag)
    }

    /// Presses the button where the pointer is.
    pub(super) async fn press(&mut self, deadline: Deadline) -> Result<()> {
        self.pressed = true;
        let sent = self.mouse("mousePressed", deadline).await;
        sent.map_err(|error| self.stopped(error))
    }

    /// Moves to `to` with the button held.
    pub(super) async fn move_to(&mut self, to: Point, deadline: Deadline) -> Result<()> {
        self.at = to;
        self.moves += 1;
        let sent = match self.data {
            Some(_) => self.drag_event("dragOver", deadline).await,
            None => self.mouse("mouseMoved", deadline).await,
        };
        sent.map_err(|error| self.stopped(error))?;
        self.confirmed += 1;
        Ok(())
    }

    /// The browser has begun a drag of its own: from here on the pointer carries its data.
    pub(super) async fn take_over(&mut self, deadline: Deadline) -> Result<()> {
        let data = self
            .tab
            .until("the data of the drag", deadline, |state| state.drag_data.clone())
            .await
            .map_err(|error| self.stopped(error))?;
        self.data = Some(data);
        let sent = self.drag_event("dragEnter", deadline).await;
        sent.map_err(|error| self.stopped(error))
    }

    /// An error once the button was pressed: what came of it is not known, and the drag is being given up.
    fn stopped(&self, error: EngineError) -> EngineError {
        // What the page did of the drag so far goes on behind the dialog.
        let error = match error {
            EngineError::DialogOpen(_) => EngineError::Uncertain {
                reason: error.to_string(),
            },
            other => other,
        };
        let kind = if self.is_native() { "html5" } else { "pointer" };
        let (sent, confirmed) = (self.moves, self.confirmed);
        error.cut_off(
            json!({"unit": "moves", "sent": sent, "confirmed": confirmed, "kind": kind, "pressed": true,
                            "dropped": false}),
        )
    }

    /// True once the browser's own drag is under way.
    pub(super) fn is_native(&self) -> bool {
        self.data.is_some()
    }

    /// Lets go where the pointer is. A drop that the page did not allow ends as one that was given up.
    pub(super) async fn release(&mut self, deadline: Deadline) -> Result<()> {
        if self.data.is_some() {
            self.drag_event("drop", deadline).await?;
            self.data = None;
        } else {
            self.mouse("mouseReleased", deadline).await?;
        }
        self.pressed = false;
        Ok(())
    }

    async fn mouse(&self, kind: &str, deadline: Deadline) -> Result<()> {
        self.tab.call(self.event(kind), deadline).await.map(|_| ())
    }

    /// Without the button named in the move, the browser takes it for a hover and begins no drag.
    fn event(&self, kind: &str) -> DispatchMouseEvent {
        let button = if self.pressed { "left" } else { "none" };
        DispatchMouseEvent {
            r#type: kind.into(),
            x: self.at.x,
            y: self.at.y,
            button: Some(button.into()),
            buttons: Some(if self.pressed && kind != "mouseReleased" {
                LEFT
            } else {
                0
            }),
            click_count: Some(i64::from(self.pressed && kind != "mouseMoved")),
            pointer_type: Some("mouse".into()),
            ..Default::default()
        }
    }

    async fn drag_event(&self, kind: &str, deadline: Deadline) -> Result<()> {
        let Some(data) = self.data.clone() else { return Ok(()) };
        self.tab.send_drag(kind, self.at, data, deadline).await
    }
}

impl Drop for Dragging<'_> {
    fn drop(&mut self) {
        let session = &self.tab.session;
        if let Some(data) = self.data.take() {
            session.notify(drag_event("dragCancel", self.at, data));
        } else if self.pressed {
            session.notify(self.event("mouseReleased"));
        }
        session.notify(SetInterceptDrags { enabled: false });
    }
}

impl Tab {
    /// One event of a drag whose data is `data`.
    pub(super) async fn send_drag(&self, kind: &str, at: Point, data: DragData, deadline: Deadline) -> Result<()> {
        self.call(drag_event(kind, at, data), deadline).await.map(|_| ())
    }
}

fn drag_event(kind: &str, at: Point, data: DragData) -> DispatchDragEvent {
    DispatchDragEvent {
        r#type: kind.into(),
        x: at.x,
        y: at.y,
        data,
        modifiers: None,
    }
}

/// Points on the way from `from` to `to`: two close to where it began, so that a drag begins there, then `steps` evenly
/// spread, the last of them `to`.
pub(super) fn path(from: Point, to: Point, steps: u32) -> (Vec<Point>, Vec<Point>) {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = dx.hypot(dy).max(f64::EPSILON);
    let along = |distance: f64| {
        let share = (distance / length).min(1.0);
        Point {
            x: from.x + dx * share,
            y: from.y + dy * share,
        }
    };
    let nudges = [5.0, 10.0]
        .into_iter()
        .filter(|distance| *distance < length)
        .map(along)
        .collect();
    let rest = (1..=steps)
        .map(|step| along(length * f64::from(step) / f64::from(steps)))
        .collect();
    (nudges, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_begins_close_and_ends_at_the_target() {
        let (from, to) = (Point { x: 0.0, y: 0.0 }, Point { x: 30.0, y: 40.0 });
        let (nudges, rest) = path(from, to, 5);
        assert_eq!(nudges, [Point { x: 3.0, y: 4.0 }, Point { x: 6.0, y: 8.0 }]);
        assert_eq!((rest.len(), rest[4]), (5, to));
        let (nudges, rest) = path(from, Point { x: 4.0, y: 0.0 }, 5);
        assert!(nudges.is_empty() && rest.len() == 5);
        assert_eq!(path(from, from, 5).1[4], from);
    }
}
