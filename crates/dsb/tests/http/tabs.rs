//! Tabs: owned, named, healed.

use std::time::Duration;

use serde_json::json;
use support::eventually;

use crate::harness::{World, js};

mod strangers;

#[test]
fn opens_switches_and_closes() {
    let world = World::new();
    let task = world.at("change.html");
    let opened = task.ok("new_tab", json!({"url": world.site.a("/plain/form.html")}));
    assert_eq!(opened["pageIndex"], 1);
    let tabs = task.ok("get_tabs", json!({}))["tabs"].clone();
    assert_eq!(
        (&tabs[0]["current"], &tabs[1]["current"]),
        (&json!(false), &json!(true)),
        "{tabs}"
    );
    let switched = task.ok("switch_tab", json!({"pageIndex": 0}));
    assert_eq!(switched["title"], "Change");
    let closed = task.ok("close_tab", json!({"pageIndex": 0}));
    assert_eq!(
        (&closed["closed"], &closed["remaining"], &closed["pageIndex"]),
        (&json!(1), &json!(1), &json!(0)),
        "{closed}"
    );
    assert!(closed["url"].as_str().unwrap().ends_with("form.html"));
    // The last one is replaced by a blank one.
    let last = task.ok("close_tab", json!({"pageIndex": 0}));
    assert_eq!(
        (&last["remaining"], &last["url"]),
        (&json!(1), &json!("about:blank")),
        "{last}"
    );
}

#[test]
fn numbers_that_do_not_exist_are_refused_with_the_list() {
    let world = World::new();
    let task = world.at("change.html");
    for method in ["switch_tab", "close_tab"] {
        let reply = task.call(method, json!({"pageIndex": 7}));
        assert!(reply.msg().contains("change.html"), "{}", reply.msg());
        reply.expect_code("INVALID_ARGUMENT");
    }
}

#[test]
fn a_new_tab_is_named_by_the_click_that_opened_it() {
    let world = World::new();
    for id in ["blank", "opener", "open", "window", "noopener"] {
        let task = world.at("popup.html");
        let receipt = task.ok("click_element_by_selector", json!({"selector": format!("#{id}")}));
        assert_eq!(
            (&receipt["newTab"]["current"], &receipt["newTab"]["pageIndex"]),
            (&json!(true), &json!(1)),
            "{id}: {receipt}"
        );
        assert_eq!(
            (&receipt["tabCountBefore"], &receipt["tabCountAfter"]),
            (&json!(1), &json!(2)),
            "{id}"
        );
        assert_eq!(task.ok("get_title", json!({}))["title"], "Change", "{id}");
        task.ok("close", json!({}));
    }
}

#[test]
fn a_late_tab_is_listed_but_not_current_and_told_with_the_next_reply() {
    let world = World::new();
    let task = world.at("popup.html?ms=700");
    let receipt = task.ok("click_element_by_selector", json!({"selector": "#late"}));
    assert!(receipt.get("newTab").is_none(), "{receipt}");
    eventually("the late tab", Duration::from_secs(5), || {
        (task.ok("get_tabs", json!({}))["tabs"].as_array().unwrap().len() == 2).then_some(())
    });
    let next = task.ok("get_title", json!({}));
    assert_eq!(
        (&next["title"], &next["newTabs"]),
        (&json!("Popups"), &json!([1])),
        "{next}"
    );
    assert!(task.ok("get_title", json!({})).get("newTabs").is_none(), "told once");
}

#[test]
fn a_tab_that_closes_itself_is_healed() {
    let world = World::new();
    let task = world.at("popup.html");
    task.ok("click_element_by_selector", json!({"selector": "#closing"}));
    assert_eq!(task.ok("get_title", json!({}))["title"], "Closes itself");
    let _ = task.call("click_element_by_selector", json!({"selector": "#close"}));
    let healed = eventually("the other tab", Duration::from_secs(5), || {
        let reply = task.call("get_title", json!({}));
        (reply.data()["title"] == "Popups").then(|| reply.data().clone())
    });
    assert_eq!(healed["title"], "Popups");
}

