//! Commands while the page is being replaced.

use std::time::Duration;

use serde_json::json;
use support::eventually;

use crate::harness::{World, js};

#[test]
fn pain_51_a_read_during_a_navigation_waits_and_answers() {
    let world = World::new();
    let task = world.at("navigate.html");
    for round in 0..6 {
        task.ok("go_to_url", json!({"url": world.site.a("/plain/navigate.html")}));
        js(
            &task,
            &format!("setTimeout(() => location.assign('change.html'), {}); 0", round * 15),
        );
        for (method, params) in [
            ("get_browser_state", json!({})),
            ("find_text", json!({"text": "the"})),
            ("get_element_count", json!({"selector": "button"})),
            ("get_title", json!({})),
            ("wait_for_element", json!({"selector": "h1", "timeoutSeconds": 10})),
            (
                "wait_for_function",
                json!({"expression": "document.body", "timeoutSeconds": 10}),
            ),
            ("wait_for_stable", json!({"quietMs": 20, "timeoutSeconds": 10})),
        ] {
            let reply = task.call(method, params);
            assert!(reply.is_ok(), "{round} {method}: {}", reply.body);
        }
        task.ok("wait_for_url", json!({"url": "change.html", "timeoutSeconds": 10}));
    }
}

#[test]
fn pain_51_a_script_says_that_the_page_went_under_it() {
    let world = World::new();
    let task = world.at("navigate.html");
    let reply = task.call(
        "execute_js",
        json!({"body": "location.assign('change.html'); await new Promise(() => {})"}),
    );
    assert!(!reply.msg().contains("context"), "{}", reply.msg());
    let data = reply.expect_code("PAGE_NAVIGATING");
    assert_eq!(
        (&data["retryable"], &data["outcomeUnknown"]),
        (&json!(false), &json!(true)),
        "{data}"
    );
    task.ok("wait_for_url", json!({"url": "change.html", "timeoutSeconds": 10}));
}

#[test]
fn pain_53_the_start_of_the_browser_costs_a_navigation_nothing() {
    // The limit of a command is far below what a cold browser takes on a busy machine; only the navigation counts.
    let world = World::new();
    let task = world.dsb.task(json!({}));
    let landed = task.ok("go_to_url", json!({"url": world.site.a("/slow?ms=1500")}));
    let took = landed["execution"]["durationMs"].as_u64().unwrap();
    assert!((1400..30_000).contains(&took), "{landed}");
    let failed = world.dsb.call(None, "start", json!({"browser": "edge"}));
    if !failed.is_ok() {
        assert!(failed.msg().to_lowercase().contains("edge"), "{}", failed.msg());
    }
}

#[test]
fn navigations_one_over_the_other_end_at_the_last() {
    let world = World::new();
    let task = world.at("navigate.html");
    js(&task, "location.assign('/slow?ms=60000'); 0");
    let landed = task.ok("go_to_url", json!({"url": world.site.a("/plain/change.html")}));
    assert_eq!(landed["title"], "Change", "{landed}");
    let seen = eventually("the title", Duration::from_secs(5), || {
        let title = task.ok("get_title", json!({}))["title"].clone();
        (title == "Change").then_some(title)
    });
    assert_eq!(seen, "Change");
}
