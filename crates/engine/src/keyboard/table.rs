//! The keys of a US keyboard. Names and codes are those of the W3C UI Events specifications; the numbers are Windows
//! virtual-key codes, which is what the browser protocol wants on every platform.

use std::ops::{BitOr, BitOrAssign};

/// Set of modifiers, in the bits of the protocol's input domain: Alt 1, Control 2, Meta 4, Shift 8.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Modifiers(u8);

impl Modifiers {
    /// None held.
    pub const NONE: Self = Self(0);
    /// Alt (Option).
    pub const ALT: Self = Self(1);
    /// Control.
    pub const CONTROL: Self = Self(2);
    /// Meta (Command, Windows key).
    pub const META: Self = Self(4);
    /// Shift.
    pub const SHIFT: Self = Self(8);

    /// The protocol's bit field.
    #[must_use]
    pub const fn bits(self) -> i64 {
        self.0 as i64
    }

    /// True when all of `other` are in here.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The set without `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// True when a key gives text under these modifiers: none, or Shift alone.
    #[must_use]
    pub const fn give_text(self) -> bool {
        self.without(Self::SHIFT).0 == 0
    }
}

impl BitOr for Modifiers {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Modifiers {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// One key as it is pressed, with the form that it gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// `KeyboardEvent.key` without Shift.
    pub key: &'static str,
    /// `KeyboardEvent.key` with Shift; the same for keys that have no second form.
    pub shifted: &'static str,
    /// `KeyboardEvent.code`: the place on the keyboard.
    pub code: &'static str,
    /// Windows virtual-key code.
    pub virtual_key: i64,
    /// `KeyboardEvent.location`: 0 standard, 1 left, 2 right, 3 number pad.
    pub location: i64,
    /// Text that the key enters; `None` for keys without. Printable keys enter their form.
    pub text: Option<&'static str>,
}

impl Key {
    /// `KeyboardEvent.key` under the modifiers.
    #[must_use]
    pub const fn form(&self, modifiers: Modifiers) -> &'static str {
        if modifiers.contains(Modifiers::SHIFT) {
            self.shifted
        } else {
            self.key
        }
    }

    /// Text entered under the modifiers.
    #[must_use]
    pub fn text_under(&self, modifiers: Modifiers) -> Option<&'static str> {
        let text = self.text.filter(|_| modifiers.give_text())?;
        Some(if text == self.key { self.form(modifiers) } else { text })
    }

    /// The modifier that this key is, if it is one.
    #[must_use]
    pub fn modifier(&self) -> Option<Modifiers> {
        match self.key {
            "Alt" => Some(Modifiers::ALT),
            "Control" => Some(Modifiers::CONTROL),
            "Meta" => Some(Modifiers::META),
            "Shift" => Some(Modifiers::SHIFT),
            _ => None,
        }
    }
}

const fn named(key: &'static str, code: &'static str, virtual_key: i64) -> Key {
    Key {
        key,
        shifted: key,
        code,
        virtual_key,
        location: 0,
        text: None,
    }
}

const fn left(key: &'static str, code: &'static str, virtual_key: i64) -> Key {
    Key {
        location: 1,
        ..named(key, code, virtual_key)
    }
}

const fn printable(key: &'static str, shifted: &'static str, code: &'static str, virtual_key: i64) -> Key {
    Key {
        key,
        shifted,
        code,
        virtual_key,
        location: 0,
        text: Some(key),
    }
}

/// Keys known by name: exactly those that `send_keys` takes for keys, since any other word is text to type. `Space` is found through its name as well as through its character.
const NAMED: [Key; 36] = [
    Key {
        text: Some("\r"),
        ..named("Enter", "Enter", 13)
    },
    named("Escape", "Escape", 27),
    named("Tab", "Tab", 9),
    named("Backspace", "Backspace", 8),
    named("Delete", "Delete", 46),
    named("Insert", "Insert", 45),
    named("Home", "Home", 36),
    named("End", "End", 35),
    named("PageUp", "PageUp", 33),
    named("PageDown", "PageDown", 34),
    named("ArrowUp", "ArrowUp", 38),
    named("ArrowDown", "ArrowDown", 40),
    named("ArrowLeft", "ArrowLeft", 37),
    named("ArrowRight", "ArrowRight", 39),
    printable(" ", " ", "Space", 32),
    named("CapsLock", "CapsLock", 20),
    named("NumLock", "NumLock", 144),
    named("ScrollLock", "ScrollLock", 145),
    named("PrintScreen", "PrintScreen", 44),
    named("ContextMenu", "ContextMenu", 93),
    named("F1", "F1", 112),
    named("F2", "F2", 113),
    named("F3", "F3", 114),
    named("F4", "F4", 115),
    named("F5", "F5", 116),
    named("F6", "F6", 117),
    named("F7", "F7", 118),
    named("F8", "F8", 119),
    named("F9", "F9", 120),
    named("F10", "F10", 121),
    named("F11", "F11", 122),
    named("F12", "F12", 123),
    left("Control", "ControlLeft", 17),
    left("Shift", "ShiftLeft", 16),
    left("Alt", "AltLeft", 18),
    left("Meta", "MetaLeft", 91),
];

/// Other spellings of names, lower case.
const ALIASES: [(&str, &str); 5] = [
    ("ctrl", "Control"),
    ("cmd", "Meta"),
    ("command", "Meta"),
    ("esc", "Escape"),
    ("space", " "),
];

