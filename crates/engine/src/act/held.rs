//! The buttons and keys that are held down in a tab, and where its pointer is. Invariant: a gesture that does not end well
//! (an error, its deadline, a dropped command) lets go of everything that is held.

use std::sync::{MutexGuard, PoisonError};

use cdp::protocol::input::DispatchMouseEvent;
use serde_json::Value;

use super::keys::wire;
use super::pointer::Button;
use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::geometry::Point;
use crate::keyboard::{Key, Keyboard, Modifiers, Platform};
use crate::tab::Tab;

/// What is held.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) keyboard: Keyboard,
    /// Bits as in `MouseEvent.buttons` (UI Events).
    pub(crate) buttons: i64,
    /// Where the pointer is, in the tab's viewport.
    pub(crate) at: Point,
}

impl Default for Held {
    fn default() -> Self {
        Self {
            keyboard: Keyboard::default(),
            buttons: 0,
            at: Point { x: 0.0, y: 0.0 },
        }
    }
}

impl Held {
    /// A mouse event at the pointer, under the buttons and modifiers that are held.
    pub(crate) fn mouse(&self, kind: &str, button: Option<Button>, count: i64) -> DispatchMouseEvent {
        let named = button.or_else(|| Button::ALL.into_iter().find(|button| self.buttons & button.bit() != 0));
        DispatchMouseEvent {
            r#type: kind.into(),
            x: self.at.x,
            y: self.at.y,
            modifiers: Some(self.keyboard.modifiers().bits()),
            button: Some(named.map_or("none", Button::as_str).into()),
            buttons: Some(self.buttons),
            click_count: Some(count),
            // A mouse that presses nothing has no pressure, any other one 0.5 (Pointer Events, `pressure`).
            force: (self.buttons != 0).then_some(0.5),
            pointer_type: Some("mouse".into()),
            ..Default::default()
        }
    }
}

/// Lets go of everything when dropped, unless the gesture ended well.
pub(crate) struct Hold<'a>(Option<&'a Tab>);

impl Hold<'_> {
    /// The gesture ended well: what it holds stays held.
    pub(crate) fn keep(mut self) {
        self.0 = None;
    }
}

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        if let Some(tab) = self.0 {
            tab.release_input();
        }
    }
}

impl Tab {
    /// What is held; the guard must not be kept across an await.
    pub(crate) fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Guards a gesture.
    pub(crate) fn hold(&self) -> Hold<'_> {
        Hold(Some(self))
    }

    /// The error of input that was not confirmed; `sent` says how far it had got. A page that took the input and does not
    /// come back from handling it is remembered.
    pub(crate) fn stopped(&self, error: EngineError, sent: Value) -> EngineError {
        if matches!(error, EngineError::Timeout { .. }) {
            self.state().unresponsive = true;
        }
        error.cut_off(sent)
    }

    /// Lets go of every button and key that is held, without waiting for the page.
    pub fn release_input(&self) {
        let mut held = self.held();
        for button in Button::ALL {
            if held.buttons & button.bit() != 0 {
                held.buttons &= !button.bit();
                self.session.notify(held.mouse("mouseReleased", Some(button), 1));
            }
        }
        for event in held.keyboard.release_all() {
            self.session.notify(wire(&event));
        }
    }

    /// Presses a key and holds it. `extra`: modifiers that its character needs.
    ///
    /// # Errors
    /// The input was not taken; everything held was let go of.
    pub async fn key_down(&self, key: &'static Key, extra: Modifiers, deadline: Deadline) -> Result<()> {
        let hold = self.hold();
        let event = self.held().keyboard.down(key, extra, Platform::here());
        self.call(wire(&event), deadline).await?;
        hold.keep();
        Ok(())
    }

    /// Releases a key.
    ///
    /// # Errors
    /// The input was not taken; everything held was let go of.
    pub async fn key_up(&self, key: &'static Key, extra: Modifiers, deadline: Deadline) -> Result<()> {
        let hold = self.hold();
        let event = self.held().keyboard.up(key, extra);
        self.call(wire(&event), deadline).await?;
        hold.keep();
        Ok(())
    }
}