#[test]
fn tasks_never_see_each_others_tabs() {
    let world = World::new();
    let one = world.at("popup.html");
    let two = world.at("form.html");
    one.ok("click_element_by_selector", json!({"selector": "#two"}));
    eventually("both popups", Duration::from_secs(5), || {
        (one.ok("get_tabs", json!({}))["tabs"].as_array().unwrap().len() == 3).then_some(())
    });
    let tabs = two.ok("get_tabs", json!({}))["tabs"].clone();
    assert_eq!(tabs.as_array().unwrap().len(), 1, "{tabs}");
    assert_eq!(two.ok("get_title", json!({}))["title"], "Native controls");
    one.ok("close", json!({}));
    assert_eq!(two.ok("get_title", json!({}))["title"], "Native controls");
    assert_eq!(js(&two, "document.title"), "Native controls");
}

#[test]
fn pain_59_a_tab_is_found_by_its_address_and_brought_to_the_front() {
    let world = World::new();
    let task = world.at("popup.html");
    task.ok("click_element_by_selector", json!({"selector": "#two"}));
    eventually("both popups", Duration::from_secs(5), || {
        (task.ok("get_tabs", json!({}))["tabs"].as_array().unwrap().len() == 3).then_some(())
    });
    let found = task.ok("switch_tab_by_url", json!({"url": "tab=1"}));
    assert!(
        found["url"].as_str().unwrap().ends_with("tab=1") && found["title"] == "Change",
        "{found}"
    );
    assert_eq!(
        task.ok("get_tabs", json!({}))["tabs"][found["pageIndex"].as_u64().unwrap() as usize]["current"],
        true
    );
    let shown = task.ok("bring_to_front", json!({}));
    assert_eq!(shown["pageIndex"], found["pageIndex"], "{shown}");
    let shown = task.ok("bring_to_front", json!({"pageIndex": 0}));
    assert!(shown["url"].as_str().unwrap().ends_with("popup.html"), "{shown}");
    assert_eq!(task.ok("get_title", json!({}))["title"], "Popups");
    let reply = task.call("switch_tab_by_url", json!({"url": "nowhere"}));
    assert!(reply.msg().contains("popup.html"), "{}", reply.msg());
    let data = reply.expect_code("ACTION_FAILED");
    assert_eq!(data["tabs"].as_array().unwrap().len(), 3, "{data}");
    for (method, bad) in [
        ("switch_tab_by_url", json!({})),
        ("bring_to_front", json!({"pageIndex": 9})),
        ("close_other_tabs", json!({"pageIndex": 9})),
        ("close_other_tabs", json!({"pageIndex": "first"})),
    ] {
        task.call(method, bad).expect_code("INVALID_ARGUMENT");
    }
}

#[test]
fn the_other_tabs_are_closed_and_one_is_kept() {
    let world = World::new();
    let task = world.at("alert.html");
    // One that asks before it is left does not stay.
    task.ok("click_element_by_selector", json!({"selector": "#guard"}));
    task.ok("new_tab", json!({"url": world.site.a("/plain/form.html")}));
    task.ok("new_tab", json!({"url": world.site.a("/plain/change.html")}));
    let closed = task.ok("close_other_tabs", json!({"pageIndex": 1}));
    assert_eq!(
        (&closed["closed"], &closed["remaining"], &closed["pageIndex"]),
        (&json!(2), &json!(1), &json!(0)),
        "{closed}"
    );
    assert!(closed["url"].as_str().unwrap().ends_with("form.html"), "{closed}");
    assert_eq!(task.ok("close_other_tabs", json!({}))["closed"], 0);
    assert_eq!(task.ok("get_title", json!({}))["title"], "Native controls");
}
