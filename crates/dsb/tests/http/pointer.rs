//! Pointer and keys event by event, beside what UI Events and Pointer Events say of their order and members.

use std::time::Duration;

use serde_json::{Value, json};
use support::Task;

use crate::harness::{World, index_of, js, text_of, whole_text};

/// The events that the page has seen since it was last asked, those of `#pad` only.
fn seen(task: &Task<'_>) -> Vec<Value> {
    let all = js(task, "window.seen.splice(0)");
    let all = all.as_array().unwrap().iter();
    all.filter(|event| event["id"] == "pad").cloned().collect()
}

fn types(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["type"].as_str().unwrap()).collect()
}

const COMING: [&str; 6] = [
    "pointerover",
    "pointerenter",
    "mouseover",
    "mouseenter",
    "pointermove",
    "mousemove",
];
const CLICK: [&str; 5] = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"];

fn pad(task: &Task<'_>) -> u64 {
    index_of(&whole_text(task), "Pad")
}

#[test]
fn a_hover_comes_over_the_element_and_no_more() {
    let world = World::new();
    let task = world.at("recorder.html");
    let receipt = task.ok("hover_element_by_index", json!({"index": pad(&task)}));
    assert_eq!(receipt["hit"]["id"], "pad", "{receipt}");
    let events = seen(&task);
    assert_eq!(types(&events), COMING);
    assert!(
        events
            .iter()
            .all(|event| event["isTrusted"] == true && event["buttons"] == 0)
    );
    // Once more, with the pointer there already.
    let receipt = task.ok("hover_element_by_index", json!({"index": pad(&task)}));
    assert_eq!(receipt["hit"]["id"], "pad", "{receipt}");
}

#[test]
fn a_click_has_the_events_of_the_specifications() {
    let world = World::new();
    let task = world.at("recorder.html");
    task.ok("click_element_by_index", json!({"index": pad(&task)}));
    let events = seen(&task);
    let wanted = [&COMING[..], &CLICK[..2], &["focus"], &CLICK[2..]].concat();
    assert_eq!(types(&events), wanted);
    for event in &events {
        let kind = event["type"].as_str().unwrap();
        let down = kind.ends_with("down");
        assert_eq!(event["isTrusted"], true, "{event}");
        if kind == "focus" {
            continue;
        }
        assert_eq!(event["buttons"], i32::from(down), "{event}");
        let moving = kind.starts_with("pointer") && !down && kind != "pointerup";
        assert_eq!(event["button"], if moving { -1 } else { 0 }, "{event}");
        if kind.starts_with("pointer") || kind == "click" {
            assert_eq!(event["pointerType"], "mouse", "{event}");
            assert_eq!(
                event["pressure"].as_f64(),
                Some(if down { 0.5 } else { 0.0 }),
                "{event}"
            );
        }
        if ["mousedown", "mouseup", "click"].contains(&kind) {
            assert_eq!(event["detail"], 1, "{event}");
        }
    }
}

#[test]
fn a_double_click_counts_and_ends_with_dblclick() {
    let world = World::new();
    let task = world.at("recorder.html");
    let receipt = task.ok("double_click_element_by_index", json!({"index": pad(&task)}));
    assert_eq!(
        (&receipt["hit"]["id"], &receipt["mode"]),
        (&json!("pad"), &json!("native")),
        "{receipt}"
    );
    let events = seen(&task);
    let wanted = [&COMING[..], &CLICK[..2], &["focus"], &CLICK[2..], &CLICK, &["dblclick"]].concat();
    assert_eq!(types(&events), wanted);
    let details = |kind: &str| -> Vec<&Value> {
        events
            .iter()
            .filter(|event| event["type"] == kind)
            .map(|event| &event["detail"])
            .collect()
    };
    for kind in ["mousedown", "mouseup", "click"] {
        assert_eq!(details(kind), [1, 2], "{kind}");
    }
    assert_eq!(details("dblclick"), [2]);
    assert_eq!(text_of(&task, "count"), "2");
    // By script the same, except that the page can tell.
    task.ok(
        "double_click_element_by_index",
        json!({"index": pad(&task), "mode": "js"}),
    );
    let events = seen(&task);
    assert_eq!(types(&events), [&CLICK[..], &CLICK, &["dblclick"]].concat());
    assert!(events.iter().all(|event| event["isTrusted"] == false));
}

