//! Bad input gets a clear typed error and touches nothing.

use serde_json::json;
use support::Reply;

use crate::harness::{World, text_of};

fn post(world: &World, body: &str) -> Reply {
    world.dsb.request(
        "POST",
        "/playwright/command",
        &[("content-type", "application/json")],
        body.as_bytes(),
    )
}

#[test]
fn malformed_bodies_are_refused_without_touching_anything() {
    let world = World::new();
    for body in [
        "",
        "{",
        "[]",
        "7",
        "{\"method\":7}",
        "{}",
        "{\"method\":\"get_url\",\"id\":\"abc\"}",
        "{\"method\":\"get_url\",\"params\":[]}",
        "{\"method\":\"get_url\",\"responseMode\":\"tiny\"}",
    ] {
        let reply = post(&world, body);
        assert_eq!(reply.status, 400, "{body}");
        let data = reply.expect_code("INVALID_ARGUMENT");
        assert_eq!(
            (&data["invalidArgument"], &data["started"], &data["retryable"]),
            (&json!(true), &json!(false), &json!(false)),
            "{body}"
        );
    }
    assert_eq!(world.dsb.call(None, "list_tasks", json!({})).expect_ok()["count"], 0);
}

#[test]
fn unknown_methods_get_suggestions_and_planned_ones_say_so() {
    let world = World::new();
    for (given, expected) in [
        ("list_tabs", "get_tabs"),
        ("click_element", "click_element_by_index"),
        ("get_titel", "get_title"),
    ] {
        let reply = world.dsb.call(None, given, json!({}));
        assert!(reply.msg().contains(expected), "{given}: {}", reply.msg());
        reply.expect_code("INVALID_ARGUMENT");
    }
    let planned = world.dsb.call("1", "get_cookies", json!({}));
    planned.expect_code("NOT_IMPLEMENTED");
    let methods = world.dsb.call(None, "list_methods", json!({})).expect_ok();
    let names = |member: &str| methods[member].as_array().unwrap().clone();
    assert!(names("methods").contains(&json!("get_title")) && !names("methods").contains(&json!("get_cookies")));
    assert!(names("planned").contains(&json!("get_cookies")));
    assert_eq!(methods["total"], 122);
}

#[test]
fn missing_confusable_and_unknown_parameters() {
    let world = World::new();
    let task = world.at("change.html");
    let missing = task.call("go_to_url", json!({}));
    assert!(missing.msg().contains("url"), "{}", missing.msg());
    missing.expect_code("INVALID_ARGUMENT");
    let confused = task.call("switch_tab", json!({"index": 0}));
    assert!(
        confused.msg().contains("pageIndex") && confused.msg().contains("index"),
        "{}",
        confused.msg()
    );
    confused.expect_code("INVALID_ARGUMENT");
    let near = task.call("go_to_url", json!({"ulr": "x"}));
    assert!(near.msg().contains("ulr"), "{}", near.msg());
    let unknown = task.ok("get_title", json!({"colour": "red"}));
    assert_eq!(unknown["unknownParams"], json!(["colour"]));
    assert!(unknown["unknownParamNote"].is_string());
    for bad in [
        json!({"selector": "#text", "mode": "gently"}),
        json!({"selector": "#text", "timeoutMs": "soon"}),
        json!({"selector": "#text", "timeoutMs": 0}),
        json!({"selector": {}}),
        json!({"selector": "#text", "nth": -1}),
    ] {
        task.call("click_element_by_selector", bad)
            .expect_code("INVALID_ARGUMENT");
    }
    assert_eq!(text_of(&task, "target"), "before");
}

#[test]
fn ids_are_strings_and_unknown_tasks_say_what_to_do() {
    let world = World::new();
    let data = world
        .dsb
        .send(&json!({"id": 1001, "method": "start", "params": {}}))
        .expect_ok();
    assert_eq!(data["id"], "1001");
    let again = world.dsb.call("1001", "start", json!({}));
    assert!(!again.is_ok() && again.msg().contains("1001"));
    let unknown = world.dsb.call("77", "get_url", json!({}));
    assert!(
        unknown.msg().contains("77") && unknown.msg().contains("start") && unknown.msg().contains("list_tasks"),
        "{}",
        unknown.msg()
    );
    assert!(!unknown.is_ok());
    assert!(!world.dsb.call(None, "get_url", json!({})).is_ok());
}

#[test]
fn messages_come_in_the_language_of_the_caller() {
    let world = World::new();
    let headers = [
        ("content-type", "application/json"),
        ("accept-language", "zh-CN,zh;q=0.9"),
    ];
    let reply = world.dsb.request(
        "POST",
        "/playwright/command",
        &headers,
        br#"{"method":"get_url","id":"5"}"#,
    );
    assert!(
        reply.msg().chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)),
        "{}",
        reply.msg()
    );
    assert!(world.dsb.call("5", "get_url", json!({})).msg().is_ascii());
}

#[test]
fn foreign_pages_and_hosts_are_refused_on_every_route() {
    let world = World::new();
    let routes = [
        "/playwright/command",
        "/playwright/health",
        "/playwright/methods",
        "/playwright/tasks",
        "/playwright/config",
        "/data/1/1.png",
    ];
    let evil: [&[(&str, &str)]; 3] = [
        &[("host", "evil.example")],
        &[("origin", "http://evil.example")],
        &[("sec-fetch-site", "cross-site")],
    ];
    for route in routes {
        for headers in evil {
            let mut headers = headers.to_vec();
            headers.push(("content-type", "application/json"));
            let method = if route.ends_with("command") { "POST" } else { "GET" };
            let reply = world
                .dsb
                .request(method, route, &headers, br#"{"method":"list_tasks"}"#);
            assert_eq!(reply.status, 403, "{route} {headers:?}");
        }
    }
    let plain = world
        .dsb
        .request("POST", "/playwright/command", &[("content-type", "text/plain")], b"{}");
    assert_eq!(plain.status, 415);
    assert_eq!(world.dsb.request("DELETE", "/playwright/command", &[], b"").status, 405);
    assert_eq!(world.dsb.get("/nowhere").status, 404);
}

#[test]
fn a_body_above_the_limit_is_refused() {
    let world = World::with(crate::harness::options().arg("--browser.upload.maxBytes=1000"));
    let body = vec![b' '; 3 << 20];
    let reply = world.dsb.request(
        "POST",
        "/playwright/command",
        &[("content-type", "application/json")],
        &body,
    );
    assert_eq!(reply.status, 413);
}
