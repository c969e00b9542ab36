//! Texts, names and titles of any length: what is cut says so and how to get it.

use serde_json::json;

use crate::harness::{World, index_of, js, page_text};

#[test]
fn one_line_of_a_megabyte_is_cut_inside() {
    let world = World::new();
    let task = world.at("change.html");
    js(
        &task,
        "document.body.innerHTML = '<p>First</p><div id=w></div><button>Last</button>'; w.textContent = 'e\\u0301'.repeat(5e5); 0",
    );
    for max in [0, 3000] {
        let state = task.ok("get_browser_state", json!({"maxChars": max, "viewportExpansion": -1}));
        let text = state["text"].as_str().unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines.len(), lines[0]), (3, "First"), "{lines:?}");
        let told = if max == 0 { 400_000 } else { max };
        assert!(text.chars().count() <= told + 400, "{}", text.chars().count());
        assert!(
            lines[1].ends_with("e\u{301}…"),
            "a letter without its accent at the end"
        );
        assert!(
            lines[2].starts_with(&format!("--- cut at {told} characters: "))
                && lines[2]
                    .contains(" more characters of the line above and 1 more lines (1 with an index) are left out")
                && lines[2].contains("extract_markdown"),
            "{}",
            lines[2]
        );
        assert_eq!(state["textTruncated"], true);
    }
}

#[test]
fn a_long_control_keeps_its_index_and_a_long_value_leaves_room() {
    let world = World::new();
    let task = world.at("change.html");
    js(
        &task,
        "document.body.innerHTML = '<textarea id=v aria-label=Essay></textarea><button id=w></button>'; \
         v.value = 'v'.repeat(1e6); w.textContent = 'word '.repeat(20000); 0",
    );
    let text = task.ok("get_browser_state", json!({"maxChars": 30000, "viewportExpansion": -1}))["text"].clone();
    let text = text.as_str().unwrap();
    assert!(
        text.contains("vv… (980000 more characters)' aria-label='Essay'/>"),
        "{}",
        &text[..200]
    );
    let button = text.lines().nth(1).unwrap();
    assert!(
        button.starts_with("[1]<button >word word") && button.ends_with("…/>"),
        "{button}"
    );
    assert!(
        text.lines().last().unwrap().contains("(0 with an index)"),
        "the button's index was given"
    );
    let value = task.ok("get_element_value", json!({"index": index_of(text, "label='Essay'")}));
    assert_eq!(value["value"].as_str().unwrap().len(), 1_000_000);
}

#[test]
fn titles_names_and_identifiers_are_bounded() {
    let world = World::new();
    let task = world.at("change.html");
    js(
        &task,
        "const long = 'x'.repeat(1e6); document.title = long; document.body.innerHTML = '<button>Go</button><input><iframe srcdoc=\"<p>In</p>\"></iframe>'; \
         for (const el of document.querySelectorAll('button,input')) { el.id = long; el.className = long; el.name = el.localName === 'button' ? long : ''; el.title = long; } \
         document.querySelector('iframe').name = long; 0",
    );
    for (method, params) in [
        ("get_browser_state", json!({})),
        ("get_interactive_map", json!({})),
        ("list_frames", json!({})),
        ("get_page_snapshot", json!({})),
        ("diff_dom_text", json!({})),
    ] {
        let reply = task.ok(method, params);
        let mut reply = reply;
        // A name of a control is what forms are sent by: it is told whole up to its own bound.
        let length = reply.to_string().len();
        reply["text"] = json!(null);
        assert!(length < 60_000, "{method}: {length}");
    }
    js(&task, "document.querySelector('button').remove(); 0");
    let gone = task.call("click_element_by_index", json!({"index": 0, "timeoutMs": 500}));
    assert!(gone.body.to_string().len() < 10_000);
    assert!(page_text(&task).contains("<input"));
}
