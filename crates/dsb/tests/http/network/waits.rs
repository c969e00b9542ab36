//! `wait_for_response`: looking back, waiting, and what is said when nothing comes.

use std::thread::scope;
use std::time::{Duration, Instant};

use serde_json::json;
use support::eventually;

use super::{fetched, finished, requests};
use crate::harness::{World, js};

#[test]
fn a_response_that_was_there_is_returned_at_once() {
    let world = World::new();
    let task = world.at("form.html");
    fetched(&task, "/xhr?n=2&q=seen", "{}");
    let found = task.ok("wait_for_response", json!({"urlPattern": "q=seen"}));
    assert_eq!(
        (&found["fromLookBack"], &found["status"], &found["bodyAvailable"]),
        (&json!(true), &json!(200), &json!(true)),
        "{found}"
    );
    assert!(found["body"].as_str().unwrap().contains("seen 2") && found["ageMs"].as_u64().unwrap() < 10_000);
    let short = task.ok(
        "wait_for_response",
        json!({"urlPattern": "http://*/xhr*q=seen", "maxChars": 5}),
    );
    assert_eq!(
        (short["body"].as_str().unwrap().len(), &short["truncated"]),
        (5, &json!(true))
    );
    let only_new = json!({"urlPattern": "q=seen", "lookBackSeconds": 0, "timeoutSeconds": 0.3});
    task.call("wait_for_response", only_new).expect_code("ACTION_TIMEOUT");
}

#[test]
fn a_new_response_ends_the_wait_with_its_body() {
    let world = World::new();
    let task = world.at("form.html");
    js(
        &task,
        "setTimeout(() => fetch('/xhr?ms=200&n=1&q=later').then((r) => r.text()), 100); 0",
    );
    let found = task.ok(
        "wait_for_response",
        json!({"urlPattern": "q=later", "lookBackSeconds": 0}),
    );
    assert_eq!(
        (&found["fromLookBack"], &found["bodyAvailable"]),
        (&json!(false), &json!(true)),
        "{found}"
    );
    assert!(found["body"].as_str().unwrap().contains("later 1"));
    js(&task, "fetch('/net/drip?n=1').then((r) => r.text()); 0");
    let whole = task.ok("wait_for_response", json!({"urlPattern": "/net/drip"}));
    assert!(
        whole["body"].as_str().unwrap().ends_with("line 4\n"),
        "the body is awaited: {whole}"
    );
}

#[test]
fn it_may_be_sent_before_the_action_and_holds_nothing_up() {
    let world = World::new();
    let task = world.at("form.html");
    scope(|scope| {
        let waiting = scope.spawn(|| {
            task.ok(
                "wait_for_response",
                json!({"urlPattern": "q=both", "lookBackSeconds": 0}),
            )
        });
        eventually("the wait", Duration::from_secs(10), || {
            fetched(&task, "/xhr?n=1&q=both", "{}");
            waiting.is_finished().then_some(())
        });
        assert_eq!(waiting.join().unwrap()["fromLookBack"], false);
    });
}

#[test]
fn in_a_batch_it_follows_the_click() {
    let world = World::new();
    let task = world.at("form.html");
    js(
        &task,
        "const b = document.createElement('button'); b.id = 'ask'; b.textContent = 'Ask'; \
        b.onclick = () => fetch('/xhr?ms=50&n=1&q=batch').then((r) => r.text()); document.body.prepend(b); 0",
    );
    let steps = json!({"commands": [
        {"method": "click_element_by_selector", "params": {"selector": "#ask"}},
        {"method": "wait_for_response", "params": {"urlPattern": "q=batch"}},
    ]});
    let out = task.ok("commands", steps);
    let body = out["results"][1]["data"]["body"].as_str().unwrap_or_default();
    assert!(body.contains("batch 1"), "{out}");
}

#[test]
fn when_nothing_comes_the_failure_says_what_did() {
    let world = World::new();
    let task = world.at("form.html");
    fetched(&task, "/xhr?n=1&q=other", "{}");
    js(&task, "fetch('/slow?ms=60000').catch(() => 0); 0");
    eventually("the request", Duration::from_secs(10), || {
        requests(&task, "/slow").pop()
    });
    let begun = Instant::now();
    let reply = task.call(
        "wait_for_response",
        json!({"urlPattern": "/slow", "timeoutSeconds": 0.5}),
    );
    assert!(begun.elapsed() >= Duration::from_millis(500));
    let data = reply.expect_code("ACTION_TIMEOUT");
    assert_eq!(
        (&data["urlPattern"], &data["timeoutSeconds"]),
        (&json!("/slow"), &json!(0.5))
    );
    assert!(data["unanswered"][0].as_str().unwrap().contains("/slow"), "{data}");
    assert!(
        data["recentResponses"][0].as_str().unwrap().contains("q=other"),
        "{data}"
    );
    for bad in [
        json!({}),
        json!({"urlPattern": "x", "timeoutSeconds": -1}),
        json!({"urlPattern": "x", "lookBackSeconds": "ten"}),
    ] {
        task.call("wait_for_response", bad).expect_code("INVALID_ARGUMENT");
    }
}

#[test]
fn the_end_of_the_task_ends_it() {
    let world = World::new();
    let task = world.at("form.html");
    finished(&task, "form.html");
    scope(|scope| {
        let waiting = scope.spawn(|| {
            task.call(
                "wait_for_response",
                json!({"urlPattern": "/never", "timeoutSeconds": 60}),
            )
        });
        eventually("the wait", Duration::from_secs(10), || {
            let tasks = world.dsb.call(None, "list_tasks", json!({})).expect_ok();
            tasks.to_string().contains("\"inflight\":1").then_some(())
        });
        task.ok("close", json!({}));
        assert!(!waiting.join().unwrap().is_ok());
    });
}

#[test]
fn a_request_under_way_is_waited_for_and_an_older_answer_is_not_taken_for_its_own() {
    let world = World::new();
    let task = world.at("form.html");
    task.ok(
        "execute_js",
        json!({"body": "return fetch('/xhr?n=1').then((r) => r.status)"}),
    );
    task.ok(
        "route",
        json!({"urlPattern": "**/xhr**", "action": "mock", "body": "second", "delayMs": 700}),
    );
    task.ok("execute_js", json!({"body": "fetch('/xhr?n=1'); return 0"}));
    let found = task.ok("wait_for_response", json!({"urlPattern": "/xhr"}));
    assert_eq!(
        (&found["body"], &found["fromLookBack"]),
        (&json!("second"), &json!(false)),
        "{found}"
    );
}
