//! Fields that do something of their own with what is typed: codes, masks, suggestions, fields that leave.

use serde_json::{Value, json};
use support::Task;

use crate::harness::{World, index_of, js, page_text, text_of};

fn input(task: &Task<'_>, selector: &str, text: &str) -> Value {
    task.ok("input_text_by_selector", json!({"selector": selector, "text": text}))
}

#[test]
fn a_code_that_spreads_over_boxes_is_told_box_by_box() {
    let world = World::new();
    let task = world.at("inputs.html");
    for mode in ["auto", "type"] {
        let receipt = task.ok(
            "input_text_by_selector",
            json!({"selector": "#code input", "nth": 0, "text": "123456", "mode": mode}),
        );
        assert_eq!(receipt["spread"], json!(["1", "2", "3", "4", "5", "6"]), "{receipt}");
        assert_eq!(
            (&receipt["valueMatches"], &receipt["committed"], &receipt["value"]),
            (&json!(true), &json!(true), &json!("1")),
            "{receipt}"
        );
        assert_eq!(text_of(&task, "code-value"), "123456");
        js(
            &task,
            "for (const box of document.querySelectorAll('#code input')) box.value = ''; 0",
        );
    }
    // Fewer characters than boxes, and a box in the middle.
    let receipt = task.ok(
        "input_text_by_selector",
        json!({"selector": "#code input", "nth": 3, "text": "78"}),
    );
    assert_eq!(
        (&receipt["spread"], &receipt["valueMatches"]),
        (&json!(["7", "8", ""]), &json!(true)),
        "{receipt}"
    );
    // More characters than boxes: what was lost is not told as entered.
    let receipt = task.ok(
        "input_text_by_selector",
        json!({"selector": "#code input", "nth": 0, "text": "12345678"}),
    );
    assert_eq!(receipt["valueMatches"], false, "{receipt}");
}

#[test]
fn a_formatted_value_is_told_as_it_reads() {
    let world = World::new();
    let task = world.at("inputs.html");
    for (selector, text, value) in [
        ("#amount", "1234567", "1,234,567"),
        ("#phone", "5551234567", "(555) 123-4567"),
    ] {
        let receipt = input(&task, selector, text);
        assert_eq!(
            (
                &receipt["value"],
                &receipt["valueMatches"],
                &receipt["committed"],
                &receipt["formatted"]
            ),
            (&json!(value), &json!(false), &json!(true), &json!(true)),
            "{receipt}"
        );
        assert_eq!(js(&task, &format!("document.querySelector('{selector}').value")), value);
    }
    let cut = input(&task, "#short", "1234567");
    assert_eq!(
        (&cut["value"], &cut["valueMatches"]),
        (&json!("12345"), &json!(false)),
        "{cut}"
    );
    assert!(cut["note"].as_str().unwrap().contains('5'), "{cut}");
}

#[test]
fn what_the_page_keeps_out_is_not_committed() {
    let world = World::new();
    let task = world.at("inputs.html");
    let kept = input(&task, "#stubborn", "new");
    assert_eq!(
        (&kept["value"], &kept["committed"], &kept["valueMatches"]),
        (&json!("kept"), &json!(false), &json!(false)),
        "{kept}"
    );
    let late = input(&task, "#late", "new");
    assert_eq!(
        (
            &late["value"],
            &late["committed"],
            &late["valueMatches"],
            &late["lateReverts"]
        ),
        (&json!("reverted"), &json!(false), &json!(false), &json!(true)),
        "{late}"
    );
}

#[test]
fn a_batch_finds_late_reverts_out_in_the_step_that_made_them() {
    let world = World::new();
    let task = world.at("inputs.html");
    let step = |selector: &str| json!({"input_text_by_selector": {"selector": selector, "text": "new"}});
    let reply = task.ok(
        "commands",
        json!({"commands": [step("#late"), step("#first"), {"get_title": {}}, step("#last")]}),
    );
    let data = |at: usize| &reply["results"][at]["data"];
    assert_eq!(
        (
            &data(0)["valueMatches"],
            &data(0)["committed"],
            &data(0)["lateReverts"],
            &data(0)["value"]
        ),
        (&json!(false), &json!(false), &json!(true), &json!("reverted")),
        "{reply}"
    );
    for at in [1, 3] {
        assert_eq!(
            (&data(at)["valueMatches"], &data(at)["committed"]),
            (&json!(true), &json!(true)),
            "{reply}"
        );
        assert!(data(at).get("lateReverts").is_none(), "{reply}");
    }
    // The last step of a batch is looked at too, and so is one with an expectation before that is judged.
    let reply = task.call(
        "commands",
        json!({"commands": [{"input_text_by_selector": {"selector": "#late", "text": "more"},
            "expect": {"js": "document.querySelector('#late').value", "equals": "reverted"}}, step("#late")]}),
    );
    let results = &reply.body["data"]["results"];
    assert_eq!(results[0]["data"]["lateReverts"], true, "{results}");
    assert_eq!(results[0]["expectResult"]["passed"], true, "{results}");
}

