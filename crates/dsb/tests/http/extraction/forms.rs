//! Forms as a person sees them.

use serde_json::{Value, json};

use crate::harness::{World, index_of, js, whole_text};

/// The record of the field with that label.
fn field<'a>(form: &'a Value, label: &str) -> &'a Value {
    let fields = form["fields"].as_array().expect("fields");
    let found = fields.iter().find(|field| field["label"] == label);
    found.unwrap_or_else(|| panic!("no field {label:?} in {form:#}"))
}

#[test]
fn a_form_is_told_as_a_person_sees_it() {
    let world = World::new();
    let task = world.at("states.html");
    let form = task.ok("get_form_state", json!({"selector": "#registration"}));
    assert_eq!(
        (&form["count"], &form["truncated"], &form["scope"]),
        (&json!(8), &json!(false), &json!("#registration"))
    );
    let name = field(&form, "Name");
    assert_eq!(
        (
            &name["required"],
            &name["invalid"],
            &name["error"],
            &name["placeholder"],
            &name["value"]
        ),
        (
            &json!(true),
            &json!(true),
            &json!("Enter a name"),
            &json!("Your name"),
            &json!("")
        )
    );
    assert!(name.get("index").is_none(), "no number has been read yet: {name}");
    let code = field(&form, "Code");
    assert_eq!(
        (&code["value"], &code["readOnly"], &code["invalid"], &code["valueFrom"]),
        (&json!("A-17"), &json!(true), &json!(true), &json!("dom"))
    );
    assert_eq!(
        (&form["errorCount"], &form["errors"][0]),
        (
            &json!(2),
            &json!({"label": "Name", "id": "name", "error": "Enter a name"})
        )
    );
    assert_eq!(field(&form, "PIN")["value"], "[redacted]");
    let size = field(&form, "Size");
    assert_eq!(
        (&size["value"], &size["shown"]),
        (&json!("[\"s\",\"m\"]"), &json!("Small, Medium"))
    );
    assert_eq!(
        (&field(&form, "Free")["checked"], &field(&form, "Team")["checked"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(field(&form, "Note")["value"], "Written");
    assert_eq!(field(&form, "Deep")["value"], "d");
    assert!(!form.to_string().contains("4321") && !form.to_string().contains("t0ken"));
}

#[test]
fn a_form_is_scoped_capped_and_joined_with_the_numbers() {
    let world = World::new();
    let task = world.at("states.html");
    let text = whole_text(&task);
    let all = task.ok("get_form_state", json!({}));
    assert_eq!(all["scope"], "document");
    assert_eq!(field(&all, "Name")["index"], index_of(&text, "label='Name'"));
    let hidden = task.ok(
        "get_form_state",
        json!({"selector": ".registration", "includeHidden": true}),
    );
    assert_eq!(hidden["count"], 10);
    let hidden = hidden["fields"].as_array().unwrap();
    assert!(
        hidden
            .iter()
            .any(|field| field["type"] == "hidden" && field["value"] == "t0ken" && field["visible"] == false)
    );
    let first = task.ok("get_form_state", json!({"selector": "form >> nth=0", "max": 3}));
    assert_eq!(
        (
            first["fields"].as_array().unwrap().len(),
            &first["count"],
            &first["truncated"],
            &first["scope"]
        ),
        (3, &json!(8), &json!(true), &json!("form >> nth=0"))
    );
    let framed = task.ok("get_form_state", json!({"frame": "1"}));
    assert_eq!(
        (&framed["count"], &framed["fields"][0]["label"]),
        (&json!(1), &json!("Framed"))
    );
    task.call("get_form_state", json!({"selector": ".none"}))
        .expect_code("ELEMENT_NOT_FOUND");
    task.call("get_form_state", json!({"selector": "::("}))
        .expect_code("INVALID_ARGUMENT");
    task.call("get_form_state", json!({"max": -1}))
        .expect_code("INVALID_ARGUMENT");
    task.call("get_form_state", json!({"frame": "no such frame"}))
        .expect_code("ACTION_FAILED");
}

#[test]
fn forms_of_component_libraries_are_told() {
    let world = World::new();
    let task = world.dsb.task(json!({}));
    task.ok("go_to_url", json!({"url": world.site.app("antd")}));
    task.ok(
        "wait_for_element",
        json!({"selector": "#customer button[type=submit]", "timeoutSeconds": 20}),
    );
    task.ok(
        "click_element_by_selector",
        json!({"selector": "#customer button[type=submit]"}),
    );
    task.ok("wait_for_text", json!({"text": "Please enter a name"}));
    let form = task.ok("get_form_state", json!({"selector": "#customer form"}));
    let name = field(&form, "Name");
    assert_eq!(
        (&name["required"], &name["invalid"], &name["error"]),
        (&json!(true), &json!(true), &json!("Please enter a name"))
    );
    assert_eq!(field(&form, "Password")["value"], "[redacted]");
    assert_eq!(field(&form, "Newsletter")["checked"], false);
    assert_eq!(field(&form, "Free")["checked"], true);
    assert_eq!(field(&form, "I accept the terms")["checked"], false);
    let words = task.ok("extract_markdown", json!({"selector": "#customer form"}));
    let words = words["markdown"].as_str().unwrap();
    assert!(
        words.contains("[x] Free [ ] Team") && words.contains("Newsletter\n[ ]"),
        "{words}"
    );
    task.ok(
        "click_element_by_selector",
        json!({"selector": "#customer .ant-select"}),
    );
    task.ok("wait_for_element", json!({"selector": ".ant-select-item-option"}));
    task.ok(
        "click_element_by_selector",
        json!({"selector": ".ant-select-item-option >> nth=3"}),
    );
    let form = task.ok("get_form_state", json!({"selector": "#customer form"}));
    let city = field(&form, "City");
    assert_eq!(
        (&city["value"], &city["valueFrom"], &city["invalid"]),
        (&json!("Lima"), &json!("display"), &json!(false)),
        "{city}"
    );

    task.ok("click_element_by_selector", json!({"selector": "#fruit"}));
    task.ok("wait_for_text", json!({"text": "Fruit 2"}));
    task.ok("send_keys", json!({"keys": "Enter"}));
    task.ok("input_text_by_selector", json!({"selector": "#fruit", "text": "uit 3"}));
    let fruit = task.ok("get_form_state", json!({"selector": ".ant-select:has(#fruit)"}))["fields"][0].clone();
    assert_eq!(
        (&fruit["value"], &fruit["typed"], &fruit["valueFrom"]),
        (&json!("Fruit 1"), &json!("uit 3"), &json!("display")),
        "what is searched for is not the value: {fruit}"
    );

    task.ok("go_to_url", json!({"url": world.site.app("element-plus")}));
    task.ok(
        "wait_for_element",
        json!({"selector": "#booking", "timeoutSeconds": 20}),
    );
    let words = task.ok("extract_markdown", json!({"selector": "#booking"}));
    let words = words["markdown"].as_str().unwrap();
    assert!(
        words.contains("Catering [ ]") && words.contains("Seats [x] Rows [ ] Circle"),
        "{words}"
    );
    let form = task.ok("get_form_state", json!({"selector": "#booking"}));
    assert_eq!(field(&form, "Title")["required"], true, "{form:#}");
    assert_eq!(
        (&field(&form, "Catering")["checked"], &field(&form, "Rows")["checked"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(
        (&field(&form, "Screen")["checked"], &field(&form, "Guests")["value"]),
        (&json!(false), &json!("1"))
    );
    assert_eq!(field(&form, "Room")["value"], "");
}

#[test]
fn styled_and_locked_controls_are_stated_with_the_number_that_acts_on_them() {
    let world = World::new();
    let task = world.dsb.task(json!({}));
    task.ok("go_to_url", json!({"url": world.site.app("element-plus")}));
    task.ok(
        "wait_for_element",
        json!({"selector": "#booking", "timeoutSeconds": 20}),
    );
    let text = task.ok("get_browser_state", json!({"viewportExpansion": -1}))["text"].clone();
    let text = text.as_str().unwrap().to_owned();
    for label in ["Catering", "Screen", "Microphone"] {
        let before = field(&task.ok("get_form_state", json!({"selector": "#booking"})), label).clone();
        assert_eq!(
            (&before["checked"], before["index"].is_u64()),
            (&json!(false), true),
            "{before}"
        );
        let line = text
            .lines()
            .find(|line| line.contains(&format!("[{}]<", before["index"])))
            .unwrap();
        assert!(line.contains(label) && line.contains("checked='false'"), "{line}");
        task.ok("click_element_by_index", json!({"index": before["index"]}));
        let after = field(&task.ok("get_form_state", json!({"selector": "#booking"})), label).clone();
        assert_eq!(
            (&after["checked"], &after["index"]),
            (&json!(true), &before["index"]),
            "{after}"
        );
    }
    let task = world.at("change.html");
    js(
        &task,
        "document.body.innerHTML = '<div contenteditable aria-label=Note>Hello <b>you</b></div><input readonly value=ro aria-label=Fixed>' + \
         '<fieldset disabled><input value=d aria-label=Locked><button>Locked too</button></fieldset><div role=textbox aria-readonly=true aria-label=Shown>x</div>'; 0",
    );
    let form = task.ok("get_form_state", json!({}));
    let facts = |label: &str| {
        let found = field(&form, label);
        (
            found["value"].clone(),
            found["readOnly"].clone(),
            found["disabled"].clone(),
        )
    };
    assert_eq!(facts("Note"), (json!("Hello you"), json!(false), json!(false)));
    assert_eq!(facts("Fixed"), (json!("ro"), json!(true), json!(false)));
    assert_eq!(facts("Locked"), (json!("d"), json!(false), json!(true)));
    assert_eq!(facts("Shown").1, true);
    let text = task.ok("get_browser_state", json!({}))["text"].clone();
    for line in text.as_str().unwrap().lines().filter(|line| line.contains("Locked")) {
        assert!(
            line.trim().starts_with('<') && line.contains("disabled='true'"),
            "{line}"
        );
    }
}
