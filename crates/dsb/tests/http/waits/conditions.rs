//! Waits for elements, numbers of elements and expressions.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{World, js, options, text_of};

#[test]
fn an_element_is_waited_for_in_every_state() {
    let world = World::new();
    for (state, selector) in [
        ("visible", "#late"),
        ("attached", "#late-text"),
        ("hidden", "#going"),
        ("detached", "#going"),
    ] {
        let task = world.at("late.html?t=300&gone=300");
        task.ok(
            "wait_for_element",
            json!({"selector": selector, "state": state, "timeoutSeconds": 10}),
        );
        task.ok("close", json!({}));
    }
    let task = world.at("late.html?t=100000");
    for (state, selector, reason) in [
        ("visible", "#never", "not-attached"),
        ("hidden", "#going", "still-visible"),
        ("detached", "#going", "still-attached"),
    ] {
        let reply = task.call(
            "wait_for_element",
            json!({"selector": selector, "state": state, "timeoutSeconds": 0.2}),
        );
        assert!(
            reply.msg().contains(selector) && reply.msg().contains("0.2 s"),
            "{}",
            reply.msg()
        );
        let data = reply.expect_code("ACTION_TIMEOUT");
        assert_eq!(
            (&data["reason"], &data["timeoutSeconds"]),
            (&json!(reason), &json!(0.2)),
            "{data}"
        );
    }
    js(&task, "document.getElementById('going').style.visibility = 'hidden'");
    let data = task
        .call("wait_for_element", json!({"selector": "#going", "timeoutSeconds": 0}))
        .expect_code("ACTION_TIMEOUT");
    assert_eq!(
        (&data["reason"], &data["matched"]),
        (&json!("not-visible"), &json!(1)),
        "{data}"
    );
}

#[test]
fn frames_and_shadow_roots_are_looked_into() {
    let world = World::new();
    let task = world.at("frames.html");
    js(
        &task,
        "setTimeout(() => { const f = document.createElement('iframe'); f.name = 'came-late'; f.srcdoc = '<b id=inside>deep text</b>'; document.body.append(f); }, 300); 0",
    );
    task.ok(
        "wait_for_element",
        json!({"selector": "#inside", "frame": "came-late", "timeoutSeconds": 10}),
    );
    task.ok(
        "wait_for_text",
        json!({"text": "deep text", "frame": "came-late", "timeoutSeconds": 10}),
    );
    task.ok(
        "wait_for_count",
        json!({"selector": "b", "equals": 1, "frame": "came-late"}),
    );
    task.ok(
        "wait_for_function",
        json!({"expression": "document.querySelector('#inside')", "frame": "came-late"}),
    );
    let data = task
        .call(
            "wait_for_element",
            json!({"selector": "b", "frame": "no-such", "timeoutSeconds": 0.2}),
        )
        .expect_code("ACTION_TIMEOUT");
    assert_eq!(data["reason"], "frame-not-found", "{data}");
    assert!(data["frames"].as_array().unwrap().len() > 1, "{data}");
    js(
        &task,
        "setTimeout(() => { const h = document.createElement('div'); document.body.append(h); h.attachShadow({mode: 'open'}).innerHTML = '<i id=shady>in the shade</i>'; }, 200); 0",
    );
    task.ok("wait_for_element", json!({"selector": "#shady", "timeoutSeconds": 10}));
    task.ok("wait_for_text", json!({"text": "in the shade", "timeoutSeconds": 10}));
}

#[test]
fn a_number_of_elements_is_waited_for() {
    let world = World::new();
    let task = world.at("search.html?ms=300");
    task.ok("click_element_by_selector", json!({"selector": "#find"}));
    let counted = task.ok(
        "wait_for_count",
        json!({"selector": "#rows tr", "equals": 3, "timeoutSeconds": 10}),
    );
    assert_eq!(
        (&counted["matched"], &counted["count"]),
        (&json!(true), &json!(3)),
        "{counted}"
    );
    assert!(counted["url"].as_str().unwrap().contains("search.html"));
    task.ok("wait_for_count", json!({"selector": "#rows tr", "min": 1, "max": 3}));
    let reply = task.call(
        "wait_for_count",
        json!({"selector": "#rows tr", "min": 4, "timeoutSeconds": 0.2}),
    );
    let data = reply.expect_code("ACTION_TIMEOUT");
    assert_eq!(
        (&data["matched"], &data["count"], &data["reason"]),
        (&json!(false), &json!(3), &json!("too-few")),
        "{data}"
    );
    task.call(
        "wait_for_count",
        json!({"selector": "tr", "max": 0, "timeoutSeconds": 0}),
    )
    .expect_code("ACTION_TIMEOUT");
    for bad in [
        json!({"selector": "tr"}),
        json!({"min": 1}),
        json!({"selector": "tr", "min": 3, "max": 2}),
        json!({"selector": "tr", "min": 3, "equals": 2}),
        json!({"selector": "tr", "min": -1}),
        json!({"selector": "tr[", "min": 1}),
        json!({"selector": "tr", "min": 1, "timeoutSeconds": -1}),
    ] {
        task.call("wait_for_count", bad).expect_code("INVALID_ARGUMENT");
    }
}

