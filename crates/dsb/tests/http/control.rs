//! The control plane never queues behind a page.

use std::time::{Duration, Instant};

use serde_json::json;
use support::eventually;

use crate::harness::World;

#[test]
fn health_answers_before_during_and_after_a_browser() {
    let world = World::new();
    let health = world.dsb.get("/playwright/health").expect_ok();
    assert_eq!(
        (&health["name"], &health["pid"]),
        (&json!("playwright-server"), &json!(world.dsb.pid()))
    );
    std::thread::scope(|scope| {
        let starting = scope.spawn(|| world.dsb.call(None, "start", json!({})));
        while !starting.is_finished() {
            let asked = Instant::now();
            assert!(world.dsb.get("/playwright/health").is_ok());
            assert!(world.dsb.call(None, "list_tasks", json!({})).is_ok());
            assert!(asked.elapsed() < Duration::from_secs(2));
        }
        assert!(starting.join().unwrap().is_ok());
    });
}

#[test]
fn a_page_that_spins_blocks_only_itself() {
    let world = World::with(
        crate::harness::options()
            .arg("--browser.capture.enabled=false")
            .arg("--browser.command.timeoutMs=4000"),
    );
    let task = world.at("spin.html");
    let other = world.at("change.html");
    std::thread::scope(|scope| {
        let spinning = scope.spawn(|| {
            task.call(
                "click_element_by_selector",
                json!({"selector": "#spin", "timeoutMs": 1500}),
            )
        });
        eventually("the click is under way", Duration::from_secs(5), || {
            let tasks = world.dsb.call(None, "list_tasks", json!({})).expect_ok();
            tasks["tasks"]
                .as_array()
                .unwrap()
                .iter()
                .any(|one| one["inflight"] == 1)
                .then_some(())
        });
        let asked = Instant::now();
        task.ok("get_tabs", json!({}));
        world.dsb.call(None, "list_tasks", json!({})).expect_ok();
        other.ok("click_element_by_selector", json!({"selector": "#text"}));
        assert!(world.dsb.get("/playwright/health").is_ok());
        assert!(asked.elapsed() < Duration::from_secs(3), "{:?}", asked.elapsed());
        let reply = spinning.join().unwrap();
        let data = reply.expect_code("ACTION_UNCERTAIN");
        assert_eq!(
            (&data["actionStatus"], &data["retrySafe"]),
            (&json!("unknown"), &json!(false)),
            "{data}"
        );
    });
    let closing = Instant::now();
    task.ok("close", json!({}));
    assert!(closing.elapsed() < Duration::from_secs(5), "{:?}", closing.elapsed());
    let again = world.at("change.html");
    again.ok("get_title", json!({}));
}

#[test]
fn a_script_that_spins_fails_at_the_commands_deadline() {
    let world = World::with(
        crate::harness::options()
            .arg("--browser.capture.enabled=false")
            .arg("--browser.command.timeoutMs=1500"),
    );
    let task = world.at("change.html");
    let asked = Instant::now();
    let reply = task.call("execute_js", json!({"body": "while (1) {}", "timeoutMs": 0}));
    assert!(asked.elapsed() < Duration::from_secs(4), "{:?}", asked.elapsed());
    assert!(
        ["COMMAND_TIMEOUT", "EVAL_TIMEOUT"].contains(&reply.error_code()),
        "{}",
        reply.body
    );
    assert_eq!(reply.data()["outcomeUnknown"], true, "{}", reply.body);
    assert!(world.dsb.call(None, "start", json!({})).is_ok());
}

#[test]
fn commands_of_one_task_never_overlap() {
    let world = World::new();
    let task = world.at("change.html");
    let replies: Vec<_> = std::thread::scope(|scope| {
        let calls: Vec<_> = (0..6).map(|_| scope.spawn(|| task.call("execute_js", json!({"body": "window.depth = (window.depth || 0) + 1; const d = window.depth; await new Promise((r) => setTimeout(r, 60)); window.depth--; return d"})))).collect();
        calls.into_iter().map(|call| call.join().unwrap()).collect()
    });
    for reply in replies {
        assert_eq!(reply.expect_ok()["result"], 1);
    }
}

/// Everything that must answer whatever the page does, with what it is asked here.
fn control() -> [(&'static str, serde_json::Value); 12] {
    [
        ("get_tabs", json!({})),
        ("get_console_logs", json!({})),
        ("clear_console_logs", json!({})),
        ("list_tasks", json!({})),
        ("list_methods", json!({})),
        ("get_config", json!({})),
        ("start", json!({})),
        ("new_tab", json!({})),
        ("switch_tab", json!({"pageIndex": 0})),
        ("switch_tab_by_url", json!({"url": "spin.html"})),
        ("bring_to_front", json!({"pageIndex": 0})),
        ("close_other_tabs", json!({})),
    ]
}

#[test]
fn every_command_of_the_control_plane_answers_beside_a_page_that_spins() {
    let world = World::new();
    let task = world.at("spin.html?onload=1");
    for (method, params) in control() {
        let asked = Instant::now();
        let reply = task.call(method, params);
        assert!(reply.is_ok() || method == "start", "{method}: {}", reply.body);
        assert!(
            asked.elapsed() < Duration::from_secs(6),
            "{method}: {:?}",
            asked.elapsed()
        );
    }
    assert!(world.dsb.get("/playwright/health").is_ok());
    // What needs the page itself ends at its own limit, with a failure that says so.
    for (method, params) in [
        ("wait_for_element", json!({"selector": "h1", "timeoutSeconds": 0.3})),
        ("wait_for_idle", json!({"timeoutSeconds": 0.3})),
        ("wait_for_function", json!({"expression": "1", "timeoutSeconds": 0.3})),
    ] {
        let asked = Instant::now();
        let data = task.call(method, params).expect_code("ACTION_TIMEOUT");
        assert_eq!(data["reason"], "page-busy", "{method}: {data}");
        assert!(
            asked.elapsed() < Duration::from_secs(4),
            "{method}: {:?}",
            asked.elapsed()
        );
    }
    // What the browser tells needs no page.
    task.ok("wait_for_url", json!({"url": "spin.html", "timeoutSeconds": 1}));
    task.ok("wait_for_load", json!({"timeoutSeconds": 1}));
    for (method, params) in [
        ("close_tab", json!({"pageIndex": 0})),
        ("close", json!({})),
        ("shutdown", json!({})),
    ] {
        let asked = Instant::now();
        let reply = task.call(method, params);
        assert!(reply.is_ok(), "{method}: {}", reply.body);
        assert!(
            asked.elapsed() < Duration::from_secs(8),
            "{method}: {:?}",
            asked.elapsed()
        );
    }
}
