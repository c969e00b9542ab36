//! Text into fields, keys at the focus.

use serde_json::json;

use crate::harness::{World, index_of, js, page_text};

#[test]
fn input_replaces_and_is_committed() {
    let world = World::new();
    let task = world.at("form.html");
    let index = index_of(&page_text(&task), "label='Text'");
    let receipt = task.ok("input_text", json!({"index": index, "text": "héllo 世界 😀"}));
    assert_eq!(
        (
            &receipt["mode"],
            &receipt["value"],
            &receipt["committed"],
            &receipt["valueMatches"]
        ),
        (&json!("fill"), &json!("héllo 世界 😀"), &json!(true), &json!(true)),
        "{receipt}"
    );
    let events = js(&task, "document.getElementById('events').textContent");
    assert!(events.as_str().unwrap().contains("input:text:trusted"), "{events}");
}

#[test]
fn every_kind_of_field_has_its_right_way() {
    let world = World::new();
    let task = world.at("form.html");
    for (name, text, value) in [
        ("email", "a@b.example", "a@b.example"),
        ("number", "25", "25"),
        ("tel", "+1 555", "+1 555"),
        ("date", "2026-02-28", "2026-02-28"),
        ("time", "13:45", "13:45"),
        ("datetime", "2026-02-28T13:45", "2026-02-28T13:45"),
        ("month", "2026-02", "2026-02"),
        ("week", "2026-W09", "2026-W09"),
        ("color", "#a1b2c3", "#a1b2c3"),
        ("range", "7", "7"),
        ("long", "one\ntwo", "one\ntwo"),
    ] {
        let receipt = task.ok(
            "input_text_by_selector",
            json!({"selector": format!("[name={name}]"), "text": text}),
        );
        assert_eq!(
            (&receipt["value"], &receipt["valueMatches"]),
            (&json!(value), &json!(true)),
            "{name}: {receipt}"
        );
        assert_eq!(
            js(&task, &format!("document.forms.form.elements['{name}'].value")),
            json!(value),
            "{name}"
        );
    }
    let rich = task.ok(
        "input_text_by_selector",
        json!({"selector": "#rich", "text": "rich text"}),
    );
    assert_eq!(rich["valueMatches"], true, "{rich}");
}

#[test]
fn passwords_are_never_told() {
    let world = World::new();
    let task = world.at("form.html");
    let text = page_text(&task);
    assert!(
        !text.contains("s3cret-value") && text.contains("value='[redacted]'"),
        "{text}"
    );
    let receipt = task.ok(
        "input_text_by_selector",
        json!({"selector": "[name=password]", "text": "n3w-secret"}),
    );
    assert!(
        receipt.get("value").is_none() && receipt["valueMatches"] == true,
        "{receipt}"
    );
    let index = index_of(&text, "label='Password'");
    assert_eq!(
        task.ok("get_element_value", json!({"index": index}))["value"],
        "[redacted]"
    );
    assert!(!page_text(&task).contains("n3w-secret"));
}

#[test]
fn fields_that_take_no_text_are_refused_by_kind() {
    let world = World::new();
    let task = world.at("form.html");
    for (selector, code) in [
        ("[name=readonly]", "ELEMENT_READ_ONLY"),
        ("[name=disabled]", "ELEMENT_DISABLED"),
        ("[name=grouped]", "ELEMENT_DISABLED"),
        ("h1", "ELEMENT_NOT_EDITABLE"),
        ("[name=check]", "ELEMENT_NOT_EDITABLE"),
        ("#nowhere", "ELEMENT_NOT_FOUND"),
    ] {
        for mode in ["auto", "native", "type", "js"] {
            task.call(
                "input_text_by_selector",
                json!({"selector": selector, "text": "x", "mode": mode}),
            )
            .expect_code(code);
        }
    }
    assert_eq!(js(&task, "document.forms.form.elements.readonly.value"), "fixed");
    task.call(
        "input_text_by_selector",
        json!({"selector": "[name=date]", "text": "28.2.2026"}),
    )
    .expect_code("INVALID_ARGUMENT");
    task.call("input_text_by_selector", json!({"selector": "[name=text]", "text": ""}))
        .expect_code("INVALID_ARGUMENT");
}

