//! Waits for addresses and for loading.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{World, js};

#[test]
fn an_address_is_waited_for() {
    let world = World::new();
    let task = world.at("navigate.html?ms=300");
    task.ok("click_element_by_selector", json!({"selector": "#late"}));
    let arrived = task.ok(
        "wait_for_url",
        json!({"url": "http://*/plain/change.*", "timeoutSeconds": 10}),
    );
    assert!(
        arrived["url"].as_str().unwrap().ends_with("/plain/change.html"),
        "{arrived}"
    );
    js(
        &task,
        "setTimeout(() => history.pushState(null, '', '?page=2#rows'), 200); 0",
    );
    task.ok("wait_for_url", json!({"url": "page=2#rows", "timeoutSeconds": 10}));
    let reply = task.call("wait_for_url", json!({"url": "PAGE=2", "timeoutSeconds": 0.2}));
    assert!(
        reply.msg().contains("PAGE=2") && reply.msg().contains("change.html"),
        "{}",
        reply.msg()
    );
    let data = reply.expect_code("ACTION_TIMEOUT");
    assert!(data["url"].as_str().unwrap().contains("page=2"), "{data}");
    task.ok("wait_for_url", json!({"url": "page=2", "timeoutSeconds": 0}));
    for bad in [
        json!({}),
        json!({"url": ""}),
        json!({"url": "x", "timeoutSeconds": "soon"}),
    ] {
        task.call("wait_for_url", bad).expect_code("INVALID_ARGUMENT");
    }
}

#[test]
fn loading_is_waited_for_in_every_state() {
    let world = World::new();
    let task = world.at("change.html");
    for state in ["load", "domcontentloaded", "networkidle"] {
        task.ok("wait_for_load", json!({"state": state}));
    }
    task.ok("wait_for_load", json!({"timeoutSeconds": 0}));
    let url = world.site.a("/plain/streams.html?picture=1500");
    js(&task, &format!("location.href = '{url}'; 0"));
    task.ok("wait_for_url", json!({"url": "streams.html", "timeoutSeconds": 10}));
    task.ok(
        "wait_for_load",
        json!({"state": "domcontentloaded", "timeoutSeconds": 10}),
    );
    let data = task
        .call("wait_for_load", json!({"timeoutSeconds": 0}))
        .expect_code("ACTION_TIMEOUT");
    assert_eq!(data["reached"], "domcontentloaded", "{data}");
    assert!(
        data["inflightRequests"][0].as_str().unwrap().contains("Image"),
        "{data}"
    );
    let loaded = task.ok("wait_for_load", json!({"timeoutSeconds": 10}));
    assert!(loaded["waitedMs"].as_u64().unwrap() > 200, "{loaded}");
    let idle = task.ok("wait_for_load", json!({"state": "networkidle", "timeoutSeconds": 10}));
    assert!(idle["waitedMs"].as_u64().unwrap() >= 490, "{idle}");
    task.call("wait_for_load", json!({"state": "ready"}))
        .expect_code("INVALID_ARGUMENT");
}

#[test]
fn pain_49_connections_that_stay_open_keep_no_page_from_rest() {
    let world = World::new();
    let task = world.at("streams.html?events=1&stream=1");
    let asked = Instant::now();
    task.ok("wait_for_load", json!({"state": "networkidle", "timeoutSeconds": 20}));
    let idle = task.ok("wait_for_idle", json!({"timeoutSeconds": 20}));
    assert!(asked.elapsed() < Duration::from_secs(9), "{:?}", asked.elapsed());
    let left_out = idle["leftOut"].to_string();
    assert!(left_out.contains("EventSource") && left_out.contains("Fetch"), "{idle}");
    assert!(idle["note"].as_str().unwrap().contains('2'), "{idle}");
    // A long poll is waited for until it is known as one, and named when time runs out before.
    let task = world.at("streams.html?poll=60000");
    let data = task
        .call("wait_for_idle", json!({"timeoutSeconds": 1}))
        .expect_code("ACTION_TIMEOUT");
    assert_eq!((&data["inflight"], &data["idle"]), (&json!(1), &json!(false)), "{data}");
    assert!(
        data["inflightRequests"][0].as_str().unwrap().contains("/slow?ms=60000"),
        "{data}"
    );
    let idle = task.ok("wait_for_idle", json!({"timeoutSeconds": 30}));
    assert!(
        idle["leftOut"][0].as_str().unwrap().contains("/slow?ms=60000"),
        "{idle}"
    );
}
