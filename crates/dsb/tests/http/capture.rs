//! Pictures: automatic, manual, never in the way.

use serde_json::json;

use crate::harness::{World, options};

fn png_size(bytes: &[u8]) -> (u32, u32) {
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let at = |from: usize| u32::from_be_bytes(bytes[from..from + 4].try_into().unwrap());
    (at(16), at(20))
}

#[test]
fn one_picture_after_each_successful_action_and_none_after_a_failure() {
    let world = World::with(options());
    let task = world.at("change.html");
    let first = task.ok("click_element_by_selector", json!({"selector": "#text"}));
    let url = first["screenshot"].as_str().unwrap();
    let (status, bytes) = world.dsb.fetch("GET", url, &[], &[]);
    assert_eq!((status, png_size(&bytes)), (200, (1280, 800)));
    assert!(
        std::path::Path::new(first["screenshot_path"].as_str().unwrap()).exists(),
        "{first}"
    );
    let failed = task.call("click_element_by_selector", json!({"selector": "#nope"}));
    assert!(failed.data().get("screenshot").is_none());
    let batch = task.ok(
        "commands",
        json!({"commands": [{"click_element_by_selector": {"selector": "#count"}}, {"get_title": {}}]}),
    );
    assert!(batch["results"][0]["data"]["screenshot"].is_string(), "{batch}");
    assert!(batch["results"][1]["data"].get("screenshot").is_none());
    let state = task.ok("get_browser_state", json!({}));
    assert!(state["seq"].as_u64().unwrap() > first["seq"].as_u64().unwrap());
    assert!(state["screenshot"].as_str().unwrap().ends_with(".png"));
}

#[test]
fn manual_pictures_of_page_element_and_clip() {
    let world = World::new();
    let task = world.at("list.html?n=400");
    let shot = task.ok("screenshot", json!({}));
    assert_eq!(
        (&shot["inline"], &shot["base64Omitted"]),
        (&json!(false), &json!(true)),
        "{shot}"
    );
    let (_, bytes) = world.dsb.fetch("GET", shot["url"].as_str().unwrap(), &[], &[]);
    assert_eq!(png_size(&bytes), (1280, 800));
    let full = task.ok("screenshot", json!({"fullPage": true}));
    assert_eq!(full["fullPageCaptured"], true);
    let bytes = std::fs::read(full["path"].as_str().unwrap()).unwrap();
    assert!(png_size(&bytes).1 > 1500);
    let element = task.ok("screenshot", json!({"selector": "#b1", "inline": true}));
    assert!(
        element["base64"].as_str().unwrap().len() > 100 && element["target"].is_string(),
        "{element}"
    );
    let clip = task.ok(
        "screenshot",
        json!({"clipX": 10, "clipY": 10, "clipWidth": 100, "clipHeight": 50}),
    );
    assert_eq!(
        png_size(&std::fs::read(clip["path"].as_str().unwrap()).unwrap()),
        (100, 50)
    );
    task.call("screenshot", json!({"clipX": 10}))
        .expect_code("INVALID_ARGUMENT");
    task.call("screenshot", json!({"timeoutMs": 0}))
        .expect_code("INVALID_ARGUMENT");
    task.call("screenshot", json!({"selector": "#nope"}))
        .expect_code("ELEMENT_NOT_FOUND");
}

#[test]
fn a_tab_that_is_not_in_front_can_be_taken() {
    let world = World::new();
    let one = world.at("change.html");
    let two = world.at("form.html");
    for task in [&one, &two, &one] {
        let shot = task.ok("screenshot", json!({}));
        assert_eq!(
            png_size(&std::fs::read(shot["path"].as_str().unwrap()).unwrap()),
            (1280, 800)
        );
    }
}

#[test]
fn every_call_leaves_a_trace_without_secrets() {
    let world = World::new();
    let task = world.at("form.html");
    task.ok(
        "input_text_by_selector",
        json!({"selector": "[name=text]", "text": "call 13812345678"}),
    );
    let day = support::eventually("a trace", std::time::Duration::from_secs(5), || {
        std::fs::read_dir(world.dsb.home().join("logs/trace"))
            .ok()?
            .next()?
            .ok()
    });
    let steps = support::eventually("the step", std::time::Duration::from_secs(5), || {
        let text = std::fs::read_to_string(day.path().join("steps.log")).ok()?;
        text.contains("input_text_by_selector").then_some(text)
    });
    assert!(steps.contains(" OK "), "{steps}");
    let all: String = std::fs::read_dir(day.path())
        .unwrap()
        .map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap())
        .collect();
    assert!(!all.contains("13812345678"), "personal data is masked in traces");
}
