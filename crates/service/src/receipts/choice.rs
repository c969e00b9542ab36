//! How a selector's element was chosen, as members of a receipt.

use engine::Located;
use schemars::JsonSchema;
use serde::Serialize;

use crate::context::Context;
use crate::text;

/// The members; all absent for an element given by its index.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Choice {
    matched: Option<u64>,
    chosen_index: Option<i64>,
    scanned: Option<u64>,
    selector_note: Option<String>,
    visible_matched: Option<u64>,
    hidden_match_note: Option<String>,
    explicit_nth: Option<bool>,
}

impl Choice {
    /// The members for what the page script said.
    pub(crate) fn new(cx: &Context, located: Option<&Located>) -> Self {
        let Some(located) = located else { return Self::default() };
        let guessed = located.matched > 1 && !located.explicit_nth;
        let hidden = located.visible_matched == Some(0);
        Self {
            matched: Some(located.matched),
            chosen_index: Some(located.chosen_index),
            scanned: Some(located.scanned),
            selector_note: guessed.then(|| {
                cx.say(&text!(
                    "action.several_matches",
                    matched = located.matched,
                    chosen = located.chosen_index
                ))
            }),
            visible_matched: hidden.then_some(0),
            hidden_match_note: hidden.then(|| cx.say(&text!("action.only_hidden"))),
            explicit_nth: located.explicit_nth.then_some(true),
        }
    }
}
