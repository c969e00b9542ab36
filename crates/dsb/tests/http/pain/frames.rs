//! Frames that are not seen or not reached, and shadow roots.

use serde_json::{Value, json};
use support::Task;

use crate::harness::{World, index_of, js, text_of};

/// A task at the page of frames, one of another site among them, all of them loaded.
fn at_frames(world: &World) -> Task<'_> {
    let task = world.dsb.task(json!({}));
    let url = format!("/plain/frames.html?other={}", world.site.b("").trim_end_matches('/'));
    task.ok("go_to_url", json!({"url": world.site.a(&url)}));
    task.ok(
        "wait_for_element",
        json!({"selector": "#inner", "frame": "name=nested"}),
    );
    task
}

fn all_frames(task: &Task<'_>) -> Value {
    task.ok(
        "get_browser_state",
        json!({"includeFrames": true, "viewportExpansion": -1}),
    )
}

#[test]
fn pain_43_one_reading_covers_frames_of_every_origin() {
    let world = World::new();
    let task = at_frames(&world);
    let state = all_frames(&task);
    let text = state["text"].as_str().unwrap();
    let headers: Vec<_> = text.lines().filter(|line| line.starts_with("--- frame[")).collect();
    assert_eq!(headers.len(), 5, "{text}");
    let foreign = headers.iter().find(|line| line.contains("name=cross")).unwrap();
    assert!(foreign.contains("localhost"), "{foreign}");
    // One index space, and an index goes to its own frame without being told which.
    let part = text.split(foreign).nth(1).unwrap();
    let index = index_of(part, ">Click inside/>");
    let clicked = task.ok("click_element_by_index", json!({"index": index}));
    assert_eq!(clicked["changed"], true, "{clicked:#}");
    let count = task.ok("get_element_text", json!({"selector": "#count", "frame": "name=cross"}));
    assert_eq!(count["text"], "1");
    // A frame that does not exist is an error, never the main frame.
    let missing = task.call("get_element_text", json!({"selector": "h1", "frame": "no-such-frame"}));
    assert!(
        !missing.is_ok() && missing.msg().contains("list_frames"),
        "{}",
        missing.msg()
    );
}

#[test]
fn pain_44_the_default_says_which_frames_were_left_out() {
    let world = World::new();
    let task = at_frames(&world);
    let state = task.ok("get_browser_state", json!({"viewportExpansion": -1}));
    assert!(state["frameHint"].is_string(), "{state:#}");
    let frames = state["frames"].as_array().unwrap();
    let skipped: Vec<_> = frames.iter().filter(|frame| frame["skipped"] == true).collect();
    assert!(
        !skipped.is_empty()
            && skipped
                .iter()
                .all(|frame| frame["skipReason"].is_string() && frame["url"].is_string()),
        "{frames:#?}"
    );
    assert!(
        skipped
            .iter()
            .any(|frame| frame["url"].as_str().unwrap().contains("name=cross"))
    );
    let data = task.ok(
        "click_element_by_selector",
        json!({"selector": "#main", "returnState": "full"}),
    );
    assert!(data["state"]["frameHint"].is_string());
}

#[test]
fn pain_46_elements_in_open_shadow_roots_are_seen_and_reached() {
    let world = World::new();
    let task = world.at("shadow.html");
    let state = task.ok("get_browser_state", json!({}));
    let text = state["text"].as_str().unwrap();
    for (name, id) in [
        ("In an open root", "in-open"),
        ("In a nested root", "in-nested"),
        ("In a declared root", "declared"),
        ("Slotted button", "slotted"),
    ] {
        task.ok(
            "click_element_by_index",
            json!({"index": index_of(text, &format!(">{name}/>"))}),
        );
        assert_eq!(text_of(&task, "clicked"), id, "by index");
        task.ok("click_element_by_selector", json!({"selector": "#light"}));
        task.ok("click_element_by_selector", json!({"selector": format!("#{id}")}));
        assert_eq!(text_of(&task, "clicked"), id, "by selector");
    }
    task.ok(
        "input_text_by_selector",
        json!({"selector": "#in-field", "text": "typed"}),
    );
    assert_eq!(text_of(&task, "clicked"), "field:typed");
    let found = task.ok("find_text", json!({"text": "In a nested root"}));
    assert_eq!(found["matchCount"], 1, "{found:#}");
    task.ok("wait_for_text", json!({"text": "In a nested root"}));
}

#[test]
fn pain_47_closed_shadow_roots_are_reached() {
    let world = World::new();
    let task = world.at("shadow.html");
    assert_eq!(
        js(&task, "document.getElementById('closed-host').shadowRoot"),
        Value::Null
    );
    let state = task.ok("get_browser_state", json!({}));
    let index = index_of(state["text"].as_str().unwrap(), ">In a closed root/>");
    task.ok("click_element_by_index", json!({"index": index}));
    assert_eq!(text_of(&task, "clicked"), "in-closed");
}
