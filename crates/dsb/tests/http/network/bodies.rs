//! `get_response_body`: which bodies are there, how they are read, and what is said of those that are not.

use serde_json::json;

use super::{fetched, finished, requests};
use crate::harness::{World, js};

#[test]
fn bodies_are_copied_when_they_arrive_and_outlive_the_page() {
    let world = World::new();
    let task = world.at("form.html");
    fetched(&task, "/xhr?n=1&q=first", "{}");
    fetched(&task, "/xhr?n=1&q=second", "{}");
    finished(&task, "q=second");
    task.ok("get_response_body", json!({"filter": "/xhr"}));
    task.ok("go_to_url", json!({"url": world.site.b("/plain/change.html")}));
    let newest = task.ok("get_response_body", json!({"filter": "/xhr"}));
    assert!(newest["body"].as_str().unwrap().contains("second 1"), "{newest}");
    assert_eq!(
        (
            &newest["status"],
            &newest["bodyAvailable"],
            &newest["bodyFromCache"],
            &newest["truncated"]
        ),
        (&json!(200), &json!(true), &json!(true), &json!(false))
    );
    assert_eq!(newest["bodyLength"], newest["body"].as_str().unwrap().chars().count());
    assert!(newest["bodyCapturedAt"].is_u64() && newest["respondedAt"].is_u64() && newest["ageMs"].is_u64());
    assert_eq!(
        (&newest["correlatedBy"], &newest["request"]["method"]),
        (&json!("identity"), &json!("GET"))
    );
    let first = task.ok(
        "get_response_body",
        json!({"filter": "/xhr", "index": 0, "maxChars": 10}),
    );
    assert_eq!(
        (first["body"].as_str().unwrap().len(), &first["truncated"]),
        (10, &json!(true)),
        "{first}"
    );
    let by_id = task.ok("get_response_body", json!({"requestId": newest["requestId"]}));
    assert_eq!(by_id["body"], newest["body"]);
    let document = task.ok("get_response_body", json!({"filter": "form.html"}));
    assert!(
        document["body"].as_str().unwrap().contains("<form") && document["bodyFromCache"] == true,
        "{document}"
    );
}

#[test]
fn every_reason_for_no_response_is_its_own() {
    let world = World::new();
    let task = world.at("form.html");
    let unknown = task
        .call("get_response_body", json!({"requestId": "123"}))
        .expect_code("ACTION_FAILED");
    assert_eq!(
        (&unknown["reason"], &unknown["requestId"]),
        (&json!("unknown"), &json!("123"))
    );
    let none = task
        .call("get_response_body", json!({"filter": "/nowhere"}))
        .expect_code("ACTION_FAILED");
    assert_eq!(none["filter"], "/nowhere");
    let beyond = task
        .call("get_response_body", json!({"index": 400}))
        .expect_code("ACTION_FAILED");
    assert!(beyond["count"].as_u64().unwrap() >= 1, "{beyond}");
    js(&task, "fetch('/slow?ms=60000').catch(() => 0); 0");
    let open = requests(&task, "/slow").pop().expect("a request under way");
    let waiting = task
        .call("get_response_body", json!({"requestId": open["requestId"]}))
        .expect_code("ACTION_FAILED");
    assert_eq!(waiting["reason"], "unanswered");
    for bad in [
        json!({"index": -1}),
        json!({"maxChars": "all"}),
        json!({"filter": 3, "index": "x"}),
    ] {
        task.call("get_response_body", bad).expect_code("INVALID_ARGUMENT");
    }
}

#[test]
fn a_response_that_newer_ones_replaced_is_told_as_dropped() {
    let world = World::with(
        crate::harness::options()
            .arg("--browser.capture.enabled=false")
            .arg("--browser.network.maxResponses=3"),
    );
    let task = world.at("form.html");
    for n in 0..4 {
        fetched(&task, &format!("/xhr?n={n}"), "{}");
    }
    finished(&task, "/xhr?n=3");
    let first = requests(&task, "/xhr?n=0").pop().unwrap();
    assert_eq!(first["status"], 200, "the request itself is still listed");
    let dropped = task
        .call("get_response_body", json!({"requestId": first["requestId"]}))
        .expect_code("ACTION_FAILED");
    assert_eq!(dropped["reason"], "dropped");
}

