//! `commands`: many steps, one reply.

use serde_json::{Value, json};

use crate::harness::{World, text_of};

#[test]
fn runs_steps_in_order_and_counts() {
    let world = World::new();
    let task = world.at("change.html");
    let data = task.ok(
        "commands",
        json!({"commands": [
            {"click_element_by_selector": {"selector": "#count"}},
            {"click_element_by_selector": {"selector": "#count"}},
            {"method": "get_element_text", "params": {"selector": "#counted"}},
            {"get_title": null}
        ]}),
    );
    assert_eq!(
        (&data["count"], &data["succeeded"], &data["failed"], &data["stopped"]),
        (&json!(4), &json!(4), &json!(0), &json!(false))
    );
    assert_eq!(data["results"][2]["data"]["text"], "2", "{data}");
    assert_eq!(data["results"][3]["command"], "get_title");
}

#[test]
fn stops_at_the_first_failure_unless_told() {
    let world = World::new();
    let task = world.at("change.html");
    let steps = json!([{"get_title": {}}, {"click_element_by_selector": {"selector": "#nope"}}, {"click_element_by_selector": {"selector": "#text"}}]);
    let stopped = task.call("commands", json!({"commands": steps}));
    assert!(!stopped.is_ok() && stopped.msg().contains('1'), "{}", stopped.msg());
    let data = stopped.data();
    assert_eq!(
        (&data["count"], &data["succeeded"], &data["failed"], &data["stopped"]),
        (&json!(2), &json!(1), &json!(1), &json!(true)),
        "{data}"
    );
    assert_eq!(data["results"][1]["error"]["code"], "ELEMENT_NOT_FOUND", "{data}");
    assert_eq!(text_of(&task, "target"), "before");
    let all = task.call("commands", json!({"commands": steps, "stopOnError": false}));
    assert_eq!(
        (&all.data()["count"], &all.data()["stopped"]),
        (&json!(3), &json!(false))
    );
    assert_eq!(text_of(&task, "target"), "after");
}

#[test]
fn expectations_are_checked_after_the_step() {
    let world = World::new();
    let task = world.at("change.html");
    let reply = task.call("commands", json!({"stopOnExpectFailure": true, "commands": [
        {"click_element_by_selector": {"selector": "#count"}, "expect": {"js": "document.getElementById('counted').textContent", "equals": 1}},
        {"click_element_by_selector": {"selector": "#nothing"}, "expect": {"js": "document.title", "contains": "Other"}},
        {"get_title": {}}
    ]}));
    let data = reply.data();
    assert!(!reply.is_ok());
    assert_eq!(
        (
            &data["failed"],
            &data["expectFailed"],
            &data["stopReason"],
            &data["count"]
        ),
        (&json!(0), &json!(1), &json!("stopOnExpectFailure"), &json!(2)),
        "{data}"
    );
    assert_eq!(data["results"][0]["expectResult"]["passed"], true);
    assert_eq!(data["results"][1]["expectResult"]["actual"], "Change");
}

#[test]
fn the_whole_array_is_checked_before_anything_runs() {
    let world = World::new();
    let task = world.at("change.html");
    let many: Vec<Value> = (0..201)
        .map(|_| json!({"click_element_by_selector": {"selector": "#count"}}))
        .collect();
    for bad in [
        json!({}),
        json!({"commands": []}),
        json!({"commands": "x"}),
        json!({"commands": many}),
        json!({"commands": [{"click_element_by_selector": {"selector": "#count"}}, {"commands": {"commands": []}}]}),
        json!({"commands": [{"click_element_by_selector": {"selector": "#count"}}, {"clik": {}}]}),
        json!({"commands": [{"click_element_by_selector": {"selector": "#count"}, "get_title": {}}]}),
        json!({"commands": [{"click_element_by_selector": {"selector": "#count"}}, 7]}),
    ] {
        task.call("commands", bad).expect_code("INVALID_ARGUMENT");
    }
    assert_eq!(text_of(&task, "counted"), "0");
}

#[test]
fn a_batch_may_begin_with_start() {
    let world = World::new();
    let data = world
        .dsb
        .call(
            None,
            "commands",
            json!({"commands": [
                {"start": {}}, {"go_to_url": {"url": world.site.a("/plain/change.html")}}, {"get_title": {}}
            ]}),
        )
        .expect_ok();
    assert_eq!(data["results"][2]["data"]["title"], "Change", "{data}");
}
