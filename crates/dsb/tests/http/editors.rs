//! Rich editors: what they tell their own application is what the receipt says.

use serde_json::{Value, json};
use support::Task;

use crate::harness::{World, js};
use crate::selects::library;

/// Page, selector of what is edited, frame.
const EDITORS: [(&str, &str, Option<&str>); 7] = [
    ("quill", ".ql-editor", None),
    ("tiptap", "#editor [contenteditable]", None),
    ("codemirror", ".cm-content", None),
    ("monaco", ".monaco-editor", None),
    ("tinymce", "body", Some("1")),
    ("lexical", "#editor", None),
    ("slate", "#editor", None),
];

fn enter(task: &Task<'_>, selector: &str, frame: Option<&str>, text: &str, mode: &str) -> Value {
    let mut params = json!({"selector": selector, "text": text, "mode": mode});
    if let Some(frame) = frame {
        params["frame"] = frame.into();
    }
    task.ok("input_text_by_selector", params)
}

/// The editor's own document, without the line breaks by which editors tell paragraphs apart in different ways.
fn model(task: &Task<'_>) -> String {
    let text = js(task, "window.__model()");
    text.as_str()
        .unwrap_or_default()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn a_text_replaces_the_document_of_every_editor() {
    let world = World::new();
    for (page, selector, frame) in EDITORS {
        let task = library(&world, page);
        for (text, mode) in [
            ("Plain words", "auto"),
            ("中文 and ß 😀 é", "native"),
            ("typed words", "type"),
        ] {
            let receipt = enter(&task, selector, frame, text, mode);
            assert_eq!(model(&task), text, "{page} {mode}: {receipt}");
            assert_eq!(
                (&receipt["committed"], &receipt["valueMatches"], &receipt["value"]),
                (&json!(true), &json!(true), &json!(text)),
                "{page} {mode}: {receipt}"
            );
        }
    }
}

#[test]
fn lines_stay_lines_in_every_editor() {
    let world = World::new();
    for (page, selector, frame) in EDITORS {
        let task = library(&world, page);
        for mode in ["auto", "type"] {
            let receipt = enter(&task, selector, frame, "first\nsecond\nthird", mode);
            let text = js(&task, "window.__model()");
            let lines: Vec<&str> = text
                .as_str()
                .unwrap_or_default()
                .lines()
                .filter(|line| !line.is_empty())
                .collect();
            assert_eq!(lines, ["first", "second", "third"], "{page} {mode}: {receipt}");
            assert_eq!(receipt["valueMatches"], true, "{page} {mode}: {receipt}");
        }
    }
}
