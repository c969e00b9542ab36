//! `route` and `unroute`: refusing, answering, delaying and changing requests, and letting them go on whatever happens.

use std::thread::scope;
use std::time::{Duration, Instant};

use serde_json::json;
use support::eventually;

use super::{fetched, finished, requests};
use crate::harness::{World, js};

#[test]
fn abort_mock_and_the_exception_before_a_wider_rule() {
    let world = World::new();
    let task = world.at("form.html");
    let first = task.ok("route", json!({"urlPattern": "**/xhr**"}));
    assert_eq!(
        (&first["action"], &first["rules"], first.get("replaced")),
        (&json!("abort"), &json!(1), None),
        "{first}"
    );
    assert_eq!(fetched(&task, "/xhr?n=1", "{}"), "failed");
    assert!(fetched(&task, "/echo", "{}").contains("GET"), "others go on");
    let mock = json!({"urlPattern": "**/xhr?n=*", "action": "mock", "body": "[1]", "status": 201});
    task.ok("route", mock);
    assert_eq!(fetched(&task, "/xhr?n=1", "{}"), "[1]");
    let head = "return fetch('/xhr?n=1').then((r) => r.status + ' ' + r.headers.get('content-type'))";
    assert_eq!(
        task.ok("execute_js", json!({"body": head}))["result"],
        "201 application/json"
    );
    let other = world.site.b("/xhr?n=1");
    assert_eq!(
        fetched(&task, &other, "{headers: {'x-any': '1'}}"),
        "[1]",
        "any origin may read it"
    );
    task.ok("route", json!({"urlPattern": "**/xhr?n=2", "action": "resume"}));
    assert!(fetched(&task, "/xhr?n=2", "{}").contains("item 2"));
    let again = task.ok("route", json!({"urlPattern": "**/xhr?n=*", "action": "abort"}));
    assert_eq!((&again["replaced"], &again["rules"]), (&json!(true), &json!(3)));
    let one = finished(&task, "/xhr?n=2");
    assert_eq!(one["routed"], "resume", "{one}");
    assert_eq!(finished(&task, "/xhr?n=1")["routed"], "abort");
    let gone = task.ok("unroute", json!({"urlPattern": "**/xhr?n=*"}));
    assert_eq!(
        (&gone["removed"][0]["action"], &gone["rules"]),
        (&json!("abort"), &json!(2)),
        "{gone}"
    );
    let none = task.ok("unroute", json!({"urlPattern": "**/xhr?n=*"}));
    assert!(
        none["removed"] == json!([]) && none["note"].as_str().unwrap().contains("**/xhr**"),
        "{none}"
    );
    assert_eq!(task.ok("unroute", json!({}))["removed"].as_array().unwrap().len(), 2);
    assert!(fetched(&task, "/xhr?n=1", "{}").contains("item 1"));
}

#[test]
fn rules_hold_for_frames_popups_and_later_tabs_of_the_task_alone() {
    let world = World::new();
    let task = world.at("form.html");
    let stranger = world.at("form.html");
    task.ok(
        "route",
        json!({"urlPattern": "**/xhr*", "action": "mock", "body": "mocked"}),
    );
    let other = world.site.b("/plain/list.html");
    js(
        &task,
        &format!("document.body.append(Object.assign(document.createElement('iframe'), {{src: '{other}'}})); 0"),
    );
    finished(&task, "list.html");
    let framed = task.ok(
        "execute_js",
        json!({"body": "return fetch('/xhr').then((r) => r.text())", "frame": "1"}),
    );
    assert_eq!(framed["result"], "mocked", "{framed}");
    task.ok("new_tab", json!({"url": world.site.a("/plain/change.html")}));
    assert_eq!(fetched(&task, "/xhr", "{}"), "mocked");
    js(&task, "window.open('/xhr?popup', '_blank'); 0");
    assert_eq!(finished(&task, "?popup")["routed"], "mock");
    assert!(fetched(&stranger, "/xhr", "{}").contains("item"));
}

#[test]
fn workers_meet_rules_too() {
    let world = World::new();
    let task = world.at("form.html");
    task.ok(
        "route",
        json!({"urlPattern": "**/xhr**", "action": "mock", "body": "mocked"}),
    );
    js(&task, "window.location = 'streams.html?worker=1'; 0");
    assert_eq!(finished(&task, "/xhr?ms=1")["routed"], "mock");
}