#[test]
fn sizes_sets_and_packings() {
    let world = World::new();
    let task = world.at("form.html");
    let bytes = 150_000;
    fetched(&task, &format!("/net/large?bytes={bytes}"), "{}");
    finished(&task, "/net/large");
    let cut = task.ok("get_response_body", json!({"filter": "/net/large"}));
    assert_eq!(
        (&cut["bodyLength"], &cut["truncated"], &cut["bodyCachedChars"]),
        (&json!(bytes), &json!(true), &json!(100_000))
    );
    assert_eq!(cut["body"].as_str().unwrap().len(), 20_000);
    let whole = task.ok(
        "get_response_body",
        json!({"filter": "/net/large", "maxChars": 1_000_000}),
    );
    assert_eq!(
        (
            whole["body"].as_str().unwrap().len(),
            &whole["truncated"],
            &whole["bodyFromCache"]
        ),
        (bytes, &json!(false), &json!(false))
    );
    assert!(!fetched(&task, "/net/charset", "{}").is_empty());
    finished(&task, "/net/charset");
    assert_eq!(
        task.ok("get_response_body", json!({"filter": "/net/charset"}))["body"],
        "\u{4f60}\u{597d}"
    );
    fetched(&task, "/net/packed", "{}");
    finished(&task, "/net/packed");
    let packed = task.ok("get_response_body", json!({"filter": "/net/packed"}));
    assert!(
        packed["body"].as_str().unwrap().starts_with("{\"packed\": \"text text"),
        "{packed}"
    );
    fetched(&task, "/net/binary", "{}");
    finished(&task, "/net/binary");
    let binary = task.ok("get_response_body", json!({"filter": "/net/binary"}));
    assert_eq!(
        (&binary["bodyAvailable"], &binary["bodyError"], &binary["bodyLength"]),
        (&json!(false), &json!("binary"), &json!(256))
    );
    assert!(binary.get("body").is_none() && binary["bodyHint"].is_string());
    fetched(&task, "/net/empty", "{}");
    finished(&task, "/net/empty");
    let empty = task.ok("get_response_body", json!({"filter": "/net/empty"}));
    assert_eq!(
        (&empty["status"], &empty["bodyError"]),
        (&json!(204), &json!("none")),
        "{empty}"
    );
    fetched(&task, "/net/drip", "{}");
    finished(&task, "/net/drip");
    let drip = task.ok("get_response_body", json!({"filter": "/net/drip"}));
    assert!(drip["body"].as_str().unwrap().ends_with("line 4\n"), "{drip}");
}

#[test]
fn fifty_megabytes_hold_nothing_up() {
    let world = World::new();
    let task = world.at("form.html");
    let body = "return fetch('/net/large?bytes=52428800').then((r) => r.arrayBuffer()).then((b) => b.byteLength)";
    assert_eq!(task.ok("execute_js", json!({"body": body}))["result"], 52_428_800);
    finished(&task, "/net/large");
    let large = task.ok("get_response_body", json!({"filter": "/net/large"}));
    let had = large["bodyAvailable"] == true;
    assert!(
        had || large["bodyError"] == "browser-freed" && large["bodyHint"].is_string(),
        "{}",
        large["bodyError"]
    );
    assert!(!had || large["bodyLength"] == 52_428_800);
    assert_eq!(js(&task, "1 + 1"), 2);
}

#[test]
fn other_kinds_are_read_on_demand() {
    let world = World::new();
    let task = world.at("form.html");
    js(
        &task,
        "const s = document.createElement('script'); s.src = '/net/worker.js?script'; document.head.append(s); 0",
    );
    finished(&task, "worker.js?script");
    let script = task.ok("get_response_body", json!({"filter": "worker.js?script"}));
    assert!(
        script["body"].as_str().unwrap().contains("addEventListener"),
        "{script}"
    );
    assert_eq!(
        (&script["bodyFromCache"], script.get("bodyCapturedAt")),
        (&json!(false), None)
    );
    task.ok("go_to_url", json!({"url": world.site.b("/plain/change.html")}));
    let gone = task.ok("get_response_body", json!({"filter": "worker.js?script"}));
    assert_eq!(
        (&gone["bodyAvailable"], &gone["bodyError"]),
        (&json!(false), &json!("browser-freed")),
        "{gone}"
    );
}
