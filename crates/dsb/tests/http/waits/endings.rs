//! What ends a wait before its time: a dialog that is left open, the tab's end, the task's end, the browser's end. Each
//! is tried on every kind of wait.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::{Reply, Task, eventually};

use crate::harness::{World, js, text_of};

/// Far below the time that the waits ask for, far above what an end takes.
const SOON: Duration = Duration::from_secs(10);

/// Every kind of wait, with a condition that never comes. The page has a request under way that is not answered.
fn kinds() -> Vec<(&'static str, Value)> {
    let limited = |mut params: Value| {
        params["timeoutSeconds"] = json!(60);
        params
    };
    vec![
        ("wait", json!({"seconds": 60})),
        ("wait_for_element", limited(json!({"selector": "#never"}))),
        ("wait_for_element", limited(json!({"selector": "#b", "frame": "never"}))),
        ("wait_for_text", limited(json!({"text": "never there"}))),
        ("wait_for_url", limited(json!({"url": "never"}))),
        ("wait_for_load", limited(json!({"state": "networkidle"}))),
        ("wait_for_function", limited(json!({"expression": "0"}))),
        (
            "wait_for_function",
            limited(json!({"expression": "new Promise(() => {})"})),
        ),
        ("wait_for_idle", limited(json!({"selector": "#never"}))),
        ("wait_for_stable", limited(json!({"selector": "#never"}))),
        ("wait_for_count", limited(json!({"selector": "#never", "min": 1}))),
    ]
}

/// Runs a wait, and once it is running what is to end it.
fn ended(world: &World, task: &Task<'_>, method: &str, params: &Value, end: impl FnOnce()) -> Reply {
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| task.call(method, params.clone()));
        eventually("the wait is running", Duration::from_secs(10), || {
            let all = world.dsb.call(None, "list_tasks", json!({})).expect_ok();
            let busy = all["tasks"].as_array().unwrap().iter().any(|one| one["inflight"] == 1);
            busy.then_some(())
        });
        let began = Instant::now();
        end();
        let reply = waiting.join().unwrap();
        assert!(began.elapsed() < SOON, "{method} {params}: {:?}", began.elapsed());
        assert!(!reply.is_ok(), "{method} {params}: {}", reply.body);
        reply
    })
}

const UNANSWERED: &str = "fetch('/slow?ms=60000').catch(() => {}); 0";

#[test]
fn a_dialog_that_is_left_open_ends_every_wait_at_once() {
    let world = World::new();
    let task = world.at("alert.html");
    task.ok("set_dialog_behavior", json!({"mode": "ask"}));
    for (method, params) in kinds() {
        js(&task, UNANSWERED);
        js(
            &task,
            "document.title = 'waiting'; setTimeout(() => show(confirm('Held?')), 500); 0",
        );
        let asked = Instant::now();
        let reply = task.call(method, params.clone());
        assert!(asked.elapsed() < SOON, "{method} {params}: {:?}", asked.elapsed());
        assert!(reply.msg().contains("Held?"), "{method} {params}: {}", reply.body);
        let data = reply.expect_code("DIALOG_OPEN");
        assert_eq!(data["dialog"]["open"], true, "{method}: {data}");
        task.ok("set_dialog_behavior", json!({"answer": "accept"}));
        assert_eq!(text_of(&task, "result"), "true", "{method}");
    }
}

#[test]
fn a_dialog_of_a_frame_ends_a_wait_in_another_frame() {
    let world = World::new();
    for inner in [world.site.a("/plain/alert.html"), world.site.b("/plain/alert.html")] {
        let task = world.at(&format!("dialogs.html?frame={inner}"));
        task.ok("set_dialog_behavior", json!({"mode": "ask"}));
        let later = json!({"selector": "#later", "frame": "1"});
        task.ok("click_element_by_selector", later);
        let data = task
            .call("wait_for_text", json!({"text": "never there", "timeoutSeconds": 60}))
            .expect_code("DIALOG_OPEN");
        assert_eq!(data["dialog"]["url"], inner, "{data}");
        task.ok("close", json!({}));
    }
}

#[test]
fn the_end_of_the_tab_ends_every_wait_at_once() {
    let world = World::new();
    let task = world.at("popup.html");
    for (method, params) in kinds().into_iter().filter(|(method, _)| *method != "wait") {
        task.ok("click_element_by_selector", json!({"selector": "#closing"}));
        js(&task, UNANSWERED);
        js(&task, "setTimeout(() => window.close(), 400); 0");
        let asked = Instant::now();
        let data = task.call(method, params.clone()).expect_code("ACTION_FAILED");
        assert_eq!(data["tabGone"], true, "{method} {params}: {data}");
        assert!(asked.elapsed() < SOON, "{method} {params}: {:?}", asked.elapsed());
    }
}

#[test]
fn the_end_of_the_task_ends_every_wait_at_once() {
    let world = World::new();
    for (method, params) in kinds() {
        let task = world.at("change.html");
        js(&task, UNANSWERED);
        ended(&world, &task, method, &params, || {
            task.ok("close", json!({}));
        });
    }
}

#[test]
fn the_end_of_the_browser_ends_every_wait_at_once() {
    let world = World::new();
    for (method, params) in kinds() {
        let task = world.at("change.html");
        js(&task, UNANSWERED);
        let pid = crate::faults::browser_pid(&world);
        ended(&world, &task, method, &params, || {
            rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
        });
        eventually("the task is gone", Duration::from_secs(5), || {
            let all = world.dsb.call(None, "list_tasks", json!({})).expect_ok();
            (all["count"] == 0).then_some(())
        });
    }
}

#[test]
fn a_frame_that_vanishes_is_waited_for_and_named_and_what_was_in_it_counts_as_gone() {
    let world = World::new();
    for inner in [world.site.a("/plain/alert.html"), world.site.b("/plain/alert.html")] {
        let task = world.at("change.html");
        let comes = format!(
            "document.body.append(Object.assign(document.createElement('iframe'), {{name: 'guest', src: '{inner}'}})); 0"
        );
        let goes = "setTimeout(() => document.querySelector('iframe').remove(), 500); 0";
        let there = json!({"selector": "#confirm", "frame": "guest", "timeoutSeconds": 20});
        js(&task, &format!("setTimeout(() => {{ {comes} }}, 300); 0"));
        task.ok("wait_for_element", there.clone());
        js(&task, goes);
        let asked = Instant::now();
        let data = task
            .call(
                "wait_for_element",
                json!({"selector": "#never", "frame": "guest", "timeoutSeconds": 2}),
            )
            .expect_code("ACTION_TIMEOUT");
        assert_eq!(data["reason"], "frame-not-found", "{data}");
        let took = asked.elapsed();
        assert!(
            took >= Duration::from_secs(2) && took < Duration::from_secs(6),
            "{took:?}"
        );
        for state in ["hidden", "detached"] {
            js(&task, &comes);
            task.ok("wait_for_element", there.clone());
            js(&task, goes);
            task.ok(
                "wait_for_element",
                json!({"selector": "#confirm", "state": state, "frame": "guest", "timeoutSeconds": 10}),
            );
        }
        task.ok("close", json!({}));
    }
}
