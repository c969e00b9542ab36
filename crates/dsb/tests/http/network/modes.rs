//! When requests are recorded: `on`, `lazy`, `off`, for the service and for one task.

use serde_json::json;
use support::Dsb;

use super::{fetched, finished, requests};
use crate::harness::{World, options};

fn world(mode: &str) -> World {
    World::with(
        options()
            .arg("--browser.capture.enabled=false")
            .arg(format!("--browser.network.record={mode}")),
    )
}

fn start(dsb: &Dsb, params: serde_json::Value) -> serde_json::Value {
    dsb.call(None, "start", params).expect_ok()
}

#[test]
fn off_is_told_and_never_looks_empty() {
    let world = world("off");
    let told = start(&world.dsb, json!({}));
    assert_eq!(told["networkRecording"], "off (global)");
    let task = world.at("form.html");
    let none = task.ok("get_requests", json!({}));
    assert_eq!(
        (
            &none["requests"],
            &none["networkRecorded"],
            &none["recordedSince"],
            &none["count"]
        ),
        (&json!([]), &json!(false), &json!(0), &json!(0)),
        "{none}"
    );
    assert!(none["networkNote"].as_str().unwrap().contains("browser.network.record"));
    let snapshot = task.ok("get_page_snapshot", json!({"includeRequests": true}));
    assert_eq!(
        (&snapshot["networkRecorded"], &snapshot["requests"]),
        (&json!(false), &json!([]))
    );
    for (method, params) in [
        ("get_response_body", json!({})),
        ("wait_for_response", json!({"urlPattern": "x", "timeoutSeconds": 1})),
    ] {
        let refused = task.call(method, params).expect_code("ACTION_FAILED");
        assert_eq!(
            (&refused["networkRecorded"], &refused["retryable"]),
            (&json!(false), &json!(false)),
            "{refused}"
        );
    }
    task.ok("wait_for_idle", json!({"timeoutSeconds": 10}));
    task.ok(
        "route",
        json!({"urlPattern": "**/xhr*", "action": "mock", "body": "mocked"}),
    );
    assert_eq!(fetched(&task, "/xhr", "{}"), "mocked", "rules need no record");
}

#[test]
fn lazy_begins_with_the_first_question_and_says_so() {
    let world = world("lazy");
    let task = world.at("form.html");
    let first = task.ok("get_requests", json!({}));
    assert!(
        first["note"].as_str().unwrap().contains("lazy") && first["recordedSince"].as_u64().unwrap() > 0,
        "{first}"
    );
    assert_eq!(first["total"], 0);
    fetched(&task, "/xhr?n=1", "{}");
    assert_eq!(finished(&task, "/xhr")["status"], 200);
    assert!(requests(&task, "form.html").is_empty());
}

#[test]
fn a_task_may_differ_from_the_service() {
    let off = world("off");
    let told = start(&off.dsb, json!({"networkRecording": true}));
    assert_eq!(told["networkRecording"], "on");
    let id = told["id"].as_str().unwrap();
    let go = json!({"url": off.site.a("/plain/form.html")});
    off.dsb.call(id, "go_to_url", go.clone()).expect_ok();
    assert!(
        off.dsb.call(id, "get_requests", json!({})).expect_ok()["count"]
            .as_u64()
            .unwrap()
            >= 1
    );
    let on = world("on");
    let told = start(&on.dsb, json!({"networkRecording": false}));
    assert_eq!(told["networkRecording"], "off");
    let id = told["id"].as_str().unwrap();
    on.dsb
        .call(id, "go_to_url", json!({"url": on.site.a("/plain/form.html")}))
        .expect_ok();
    assert_eq!(
        on.dsb.call(id, "get_requests", json!({})).expect_ok()["networkRecorded"],
        false
    );
    on.dsb
        .call(None, "start", json!({"networkRecording": "perhaps"}))
        .expect_code("INVALID_ARGUMENT");
}
