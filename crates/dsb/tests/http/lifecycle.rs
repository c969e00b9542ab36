//! Tasks and the browser: beginning, sharing, ending.

use serde_json::json;

use crate::harness::{World, js};

#[test]
fn start_tells_what_was_started() {
    let world = World::new();
    let data = world.dsb.call(None, "start", json!({})).expect_ok();
    assert!(data["id"].as_str().unwrap().parse::<u64>().is_ok());
    assert_eq!(
        (
            &data["requestedBrowser"],
            &data["engineHonored"],
            &data["profileSeenBefore"]
        ),
        (&json!("auto"), &json!(true), &json!(false)),
        "{data}"
    );
    assert!(
        data["browser"]["cdp"]["product"].as_str().unwrap().contains('/'),
        "{data}"
    );
    assert!(data["profileNote"].is_string());
    assert_eq!(data["browser"]["headless"], true);
    let second = world.dsb.call(None, "start", json!({})).expect_ok();
    assert_eq!(
        second["browser"]["pid"], data["browser"]["pid"],
        "one browser is shared"
    );
}

#[test]
fn explicit_browsers_are_used_or_refused() {
    let world = World::new();
    let unknown = world.dsb.call(None, "start", json!({"browser": "netscape"}));
    assert!(
        unknown.msg().contains("netscape") && unknown.msg().contains("chromium"),
        "{}",
        unknown.msg()
    );
    unknown.expect_code("INVALID_ARGUMENT");
    for name in ["firefox", "ff", "gecko"] {
        world
            .dsb
            .call(None, "start", json!({"browser": name}))
            .expect_code("ENGINE_NOT_SUPPORTED");
    }
    assert_eq!(world.dsb.call(None, "list_tasks", json!({})).expect_ok()["count"], 0);
    let used = world.dsb.call(None, "start", json!({"browser": "auto"})).expect_ok();
    let effective = used["effectiveBrowser"].as_str().unwrap();
    assert_eq!(
        world
            .dsb
            .call(None, "start", json!({"browser": effective.to_uppercase()}))
            .expect_ok()["engineHonored"],
        true
    );
    let other = if effective == "edge" { "chrome" } else { "edge" };
    let refused = world.dsb.call(None, "start", json!({"browser": other}));
    assert!(
        !refused.is_ok() && refused.msg().contains(effective),
        "{}",
        refused.msg()
    );
}

#[test]
fn options_that_are_not_built_yet_are_refused_not_ignored() {
    let world = World::new();
    for option in [json!({"profile": "work"}), json!({"userDataDir": "/srv/profile"})] {
        world.dsb.call(None, "start", option).expect_code("NOT_IMPLEMENTED");
    }
    assert_eq!(world.dsb.call(None, "list_tasks", json!({})).expect_ok()["count"], 0);
}

#[test]
fn close_keeps_the_browser_for_the_next_task() {
    let world = World::new();
    let one = world.at("change.html");
    let pid = world.dsb.call(None, "list_tasks", json!({})).expect_ok()["browser"]["pid"].clone();
    let two = world.at("form.html");
    let refused = two.call("close", json!({"closeBrowser": true}));
    assert!(!refused.is_ok() && refused.msg().contains(&one.id), "{}", refused.msg());
    let closed = one.ok("close", json!({}));
    assert_eq!(
        (&closed["closed"], &closed["browserClosed"], &closed["remainingTasks"]),
        (&json!(true), &json!(false), &json!(1))
    );
    assert!(!one.call("get_url", json!({})).is_ok());
    two.ok("close", json!({}));
    let tasks = world.dsb.call(None, "list_tasks", json!({})).expect_ok();
    assert_eq!(
        (&tasks["count"], &tasks["browser"]["pid"], &tasks["browser"]["keptTabs"]),
        (&json!(0), &pid, &json!(1)),
        "{tasks}"
    );
    let three = world.at("change.html");
    assert_eq!(
        three.ok("get_tabs", json!({}))["tabs"].as_array().unwrap().len(),
        1,
        "the kept tab is nobody's"
    );
    assert_eq!(three.ok("close", json!({"closeBrowser": true}))["browserClosed"], true);
    assert!(
        world
            .dsb
            .call(None, "list_tasks", json!({}))
            .expect_ok()
            .get("browser")
            .is_none()
    );
}

#[test]
fn shutdown_ends_everything_but_the_service() {
    let world = World::new();
    let one = world.at("change.html");
    let two = world.at("form.html");
    let data = world.dsb.call(None, "shutdown", json!({})).expect_ok();
    let closed = data["closedTasks"].as_array().unwrap();
    assert!(
        closed.contains(&json!(one.id)) && closed.contains(&json!(two.id)) && data["remainingTasks"] == 0,
        "{data}"
    );
    let again = world.at("change.html");
    assert_eq!(js(&again, "document.title"), "Change");
}

#[test]
fn the_profile_outlives_the_browser() {
    let world = World::new();
    let task = world.at("change.html");
    js(&task, "localStorage.setItem('kept', 'yes'); 0");
    task.ok("close", json!({"closeBrowser": true}));
    let again = world.dsb.call(None, "start", json!({})).expect_ok();
    assert_eq!(again["profileSeenBefore"], true);
    let id = again["id"].as_str().unwrap();
    world
        .dsb
        .call(id, "go_to_url", json!({"url": world.site.a("/plain/change.html")}))
        .expect_ok();
    let kept = world
        .dsb
        .call(id, "execute_js", json!({"body": "localStorage.getItem('kept')"}))
        .expect_ok();
    assert_eq!(kept["result"], "yes");
}
