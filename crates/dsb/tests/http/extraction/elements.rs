//! Boxes, states, markup and options of single elements.

use serde_json::{Value, json};

use crate::harness::{World, index_of, js, whole_text};

#[test]
fn states_of_elements_are_told_with_their_reasons() {
    let world = World::new();
    let task = world.at("states.html");
    let ask = |method: &str, id: &str| task.ok(method, json!({"selector": format!("#{id}")}));
    assert_eq!(ask("is_visible", "seen")["visible"], true);
    for (id, reason) in [("none", "display-none"), ("hidden", "visibility-hidden")] {
        let answer = ask("is_visible", id);
        assert_eq!((&answer["visible"], &answer["reason"]), (&json!(false), &json!(reason)));
    }
    assert_eq!(ask("is_enabled", "seen")["enabled"], true);
    for (id, reason) in [
        ("off", "disabled-attribute"),
        ("grouped", "disabled-fieldset"),
        ("aria-off", "aria-disabled"),
    ] {
        let answer = ask("is_enabled", id);
        assert_eq!((&answer["enabled"], &answer["reason"]), (&json!(false), &json!(reason)));
    }
    for (id, checked) in [("mark", true), ("mark-label", true), ("switch", true), ("some", false)] {
        assert_eq!(ask("is_checked", id)["checked"], checked, "{id}");
    }
    assert_eq!(ask("is_checked", "some")["indeterminate"], true);
    assert!(ask("is_checked", "mark")["target"].as_str().unwrap().contains("#mark"));
    let none = task.call("is_checked", json!({"selector": "#seen"}));
    assert!(none.msg().contains("#seen"), "{}", none.msg());
    none.expect_code("ACTION_FAILED");
}

#[test]
fn states_take_an_index_a_frame_or_a_match_and_refuse_the_rest() {
    let world = World::new();
    let task = world.at("states.html");
    let text = whole_text(&task);
    let mark = index_of(&text, "Mark");
    let answer = task.ok("is_checked", json!({"index": mark}));
    assert_eq!(
        (&answer["checked"], &answer["target"]),
        (&json!(true), &json!(format!("index={mark}")))
    );
    assert_eq!(
        task.ok("is_visible", json!({"selector": "button >> nth=1"}))["visible"],
        false
    );
    assert_eq!(
        task.ok("is_visible", json!({"selector": "#in", "frame": "1"}))["visible"],
        true
    );
    assert_eq!(
        task.ok("is_visible", json!({"selector": "#deep"}))["visible"],
        true,
        "open shadow root"
    );
    for method in ["is_visible", "is_enabled", "is_checked"] {
        task.call(method, json!({})).expect_code("INVALID_ARGUMENT");
        task.call(method, json!({"selector": "  "}))
            .expect_code("INVALID_ARGUMENT");
        task.call(method, json!({"selector": "::("}))
            .expect_code("INVALID_ARGUMENT");
        task.call(method, json!({"selector": ".none"}))
            .expect_code("ELEMENT_NOT_FOUND");
        task.call(method, json!({"selector": "button >> nth=99"}))
            .expect_code("ELEMENT_NOT_FOUND");
        task.call(method, json!({"index": 9999})).expect_code("STALE_ELEMENT");
        task.call(method, json!({"index": -1})).expect_code("INVALID_ARGUMENT");
        task.call(method, json!({"selector": "#in", "frame": "no such frame"}))
            .expect_code("ACTION_FAILED");
        task.call(method, json!({"index": mark, "snapshotId": "another"}))
            .expect_code("STALE_ELEMENT");
    }
}

/// Left, top, width, height of a box.
fn sides(place: &Value) -> [f64; 4] {
    ["x", "y", "width", "height"].map(|side| place[side].as_f64().expect("a side"))
}

#[test]
fn a_box_is_in_the_main_viewport() {
    let world = World::new();
    let task = world.at("states.html");
    let text = whole_text(&task);
    let seen = index_of(&text, ">Seen/>");
    let place = task.ok("get_element_box", json!({"index": seen}));
    assert_eq!(sides(&place), [40.0, 300.0, 120.0, 30.0]);
    let inner = task.ok("get_element_box", json!({"index": index_of(&text, ">In/>")}));
    // The frame's place, its border and padding, and the place in the frame.
    assert_eq!(sides(&inner), [218.0, 128.0, 80.0, 25.0]);
    js(&task, "document.getElementById('seen').style.display = 'none'; 0");
    task.call("get_element_box", json!({"index": seen}))
        .expect_code("ELEMENT_HIDDEN");
    js(&task, "document.getElementById('seen').remove(); 0");
    task.call("get_element_box", json!({"index": seen}))
        .expect_code("STALE_ELEMENT");
    task.call("get_element_box", json!({})).expect_code("INVALID_ARGUMENT");
    task.call("get_element_box", json!({"index": "x"}))
        .expect_code("INVALID_ARGUMENT");
}

#[test]
fn markup_keeps_no_password_and_shows_open_shadow_roots() {
    let world = World::new();
    let task = world.at("states.html");
    js(
        &task,
        "document.getElementById('in-shadow').setAttribute('onclick', '1'); 0",
    );
    let text = whole_text(&task);
    let html = task.ok("get_element_html", json!({"index": index_of(&text, "Holds")}))["html"].clone();
    let html = html.as_str().unwrap();
    assert!(
        html.starts_with("Holds <b>bold</b> <input type=\"password\" id=\"key\" value=\"[redacted]\">"),
        "{html}"
    );
    assert!(
        html.contains("<textarea>kept</textarea>") && !html.contains("s3cret"),
        "{html}"
    );
    // Having been a password once is enough.
    js(&task, "document.getElementById('key').type = 'text'; 0");
    let html = task.ok("get_element_html", json!({"index": index_of(&text, "Holds")}))["html"].clone();
    assert!(html.as_str().unwrap().contains("[redacted]"), "{html}");
    let text = whole_text(&task);
    let host = task.ok(
        "get_element_html",
        json!({"index": index_of(&text, "<div label='Deep'")}),
    )["html"]
        .clone();
    assert!(
        host.as_str().unwrap().contains("shadowrootmode=\"open\"") && host.as_str().unwrap().contains("id=\"deep\""),
        "{host}"
    );
    task.call("get_element_html", json!({"index": 9999}))
        .expect_code("STALE_ELEMENT");
    task.call("get_element_html", json!({"selector": "body"}))
        .expect_code("INVALID_ARGUMENT");
}

#[test]
fn options_of_a_native_select_are_listed() {
    let world = World::new();
    let task = world.at("states.html");
    let text = whole_text(&task);
    let choice = task.ok(
        "get_dropdown_options",
        json!({"index": index_of(&text, "aria-label='Choice'")}),
    );
    assert_eq!(choice["options"], json!(["Red wine", "Labelled", "Off"]));
    assert_eq!((&choice["selected"], &choice["disabled"]), (&json!([0]), &json!([2])));
    let other = task.call("get_dropdown_options", json!({"index": index_of(&text, ">Seen/>")}));
    assert!(other.msg().contains("<select>"), "{}", other.msg());
    other.expect_code("ACTION_FAILED");
    task.call("get_dropdown_options", json!({"index": 9999}))
        .expect_code("STALE_ELEMENT");
    task.call("get_dropdown_options", json!({}))
        .expect_code("INVALID_ARGUMENT");
}
