//! What pages write to their consoles.

use std::time::Duration;

use serde_json::{Value, json};
use support::{Task, eventually};

use crate::harness::{World, js, text_of};

fn logs(task: &Task<'_>) -> Vec<String> {
    lines(&task.ok("get_console_logs", json!({}))["logs"])
}

fn lines(value: &Value) -> Vec<String> {
    let all = value.as_array().unwrap().iter();
    all.map(|line| line.as_str().unwrap().to_owned()).collect()
}

/// Waits until a line of `member` contains `part`.
fn await_line(task: &Task<'_>, member: &str, part: &str) -> String {
    eventually(part, Duration::from_secs(10), || {
        let all = lines(&task.ok("get_console_logs", json!({}))[member]);
        all.into_iter().find(|line| line.contains(part))
    })
}

#[test]
fn messages_are_there_from_the_first_line_of_the_page_on() {
    let world = World::new();
    let task = world.at("console.html");
    let first = await_line(&task, "logs", "loaded early");
    assert!(
        first.starts_with("[log] loaded early {a: 1, list: Array(2)} (http://"),
        "{first}"
    );
    assert!(first.contains("console.html:") && first.ends_with(')'), "{first}");
    assert!(await_line(&task, "logs", "a warning").starts_with("[warning] "));
    assert!(await_line(&task, "logs", "an error object").starts_with("[error] RangeError: an error object"));
    assert!(await_line(&task, "logs", "a detail").starts_with("[debug] "));
    await_line(&task, "logs", "{secret: …}");
    assert_eq!(text_of(&task, "ran"), "0", "no getter of the page ran");
    let all = task.ok("get_console_logs", json!({"details": true}));
    let entry = &all["logs"][0];
    assert_eq!(
        (&entry["level"], entry["line"].is_u64()),
        (&json!("log"), true),
        "{entry}"
    );
    let at = entry["at"].as_u64().unwrap();
    assert!(at > 1_600_000_000_000, "{entry}");
    assert_eq!(
        task.ok("get_console_logs", json!({"since": at + 86_400_000}))["logs"],
        json!([])
    );
    task.call("get_console_logs", json!({"since": "yesterday"}))
        .expect_code("INVALID_ARGUMENT");
    assert_eq!(task.ok("get_console_logs", json!({}))["errors"], json!([]));
}

#[test]
fn exceptions_that_nobody_catches_are_kept_apart() {
    let world = World::new();
    let task = world.at("console.html");
    task.ok("click_element_by_selector", json!({"selector": "#throw"}));
    task.ok("click_element_by_selector", json!({"selector": "#reject"}));
    let thrown = await_line(&task, "errors", "TypeError: Cannot read");
    assert!(
        thrown.starts_with("[error] Uncaught TypeError") && thrown.contains("console.html:"),
        "{thrown}"
    );
    await_line(&task, "errors", "rejected");
    task.ok("clear_console_logs", json!({}));
    let cleared = task.ok("get_console_logs", json!({}));
    assert_eq!(
        (&cleared["logs"], &cleared["errors"]),
        (&json!([]), &json!([])),
        "{cleared}"
    );
}

#[test]
fn frames_workers_popups_and_the_browser_itself_are_heard() {
    let world = World::new();
    let task = world.at("streams.html?worker=10");
    await_line(&task, "logs", "worker speaks");
    let other = world.site.b("/plain/console.html");
    js(
        &task,
        &format!(
            "document.body.append(Object.assign(document.createElement('iframe'), {{src: '{other}'}})); fetch('/status/404'); 0"
        ),
    );
    let framed = await_line(&task, "logs", "a warning");
    assert!(framed.contains("localhost"), "{framed}");
    await_line(&task, "logs", "404");
    js(&task, "window.open('console.html#popup', '_blank'); 0");
    await_line(&task, "logs", "console.html:");
    eventually("the popup's line", Duration::from_secs(10), || {
        let warnings = logs(&task).iter().filter(|line| line.contains("a warning")).count();
        (warnings == 2).then_some(())
    });
    let stranger = world.at("change.html");
    assert_eq!(logs(&stranger), Vec::<String>::new(), "tasks hear only their own pages");
}

#[test]
fn service_workers_and_shared_workers_are_heard_and_hold_up_nothing() {
    let world = World::new();
    let task = world.at("workers.html?service=1500&shared=1");
    let spoken = await_line(&task, "logs", "service worker speaks");
    assert!(spoken.contains("workers-service.js"), "{spoken}");
    assert!(await_line(&task, "logs", "service worker installs").starts_with("[warning] "));
    task.ok(
        "wait_for_text",
        json!({"text": "Service worker: ready", "timeoutSeconds": 20}),
    );
    task.ok(
        "wait_for_text",
        json!({"text": "shared worker: connected", "timeoutSeconds": 20}),
    );
    await_line(&task, "logs", "shared worker speaks");
    // What a service worker asks for is under way for its pages too.
    let task = world.at("workers.html?service=3001");
    let data = task
        .call("wait_for_idle", json!({"timeoutSeconds": 1}))
        .expect_code("ACTION_TIMEOUT");
    assert!(data["inflightRequests"].to_string().contains("/xhr?ms=3001"), "{data}");
    task.ok("wait_for_idle", json!({"timeoutSeconds": 20}));
    assert_eq!(text_of(&task, "service"), "ready");
    task.ok("close", json!({}));
}

#[test]
fn a_flood_is_bounded_and_its_losses_are_told() {
    let world = World::new();
    let task = world.at("console.html");
    task.ok("click_element_by_selector", json!({"selector": "#flood"}));
    let flooded = eventually("the last line", Duration::from_secs(10), || {
        let all = task.ok("get_console_logs", json!({}));
        let last = lines(&all["logs"]).last().cloned().unwrap_or_default();
        last.contains("flood 499").then_some(all)
    });
    let all = lines(&flooded["logs"]);
    assert!(
        all.len() <= 200 && all.iter().map(String::len).sum::<usize>() < 400_000,
        "{}",
        all.len()
    );
    assert!(all.iter().all(|line| line.chars().count() < 2200));
    assert!(
        flooded["lostLogs"].as_u64().unwrap() >= 300 && flooded["note"].is_string(),
        "{}",
        flooded["lostLogs"]
    );
}
