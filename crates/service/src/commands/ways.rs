//! The values that parameters of clicks and of input take, once for all commands that have them.

use serde_json::{Value, json};

/// Values of `mode` of a click.
pub(super) const CLICK_MODES: [&str; 4] = ["auto", "native", "mouse", "js"];
/// Values of `mode` of an input.
pub(super) const INPUT_MODES: [&str; 4] = ["auto", "native", "type", "js"];
/// Values of `button`.
pub(super) const BUTTONS: [&str; 3] = ["left", "right", "middle"];

/// Other names of the modes of a click.
pub(super) fn click_aliases() -> Value {
    json!({"dispatch": "js", "force": "js", "event": "js", "real": "mouse", "coordinate": "mouse", "coords": "mouse",
           "playwright": "native"})
}

/// Other names of the modes of an input.
pub(super) fn input_aliases() -> Value {
    json!({"fill": "native", "playwright": "native", "press": "type", "setvalue": "js"})
}
