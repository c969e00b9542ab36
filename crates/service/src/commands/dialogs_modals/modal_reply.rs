//! How modals are told.

use engine::{Modal, Modals};
use serde_json::{Map, Value, json};

/// One modal.
pub(super) fn described(modal: &Modal) -> Value {
    let labels: Vec<&str> = modal.buttons.iter().map(|button| button.label.as_str()).collect();
    let points: Vec<Value> = modal
        .buttons
        .iter()
        .map(|button| {
            json!({
                "label": button.label,
                "point": point(button.x, button.y),
                "tag": button.tag,
                "id": button.id,
                "className": button.class_name,
                "matchedBy": button.matched_by,
            })
        })
        .collect();
    let mut out = Map::new();
    for (name, value) in [
        ("kind", json!(modal.kind)),
        ("matchedBy", json!(modal.matched_by)),
        ("confidence", json!(modal.confidence)),
        ("blocking", json!(modal.blocking)),
        ("overlayish", json!(modal.overlayish)),
        ("hasContent", json!(modal.has_content)),
        ("hasMask", json!(modal.has_mask)),
        ("onTop", json!(modal.on_top)),
        ("className", json!(modal.class_name)),
        ("id", json!(modal.id)),
        ("title", json!(modal.title)),
        ("text", json!(modal.text)),
        ("buttons", json!(labels)),
        ("buttonPoints", json!(points)),
        ("hasClose", json!(modal.close.is_some())),
        ("rect", json!(modal.rect.map(whole))),
        ("zIndex", json!(whole(modal.z_index))),
        ("frameIndex", json!(modal.frame_index)),
        ("frameUrl", json!(modal.frame_url)),
    ] {
        out.insert(name.to_owned(), value);
    }
    if let Some(close) = &modal.close {
        out.insert("closePoint".to_owned(), point(close.x, close.y));
    }
    Value::Object(out)
}

/// A point as it is told.
pub(super) fn point(x: f64, y: f64) -> Value {
    json!([whole(x), whole(y)])
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "`as` saturates, and no page is that large"
)]
fn whole(number: f64) -> i64 {
    number.round() as i64
}

/// Titles by which the open modals can be named, for messages.
pub(super) fn names(modals: &Modals) -> String {
    let name = |modal: &Modal| {
        let shown = if modal.title.is_empty() {
            &modal.text
        } else {
            &modal.title
        };
        format!("\"{shown}\"")
    };
    modals.list.iter().map(name).collect::<Vec<_>>().join(", ")
}
