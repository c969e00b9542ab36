//! The one key of `key_down` and `key_up`.

use engine::keyboard::{Key, Modifiers, parse_single};

use crate::failure::Failure;
use crate::text;

/// The key that a text names, with the modifiers that its character needs.
pub(super) fn single(keys: &str) -> Result<(&'static Key, Modifiers), Failure> {
    parse_single(keys).ok_or_else(|| Failure::invalid(text!("element.not_one_key", keys = keys)))
}