#[test]
fn a_text_that_another_field_took_is_never_done() {
    let world = World::new();
    let task = world.at("inputs.html");
    let failure = task
        .call(
            "input_text_by_selector",
            json!({"selector": "#thief", "text": "secretly", "mode": "type"}),
        )
        .expect_code("ACTION_UNCERTAIN");
    let data = &failure;
    assert_eq!(
        (&data["actionStatus"], &data["retrySafe"], &data["hit"]["id"]),
        (&json!("unknown"), &json!(false), &json!("loot")),
        "{data}"
    );
    assert_eq!(
        (&data["hit"]["leftInField"], &data["hit"]["value"]),
        (&json!("se"), &json!("cretly")),
        "{data}"
    );
}

#[test]
fn a_field_or_a_document_that_goes_while_it_is_typed_in_is_told() {
    let world = World::new();
    let task = world.at("inputs.html");
    let gone = task.call(
        "input_text_by_selector",
        json!({"selector": "#vanishing", "text": "x y z"}),
    );
    let gone = gone.body;
    assert!(
        gone["data"]["elementGone"] == true || gone["data"]["errorCode"] == "ACTION_UNCERTAIN",
        "{gone}"
    );
    assert_ne!(gone["data"]["valueMatches"], true, "{gone}");
    let left = task
        .call(
            "input_text_by_selector",
            json!({"selector": "#leaving", "text": "ab and much more text", "mode": "type"}),
        )
        .expect_code("ACTION_UNCERTAIN");
    assert_eq!(left["actionStatus"], "unknown", "{left}");
    // The task works on, and no key is held.
    task.ok("wait_for_element", json!({"selector": "#form"}));
    assert_eq!(input(&task, "[name=text]", "Works on")["valueMatches"], true);
}

#[test]
fn a_suggestion_is_picked_and_verified() {
    let world = World::new();
    let task = world.at("inputs.html");
    let receipt = task.ok(
        "input_text_by_label",
        json!({"label": "City", "text": "Oslo", "choose": "text"}),
    );
    assert_eq!(
        (&receipt["value"], &receipt["valueMatches"], &receipt["chosen"]),
        (&json!("Oslo"), &json!(true), &json!("Oslo")),
        "{receipt}"
    );
    assert_eq!(text_of(&task, "suggest-value"), "Oslo");
    let failure = task
        .call(
            "input_text_by_selector",
            json!({"selector": "#suggest", "text": "L", "choose": "text"}),
        )
        .expect_code("ELEMENT_NOT_FOUND");
    assert_eq!(
        (&failure["options"], &failure["typed"]),
        (&json!(["Lagos", "Lima"]), &json!(true)),
        "{failure}"
    );
    assert_eq!(text_of(&task, "suggest-value"), "Oslo");
    task.call(
        "input_text_by_selector",
        json!({"selector": "#suggest", "text": "L", "choose": "first"}),
    )
    .expect_code("INVALID_ARGUMENT");
    // A field that suggests nothing: bounded, and the text stays told.
    let nothing = task
        .call(
            "input_text_by_selector",
            json!({"selector": "#first", "text": "Ada", "choose": "text"}),
        )
        .expect_code("ELEMENT_NOT_FOUND");
    assert_eq!(nothing["value"], "Ada", "{nothing}");
}

#[test]
fn labels_name_fields() {
    let world = World::new();
    let task = world.at("inputs.html");
    for (label, id) in [
        ("First name", "first"),
        ("last NAME", "last"),
        ("Named by reference", "referenced"),
        ("Named by aria-label", "aria"),
        ("Amou", "amount"),
    ] {
        let receipt = task.ok("input_text_by_label", json!({"label": label, "text": "42"}));
        assert_eq!(receipt["valueMatches"], true, "{label}: {receipt}");
        assert_eq!(
            js(&task, &format!("document.getElementById('{id}').value")),
            "42",
            "{label}"
        );
    }
    let ambiguous = task
        .call("input_text_by_label", json!({"label": "name", "text": "x"}))
        .expect_code("ELEMENT_NOT_FOUND");
    assert!(
        ambiguous["labels"].as_array().unwrap().contains(&json!("First name")),
        "{ambiguous}"
    );
    let missing = task.call("input_text_by_label", json!({"label": "No such thing", "text": "x"}));
    assert!(missing.msg().contains("Amount"), "{}", missing.msg());
    missing.expect_code("ELEMENT_NOT_FOUND");
    task.call("input_text_by_label", json!({"label": "Amount", "text": ""}))
        .expect_code("INVALID_ARGUMENT");
    task.call("input_text_by_label", json!({"text": "x"}))
        .expect_code("INVALID_ARGUMENT");
    let twins = task.call("input_text_by_label", json!({"label": "Twin", "text": "one"}));
    assert!(
        twins.data()["note"].as_str().is_some_and(|note| note.contains('2')),
        "{}",
        twins.body
    );
    assert_eq!(js(&task, "document.getElementById('twin-1').value"), "one");
    for (label, code) in [
        ("Read only", "ELEMENT_READ_ONLY"),
        ("Disabled", "ELEMENT_DISABLED"),
        ("Check me", "ELEMENT_NOT_EDITABLE"),
    ] {
        task.ok("go_to_url", json!({"url": world.site.a("/plain/form.html")}));
        task.call("input_text_by_label", json!({"label": label, "text": "x"}))
            .expect_code(code);
    }
}

