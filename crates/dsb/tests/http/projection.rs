//! Envelope, nulls, compact mode.

use serde_json::json;

use crate::harness::{World, js, options};

#[test]
fn success_has_three_members_and_no_nulls() {
    let world = World::new();
    let task = world.at("change.html");
    let reply = task.call("click_element_by_selector", json!({"selector": "#text"}));
    assert_eq!(
        reply.body.as_object().unwrap().keys().collect::<Vec<_>>(),
        ["data", "code", "ok"]
    );
    assert!(!reply.body.to_string().contains(":null"), "{}", reply.body);
    assert_eq!(reply.data()["execution"]["status"], "completed");
}

#[test]
fn compact_drops_noise_and_keeps_results_and_page_values() {
    let world = World::new();
    let task = world.at("change.html");
    let compact = |method: &str, params: serde_json::Value| {
        world
            .dsb
            .send(&json!({"id": task.id, "method": method, "params": params, "responseMode": "compact"}))
            .expect_ok()
    };
    let click = compact("click_element_by_selector", json!({"selector": "#text"}));
    for gone in [
        "execution",
        "retryBudget",
        "urlBefore",
        "hit",
        "observationWindowMs",
        "tabCountBefore",
    ] {
        assert!(click.get(gone).is_none(), "{gone}: {click}");
    }
    for kept in ["changed", "changeStatus", "mode", "effective"] {
        assert!(click.get(kept).is_some(), "{kept}: {click}");
    }
    let value = json!({"execution": {"status": "completed"}, "hit": null, "capture_degraded": false});
    js(&task, "0");
    let script = compact("execute_js", json!({"body": format!("({value})")}));
    assert_eq!(script["result"], value, "a page's value is not edited");
    let state = compact("get_browser_state", json!({}));
    assert!(
        state.get("url").is_none()
            && state.get("browser_state").is_none()
            && state["text"].is_string()
            && state["tabs"].is_array(),
        "{state}"
    );
}

#[test]
fn nulls_come_back_when_asked_for() {
    let world = World::with(
        options()
            .arg("--browser.json.skipNull=false")
            .arg("--browser.capture.enabled=false"),
    );
    let task = world.at("change.html");
    let reply = task.call("click_element_by_selector", json!({"selector": "#text"}));
    assert!(reply.body.to_string().contains(":null"), "{}", reply.body);
}
