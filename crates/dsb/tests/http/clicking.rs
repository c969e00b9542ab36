//! Clicks: real, checked, honest.

use serde_json::json;

use crate::harness::{World, index_of, js, page_text, text_of};

#[test]
fn a_click_by_index_is_real_and_its_effect_is_seen() {
    let world = World::new();
    let task = world.at("change.html");
    js(
        &task,
        "addEventListener('click', (e) => { window.seen = [e.isTrusted, e.detail, e.button] }, true)",
    );
    let index = index_of(&page_text(&task), ">Change the text/>");
    let receipt = task.ok("click_element_by_index", json!({"index": index}));
    assert_eq!(
        (&receipt["mode"], &receipt["changed"], &receipt["changeStatus"]),
        (&json!("native"), &json!(true), &json!("observed"))
    );
    assert_eq!(receipt["hit"]["id"], "text", "{receipt}");
    assert_eq!(receipt["actionStatus"], "completed");
    assert_eq!(text_of(&task, "target"), "after");
    assert_eq!(js(&task, "window.seen"), json!([true, 1, 0]));
}

#[test]
fn equal_length_text_class_value_title_and_hash_changes_are_seen() {
    let world = World::new();
    for (button, kind) in [
        ("class", "attributes"),
        ("value", "form"),
        ("add", "structure"),
        ("remove", "structure"),
        ("hash", "url"),
        ("count", "text"),
    ] {
        let task = world.at("change.html");
        let receipt = task.ok("click_element_by_selector", json!({"selector": format!("#{button}")}));
        assert_eq!(receipt["changed"], true, "{button}: {receipt}");
        let changes = receipt["changes"].as_array().unwrap();
        assert!(changes.contains(&json!(kind)), "{button}: {receipt}");
    }
}

#[test]
fn no_change_is_told_as_not_observed_not_as_failure() {
    let world = World::new();
    let task = world.at("change.html");
    let receipt = task.ok("click_element_by_selector", json!({"selector": "#nothing"}));
    assert_eq!(
        (
            &receipt["changed"],
            &receipt["changeStatus"],
            &receipt["observationComplete"]
        ),
        (&json!(false), &json!("not_observed"), &json!(true))
    );
    assert!(receipt["hint"].as_str().unwrap().len() > 20);
    assert_eq!(receipt["hit"]["id"], "nothing");
}

#[test]
fn a_covered_target_is_refused_and_nothing_is_clicked() {
    let world = World::new();
    let task = world.at("covered.html");
    let reply = task.call(
        "click_element_by_selector",
        json!({"selector": "#under", "timeoutMs": 200}),
    );
    assert!(reply.msg().contains("cover"), "{}", reply.msg());
    let data = reply.expect_code("ELEMENT_OBSCURED");
    assert_eq!(data["coveredBy"]["id"], "cover", "{data}");
    assert_eq!(data["mouseSkipped"], "target-covered");
    assert_eq!(text_of(&task, "clicked"), "none");
    // An explicit script click does as told.
    let forced = task.ok(
        "click_element_by_selector",
        json!({"selector": "#under", "mode": "force"}),
    );
    assert_eq!(forced["mode"], "js");
    assert_eq!(text_of(&task, "clicked"), "under");
    // And once the cover is gone, the real one works.
    task.ok("click_element_by_selector", json!({"selector": "#dismiss"}));
    task.ok("click_element_by_selector", json!({"selector": "#partly"}));
    assert_eq!(text_of(&task, "clicked"), "partly");
}

#[test]
fn hidden_missing_and_disabled_targets_have_their_own_codes() {
    let world = World::new();
    let task = world.at("covered.html");
    for (selector, code) in [
        ("#none", "ELEMENT_HIDDEN"),
        ("#invisible", "ELEMENT_HIDDEN"),
        ("#zero", "ELEMENT_HIDDEN"),
        ("#dead", "ELEMENT_OBSCURED"),
        ("#no-such-thing", "ELEMENT_NOT_FOUND"),
        ("button >> nth=99", "ELEMENT_NOT_FOUND"),
        ("::bad(", "INVALID_ARGUMENT"),
    ] {
        task.call(
            "click_element_by_selector",
            json!({"selector": selector, "timeoutMs": 150}),
        )
        .expect_code(code);
    }
    assert_eq!(text_of(&task, "clicked"), "none");
    let form = world.at("form.html");
    form.call(
        "click_element_by_selector",
        json!({"selector": "button[disabled]", "timeoutMs": 150}),
    )
    .expect_code("ELEMENT_DISABLED");
}

#[test]
fn scrolls_to_what_is_out_of_sight_and_clicks_through_glass() {
    let world = World::new();
    let task = world.at("covered.html");
    task.ok("click_element_by_selector", json!({"selector": "#dismiss"}));
    for id in ["below", "clipped", "through"] {
        task.ok("click_element_by_selector", json!({"selector": format!("#{id}")}));
        assert_eq!(text_of(&task, "clicked"), id);
    }
}

#[test]
fn a_moving_target_is_caught_when_it_rests() {
    let world = World::new();
    let task = world.at("moving.html?ms=600");
    let receipt = task.ok("click_element_by_selector", json!({"selector": "#mover"}));
    assert_eq!(
        (&receipt["mode"], &receipt["hit"]["id"]),
        (&json!("native"), &json!("mover")),
        "{receipt}"
    );
    assert_eq!(text_of(&task, "clicked"), "mover");
}

