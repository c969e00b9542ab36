//! A keyboard with the keys that are held down on it. A plan is made against what is held and leaves the same held.

use super::events::{KeyEvent, Platform, Step, down, up};
use super::parse::Chord;
use super::table::{Key, Modifiers, key_for_char, key_named};

/// What a line break in a typed text becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Newlines {
    /// The Enter key, which submits a form from a single-line field.
    Press,
    /// Inserted text; a single-line field drops it.
    Insert,
}

/// The keys held down. One per task.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keyboard {
    held: Vec<&'static Key>,
}

impl Keyboard {
    /// Modifiers held now, for mouse events too.
    #[must_use]
    pub fn modifiers(&self) -> Modifiers {
        self.held
            .iter()
            .filter_map(|key| key.modifier())
            .fold(Modifiers::NONE, |all, one| all | one)
    }

    /// True when no key is held.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.held.is_empty()
    }

    /// Presses a key and holds it; pressing a held key again is an auto-repeat. `extra` are modifiers that the key's
    /// character needs but that are not held (`?` needs Shift).
    pub fn down(&mut self, key: &'static Key, extra: Modifiers, platform: Platform) -> KeyEvent {
        let repeat = self.held.contains(&key);
        if !repeat {
            self.held.push(key);
        }
        down(key, self.modifiers() | extra, repeat, platform)
    }

    /// Releases a key, also one that is not held (the page may have seen it go down before).
    pub fn up(&mut self, key: &'static Key, extra: Modifiers) -> KeyEvent {
        self.held.retain(|held| *held != key);
        up(key, self.modifiers() | extra)
    }

    /// Releases everything, the last pressed first.
    pub fn release_all(&mut self) -> Vec<KeyEvent> {
        let mut events = Vec::new();
        while let Some(key) = self.held.pop() {
            events.push(up(key, self.modifiers()));
        }
        events
    }

    /// The events of a chord: modifiers down in order, the key down and up, modifiers up in reverse order. Keys that were
    /// held before stay held. A caller that was stopped while sending them sends the plan's remaining `keyUp` events.
    #[must_use]
    pub fn press(&self, chord: &Chord, platform: Platform) -> Vec<KeyEvent> {
        let mut plan = self.clone();
        let fresh: Vec<_> = chord
            .modifiers
            .iter()
            .copied()
            .filter(|key| !self.held.contains(key))
            .collect();
        let mut events: Vec<_> = fresh
            .iter()
            .map(|key| plan.down(key, Modifiers::NONE, platform))
            .collect();
        if let Some(key) = chord.key {
            events.push(plan.down(key, Modifiers::NONE, platform));
            if !self.held.contains(&key) {
                events.push(plan.up(key, Modifiers::NONE));
            }
        }
        events.extend(fresh.iter().rev().map(|key| plan.up(key, Modifiers::NONE)));
        events
    }

    /// The steps that type a text: a key for each character that a US keyboard has, under Shift where it needs it, inserted
    /// text for the others, runs of which stay together so that no character is ever split.
    #[must_use]
    pub fn type_text(&self, text: &str, newlines: Newlines, platform: Platform) -> Vec<Step> {
        let mut typing = Typing {
            held: self.modifiers(),
            platform,
            steps: Vec::new(),
            run: String::new(),
            shifted: 0,
        };
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            if character == '\r' && characters.peek() == Some(&'\n') {
                continue;
            }
            let insert = newlines == Newlines::Insert && matches!(character, '\n' | '\r');
            match key_for_char(character).filter(|_| !insert) {
                Some((key, needed)) => typing.key(key, needed),
                None => typing.insert(if insert { '\n' } else { character }),
            }
        }
        typing.end()
    }
}

/// Characters typed under one press of Shift. Keys go out in bursts that end with nothing held, so no run may be endless.
const SHIFTED_RUN: usize = 10;

/// A text being turned into steps.
struct Typing {
    held: Modifiers,
    platform: Platform,
    steps: Vec<Step>,
    /// Characters without a key, not yet inserted.
    run: String,
    /// Characters typed since Shift went down; 0 while it is up.
    shifted: usize,
}

impl Typing {
    fn key(&mut self, key: &'static Key, needed: Modifiers) {
        self.flush();
        let shift = needed.contains(Modifiers::SHIFT) && !self.held.contains(Modifiers::SHIFT);
        if !shift || self.shifted >= SHIFTED_RUN {
            self.shift_up();
        }
        if shift {
            self.shift_down();
        }
        let modifiers = self.held | needed;
        self.steps.push(Step::Key(down(key, modifiers, false, self.platform)));
        self.steps.push(Step::Key(up(key, modifiers)));
    }

    fn insert(&mut self, character: char) {
        self.shift_up();
        self.run.push(character);
    }

    fn shift_down(&mut self) {
        if self.shifted == 0 {
            let modifiers = self.held | Modifiers::SHIFT;
            let pressed = key_named("Shift").map(|shift| Step::Key(down(shift, modifiers, false, self.platform)));
            self.steps.extend(pressed);
        }
        self.shifted += 1;
    }

    fn shift_up(&mut self) {
        if self.shifted > 0 {
            let released = key_named("Shift").map(|shift| Step::Key(up(shift, self.held)));
            self.steps.extend(released);
        }
        self.shifted = 0;
    }

    fn flush(&mut self) {
        if !self.run.is_empty() {
            self.steps.push(Step::Insert(std::mem::take(&mut self.run)));
        }
    }

