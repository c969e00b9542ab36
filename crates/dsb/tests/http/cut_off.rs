//! The deadline of a command in the middle of its input: the outcome is unknown and told with how far the input had got,
//! nothing stays held, nothing is tried another way, and the task goes on.

use std::time::Duration;

use serde_json::{Value, json};
use support::{Task, eventually};

use crate::harness::{World, js};

/// Commands end after five seconds; the page is busy for longer.
fn short() -> World {
    World::with(
        crate::harness::options()
            .arg("--browser.capture.enabled=false")
            .arg("--browser.command.timeoutMs=5000"),
    )
}

/// What is told of a command that was cut off.
fn cut_off(task: &Task<'_>, method: &str, params: Value) -> Value {
    let reply = task.call(method, params);
    let data = reply.expect_code("ACTION_UNCERTAIN");
    assert_eq!(
        (&data["actionStatus"], &data["retrySafe"]),
        (&json!("unknown"), &json!(false)),
        "{data}"
    );
    assert!(data.get("fallbackFrom").is_none(), "{data}");
    data
}

/// The page's own record, once it answers again; the commands before that fail within their limit.
fn events(task: &Task<'_>) -> Vec<String> {
    eventually("the page answers again", Duration::from_secs(40), || {
        let reply = task.call("execute_js", json!({"body": "window.events"}));
        reply.is_ok().then(|| {
            let events = reply.data()["result"].as_array().cloned().unwrap_or_default();
            events.iter().filter_map(Value::as_str).map(str::to_owned).collect()
        })
    })
}

fn count(events: &[String], kind: &str) -> usize {
    events.iter().filter(|event| event.starts_with(kind)).count()
}

/// A click afterwards works and holds nothing of what was before.
fn is_usable(task: &Task<'_>) {
    js(
        task,
        "addEventListener('click', (e) => (window.last = [e.buttons, e.shiftKey, e.ctrlKey]), true), 0",
    );
    task.ok("click_element_by_selector", json!({"selector": "#over"}));
    assert_eq!(js(task, "window.last"), json!([0, false, false]));
}

#[test]
fn typing_that_is_cut_off_says_how_far_it_had_got() {
    let world = short();
    let task = world.at("stall.html?ms=9000");
    let text = "ABCDEFGHIJ".repeat(10);
    let data = cut_off(
        &task,
        "input_text_by_selector",
        json!({"selector": "#typed", "text": text, "mode": "type"}),
    );
    let sent = &data["sent"];
    assert_eq!(
        (&sent["unit"], &sent["of"]),
        (&json!("characters"), &json!(100)),
        "{data}"
    );
    let (sent, confirmed) = (sent["sent"].as_u64().unwrap(), sent["confirmed"].as_u64().unwrap());
    assert!((5..100).contains(&sent) && (4..=5).contains(&confirmed), "{data}");
    let events = events(&task);
    assert_eq!(count(&events, "keydown:"), count(&events, "keyup:"), "{events:?}");
    // No more than what was told arrived, and nothing a second time.
    let value = js(&task, "document.getElementById('typed').value");
    let value = value.as_str().unwrap();
    assert!(
        text.starts_with(value) && value.len() as u64 <= sent,
        "{value:?} {data}"
    );
    is_usable(&task);
}

#[test]
fn text_that_is_inserted_as_the_time_ends_is_not_entered_again() {
    let world = short();
    let task = world.at("stall.html?ms=9000");
    let data = cut_off(
        &task,
        "input_text_by_selector",
        json!({"selector": "#inserted", "text": "once"}),
    );
    assert_eq!(
        (&data["sent"]["unit"], &data["sent"]["of"]),
        (&json!("characters"), &json!(4)),
        "{data}"
    );
    events(&task);
    assert_eq!(js(&task, "document.getElementById('inserted').value"), "once");
    is_usable(&task);
}

#[test]
fn a_click_that_is_cut_off_is_released_and_made_once() {
    let world = short();
    let task = world.at("stall.html?ms=9000");
    let data = cut_off(
        &task,
        "click_element_by_selector",
        json!({"selector": "#pressed", "timeoutMs": 60_000}),
    );
    assert_eq!(
        (&data["sent"]["unit"], &data["sent"]["of"]),
        (&json!("events"), &json!(3)),
        "{data}"
    );
    let events = events(&task);
    assert_eq!(count(&events, "mousedown:"), 1, "{events:?}");
    assert!(count(&events, "click:") <= 1, "{events:?}");
    is_usable(&task);
}

#[test]
fn drags_that_are_cut_off_are_given_up() {
    let world = short();
    for (id, kind) in [("slider", "pointer"), ("chip", "html5")] {
        let task = world.at("stall.html?ms=9000");
        let text = crate::harness::whole_text(&task);
        let line = if id == "slider" { "Slider" } else { "Chip" };
        let index = crate::harness::index_of(&text, line);
        let data = cut_off(
            &task,
            "drag_element_by_index",
            json!({"index": index, "targetX": 150, "targetY": 60}),
        );
        assert_eq!(
            (&data["sent"]["unit"], &data["sent"]["kind"], &data["sent"]["dropped"]),
            (&json!("moves"), &json!(kind), &json!(false)),
            "{id}: {data}"
        );
        let events = events(&task);
        assert_eq!(count(&events, "drop:"), 0, "{events:?}");
        assert_eq!(count(&events, "mousedown:"), 1, "{events:?}");
        is_usable(&task);
        task.ok("close", json!({}));
    }
}