#[test]
fn a_target_that_never_rests_falls_back_to_the_mouse() {
    let world = World::new();
    let task = world.at("moving.html");
    task.call(
        "click_element_by_selector",
        json!({"selector": "#restless", "mode": "native", "timeoutMs": 300}),
    )
    .expect_code("ACTION_TIMEOUT");
    let reply = task.call(
        "click_element_by_selector",
        json!({"selector": "#restless", "timeoutMs": 300}),
    );
    // The mouse may miss something that moves; then that is what must be said.
    if reply.is_ok() {
        let data = reply.expect_ok();
        assert_eq!(
            (&data["mode"], &data["fallbackFrom"]),
            (&json!("mouse"), &json!("native")),
            "{data}"
        );
        assert_eq!(text_of(&task, "clicked"), "restless");
    } else {
        reply.expect_code("ACTION_UNCERTAIN");
        assert_ne!(text_of(&task, "clicked"), "restless");
    }
}

#[test]
fn a_click_that_lands_elsewhere_is_never_done() {
    let world = World::new();
    let task = world.at("moving.html");
    let reply = task.call("click_element_by_selector", json!({"selector": "#shifter"}));
    assert_ne!(text_of(&task, "released"), "shifter");
    let data = reply.expect_code("ACTION_UNCERTAIN");
    assert_eq!(
        (&data["actionStatus"], &data["retrySafe"], &data["pressedOnTarget"]),
        (&json!("unknown"), &json!(false), &json!(true)),
        "{data}"
    );
}

#[test]
fn a_link_that_navigates_is_observed_without_asking_the_old_page() {
    let world = World::new();
    let task = world.at("navigate.html");
    let receipt = task.ok("click_element_by_selector", json!({"selector": "#plain"}));
    assert_eq!(
        (
            &receipt["changed"],
            &receipt["changeStatus"],
            &receipt["observationComplete"]
        ),
        (&json!(true), &json!("observed"), &json!(true)),
        "{receipt}"
    );
    assert!(
        receipt["navigation"]["url"].as_str().unwrap().ends_with("change.html"),
        "{receipt}"
    );
    // The read that follows waits for the new page.
    assert!(page_text(&task).contains("Change the text"));
}

#[test]
fn several_matches_are_told_and_nth_is_obeyed() {
    let world = World::new();
    let task = world.at("list.html?n=40");
    let first = task.ok("click_element_by_selector", json!({"selector": "li button"}));
    assert_eq!(
        (&first["matched"], &first["chosenIndex"]),
        (&json!(10), &json!(0)),
        "{first}"
    );
    assert!(first["selectorNote"].is_string());
    let third = task.ok("click_element_by_selector", json!({"selector": "li button", "nth": 2}));
    assert_eq!(
        (&third["explicitNth"], &third["chosenIndex"]),
        (&json!(true), &json!(2))
    );
    assert_eq!(text_of(&task, "clicked"), "b3");
    task.ok("click_element_by_selector", json!({"selector": "li button >> nth=4"}));
    assert_eq!(text_of(&task, "clicked"), "b5");
}

#[test]
fn clicks_reach_into_frames_of_the_same_origin() {
    let world = World::new();
    let task = world.at("frames.html");
    task.ok(
        "wait_for_element",
        json!({"selector": "button", "frame": "frame-inner"}),
    );
    let receipt = task.ok(
        "click_element_by_selector",
        json!({"selector": "button", "frame": "frame-inner"}),
    );
    assert_eq!(receipt["changed"], true, "{receipt}");
    assert!(receipt["hit"]["tag"] == "button", "{receipt}");
}

#[test]
fn a_request_key_acts_once() {
    let world = World::new();
    let task = world.at("change.html");
    let envelope = json!({"id": task.id, "method": "click_element_by_selector", "params": {"selector": "#submit"}, "requestKey": "k1"});
    let first = world.dsb.send(&envelope).expect_ok();
    let second = world.dsb.send(&envelope);
    assert_eq!(
        second.body["replayed"]
            .as_bool()
            .or(second.data()["replayed"].as_bool()),
        Some(true),
        "{}",
        second.body
    );
    assert_eq!(first["hit"]["id"], "submit");
    task.ok("wait_for_element", json!({"selector": "body"}));
    assert_eq!(world.site.count("change"), 1);
    let other = json!({"id": task.id, "method": "get_title", "params": {}, "requestKey": "k1"});
    world.dsb.send(&other).expect_code("INVALID_ARGUMENT");
}

#[test]
fn a_click_without_checks_on_a_covered_target_names_the_cover() {
    let world = World::new();
    let task = world.at("covered.html");
    let reply = task.call(
        "click_element_by_selector",
        json!({"selector": "#under", "mode": "mouse"}),
    );
    assert!(reply.msg().contains("covers"), "{}", reply.msg());
    let data = reply.expect_code("ACTION_UNCERTAIN");
    assert_eq!(
        (&data["coveredBy"]["id"], &data["hit"]["id"]),
        (&json!("cover"), &json!("cover")),
        "{data}"
    );
    assert_eq!(text_of(&task, "clicked"), "cover");
}
