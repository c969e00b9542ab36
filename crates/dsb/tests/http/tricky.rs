//! Targets that cancel, stop, capture, detach, move or paint while they are clicked, and fields that edit by themselves:
//! what is told is what happened, and nothing is done twice.

use serde_json::{Value, json};
use support::Task;

use crate::harness::{World, js, text_of};

fn click(task: &Task<'_>, id: &str) -> support::Reply {
    task.call("click_element_by_selector", json!({"selector": format!("#{id}")}))
}

#[test]
fn clicks_that_pages_cancel_stop_or_pass_on_arrive_once() {
    let world = World::new();
    for (id, log) in [
        ("prevent", "prevent "),
        ("chain-text", "chained:true "),
        ("chained", "chained:true "),
        ("for-button", "labelled "),
        ("nest", "outer "),
        ("nested", "nested "),
    ] {
        let task = world.at("tricky.html");
        let receipt = click(&task, id).expect_ok();
        assert_eq!(
            (text_of(&task, "log").as_str(), &receipt["effective"]),
            (log, &json!(true)),
            "{id}: {receipt}"
        );
    }
    let task = world.at("tricky.html");
    let receipt = click(&task, "stop").expect_ok();
    assert_eq!(receipt["changeStatus"], "not_observed", "{receipt}");
    assert_eq!(js(&task, "window.stopped"), true);
    click(&task, "summary-text").expect_ok();
    assert_eq!(js(&task, "document.getElementById('details').open"), true);
    // What acts after the window is not told as an effect, nor as a failure.
    let receipt = click(&task, "late").expect_ok();
    assert_eq!(
        (&receipt["changeStatus"], &receipt["actionStatus"]),
        (&json!("not_observed"), &json!("completed")),
        "{receipt}"
    );
}

#[test]
fn targets_that_lose_the_click_are_never_done() {
    let world = World::new();
    for id in ["capture", "swap-a", "reborn", "move-on-down"] {
        let task = world.at("tricky.html");
        let data = click(&task, id).expect_code("ACTION_UNCERTAIN");
        assert_eq!(
            (&data["actionStatus"], &data["retrySafe"]),
            (&json!("unknown"), &json!(false)),
            "{id}: {data}"
        );
        assert_eq!(text_of(&task, "log"), "", "{id}: {data}");
    }
}

#[test]
fn a_page_that_keeps_its_events_to_itself_is_clicked_once_and_told_so() {
    let world = World::new();
    let task = world.at("tricky.html?keep");
    let reply = click(&task, "counter");
    assert!(reply.msg().contains("kept it from"), "{}", reply.msg());
    let data = reply.expect_code("ACTION_UNCERTAIN");
    assert_eq!(
        (&data["retrySafe"], js(&task, "window.kept")),
        (&json!(false), json!(1)),
        "{data}"
    );
    let point = js(
        &task,
        "(({ left, top, width, height }) => ({ x: left + width / 2, y: top + height / 2 }))(document.getElementById('counter').getBoundingClientRect())",
    );
    task.call("mouse_click", point).expect_code("ACTION_UNCERTAIN");
    assert_eq!(js(&task, "window.kept"), 2);
}

#[test]
fn what_a_click_paints_is_a_change_and_what_moves_by_itself_is_none() {
    let world = World::new();
    let task = world.at("tricky.html");
    let painted = |receipt: &Value| {
        receipt["changes"]
            .as_array()
            .is_some_and(|all| all.contains(&json!("canvas")))
    };
    let receipt = click(&task, "paint").expect_ok();
    assert!(painted(&receipt) && receipt["effective"] == true, "{receipt}");
    let receipt = click(&task, "moving").expect_ok();
    assert_eq!(receipt["effective"], false, "{receipt}");
    let at = js(
        &task,
        "(({ left, top }) => ({ x: left + 20, y: top + 20 }))(document.getElementById('paint').getBoundingClientRect())",
    );
    let receipt = task.ok("mouse_click", at.clone());
    assert!(painted(&receipt) && receipt["effective"] == true, "{receipt}");
    // Painted over with the same: nothing to be seen.
    let receipt = task.call("mouse_click", at);
    assert!(!painted(&receipt.expect_ok()));
    let task = world.at("drag.html");
    let index = crate::harness::index_of(&crate::harness::whole_text(&task), "Drawing");
    let drag = json!({"index": index, "sourceX": 20, "sourceY": 20, "targetX": 150, "targetY": 70});
    let receipt = task.ok("drag_element_by_index", drag);
    assert!(painted(&receipt), "{receipt}");
}

#[test]
fn fields_that_edit_by_themselves_get_a_text_once() {
    let world = World::new();
    let task = world.at("tricky.html");
    for (id, given, value, matches) in [
        ("hot", "abc", "ABC", false),
        ("upper", "abc", "ABC", false),
        ("eater", "a1b2", "ab", false),
    ] {
        let receipt = task.ok(
            "input_text_by_selector",
            json!({"selector": format!("#{id}"), "text": given}),
        );
        assert_eq!(
            (&receipt["value"], &receipt["valueMatches"]),
            (&json!(value), &json!(matches)),
            "{id}: {receipt}"
        );
    }
    assert_eq!(text_of(&task, "hot"), "ABC");
}

#[test]
fn a_field_that_is_drawn_anew_when_focused_is_entered_or_refused() {
    let world = World::new();
    let task = world.at("tricky.html");
    let receipt = task.ok("input_text_by_selector", json!({"selector": "#redrawn", "text": "abc"}));
    assert_eq!(receipt["valueMatches"], true, "{receipt}");
    assert_eq!(js(&task, "document.getElementById('redrawn').value"), "abc");
    // Its selector means nothing any more, and the index is of the element that went.
    task.call(
        "input_text_by_selector",
        json!({"selector": "#replaced", "text": "abc"}),
    )
    .expect_code("ELEMENT_NOT_FOUND");
    assert_eq!(js(&task, "document.getElementById('replacement').value"), "");
    let task = world.at("tricky.html");
    let index = crate::harness::index_of(&crate::harness::whole_text(&task), "Replaced when focused");
    let data = task
        .call("input_text", json!({"index": index, "text": "abc"}))
        .expect_code("STALE_ELEMENT");
    assert_eq!(data["reason"], "removed", "{data}");
    assert_eq!(js(&task, "document.getElementById('replacement').value"), "");
}

#[test]
fn a_drag_whose_press_nobody_saw_is_not_done() {
    let world = World::new();
    let task = world.at("tricky.html?keep");
    let text = crate::harness::whole_text(&task);
    let index = crate::harness::index_of(&text, ">Counts/>");
    let over = crate::harness::index_of(&text, ">Acts late/>");
    let reply = task.call("drag_element_by_index", json!({"index": index, "targetIndex": over}));
    assert!(reply.msg().contains("press meant for"), "{}", reply.msg());
    let data = reply.expect_code("ACTION_UNCERTAIN");
    assert_eq!(
        (&data["actionStatus"], &data["retrySafe"], &data["changed"]),
        (&json!("unknown"), &json!(false), &json!(false)),
        "{data}"
    );
}