#[test]
fn typing_appends_and_clearing_empties() {
    let world = World::new();
    let task = world.at("form.html");
    let index = index_of(&page_text(&task), "label='Text'");
    let typed = task.ok("type_text", json!({"index": index, "text": " more"}));
    assert_eq!(typed["value"], "start more", "{typed}");
    let events = js(&task, "document.getElementById('events').textContent");
    assert!(events.as_str().unwrap().contains("keydown:text:trusted"), "{events}");
    let cleared = task.ok("clear_text", json!({"index": index}));
    assert_eq!(
        (&cleared["value"], &cleared["valueMatches"]),
        (&json!(""), &json!(true)),
        "{cleared}"
    );
    task.call("clear_text", json!({})).expect_code("INVALID_ARGUMENT");
}

#[test]
fn script_mode_says_that_it_is_not_committed() {
    let world = World::new();
    let task = world.at("form.html");
    let receipt = task.ok(
        "input_text_by_selector",
        json!({"selector": "[name=text]", "text": "by script", "mode": "setvalue"}),
    );
    assert_eq!((&receipt["mode"], &receipt["committed"]), (&json!("js"), &json!(false)));
    assert!(receipt["note"].as_str().unwrap().len() > 20);
}

#[test]
fn a_controlled_field_that_reverts_is_found_out() {
    let world = World::new();
    let task = world.at("form.html");
    js(
        &task,
        "const f = document.forms.form.elements.tel; f.addEventListener('input', () => requestAnimationFrame(() => { f.value = 'kept' })); 0",
    );
    let receipt = task.ok(
        "input_text_by_selector",
        json!({"selector": "[name=tel]", "text": "typed"}),
    );
    assert_eq!(
        (&receipt["valueMatches"], &receipt["value"]),
        (&json!(false), &json!("kept")),
        "{receipt}"
    );
    assert!(receipt["note"].as_str().unwrap().contains("field"), "{receipt}");
}

#[test]
fn keys_are_pressed_or_typed_by_the_rule() {
    let world = World::new();
    let task = world.at("form.html");
    let nowhere = task.ok("send_keys", json!({"keys": "Escape"}));
    assert_eq!(
        (&nowhere["mode"], &nowhere["focused"]["isBody"]),
        (&json!("press"), &json!(true))
    );
    assert!(nowhere["focusNote"].is_string());
    task.ok("click_element_by_selector", json!({"selector": "[name=text]"}));
    task.ok("send_keys", json!({"keys": "ctrl+a"}));
    let typed = task.ok("send_keys", json!({"keys": "Hello+World a"}));
    assert_eq!(
        (&typed["mode"], &typed["text"]),
        (&json!("type"), &json!("Hello+World a"))
    );
    assert_eq!(js(&task, "document.forms.form.elements.text.value"), "Hello+World a");
    assert_eq!(task.ok("press_key", json!({"key": "End"}))["keys"], "End");
    task.ok("press_key", json!({"keys": "Shift+Home"}));
    task.ok("press_key", json!({"key": "Delete"}));
    assert_eq!(js(&task, "document.forms.form.elements.text.value"), "");
    task.call("press_key", json!({})).expect_code("INVALID_ARGUMENT");
    task.call("send_keys", json!({"keys": ""}))
        .expect_code("INVALID_ARGUMENT");
}

#[test]
fn enter_sends_a_form() {
    let world = World::new();
    let task = world.at("form.html");
    task.ok(
        "input_text_by_selector",
        json!({"selector": "[name=posted]", "text": "x"}),
    );
    task.ok("send_keys", json!({"keys": "Enter"}));
    assert!(
        task.ok("get_url", json!({}))["url"]
            .as_str()
            .unwrap()
            .contains("/submit")
    );
    assert_eq!(world.site.count("form"), 1);
}

#[test]
fn a_field_says_what_it_does_not_accept() {
    let world = World::new();
    let task = world.at("form.html");
    let receipt = task.ok(
        "input_text_by_selector",
        json!({"selector": "[name=number]", "text": "102"}),
    );
    assert_eq!(
        receipt["invalid"]["reasons"],
        json!(["rangeOverflow", "stepMismatch"]),
        "{receipt}"
    );
    assert!(receipt["invalid"]["message"].is_string());
}
