//! The bundled pages work: each becomes ready, tells what its application is told, and editors tell their document.

use serde_json::json;

use crate::harness::{World, js};

const PAGES: [&str; 17] = [
    "antd-overlays",
    "bootstrap",
    "codemirror",
    "downshift",
    "element-plus-overlays",
    "jquery-ui",
    "layui",
    "lexical",
    "monaco",
    "mui",
    "quill",
    "select2",
    "slate",
    "sortable",
    "tinymce",
    "tiptap",
    "vxe-modal",
];

#[test]
fn every_bundled_page_becomes_ready() {
    let world = World::new();
    let task = world.dsb.task(json!({}));
    for name in PAGES {
        task.ok("go_to_url", json!({"url": world.site.app(name)}));
        task.ok(
            "wait_for_element",
            json!({"selector": "html[data-ready=true]", "timeoutSeconds": 20}),
        );
        assert_eq!(
            js(&task, "Array.isArray(window.__events)"),
            json!(true),
            "{name} tells no events"
        );
    }
}

#[test]
fn every_editor_tells_its_document() {
    let world = World::new();
    let task = world.dsb.task(json!({}));
    for (name, text) in [
        ("codemirror", "const answer = 42;"),
        ("lexical", "A first line"),
        ("monaco", "name = demo"),
        ("quill", ""),
        ("slate", "A first line"),
        ("tinymce", "Dear reader"),
        ("tiptap", "First paragraph"),
    ] {
        task.ok("go_to_url", json!({"url": world.site.app(name)}));
        task.ok(
            "wait_for_element",
            json!({"selector": "html[data-ready=true]", "timeoutSeconds": 20}),
        );
        let document = js(&task, "window.__model()");
        assert!(
            document.as_str().is_some_and(|found| found.contains(text)),
            "{name}: {document}"
        );
    }
}