#[test]
fn right_and_middle_clicks_have_their_own_events() {
    let world = World::new();
    let task = world.at("recorder.html");
    for (button, number, bit, wanted) in [
        (
            "right",
            2,
            2,
            &[
                "pointerdown",
                "mousedown",
                "contextmenu",
                "pointerup",
                "mouseup",
                "auxclick",
            ][..],
        ),
        (
            "middle",
            1,
            4,
            &["pointerdown", "mousedown", "pointerup", "mouseup", "auxclick"][..],
        ),
    ] {
        let receipt = task.ok("mouse_click", json!({"x": 60, "y": 50, "button": button}));
        assert_eq!(
            (&receipt["mode"], &receipt["hit"]["id"], &receipt["x"]),
            (&json!("mouse"), &json!("pad"), &json!(60.0)),
            "{receipt}"
        );
        let events = seen(&task);
        let events: Vec<Value> = events
            .into_iter()
            .filter(|event| !COMING.contains(&event["type"].as_str().unwrap()) && event["type"] != "focus")
            .collect();
        assert_eq!(types(&events), wanted, "{button}");
        assert!(events.iter().all(|event| event["button"] == number), "{events:?}");
        let held = |event: &&Value| event["type"].as_str().unwrap().ends_with("down");
        assert!(
            events.iter().filter(held).all(|event| event["buttons"] == bit),
            "{events:?}"
        );
    }
    let receipt = task.ok("mouse_click_by_selector", json!({"selector": "#pad", "clickCount": 2}));
    assert_eq!(receipt["mode"], "mouse", "{receipt}");
    assert_eq!(types(&seen(&task)).last(), Some(&"dblclick"));
}

#[test]
fn single_steps_of_mouse_and_keys_hold_what_they_press() {
    let world = World::new();
    let task = world.at("recorder.html");
    task.ok("mouse_move", json!({"x": 60, "y": 50}));
    task.ok("mouse_down", json!({}));
    task.ok("mouse_move", json!({"x": 70, "y": 55}));
    task.ok("mouse_up", json!({}));
    let events = seen(&task);
    let moved = events.iter().rfind(|event| event["type"] == "pointermove").unwrap();
    assert_eq!(
        (&moved["buttons"], &moved["pressure"], &moved["x"]),
        (&json!(1), &json!(0.5), &json!(70))
    );
    assert_eq!(types(&events).last(), Some(&"click"));
    task.ok("mouse_wheel", json!({"deltaY": 40}));
    assert_eq!(types(&seen(&task)), ["wheel"]);
    task.ok("key_down", json!({"keys": "shift"}));
    task.ok("mouse_click", json!({"x": 60, "y": 50}));
    task.ok("key_up", json!({"keys": "Shift"}));
    task.ok("mouse_click", json!({"x": 60, "y": 50}));
    let shifts: Vec<Value> = seen(&task)
        .into_iter()
        .filter(|event| event["type"] == "click")
        .map(|event| event["shiftKey"].clone())
        .collect();
    assert_eq!(shifts, [true, false]);
}

#[test]
fn what_is_held_is_let_go_of_at_the_end_of_the_task() {
    let world = World::new();
    let task = world.at("recorder.html");
    // What the page gets while its tab goes is told to the site.
    let told = "for (const type of ['keyup', 'mouseup']) addEventListener(type, () => \
        fetch('/submit?key=' + type, { method: 'POST', keepalive: true })), 0";
    js(&task, told);
    task.ok("focus_element_by_index", json!({"index": pad(&task)}));
    task.ok("mouse_move", json!({"x": 60, "y": 50}));
    task.ok("mouse_down", json!({}));
    task.ok("key_down", json!({"keys": "Control"}));
    task.ok("close", json!({}));
    for kind in ["keyup", "mouseup"] {
        assert_eq!(world.site.await_count(kind, 1, Duration::from_secs(5)), 1, "{kind}");
    }
}