#[test]
fn an_expression_is_waited_for_also_on_the_next_page() {
    let world = World::new();
    let task = world.at("navigate.html?ms=200");
    js(&task, "setTimeout(() => { window.ready = {yes: 1}; }, 200); 0");
    task.ok(
        "wait_for_function",
        json!({"expression": "ready.yes", "timeoutSeconds": 10}),
    );
    task.ok(
        "wait_for_function",
        json!({"expression": "() => Promise.resolve(window.ready)"}),
    );
    task.ok("wait_for_function", json!({"expression": "const x = 1; return x"}));
    task.ok("click_element_by_selector", json!({"selector": "#late"}));
    task.ok(
        "wait_for_function",
        json!({"expression": "document.title === 'Change'", "timeoutSeconds": 10}),
    );
    let data = task
        .call(
            "wait_for_function",
            json!({"expression": "no_such_name.of.this", "timeoutSeconds": 0.3}),
        )
        .expect_code("ACTION_TIMEOUT");
    assert!(data["lastError"].as_str().unwrap().contains("ReferenceError"), "{data}");
    let asked = Instant::now();
    let broken = task.call("wait_for_function", json!({"expression": "if (", "timeoutSeconds": 30}));
    assert!(broken.msg().contains("SyntaxError"), "{}", broken.msg());
    broken.expect_code("ACTION_FAILED");
    task.call("wait_for_function", json!({"expression": "let a = 1; a"}))
        .expect_code("ACTION_FAILED");
    assert!(asked.elapsed() < Duration::from_secs(10));
    for bad in [json!({}), json!({"expression": ""})] {
        task.call("wait_for_function", bad).expect_code("INVALID_ARGUMENT");
    }
}

#[test]
fn an_expression_that_does_not_return_is_stopped() {
    let world = World::new();
    let task = world.at("change.html");
    let data = task
        .call(
            "wait_for_function",
            json!({"expression": "(() => { while (1); })()", "timeoutSeconds": 0.5}),
        )
        .expect_code("EVAL_TIMEOUT");
    assert_eq!(data["outcomeUnknown"], true);
    assert_eq!(text_of(&task, "target"), "before", "the page goes on");
}

#[test]
fn a_page_with_its_own_timers_is_still_asked() {
    let world = World::new();
    let task = world.at("change.html");
    js(
        &task,
        "const real = window.setTimeout; window.setTimeout = window.requestAnimationFrame = () => 0; real(() => { window.done = true; }, 300); 0",
    );
    task.ok(
        "wait_for_function",
        json!({"expression": "window.done", "timeoutSeconds": 30}),
    );
}

#[test]
fn pain_52_a_wait_lasts_as_long_as_asked_or_says_that_it_cannot() {
    let world = World::new();
    let task = world.at("late.html?t=31500");
    let asked = Instant::now();
    task.ok("wait_for_element", json!({"selector": "#late", "timeoutSeconds": 60}));
    assert!(asked.elapsed() > Duration::from_secs(25), "{:?}", asked.elapsed());
    let world = World::with(
        options()
            .arg("--browser.capture.enabled=false")
            .arg("--browser.command.hardTimeoutMs=1500"),
    );
    let task = world.at("change.html");
    for (method, params) in [
        ("wait_for_element", json!({"selector": "#never", "timeoutSeconds": 60})),
        ("wait_for_url", json!({"url": "never", "timeoutSeconds": 60})),
        ("wait_for_function", json!({"expression": "0", "timeoutSeconds": 60})),
    ] {
        let data = task.call(method, params).expect_code("ACTION_TIMEOUT");
        assert!(data["note"].as_str().unwrap().contains("60"), "{method}: {data}");
    }
}

#[test]
fn dialogs_that_are_answered_end_no_wait() {
    let world = World::new();
    let task = world.at("alert.html");
    js(
        &task,
        "setTimeout(() => { alert(1); document.body.append('all said'); }, 100); 0",
    );
    task.ok("wait_for_text", json!({"text": "all said", "timeoutSeconds": 10}));
}
