//! Forms and documents whose named elements stand in place of their own members: for every member at once.

use serde_json::{Value, json};
use support::Task;

use crate::harness::{World, index_of, js, whole_text};

const HOLDERS: [&str; 2] = ["form", "document"];

/// A page in which every member of the holder is masked, shown to be so.
fn page<'a>(world: &'a World, holder: &str) -> Task<'a> {
    let task = world.at(&format!("clobbered.html?of={holder}"));
    assert_eq!(js(&task, "masked()"), true, "{holder}");
    assert!(js(&task, "counted").as_u64().unwrap() > 200, "{holder}");
    task
}

#[test]
fn a_page_with_masked_members_is_read_whole() {
    let world = World::new();
    for holder in HOLDERS {
        let task = page(&world, holder);
        let state = task.ok(
            "get_browser_state",
            json!({"viewportExpansion": -1, "includeElements": true}),
        );
        assert_eq!(state["title"], "Clobbered", "{holder}: {state}");
        let text = state["text"].as_str().unwrap();
        for part in [
            "Heading",
            "Hello from the form",
            "City",
            "News",
            "Size",
            ">Send/>",
            "Editor",
        ] {
            assert!(text.contains(part), "{holder}: no {part} in\n{text}");
        }
        let markdown = task.ok("extract_markdown", json!({"maxChars": 0}));
        let markdown = markdown["markdown"].as_str().unwrap();
        assert!(
            markdown.contains("# Heading") && markdown.contains("Hello from the form"),
            "{holder}: {markdown}"
        );
        let words = task.ok("get_element_text", json!({"selector": "#form"}));
        assert!(words["text"].as_str().unwrap().contains("Hello"), "{holder}: {words}");
        let editor = index_of(text, "Editor");
        let html = task.ok("get_element_html", json!({"index": editor}));
        assert_eq!(html["html"], "", "{holder}: {html}");
        let name = task.ok("get_element_attribute", json!({"index": editor, "name": "aria-label"}));
        assert_eq!(name["value"], "Editor", "{holder}: {name}");
        assert_eq!(task.ok("is_visible", json!({"selector": "#form"}))["visible"], true);
        let area = task.ok("get_element_box", json!({"index": editor}));
        assert!(area["width"].as_f64().unwrap() > 0.0, "{holder}: {area}");
        assert_eq!(task.ok("get_title", json!({}))["title"], "Clobbered");
        let form = task.ok("get_form_state", json!({"selector": "#form"}));
        let labels: Vec<&Value> = form["fields"].as_array().unwrap().iter().map(|f| &f["label"]).collect();
        assert_eq!(labels, ["City", "News", "Size"], "{holder}: {form}");
    }
}

#[test]
fn a_page_with_masked_members_is_acted_on() {
    let world = World::new();
    for holder in HOLDERS {
        let task = page(&world, holder);
        let text = whole_text(&task);
        let city = task.ok("input_text", json!({"index": index_of(&text, "City"), "text": "Riga"}));
        assert_eq!(
            (&city["value"], &city["valueMatches"]),
            (&json!("Riga"), &json!(true)),
            "{holder}: {city}"
        );
        let click = task.ok("click_element_by_index", json!({"index": index_of(&text, ">Send/>")}));
        assert_eq!(click["changed"], true, "{holder}: {click}");
        task.ok("wait_for_text", json!({"text": "State: sent", "timeoutSeconds": 10}));
        task.ok("wait_for_element", json!({"selector": "#form", "timeoutSeconds": 10}));
        task.ok("click_element_by_selector", json!({"selector": "#news"}));
        assert_eq!(task.ok("is_checked", json!({"selector": "#news"}))["checked"], true);
        task.ok("click_element_by_selector", json!({"selector": "#form"}));
        let note = task.ok(
            "input_text_by_selector",
            json!({"selector": "#editor", "text": "A note"}),
        );
        assert_eq!(
            (&note["value"], &note["valueMatches"]),
            (&json!("A note"), &json!(true)),
            "{holder}: {note}"
        );
        task.ok("find_text", json!({"text": "A note"}));
    }
}