#[test]
fn bad_input_is_refused_before_anything_is_sent() {
    let world = World::new();
    let task = world.at("recorder.html");
    for (method, params) in [
        ("mouse_move", json!({"x": 10})),
        ("mouse_move", json!({"x": -1, "y": 5})),
        ("mouse_click", json!({"x": 99_999, "y": 5})),
        ("mouse_click", json!({"x": 1, "y": 5, "button": "fourth"})),
        ("mouse_click", json!({"x": 1, "y": 5, "clickCount": 0})),
        ("mouse_down", json!({"button": "side"})),
        ("mouse_up", json!({"button": 7})),
        ("mouse_wheel", json!({})),
        ("mouse_click_by_selector", json!({})),
        ("mouse_click_by_selector", json!({"selector": "::bad("})),
        ("key_down", json!({"keys": "Control+A"})),
        ("key_up", json!({"keys": ""})),
        ("double_click_element_by_index", json!({"index": 0, "mode": "twice"})),
        ("hover_element_by_index", json!({})),
        ("hover_and_click", json!({})),
        ("scroll", json!({"down": true})),
        ("scroll", json!({"numPages": 0})),
        ("scroll_to_text", json!({"text": "  "})),
        ("click_element_by_text", json!({"text": ""})),
        ("click_element_by_role", json!({"role": "buton"})),
    ] {
        let data = task.call(method, params.clone()).expect_code("INVALID_ARGUMENT");
        assert_eq!(data["invalidArgument"], true, "{method} {params}: {data}");
    }
    task.call("mouse_click_by_selector", json!({"selector": "#none"}))
        .expect_code("ELEMENT_NOT_FOUND");
    for method in [
        "hover_element_by_index",
        "focus_element_by_index",
        "double_click_element_by_index",
    ] {
        whole_text(&task);
        task.call(method, json!({"index": 77})).expect_code("STALE_ELEMENT");
    }
    assert!(seen(&task).is_empty());
}

#[test]
fn a_click_into_a_frame_by_coordinates_says_what_it_hit() {
    let world = World::new();
    let task = world.at("frames.html");
    task.ok(
        "wait_for_element",
        json!({"selector": "button", "frame": "frame-inner"}),
    );
    let place = js(
        &task,
        "(() => { const b = document.getElementById('main').getBoundingClientRect(); return [b.x + 5, b.y + 5] })()",
    );
    let receipt = task.ok("mouse_click", json!({"x": place[0], "y": place[1]}));
    assert_eq!(
        (&receipt["hit"]["id"], &receipt["changed"]),
        (&json!("main"), &json!(true)),
        "{receipt}"
    );
    let inner = js(
        &task,
        "(() => { const f = document.getElementById('same'); const o = f.getBoundingClientRect(); \
        const b = f.contentDocument.querySelector('button').getBoundingClientRect(); \
        return [o.x + f.clientLeft + b.x + 5, o.y + f.clientTop + b.y + 5] })()",
    );
    let receipt = task.ok("mouse_click", json!({"x": inner[0], "y": inner[1]}));
    assert_eq!(
        (&receipt["hit"]["tag"], &receipt["changed"]),
        (&json!("button"), &json!(true)),
        "{receipt}"
    );
}

#[test]
fn focus_is_read_back_and_what_takes_none_is_refused() {
    let world = World::new();
    let task = world.at("recorder.html");
    let receipt = task.ok("focus_element_by_index", json!({"index": pad(&task)}));
    assert_eq!(
        (&receipt["mode"], &receipt["hit"]["id"]),
        (&json!("js"), &json!("pad")),
        "{receipt}"
    );
    assert_eq!(js(&task, "document.activeElement.id"), "pad");
    js(
        &task,
        "document.getElementById('pad').removeAttribute('tabindex'); document.activeElement.blur()",
    );
    let reply = task.call("focus_element_by_index", json!({"index": pad(&task)}));
    assert!(reply.msg().contains("does not take the focus"), "{}", reply.msg());
    reply.expect_code("ACTION_FAILED");
}
