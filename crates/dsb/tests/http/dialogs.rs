//! Native dialogs never block anything.

use serde_json::json;

use crate::harness::{World, text_of};

#[test]
fn a_dialog_is_answered_and_named_in_the_receipt() {
    let world = World::new();
    for (id, kind, result) in [
        ("alert", "alert", "alert closed"),
        ("confirm", "confirm", "confirm true"),
        ("prompt", "prompt", "prompt nobody"),
        ("twice", "alert", "both closed"),
    ] {
        let task = world.at("alert.html");
        let receipt = task.ok("click_element_by_selector", json!({"selector": format!("#{id}")}));
        assert_eq!(
            (&receipt["dialog"]["type"], &receipt["dialog"]["accepted"]),
            (&json!(kind), &json!(true)),
            "{id}: {receipt}"
        );
        assert_eq!(text_of(&task, "result"), result);
        task.ok("close", json!({}));
    }
}

#[test]
fn a_page_that_alerts_on_load_opens_and_can_be_left() {
    let world = World::new();
    let task = world.at("alert.html?onload=alert");
    assert_eq!(text_of(&task, "result"), "alert undefined");
    task.ok("click_element_by_selector", json!({"selector": "#guard"}));
    let left = task.ok("go_to_url", json!({"url": world.site.a("/plain/change.html")}));
    assert!(left["url"].as_str().unwrap().ends_with("change.html"));
}
