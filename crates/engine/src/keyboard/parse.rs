//! What a `send_keys` text means: a press when it is one key name or modifiers with at most one key, else text to type.

use super::table::{Key, Modifiers, key_for_char, key_named};

/// Modifiers with at most one key, pressed together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chord {
    /// Modifiers in the order in which they are pressed.
    pub modifiers: Vec<&'static Key>,
    /// The key pressed under them; `None` for modifiers alone.
    pub key: Option<&'static Key>,
}

impl Chord {
    /// The normalised spelling: `Control+Shift+T`, `Enter`, `Space`.
    #[must_use]
    pub fn spelling(&self) -> String {
        let keys = self.modifiers.iter().chain(self.key.iter());
        keys.map(|key| spelling_of(key)).collect::<Vec<_>>().join("+")
    }
}

fn spelling_of(key: &Key) -> String {
    if key.key == " " {
        "Space".to_owned()
    } else {
        capital(key.key)
    }
}

fn capital(name: &str) -> String {
    if name.len() == 1 {
        name.to_ascii_uppercase()
    } else {
        name.to_owned()
    }
}

/// What a `send_keys` text means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keys {
    /// Press these keys together.
    Press(Chord),
    /// Type this text.
    Type(String),
}

/// Reads a `send_keys` text. The grammar is `name` or `(modifier+)*modifier(+key)?`, where a key is one letter, one digit
/// or a name, all in any case; everything else, a single letter too, is text.
#[must_use]
pub fn parse_keys(text: &str) -> Keys {
    parse_chord(text).map_or_else(|| Keys::Type(text.to_owned()), Keys::Press)
}

fn parse_chord(text: &str) -> Option<Chord> {
    let parts: Vec<&str> = text.split('+').collect();
    let (last, before) = parts.split_last()?;
    let mut modifiers = Vec::new();
    for part in before {
        let key = key_named(part).filter(|key| key.modifier().is_some())?;
        push_once(&mut modifiers, key);
    }
    let last = key_named(last).or_else(|| if before.is_empty() { None } else { letter_or_digit(last) })?;
    if last.modifier().is_some() {
        push_once(&mut modifiers, last);
        return Some(Chord { modifiers, key: None });
    }
    Some(Chord {
        modifiers,
        key: Some(last),
    })
}

fn push_once(keys: &mut Vec<&'static Key>, key: &'static Key) {
    if !keys.contains(&key) {
        keys.push(key);
    }
}

fn letter_or_digit(text: &str) -> Option<&'static Key> {
    let mut characters = text.chars();
    let (only, None) = (characters.next()?, characters.next()) else {
        return None;
    };
    only.is_ascii_alphanumeric()
        .then(|| key_for_char(only.to_ascii_lowercase()))?
        .map(|(key, _)| key)
}

/// Reads the one key of `key_down` and `key_up`: a name or one character, with the modifiers that the character needs.
#[must_use]
pub fn parse_single(text: &str) -> Option<(&'static Key, Modifiers)> {
    if let Some(key) = key_named(text) {
        return Some((key, Modifiers::NONE));
    }
    let mut characters = text.chars();
    let (only, None) = (characters.next()?, characters.next()) else {
        return None;
    };
    key_for_char(only)
}

/// The normalised spelling of a key name (`ctrl` → `Control`), or the text itself when it names no key.
#[must_use]
pub fn normalise_key(text: &str) -> String {
    key_named(text).map_or_else(|| text.to_owned(), spelling_of)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pressed(text: &str) -> String {
        match parse_keys(text) {
            Keys::Press(chord) => chord.spelling(),
            Keys::Type(text) => panic!("{text:?} is text"),
        }
    }

    #[test]
    fn names_and_combinations_are_presses() {
        for (text, spelling) in [
            ("Enter", "Enter"),
            ("esc", "Escape"),
            ("Space", "Space"),
            ("Ctrl+a", "Control+A"),
            ("cmd+shift+T", "Meta+Shift+T"),
            ("Control+Enter", "Control+Enter"),
            ("Shift+F10", "Shift+F10"),
            ("alt+1", "Alt+1"),
            ("Control+Control+A", "Control+A"),
            ("Shift", "Shift"),
            ("Control+Shift", "Control+Shift"),
            ("pagedown", "PageDown"),
        ] {
            assert_eq!(pressed(text), spelling, "{text}");
        }
    }

    #[test]
    fn everything_else_is_text() {
        for text in [
            "a",
            "7",
            "hello",
            "Control+A+B",
            "a+b",
            "Enter+Control",
            "Control+",
            "+",
            "Control + A",
            "Control+ab",
            "C++",
            " ",
            "F13",
            "Control+é",
        ] {
            assert_eq!(parse_keys(text), Keys::Type(text.to_owned()), "{text}");
        }
    }

    #[test]
    fn single_keys_are_names_or_characters() {
        assert_eq!(
            parse_single("?").map(|(key, modifiers)| (key.code, modifiers)),
            Some(("Slash", Modifiers::SHIFT))
        );
        assert_eq!(parse_single("ctrl").map(|(key, _)| key.code), Some("ControlLeft"));
        assert_eq!(parse_single("ab"), None);
        assert_eq!(parse_single("é"), None);
    }

    proptest! {
        #[test]
        fn a_text_that_is_no_press_is_kept_as_it_is(text in ".*") {
            if let Keys::Type(kept) = parse_keys(&text) {
                prop_assert_eq!(kept, text);
            }
        }

        #[test]
        fn the_spelling_of_a_press_means_the_same_press(text in "((ctrl|Alt|shift|Cmd)\\+){0,3}(enter|Tab|a|Z|5|Space|f5|Meta)") {
            if let Keys::Press(chord) = parse_keys(&text) {
                prop_assert_eq!(parse_keys(&chord.spelling()), Keys::Press(chord));
            }
        }
    }
}
