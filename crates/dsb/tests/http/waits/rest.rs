//! Waits for a page to come to rest.

use serde_json::json;

use crate::harness::{World, js, options, text_of};

#[test]
fn a_quiet_time_is_observed_also_when_nothing_happens() {
    let world = World::new();
    let task = world.at("change.html");
    for quiet in [300, 700] {
        let idle = task.ok("wait_for_idle", json!({"quietMs": quiet}));
        assert!(idle["waitedMs"].as_u64().unwrap() >= quiet - 5, "{idle}");
        assert_eq!(
            (&idle["idle"], &idle["inflight"], &idle["quietMs"]),
            (&json!(true), &json!(0), &json!(quiet)),
            "{idle}"
        );
        let stable = task.ok("wait_for_stable", json!({"quietMs": quiet}));
        assert!(stable["waitedMs"].as_u64().unwrap() >= quiet - 5, "{stable}");
        assert_eq!(
            (&stable["stable"], &stable["changes"]),
            (&json!(true), &json!(1)),
            "{stable}"
        );
    }
}

#[test]
fn rest_comes_after_changes_and_requests() {
    let world = World::new();
    let task = world.at("change.html");
    js(
        &task,
        "let n = 0; const t = setInterval(() => { document.getElementById('target').textContent = 'n' + n++; if (n === 8) clearInterval(t); }, 100); 0",
    );
    let idle = task.ok("wait_for_idle", json!({"quietMs": 400, "timeoutSeconds": 20}));
    assert!(idle["mutations"].as_u64().unwrap() > 0, "{idle}");
    assert_eq!(text_of(&task, "target"), "n7");
    let task = world.at("streams.html?worker=1500");
    let idle = task.ok("wait_for_idle", json!({"timeoutSeconds": 20}));
    assert_eq!(text_of(&task, "state"), "worker done", "{idle}");
    // What the page asks for on the next document belongs to the wait too.
    js(
        &task,
        "setTimeout(() => { location.href = '/plain/search.html?ms=10'; }, 100); 0",
    );
    let idle = task.call("wait_for_idle", json!({"quietMs": 300, "timeoutSeconds": 1.5}));
    let data = idle.expect_code("ACTION_TIMEOUT");
    assert!(data["url"].as_str().unwrap().contains("search.html"), "{data}");
}

#[test]
fn what_never_rests_is_named() {
    let world = World::new();
    let task = world.at("mutating.html?tick=20");
    let reply = task.call("wait_for_idle", json!({"timeoutSeconds": 1}));
    assert!(reply.msg().contains("#ticks"), "{}", reply.msg());
    let data = reply.expect_code("ACTION_TIMEOUT");
    assert_eq!(
        (&data["mutating"]["id"], &data["reason"]),
        (&json!("ticks"), &json!("not-quiet")),
        "{data}"
    );
    assert!(data["mutationsPerSecond"].as_f64().unwrap() > 2.0, "{data}");
    let reply = task.call("wait_for_stable", json!({"timeoutSeconds": 1}));
    assert!(reply.msg().contains("#ticks"), "{}", reply.msg());
    let data = reply.expect_code("ACTION_TIMEOUT");
    assert_eq!(
        (&data["stable"], &data["reason"]),
        (&json!(false), &json!("not-stable")),
        "{data}"
    );
    assert!(
        data["msSinceLastChange"].as_u64().is_some() && data["changes"].as_u64().unwrap() > 1,
        "{data}"
    );
    let stable = task.ok("wait_for_stable", json!({"selector": "#list", "quietMs": 300}));
    assert!(stable["text"].as_str().unwrap().starts_with("Item a"), "{stable}");
}

#[test]
fn further_conditions_of_rest_are_told_apart() {
    let world = World::new();
    let task = world.at("change.html");
    task.ok(
        "wait_for_idle",
        json!({"quietMs": 100, "selector": "#target", "text": "BEFORE"}),
    );
    for (params, reason, member) in [
        (
            json!({"quietMs": 100, "selector": "#never", "timeoutSeconds": 0.5}),
            "selector-missing",
            "selectorMatched",
        ),
        (
            json!({"quietMs": 100, "text": "never", "timeoutSeconds": 0.5}),
            "text-missing",
            "textMatched",
        ),
    ] {
        let data = task.call("wait_for_idle", params).expect_code("ACTION_TIMEOUT");
        assert_eq!(
            (&data["reason"], &data[member]),
            (&json!(reason), &json!(false)),
            "{data}"
        );
    }
    let data = task
        .call("wait_for_stable", json!({"selector": "#never", "timeoutSeconds": 0.3}))
        .expect_code("ACTION_TIMEOUT");
    assert_eq!(data["reason"], "not-attached", "{data}");
    for (method, bad) in [
        ("wait_for_idle", json!({"quietMs": -1})),
        ("wait_for_idle", json!({"selector": "["})),
        ("wait_for_stable", json!({"quietMs": "long"})),
        ("wait_for_stable", json!({"selector": "["})),
    ] {
        task.call(method, bad).expect_code("INVALID_ARGUMENT");
    }
}

#[test]
fn after_a_query_the_new_result_is_read_and_not_the_old_one() {
    let world = World::with(options().arg("--browser.capture.enabled=false"));
    // The answer takes longer than the quiet time, and the background never stands still.
    let task = world.at("search.html?ms=1600");
    task.ok("click_element_by_selector", json!({"selector": "#find"}));
    let stable = task.ok("wait_for_stable", json!({"timeoutSeconds": 20}));
    assert!(stable["text"].as_str().unwrap().contains("pear 3"), "{stable}");
    assert!(!stable["text"].as_str().unwrap().contains("apple"), "{stable}");
    // A clock in the page keeps the body from rest, but not the table.
    let task = world.at("search.html?ms=1600&clock=1");
    task.ok("click_element_by_selector", json!({"selector": "#find"}));
    let stable = task.ok("wait_for_stable", json!({"selector": "#rows", "timeoutSeconds": 20}));
    assert_eq!(stable["text"], "pear 1 pear 2 pear 3", "{stable}");
    assert!(
        stable["fingerprint"].as_str().unwrap().parse::<u32>().is_ok(),
        "{stable}"
    );
}