#[test]
fn fields_of_the_servers_answer_are_changed_and_the_rest_is_kept() {
    let world = World::new();
    let task = world.at("form.html");
    let rule = json!({"urlPattern": "**/xhr**", "action": "patch", "patch": {"rows.*.amount": 0, "rows.0.name": "changed", "extra": true}});
    task.ok("route", rule);
    let text = fetched(&task, "/redirect?to=/xhr%3Fn=2", "{}");
    let body: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        body,
        json!({"query": "", "rows": [{"id": 1, "name": "changed", "amount": 0}, {"id": 2, "name": "item 2", "amount": 0}], "extra": true})
    );
    task.ok(
        "route",
        json!({"urlPattern": "**/net/packed", "action": "patch", "patch": {"packed": "new"}}),
    );
    assert_eq!(fetched(&task, "/net/packed", "{}"), "{\"packed\":\"new\"}");
    task.ok(
        "route",
        json!({"urlPattern": "**/net/drip", "action": "patch", "patch": {"a": 1}}),
    );
    assert!(
        fetched(&task, "/net/drip", "{}").ends_with("line 4\n"),
        "what is no JSON stays as it is"
    );
    let gone = task.ok("unroute", json!({"urlPattern": "**/net/drip"}));
    assert_eq!(
        (&gone["removed"][0]["matched"], &gone["removed"][0]["unchanged"]),
        (&json!(1), &json!(1)),
        "{gone}"
    );
}

#[test]
fn a_delay_holds_the_request_back_and_nothing_else() {
    let world = World::new();
    let task = world.at("form.html");
    task.ok(
        "route",
        json!({"urlPattern": "**/xhr*", "action": "mock", "body": "late", "delayMs": 400}),
    );
    let begun = Instant::now();
    assert!(fetched(&task, "/echo", "{}").contains("GET"));
    assert_eq!(fetched(&task, "/xhr", "{}"), "late");
    assert!(begun.elapsed() >= Duration::from_millis(400));
}

#[test]
fn what_is_held_back_goes_on_when_the_rule_or_the_task_ends() {
    let world = World::new();
    let keeper = world.at("change.html");
    let task = world.at("form.html");
    task.ok(
        "route",
        json!({"urlPattern": "**/submit**", "action": "resume", "delayMs": 60_000}),
    );
    let post = |key: &str| format!("fetch('/submit?key={key}', {{method: 'POST', keepalive: true}}); 0");
    js(&task, &post("one"));
    eventually("the stop", Duration::from_secs(10), || {
        requests(&task, "key=one").pop().filter(|one| one["routed"] == "resume")
    });
    assert_eq!(world.site.count("one"), 0);
    task.ok("unroute", json!({}));
    world.site.await_count("one", 1, Duration::from_secs(10));
    keeper.ok("close", json!({}));
    task.ok(
        "route",
        json!({"urlPattern": "**/submit**", "action": "resume", "delayMs": 60_000}),
    );
    js(&task, &post("two"));
    eventually("the stop", Duration::from_secs(10), || {
        requests(&task, "key=two").pop().filter(|one| one["routed"] == "resume")
    });
    // The last task leaves its page open: what it asked for must not hang there.
    task.ok("close", json!({}));
    world.site.await_count("two", 1, Duration::from_secs(10));
}

#[test]
fn bad_rules_are_refused() {
    let world = World::new();
    let task = world.at("form.html");
    for bad in [
        json!({}),
        json!({"urlPattern": ""}),
        json!({"urlPattern": "/api/list"}),
        json!({"urlPattern": "**", "action": "explode"}),
        json!({"urlPattern": "**", "body": "x"}),
        json!({"urlPattern": "**", "action": "resume", "status": 200}),
        json!({"urlPattern": "**", "action": "mock", "status": 42}),
        json!({"urlPattern": "**", "action": "mock", "patch": {"a": 1}}),
        json!({"urlPattern": "**", "action": "patch"}),
        json!({"urlPattern": "**", "action": "patch", "patch": {}}),
        json!({"urlPattern": "**", "action": "patch", "patch": {"a..b": 1}}),
        json!({"urlPattern": "**", "delayMs": 60_001}),
    ] {
        let refused = task.call("route", bad.clone()).expect_code("INVALID_ARGUMENT");
        assert_eq!(refused["started"], false, "{bad}");
    }
    task.call("unroute", json!({"urlPattern": {"a": 1}}))
        .expect_code("INVALID_ARGUMENT");
    assert_eq!(task.ok("unroute", json!({}))["removed"], json!([]));
    assert!(fetched(&task, "/xhr", "{}").contains("item"));
}

#[test]
fn many_requests_at_once_all_go_on() {
    let world = World::new();
    let task = world.at("form.html");
    task.ok("route", json!({"urlPattern": "**/xhr**", "action": "resume"}));
    let all = "return Promise.all(Array.from({length: 200}, (_, n) => fetch('/xhr?n=1&m=' + n).then((r) => r.status))) \
        .then((all) => all.filter((status) => status === 200).length)";
    scope(|scope| {
        let asking = scope.spawn(|| task.ok("execute_js", json!({"body": all}))["result"].clone());
        assert_eq!(asking.join().unwrap(), 200);
    });
}
