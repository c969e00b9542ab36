//! Opening addresses, history, reloading; what the network says when it fails.

use serde_json::json;

use crate::harness::{World, js, text_of};

mod own_port;
mod races;
mod ways;

#[test]
fn opens_a_page_and_tells_where_it_landed() {
    let world = World::new();
    let task = world.dsb.task(json!({}));
    let url = world.site.a("/plain/change.html");
    let landed = task.ok("go_to_url", json!({"url": url}));
    assert_eq!(
        (&landed["status"], &landed["url"], &landed["title"]),
        (&json!(200), &json!(url), &json!("Change"))
    );
    assert_eq!(task.ok("get_url", json!({}))["url"], url);
    assert_eq!(task.ok("get_title", json!({}))["title"], "Change");
    let missing = task.ok("navigate", json!({"url": world.site.a("/status/404")}));
    assert_eq!(missing["status"], 404);
    let redirected = task.ok(
        "navigate",
        json!({"url": world.site.a("/redirect?to=/plain/change.html")}),
    );
    assert_eq!((&redirected["status"], &redirected["url"]), (&json!(200), &json!(url)));
}

#[test]
fn goes_through_history() {
    let world = World::new();
    let task = world.dsb.task(json!({}));
    let none = task.call("go_back", json!({}));
    assert!(none.msg().contains("history"), "{}", none.msg());
    none.expect_code("ACTION_FAILED");
    task.ok("go_to_url", json!({"url": world.site.a("/plain/change.html")}));
    task.call("go_back", json!({})).expect_code("ACTION_FAILED");
    task.ok("go_to_url", json!({"url": world.site.a("/plain/form.html")}));
    let back = task.ok("go_back", json!({}));
    assert!(back["url"].as_str().unwrap().ends_with("change.html"), "{back}");
    let forward = task.ok("go_forward", json!({}));
    assert!(forward["url"].as_str().unwrap().ends_with("form.html"), "{forward}");
    task.call("go_forward", json!({})).expect_code("ACTION_FAILED");
    assert_eq!(task.ok("reload", json!({}))["status"], 200);
}

#[test]
fn same_document_and_history_state_are_followed() {
    let world = World::new();
    let task = world.at("navigate.html");
    let landed = task.ok("go_to_url", json!({"url": world.site.a("/plain/navigate.html#there")}));
    assert_eq!(landed["sameDocument"], true);
    js(&task, "void history.pushState(null, '', '?pushed=1')");
    assert!(
        task.ok("get_url", json!({}))["url"]
            .as_str()
            .unwrap()
            .ends_with("?pushed=1")
    );
    let back = task.ok("go_back", json!({}));
    assert!(back["url"].as_str().unwrap().ends_with("#there"), "{back}");
}

#[test]
fn a_post_is_not_sent_twice_by_reload_or_history() {
    let world = World::new();
    let task = world.at("navigate.html");
    task.ok("click_element_by_selector", json!({"selector": "#post"}));
    task.ok("wait_for_element", json!({"selector": "body"}));
    let hits = || world.site.count("navigate");
    assert_eq!(hits(), 1);
    let refused = task.call("reload", json!({})).expect_code("ACTION_FAILED");
    assert_eq!(refused["wouldResubmit"], true);
    assert_eq!(hits(), 1);
    task.ok("go_to_url", json!({"url": world.site.a("/plain/change.html")}));
    task.call("go_back", json!({})).expect_code("ACTION_FAILED");
    assert_eq!(hits(), 1);
}

#[test]
fn network_errors_are_named() {
    let world = World::new();
    let task = world.dsb.task(json!({}));
    let unused = {
        std::net::TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port()
    };
    let url = format!("http://127.0.0.1:{unused}/");
    let failed = task.call("go_to_url", json!({"url": url}));
    assert!(failed.msg().contains("ERR_CONNECTION_REFUSED"), "{}", failed.msg());
    let data = failed.expect_code("NETWORK_ERROR");
    assert_eq!(
        (&data["netError"], &data["urlRequested"]),
        (&json!("ERR_CONNECTION_REFUSED"), &json!(url))
    );
    assert_eq!(data["retryable"], true);
    task.call("go_to_url", json!({"url": world.site.a("/drop")}))
        .expect_code("NETWORK_ERROR");
    task.call("go_to_url", json!({"url": "http://"}))
        .expect_code("NETWORK_ERROR");
    // The tab is still of use.
    assert_eq!(
        task.ok("go_to_url", json!({"url": world.site.a("/plain/change.html")}))["status"],
        200
    );
}

#[test]
fn the_service_itself_is_out_of_reach() {
    let world = World::new();
    let task = world.at("change.html");
    let url = world.dsb.url("/playwright/tasks");
    for (method, address) in [
        ("go_to_url", url.clone()),
        ("navigate", url.replace("127.0.0.1", "localhost")),
        ("new_tab", url.clone()),
    ] {
        task.call(method, json!({"url": address}))
            .expect_code("INVALID_ARGUMENT");
    }
    js(&task, &format!("location.href = '{url}'; 0"));
    task.ok("wait_for_text", json!({"text": "\"ok\":false", "timeoutSeconds": 10}));
}

#[test]
fn no_content_and_downloads_leave_the_page_in_place() {
    let world = World::new();
    let task = world.at("change.html");
    let nothing = task.ok("go_to_url", json!({"url": world.site.a("/status/204")}));
    assert_eq!(nothing["noDocument"], true, "{nothing}");
    let download = task.ok("go_to_url", json!({"url": world.site.a("/download")}));
    assert_eq!(download["download"], true, "{download}");
    assert_eq!(text_of(&task, "target"), "before");
}
