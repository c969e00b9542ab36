//! Mouse input through the protocol. The events of a gesture are sent together: waiting for the move alone would cost a
//! whole frame.

use cdp::protocol::input::DispatchMouseEvent;

use crate::deadline::Deadline;
use crate::error::Result;
use crate::geometry::Point;
use crate::tab::Tab;

impl Tab {
    /// Moves to `point`, presses and releases the left button. All events are on their way after the first poll.
    pub(crate) async fn mouse_click(&self, point: Point, deadline: Deadline) -> Result<()> {
        let event = |kind: &str, button: Option<&str>, buttons: i64, count: i64| DispatchMouseEvent {
            r#type: kind.into(),
            x: point.x,
            y: point.y,
            button: button.map(String::from),
            buttons: Some(buttons),
            click_count: Some(count),
            pointer_type: Some("mouse".into()),
            ..Default::default()
        };
        let (moved, pressed, released) = tokio::join!(
            self.call(event("mouseMoved", None, 0, 0), deadline),
            self.call(event("mousePressed", Some("left"), 1, 1), deadline),
            self.call(event("mouseReleased", Some("left"), 0, 1), deadline),
        );
        moved?;
        pressed?;
        released.map(|_| ())
    }
}
