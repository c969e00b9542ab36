//! Mouse input through the protocol. The events of a gesture are sent together: waiting for the move alone would cost a
//! whole frame.

use cdp::protocol::input::DispatchMouseEvent;
use futures_util::future::join_all;
use serde::Deserialize;
use serde_json::json;

use crate::deadline::Deadline;
use crate::error::Result;
use crate::frames::Frame;
use crate::geometry::Point;
use crate::tab::Tab;

/// A button of the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Button {
    /// The main one.
    Left,
    /// The one that opens context menus.
    Right,
    /// The wheel.
    Middle,
}

impl Button {
    pub(crate) const ALL: [Self; 3] = [Self::Left, Self::Right, Self::Middle];

    /// The protocol's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Middle => "middle",
        }
    }

    /// Its bit in `MouseEvent.buttons` (UI Events).
    pub(crate) const fn bit(self) -> i64 {
        match self {
            Self::Left => 1,
            Self::Right => 2,
            Self::Middle => 4,
        }
    }
}

/// Reply of the page script's `whereNow`.
#[derive(Deserialize)]
struct Whereabouts {
    moved: bool,
    point: Option<Point>,
}

impl Tab {
    /// Moves to `point` and clicks `times` times. All events are on their way after the first poll.
    pub(crate) async fn mouse_clicks(
        &self,
        point: Point,
        button: Button,
        times: u32,
        deadline: Deadline,
    ) -> Result<()> {
        let hold = self.hold();
        let mut events = vec![self.moved_to(point)];
        for count in 1..=i64::from(times) {
            events.push(self.pressed(button, count));
            events.push(self.released(button, count));
        }
        // Until the last release is confirmed the button may be down in the page.
        self.held().buttons |= button.bit();
        let sent = join_all(events.into_iter().map(|event| self.call(event, deadline))).await;
        if sent.last().is_some_and(Result::is_ok) {
            self.held().buttons &= !button.bit();
        }
        let (of, confirmed) = (sent.len(), sent.iter().take_while(|sent| sent.is_ok()).count());
        if let Some(error) = sent.into_iter().find_map(Result::err) {
            let told = json!({"unit": "events", "sent": of, "confirmed": confirmed, "of": of});
            return Err(self.stopped(error, told));
        }
        hold.keep();
        Ok(())
    }

    /// Clicks something that the page may move when it is pressed: the release goes to where it is then.
    pub(crate) async fn mouse_click_following(
        &self,
        frame: &Frame,
        watch: u64,
        point: Point,
        button: Button,
        deadline: Deadline,
    ) -> Result<()> {
        let hold = self.hold();
        let (moved, pressed) = (self.moved_to(point), self.pressed(button, 1));
        let (moved, pressed) = tokio::join!(self.call(moved, deadline), self.call(pressed, deadline));
        moved?;
        pressed?;
        let now: Result<Whereabouts> = self.script(frame, "whereNow", &json!({"watch": watch}), deadline).await;
        // Where it cannot be asked for any more, the release goes where the press went.
        if let Ok(Whereabouts {
            moved: true,
            point: Some(now),
        }) = now
            && let Ok(now) = self.to_viewport(frame, now, true, deadline).await
        {
            let moved = self.moved_to(now);
            self.call(moved, deadline).await?;
        }
        let released = self.released(button, 1);
        self.call(released, deadline).await?;
        hold.keep();
        Ok(())
    }

    /// Moves the pointer.
    ///
    /// # Errors
    /// The input was not taken; everything held was let go of.
    pub async fn mouse_move(&self, point: Point, deadline: Deadline) -> Result<()> {
        let event = self.moved_to(point);
        self.send_mouse(event, deadline).await
    }

    /// Presses a button where the pointer is, and holds it.
    ///
    /// # Errors
    /// The input was not taken; everything held was let go of.
    pub async fn mouse_down(&self, button: Button, deadline: Deadline) -> Result<()> {
        let event = self.pressed(button, 1);
        self.send_mouse(event, deadline).await
    }

    /// Releases a button where the pointer is.
    ///
    /// # Errors
    /// The input was not taken; everything held was let go of.
    pub async fn mouse_up(&self, button: Button, deadline: Deadline) -> Result<()> {
        let event = self.released(button, 1);
        self.send_mouse(event, deadline).await
    }

    /// Turns the wheel where the pointer is, by CSS pixels; positive scrolls down.
    ///
    /// # Errors
    /// The input was not taken; everything held was let go of.
    pub async fn mouse_wheel(&self, delta_y: f64, deadline: Deadline) -> Result<()> {
        let event = DispatchMouseEvent {
            delta_x: Some(0.0),
            delta_y: Some(delta_y),
            ..self.held().mouse("mouseWheel", None, 0)
        };
        self.send_mouse(event, deadline).await
    }

    /// Where the pointer is, in the tab's viewport.
    #[must_use]
    pub fn pointer(&self) -> Point {
        self.held().at
    }

    async fn send_mouse(&self, event: DispatchMouseEvent, deadline: Deadline) -> Result<()> {
        let hold = self.hold();
        self.call(event, deadline).await?;
        hold.keep();
        Ok(())
    }

    fn moved_to(&self, point: Point) -> DispatchMouseEvent {
        let mut held = self.held();
        held.at = point;
        held.mouse("mouseMoved", None, 0)
    }

    fn pressed(&self, button: Button, count: i64) -> DispatchMouseEvent {
        let mut held = self.held();
        held.buttons |= button.bit();
        held.mouse("mousePressed", Some(button), count)
    }

    fn released(&self, button: Button, count: i64) -> DispatchMouseEvent {
        let mut held = self.held();
        held.buttons &= !button.bit();
        held.mouse("mouseReleased", Some(button), count)
    }
}
