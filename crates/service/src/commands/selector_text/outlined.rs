//! The element that was clicked, as members of a reply.

use engine::Outline;
use schemars::JsonSchema;
use serde::Serialize;

/// Tag, text (at most 200 characters) and markup (at most 300).
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Outlined {
    tag: String,
    text: String,
    outer_html: String,
}

impl From<Outline> for Outlined {
    fn from(outline: Outline) -> Self {
        Self {
            tag: outline.tag,
            text: outline.text,
            outer_html: outline.outer_html,
        }
    }
}