/// Keys that enter a character.
const PRINTABLE: [Key; 47] = [
    printable("a", "A", "KeyA", 65),
    printable("b", "B", "KeyB", 66),
    printable("c", "C", "KeyC", 67),
    printable("d", "D", "KeyD", 68),
    printable("e", "E", "KeyE", 69),
    printable("f", "F", "KeyF", 70),
    printable("g", "G", "KeyG", 71),
    printable("h", "H", "KeyH", 72),
    printable("i", "I", "KeyI", 73),
    printable("j", "J", "KeyJ", 74),
    printable("k", "K", "KeyK", 75),
    printable("l", "L", "KeyL", 76),
    printable("m", "M", "KeyM", 77),
    printable("n", "N", "KeyN", 78),
    printable("o", "O", "KeyO", 79),
    printable("p", "P", "KeyP", 80),
    printable("q", "Q", "KeyQ", 81),
    printable("r", "R", "KeyR", 82),
    printable("s", "S", "KeyS", 83),
    printable("t", "T", "KeyT", 84),
    printable("u", "U", "KeyU", 85),
    printable("v", "V", "KeyV", 86),
    printable("w", "W", "KeyW", 87),
    printable("x", "X", "KeyX", 88),
    printable("y", "Y", "KeyY", 89),
    printable("z", "Z", "KeyZ", 90),
    printable("0", ")", "Digit0", 48),
    printable("1", "!", "Digit1", 49),
    printable("2", "@", "Digit2", 50),
    printable("3", "#", "Digit3", 51),
    printable("4", "$", "Digit4", 52),
    printable("5", "%", "Digit5", 53),
    printable("6", "^", "Digit6", 54),
    printable("7", "&", "Digit7", 55),
    printable("8", "*", "Digit8", 56),
    printable("9", "(", "Digit9", 57),
    printable("`", "~", "Backquote", 192),
    printable("-", "_", "Minus", 189),
    printable("=", "+", "Equal", 187),
    printable("[", "{", "BracketLeft", 219),
    printable("]", "}", "BracketRight", 221),
    printable("\\", "|", "Backslash", 220),
    printable(";", ":", "Semicolon", 186),
    printable("'", "\"", "Quote", 222),
    printable(",", "<", "Comma", 188),
    printable(".", ">", "Period", 190),
    printable("/", "?", "Slash", 191),
];

/// The key of a name, in any case; `None` for characters and unknown names.
#[must_use]
pub fn key_named(name: &str) -> Option<&'static Key> {
    let lower = name.to_ascii_lowercase();
    let wanted = ALIASES
        .iter()
        .find(|(alias, _)| *alias == lower)
        .map_or(name, |(_, key)| key);
    // A blank is a character; only the word names the space bar here.
    if name == " " {
        return None;
    }
    NAMED.iter().find(|key| key.key.eq_ignore_ascii_case(wanted))
}

/// The key that enters a character and the modifiers that it needs; `None` when a US keyboard has no such key.
#[must_use]
pub fn key_for_char(character: char) -> Option<(&'static Key, Modifiers)> {
    let mut buffer = [0; 4];
    let text: &str = character.encode_utf8(&mut buffer);
    match character {
        ' ' => NAMED
            .iter()
            .find(|key| key.code == "Space")
            .map(|key| (key, Modifiers::NONE)),
        '\n' | '\r' => NAMED
            .iter()
            .find(|key| key.key == "Enter")
            .map(|key| (key, Modifiers::NONE)),
        '\t' => NAMED
            .iter()
            .find(|key| key.key == "Tab")
            .map(|key| (key, Modifiers::NONE)),
        _ => PRINTABLE.iter().find_map(|key| {
            let plain = (key.key == text).then_some((key, Modifiers::NONE));
            plain.or_else(|| (key.shifted == text).then_some((key, Modifiers::SHIFT)))
        }),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_ascii_character_has_a_key_that_gives_it() {
        for character in ' '..='~' {
            let (key, modifiers) = key_for_char(character).unwrap_or_else(|| panic!("no key for {character:?}"));
            assert_eq!(key.text_under(modifiers), Some(character.to_string().as_str()));
        }
    }

    #[test]
    fn codes_and_numbers_are_unique() {
        let all: Vec<&Key> = NAMED.iter().chain(&PRINTABLE).collect();
        assert_eq!(all.iter().map(|key| key.code).collect::<HashSet<_>>().len(), all.len());
        assert_eq!(
            all.iter().map(|key| key.virtual_key).collect::<HashSet<_>>().len(),
            all.len()
        );
    }

    #[test]
    fn text_is_given_only_without_command_modifiers() {
        let (key, _) = key_for_char('a').unwrap();
        assert_eq!(key.text_under(Modifiers::SHIFT), Some("A"));
        assert_eq!(key.text_under(Modifiers::CONTROL), None);
        assert_eq!(key.text_under(Modifiers::SHIFT | Modifiers::ALT), None);
        assert_eq!(key_named("enter").unwrap().text_under(Modifiers::SHIFT), Some("\r"));
    }

    #[test]
    fn names_are_found_in_any_case_and_spelling() {
        for (name, code) in [
            ("ENTER", "Enter"),
            ("esc", "Escape"),
            ("Ctrl", "ControlLeft"),
            ("command", "MetaLeft"),
            ("space", "Space"),
            ("f12", "F12"),
        ] {
            assert_eq!(key_named(name).map(|key| key.code), Some(code), "{name}");
        }
        for name in ["a", " ", "", "hello", "F13", "Clear", "option"] {
            assert_eq!(key_named(name), None, "{name}");
        }
    }
}