    fn end(mut self) -> Vec<Step> {
        self.shift_up();
        self.flush();
        self.steps
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::keyboard::{EventKind, Keys, key_named, parse_keys};

    fn press(keyboard: &Keyboard, text: &str) -> Vec<KeyEvent> {
        match parse_keys(text) {
            Keys::Press(chord) => keyboard.press(&chord, Platform::Other),
            Keys::Type(text) => panic!("{text:?} is text"),
        }
    }

    fn brief(events: &[KeyEvent]) -> Vec<(EventKind, &str, i64)> {
        events
            .iter()
            .map(|event| (event.kind, event.key, event.modifiers))
            .collect()
    }

    #[test]
    fn a_chord_goes_down_and_comes_up_in_reverse() {
        use EventKind::{KeyUp, RawKeyDown};
        assert_eq!(
            brief(&press(&Keyboard::default(), "Ctrl+Shift+t")),
            [
                (RawKeyDown, "Control", 2),
                (RawKeyDown, "Shift", 10),
                (RawKeyDown, "T", 10),
                (KeyUp, "T", 10),
                (KeyUp, "Shift", 2),
                (KeyUp, "Control", 0),
            ]
        );
    }

    #[test]
    fn enter_and_space_carry_text() {
        assert_eq!(press(&Keyboard::default(), "Enter")[0].text, Some("\r"));
        assert_eq!(press(&Keyboard::default(), "Space")[0].text, Some(" "));
        assert_eq!(press(&Keyboard::default(), "Control+Space")[0].text, None);
    }

    #[test]
    fn held_keys_stay_held_through_a_press_and_are_released_last_first() {
        let mut keyboard = Keyboard::default();
        keyboard.down(key_named("Shift").unwrap(), Modifiers::NONE, Platform::Other);
        assert_eq!(
            brief(&press(&keyboard, "Tab")),
            [(EventKind::RawKeyDown, "Tab", 8), (EventKind::KeyUp, "Tab", 8)]
        );
        let events = press(&keyboard, "Shift+Tab");
        assert!(
            events.iter().all(|event| event.key == "Tab"),
            "a held modifier is not pressed again: {events:?}"
        );
        keyboard.down(key_named("Control").unwrap(), Modifiers::NONE, Platform::Other);
        let released = keyboard.release_all();
        assert_eq!(
            brief(&released),
            [(EventKind::KeyUp, "Control", 8), (EventKind::KeyUp, "Shift", 0)]
        );
        assert!(keyboard.is_idle());
    }

    #[test]
    fn a_second_down_is_an_auto_repeat() {
        let mut keyboard = Keyboard::default();
        let (key, _) = key_for_char('x').unwrap();
        assert!(!keyboard.down(key, Modifiers::NONE, Platform::Other).auto_repeat);
        assert!(keyboard.down(key, Modifiers::NONE, Platform::Other).auto_repeat);
        keyboard.up(key, Modifiers::NONE);
        assert!(keyboard.is_idle());
    }

    #[test]
    fn shift_goes_down_before_the_characters_that_need_it_and_up_after_them() {
        let codes = |keyboard: &Keyboard, text: &str| -> Vec<String> {
            let steps = keyboard.type_text(text, Newlines::Press, Platform::Other);
            let line = |step: &Step| match step {
                Step::Key(event) if event.kind == EventKind::KeyUp => format!("-{}:{}", event.key, event.modifiers),
                Step::Key(event) => format!("+{}:{}", event.key, event.modifiers),
                Step::Insert(text) => format!("={text}"),
            };
            steps.iter().map(line).collect()
        };
        let mut keyboard = Keyboard::default();
        assert_eq!(
            codes(&keyboard, "aB!é"),
            [
                "+a:0", "-a:0", "+Shift:8", "+B:8", "-B:8", "+!:8", "-!:8", "-Shift:0", "=é"
            ]
        );
        assert_eq!(
            codes(&keyboard, &"A".repeat(25))
                .iter()
                .filter(|code| *code == "+Shift:8")
                .count(),
            3
        );
        keyboard.down(key_named("Shift").unwrap(), Modifiers::NONE, Platform::Other);
        assert_eq!(codes(&keyboard, "B"), ["+B:8", "-B:8"]);
    }

    fn typed(steps: &[Step]) -> String {
        steps
            .iter()
            .map(|step| match step {
                Step::Insert(text) => text.as_str(),
                Step::Key(event) if event.key == "Tab" && event.kind != EventKind::KeyUp => "\t",
                Step::Key(event) => event.text.map_or("", |text| if text == "\r" { "\n" } else { text }),
            })
            .collect()
    }

    proptest! {
        #[test]
        fn typing_yields_the_text_and_ends_with_nothing_held(text in ".*", insert in any::<bool>()) {
            let newlines = if insert { Newlines::Insert } else { Newlines::Press };
            let steps = Keyboard::default().type_text(&text, newlines, Platform::Other);
            prop_assert_eq!(typed(&steps), text.replace("\r\n", "\n").replace('\r', "\n"));
            let mut open = Vec::new();
            for step in &steps {
                let Step::Key(event) = step else { continue };
                if event.kind == EventKind::KeyUp {
                    prop_assert_eq!(open.pop(), Some(event.code));
                } else {
                    open.push(event.code);
                }
            }
            prop_assert!(open.is_empty());
            prop_assert!(!insert || steps.iter().all(|step| !matches!(step, Step::Key(event) if event.key == "Enter")));
        }

        #[test]
        fn every_press_is_balanced(text in "((ctrl|Alt|shift|Cmd)\\+){0,4}(enter|Tab|a|Z|5|Space|f5|Meta|Delete)") {
            if let Keys::Press(chord) = parse_keys(&text) {
                let events = Keyboard::default().press(&chord, Platform::Other);
                let downs = events.iter().filter(|event| event.kind != EventKind::KeyUp).count();
                prop_assert_eq!(downs * 2, events.len());
                prop_assert_eq!(events.last().map(|event| event.modifiers), Some(0));
            }
        }
    }
}