#[test]
fn every_script_and_size_of_text_arrives() {
    let world = World::new();
    let task = world.at("inputs.html");
    for text in [
        "中文输入",
        "😀👩‍👩‍👧‍👦",
        "Straße ﬃ",
        "e\u{301}a\u{308}",
        "\"quotes\" \\ 'and' <b>",
    ] {
        for (selector, mode) in [
            ("#first", "native"),
            ("#first", "type"),
            ("#long", "native"),
            ("#rich", "native"),
            ("#rich", "type"),
        ] {
            let receipt = task.ok(
                "input_text_by_selector",
                json!({"selector": selector, "text": text, "mode": mode}),
            );
            assert_eq!(
                (&receipt["valueMatches"], &receipt["value"]),
                (&json!(true), &json!(text)),
                "{selector} {mode}: {receipt}"
            );
        }
    }
    let lines = "one\ntwo\n\nfour";
    for (selector, mode) in [
        ("#long", "native"),
        ("#long", "type"),
        ("#rich", "native"),
        ("#rich", "type"),
    ] {
        let receipt = task.ok(
            "input_text_by_selector",
            json!({"selector": selector, "text": lines, "mode": mode}),
        );
        assert_eq!(receipt["valueMatches"], true, "{selector} {mode}: {receipt}");
    }
    let single = input(&task, "#in-form", "one\ntwo");
    assert_eq!(single["value"], "one two", "{single}");
    assert_eq!(text_of(&task, "sent"), "0");
    let big = "0123456789abcdef".repeat(6400);
    let receipt = input(&task, "#long", &big);
    assert_eq!(receipt["valueMatches"], true);
    assert_eq!(js(&task, "document.getElementById('long').value.length"), 102_400);
}

#[test]
fn values_that_a_field_has_a_form_for_are_judged() {
    let world = World::new();
    let task = world.at("inputs.html");
    let outside = input(&task, "#day", "2027-03-01");
    assert_eq!(
        (&outside["value"], &outside["invalid"]["reasons"]),
        (&json!("2027-03-01"), &json!(["rangeOverflow"])),
        "{outside}"
    );
    for (name, text, form) in [
        ("date", "2026-02-30", "YYYY-MM-DD"),
        ("time", "25:00", "HH:MM"),
        ("datetime", "2026-02-03", "YYYY-MM-DDTHH:MM"),
        ("month", "2026-13", "YYYY-MM"),
        ("week", "2026-W60", "YYYY-Www"),
        ("color", "reddish", "#rrggbb"),
        ("range", "much", "number"),
        ("number", "many", "number"),
    ] {
        task.ok("go_to_url", json!({"url": world.site.a("/plain/form.html")}));
        let refused = task.call(
            "input_text_by_selector",
            json!({"selector": format!("[name={name}]"), "text": text}),
        );
        assert!(refused.msg().contains(form), "{name}: {}", refused.msg());
        assert_eq!(refused.expect_code("INVALID_ARGUMENT")["expected"], form, "{name}");
    }
}

#[test]
fn an_input_sent_twice_under_one_key_is_made_once() {
    let world = World::new();
    let task = world.at("inputs.html");
    js(
        &task,
        "window.inputs = 0; document.getElementById('long').addEventListener('input', () => window.inputs++); 0",
    );
    let index = index_of(&page_text(&task), "label='Long'");
    let params = json!({"index": index, "text": "typed once, key by key, while the other one waits"});
    let envelope = json!({"id": task.id, "method": "type_text", "params": params, "requestKey": "key-1"});
    let bodies = std::thread::scope(|scope| {
        let send = || scope.spawn(|| world.dsb.send(&envelope).body);
        let (first, second) = (send(), send());
        [first.join().unwrap(), second.join().unwrap()]
    });
    let replayed = bodies.iter().filter(|body| body["data"]["replayed"] == true).count();
    assert_eq!(replayed, 1, "{bodies:?}");
    assert_eq!(bodies[0]["data"]["value"], bodies[1]["data"]["value"], "{bodies:?}");
    let text = params["text"].as_str().unwrap();
    assert_eq!(js(&task, "document.getElementById('long').value"), text);
    assert_eq!(js(&task, "window.inputs"), text.chars().count());
}
