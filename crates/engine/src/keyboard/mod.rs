//! The keyboard: what keys exist, what a `send_keys` text means, and which events a press or a typed text consists of.
//! Pure: nothing here talks to a browser. Invariants: every plan ends with the keys and modifiers held that it began
//! with, and the text of a typing plan, put together, is the text that was asked for.

mod events;
mod parse;
mod state;
mod table;

pub use events::{EventKind, KeyEvent, Platform, Step};
pub use parse::{Chord, Keys, normalise_key, parse_keys, parse_single};
pub use state::{Keyboard, Newlines};
pub use table::{Key, Modifiers, key_for_char, key_named};
