//! Key events in the protocol's terms, as plain values.

use serde::Serialize;

use super::table::{Key, Modifiers};

/// Platform of the browser; only macOS leaves editing shortcuts to the sender of the events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    /// macOS.
    Mac,
    /// Linux, Windows.
    Other,
}

impl Platform {
    /// The platform that this program runs on, for browsers that it started itself.
    #[must_use]
    pub const fn here() -> Self {
        if cfg!(target_os = "macos") {
            Self::Mac
        } else {
            Self::Other
        }
    }
}

/// `type` of a key event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum EventKind {
    /// Down with text: gives `keydown`, `keypress` and the text.
    KeyDown,
    /// Down without text.
    RawKeyDown,
    /// Up.
    KeyUp,
}

/// Parameters of `Input.dispatchKeyEvent`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KeyEvent {
    /// `type`.
    #[serde(rename = "type")]
    pub kind: EventKind,
    /// `KeyboardEvent.key`.
    pub key: &'static str,
    /// `KeyboardEvent.code`.
    pub code: &'static str,
    /// Text entered, on a key down only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<&'static str>,
    /// Windows virtual-key code.
    pub windows_virtual_key_code: i64,
    /// Modifier bits held at this event.
    pub modifiers: i64,
    /// `KeyboardEvent.location`.
    pub location: i64,
    /// The key was down already.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub auto_repeat: bool,
    /// Editing commands that go with the event (macOS).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<&'static str>,
}

/// One thing to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// `Input.dispatchKeyEvent`.
    Key(KeyEvent),
    /// `Input.insertText`, for characters that no key enters.
    Insert(String),
}

pub(super) fn down(key: &'static Key, modifiers: Modifiers, auto_repeat: bool, platform: Platform) -> KeyEvent {
    let text = key.text_under(modifiers);
    let kind = if text.is_some() {
        EventKind::KeyDown
    } else {
        EventKind::RawKeyDown
    };
    KeyEvent {
        text,
        auto_repeat,
        commands: commands(key, modifiers, platform),
        ..event(kind, key, modifiers)
    }
}

pub(super) fn up(key: &'static Key, modifiers: Modifiers) -> KeyEvent {
    event(EventKind::KeyUp, key, modifiers)
}

fn event(kind: EventKind, key: &'static Key, modifiers: Modifiers) -> KeyEvent {
    KeyEvent {
        kind,
        key: key.form(modifiers),
        code: key.code,
        text: None,
        windows_virtual_key_code: key.virtual_key,
        modifiers: modifiers.bits(),
        location: key.location,
        auto_repeat: false,
        commands: Vec::new(),
    }
}

/// Shortcuts that the system's key bindings, not the renderer, turn into editing commands on macOS.
const MAC_COMMANDS: [(Modifiers, &str, &str); 10] = [
    (Modifiers::META, "KeyA", "selectAll"),
    (Modifiers::META, "KeyC", "copy"),
    (Modifiers::META, "KeyX", "cut"),
    (Modifiers::META, "KeyV", "paste"),
    (Modifiers::META, "KeyZ", "undo"),
    (Modifiers::META, "ArrowLeft", "moveToBeginningOfLine"),
    (Modifiers::META, "ArrowRight", "moveToEndOfLine"),
    (Modifiers::META, "ArrowUp", "moveToBeginningOfDocument"),
    (Modifiers::META, "ArrowDown", "moveToEndOfDocument"),
    (Modifiers::META, "Backspace", "deleteToBeginningOfLine"),
];

fn commands(key: &Key, modifiers: Modifiers, platform: Platform) -> Vec<&'static str> {
    if platform == Platform::Other {
        return Vec::new();
    }
    if modifiers == Modifiers::META | Modifiers::SHIFT && key.code == "KeyZ" {
        return vec!["redo"];
    }
    let found = MAC_COMMANDS
        .iter()
        .find(|(held, code, _)| *held == modifiers && *code == key.code);
    found.map(|(_, _, command)| *command).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keyboard::key_for_char;

    #[test]
    fn serialises_to_the_protocol_parameters() {
        let (key, _) = key_for_char('a').unwrap();
        assert_eq!(
            serde_json::to_value(down(key, Modifiers::SHIFT, false, Platform::Other)).unwrap(),
            serde_json::json!({"type": "keyDown", "key": "A", "code": "KeyA", "text": "A", "windowsVirtualKeyCode": 65,
                               "modifiers": 8, "location": 0})
        );
    }

    #[test]
    fn editing_commands_go_with_mac_shortcuts_only() {
        let (key, _) = key_for_char('a').unwrap();
        assert_eq!(down(key, Modifiers::META, false, Platform::Mac).commands, ["selectAll"]);
        assert!(down(key, Modifiers::META, false, Platform::Other).commands.is_empty());
        assert!(down(key, Modifiers::CONTROL, false, Platform::Mac).commands.is_empty());
    }
}
