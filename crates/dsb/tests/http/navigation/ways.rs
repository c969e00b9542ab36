//! The many ways in which a navigation can go.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{World, js, options, text_of};

#[test]
fn a_page_that_goes_on_by_itself_is_followed() {
    let world = World::new();
    let task = world.dsb.task(json!({}));
    for how in ["replace", "meta", "load"] {
        let url = world.site.a(&format!("/plain/replace.html?how={how}"));
        task.ok("go_to_url", json!({"url": url}));
        let arrived = task.ok("wait_for_url", json!({"url": "change.html", "timeoutSeconds": 10}));
        assert!(
            arrived["url"].as_str().unwrap().ends_with("/plain/change.html"),
            "{how}: {arrived}"
        );
        assert_eq!(text_of(&task, "target"), "before", "{how}");
    }
}

#[test]
fn a_redirect_without_end_is_a_network_error() {
    let world = World::new();
    let task = world.at("change.html");
    let url = world.site.a("/loop");
    let data = task.call("go_to_url", json!({"url": url})).expect_code("NETWORK_ERROR");
    assert_eq!(
        (&data["netError"], &data["urlRequested"]),
        (&json!("ERR_TOO_MANY_REDIRECTS"), &json!(url)),
        "{data}"
    );
}

#[test]
fn addresses_of_other_schemes_are_opened() {
    let world = World::new();
    let task = world.at("change.html");
    assert_eq!(
        task.ok("go_to_url", json!({"url": "about:blank"}))["url"],
        "about:blank"
    );
    let data = task.ok(
        "go_to_url",
        json!({"url": "data:text/html,<title>In the address</title>"}),
    );
    assert_eq!(data["title"], "In the address", "{data}");
    let file = world.dsb.home().join("page.html");
    std::fs::write(&file, "<title>From a file</title>").unwrap();
    let url = format!("file://{}", file.display());
    assert_eq!(task.ok("go_to_url", json!({"url": url}))["title"], "From a file");
    let missing = task.call("go_to_url", json!({"url": format!("{url}.gone")}));
    assert_eq!(missing.expect_code("NETWORK_ERROR")["netError"], "ERR_FILE_NOT_FOUND");
    let bare = world.site.a("/plain/change.html").replace("http://", "");
    assert_eq!(task.ok("go_to_url", json!({"url": bare}))["title"], "Change");
}

#[test]
fn a_server_without_tls_is_a_typed_failure() {
    let world = World::new();
    let task = world.at("change.html");
    let url = world.site.a("/plain/change.html").replace("http://", "https://");
    let data = task.call("go_to_url", json!({"url": url})).expect_code("NETWORK_ERROR");
    assert_eq!(data["netError"], "ERR_SSL_PROTOCOL_ERROR", "{data}");
    assert!(data["hint"].is_string(), "{data}");
}

#[test]
fn a_certificate_that_nobody_signed_is_a_typed_failure() {
    let world = World::new();
    let task = world.at("change.html");
    let secure = support::TlsSite::start();
    let data = task
        .call("go_to_url", json!({"url": secure.url()}))
        .expect_code("NETWORK_ERROR");
    assert_eq!(
        (&data["netError"], &data["retryable"]),
        (&json!("ERR_CERT_AUTHORITY_INVALID"), &json!(false)),
        "{data}"
    );
    assert!(data["hint"].as_str().unwrap().contains("certificate"), "{data}");
    assert_eq!(
        task.ok("go_to_url", json!({"url": world.site.a("/plain/change.html")}))["title"],
        "Change"
    );
}

#[test]
fn a_page_that_wants_a_password_never_hangs() {
    let world = World::new();
    let task = world.at("change.html");
    let asked = Instant::now();
    let data = task
        .call("go_to_url", json!({"url": world.site.a("/auth")}))
        .expect_code("NETWORK_ERROR");
    assert!(asked.elapsed() < Duration::from_secs(10), "{:?}", asked.elapsed());
    assert_eq!(
        (&data["netError"], &data["retryable"]),
        (&json!("ERR_INVALID_AUTH_CREDENTIALS"), &json!(false)),
        "{data}"
    );
    assert!(data["hint"].as_str().unwrap().contains("password"), "{data}");
    let url = world.site.a("/auth").replace("http://", "http://user:pass@");
    let landed = task.ok("go_to_url", json!({"url": url}));
    assert_eq!(
        (&landed["status"], &landed["title"]),
        (&json!(200), &json!("Unlocked")),
        "{landed}"
    );
}

#[test]
fn a_page_that_asks_before_it_is_left_is_left() {
    let world = World::new();
    let task = world.at("alert.html");
    for (method, params) in [
        ("go_to_url", json!({"url": world.site.a("/plain/change.html")})),
        ("reload", json!({})),
        ("go_back", json!({})),
    ] {
        let task = if method == "go_back" {
            world.at("change.html")
        } else {
            world.dsb.task(json!({}))
        };
        task.ok("go_to_url", json!({"url": world.site.a("/plain/alert.html")}));
        task.ok("click_element_by_selector", json!({"selector": "#guard"}));
        task.ok(method, params);
        task.ok("close", json!({}));
    }
    task.ok("get_title", json!({}));
}

#[test]
fn a_page_comes_back_out_of_the_cache_as_it_was() {
    let world = World::new();
    let task = world.dsb.task(json!({}));
    task.ok("go_to_url", json!({"url": world.site.a("/kept")}));
    let made = js(&task, "window.made");
    js(&task, "document.getElementById('typed').textContent = 'kept'; 0");
    task.ok("go_to_url", json!({"url": world.site.b("/plain/change.html")}));
    let back = task.ok("go_back", json!({}));
    assert_eq!(back["title"], "Kept", "{back}");
    // Whether the browser keeps it is its own business; either way the page answers and is the one that is shown.
    let again = js(&task, "window.made");
    let text = text_of(&task, "typed");
    assert!(
        if again == made { text == "kept" } else { text.is_empty() },
        "{again} {made} {text}"
    );
    task.ok("wait_for_load", json!({"timeoutSeconds": 5}));
    let forward = task.ok("go_forward", json!({}));
    assert_eq!(forward["title"], "Change", "{forward}");
}

#[test]
fn a_form_is_sent_again_only_when_asked() {
    let world = World::new();
    let task = world.at("navigate.html");
    task.ok("click_element_by_selector", json!({"selector": "#post"}));
    task.ok("wait_for_text", json!({"text": "Submission", "timeoutSeconds": 10}));
    assert_eq!(
        task.call("reload", json!({})).expect_code("ACTION_FAILED")["wouldResubmit"],
        true
    );
    task.ok("reload", json!({"resubmit": true}));
    world.site.await_count("navigate", 2, Duration::from_secs(10));
    task.call("reload", json!({"resubmit": "perhaps"}))
        .expect_code("INVALID_ARGUMENT");
}

#[test]
fn slow_resources_do_not_hold_a_navigation_for_ever() {
    let world = World::with(options().arg("--browser.capture.enabled=false"));
    let task = world.dsb.task(json!({}));
    let asked = Instant::now();
    let url = world.site.a("/plain/streams.html?picture=120000");
    let landed = task.ok("go_to_url", json!({"url": url}));
    assert_eq!(
        (&landed["stillLoading"], &landed["status"]),
        (&json!(true), &json!(200)),
        "{landed}"
    );
    assert!(landed["note"].is_string(), "{landed}");
    let took = asked.elapsed();
    assert!(
        took > Duration::from_secs(29) && took < Duration::from_secs(60),
        "{took:?}"
    );
}
