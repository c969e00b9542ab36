//! Waits: by event, bounded, as long as asked.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::World;

mod conditions;
mod endings;
mod hostile;
mod load;
mod rest;

#[test]
fn an_element_and_a_text_that_come_late_are_waited_for() {
    let world = World::new();
    let task = world.at("late.html?t=400");
    task.ok("wait_for_element", json!({"selector": "#late", "timeoutSeconds": 10}));
    let task = world.at("late.html?t=400");
    task.ok("wait_for_text", json!({"text": "it IS ready", "timeoutSeconds": 10}));
}

#[test]
fn a_wait_ends_at_its_limit_and_says_what_was_missing() {
    let world = World::new();
    let task = world.at("change.html");
    for (seconds, least) in [(0.0, 0.0), (0.3, 0.3)] {
        let started = Instant::now();
        let reply = task.call(
            "wait_for_element",
            json!({"selector": "#never", "timeoutSeconds": seconds}),
        );
        let took = started.elapsed().as_secs_f64();
        assert_eq!(reply.expect_code("ACTION_TIMEOUT")["matched"], 0);
        assert!(took >= least && took < least + 3.0, "{took}");
    }
    task.call("wait_for_text", json!({"text": "never", "timeoutSeconds": 0.1}))
        .expect_code("ACTION_TIMEOUT");
}

#[test]
fn a_wait_goes_on_over_a_navigation() {
    let world = World::new();
    let task = world.at("navigate.html?ms=200");
    task.ok("click_element_by_selector", json!({"selector": "#late"}));
    task.ok(
        "wait_for_text",
        json!({"text": "Change the text", "timeoutSeconds": 10}),
    );
}

#[test]
fn a_wait_ends_when_its_task_is_closed() {
    let world = World::new();
    let task = world.at("change.html");
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            let started = Instant::now();
            let reply = task.call("wait_for_element", json!({"selector": "#never", "timeoutSeconds": 60}));
            (reply, started.elapsed())
        });
        support::eventually("the wait is running", Duration::from_secs(5), || {
            let tasks = world.dsb.call(None, "list_tasks", json!({})).expect_ok();
            (tasks["tasks"][0]["inflight"] == 1).then_some(())
        });
        task.ok("close", json!({}));
        let (reply, took) = waiting.join().unwrap();
        assert!(!reply.is_ok(), "{}", reply.body);
        assert!(took < Duration::from_secs(10), "{took:?}");
    });
}

#[test]
fn a_pause_takes_whole_positive_seconds() {
    let world = World::new();
    let task = world.at("change.html");
    let started = Instant::now();
    assert_eq!(task.ok("wait", json!({"seconds": "1"}))["waitedSeconds"], 1);
    assert!(started.elapsed() >= Duration::from_secs(1));
    for bad in [
        json!({"seconds": 0}),
        json!({"seconds": -1}),
        json!({"seconds": 1.5}),
        json!({}),
    ] {
        task.call("wait", bad).expect_code("INVALID_ARGUMENT");
    }
}
