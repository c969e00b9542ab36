//! Fields of component libraries: what their application was told is what the receipt says.

use serde_json::{Value, json};
use support::Task;

use crate::harness::{World, js, text_of};
use crate::selects::library;

fn input(task: &Task<'_>, selector: &str, text: &str) -> Value {
    task.ok("input_text_by_selector", json!({"selector": selector, "text": text}))
}

#[test]
fn controlled_inputs_of_react_hold_what_react_was_told() {
    let world = World::new();
    let task = library(&world, "antd");
    for mode in ["auto", "native", "type"] {
        let text = format!("mirrored {mode} 中文");
        let receipt = task.ok(
            "input_text_by_selector",
            json!({"selector": "#mirror-input", "text": text, "mode": mode}),
        );
        assert_eq!(receipt["valueMatches"], true, "{receipt}");
        assert_eq!(text_of(&task, "mirror-state"), text);
    }
    let refused = input(&task, "#letters-input", "12345");
    assert_eq!(
        (&refused["value"], &refused["committed"], &refused["valueMatches"]),
        (&json!(""), &json!(false), &json!(false)),
        "{refused}"
    );
    let fixed = input(&task, "#fixed-input", "other");
    assert_eq!(
        (&fixed["value"], &fixed["committed"]),
        (&json!("fixed"), &json!(false)),
        "{fixed}"
    );
    let cleared = task.ok("clear_text", json!({"selector": "#mirror-input"}));
    assert_eq!(cleared["value"], "", "{cleared}");
    assert_eq!(text_of(&task, "mirror-state"), "");
}

#[test]
fn a_form_of_antd_is_filled_in_one_batch_and_accepted() {
    let world = World::new();
    let task = library(&world, "antd");
    let fill = |label: &str, text: &str| json!({"input_text_by_label": {"label": label, "text": text}});
    let reply = task.ok(
        "commands",
        json!({"commands": [
            fill("Name", "Ada Lovelace"), fill("E-mail", "ada@example.com"), fill("Password", "s3cret-words"),
            {"input_text_by_label": {"label": "City", "text": "Oslo", "choose": "text"}},
            fill("Birthday", "1990-12-10"), fill("Age", "36"), fill("Note", "first\nsecond"),
        ]}),
    );
    for result in reply["results"].as_array().unwrap() {
        assert_eq!(result["data"]["valueMatches"], true, "{result}");
    }
    task.ok(
        "click_element_by_selector",
        json!({"selector": "#customer button[type=submit]"}),
    );
    task.ok("wait_for_text", json!({"text": "\"city\":\"oslo\""}));
    let accepted: Value = serde_json::from_str(&text_of(&task, "accepted")).expect("the accepted form");
    for (name, value) in [
        ("name", json!("Ada Lovelace")),
        ("email", json!("ada@example.com")),
        ("birthday", json!("1990-12-10")),
        ("age", json!(36)),
        ("note", json!("first\nsecond")),
    ] {
        assert_eq!(accepted[name], value, "{accepted}");
    }
}

#[test]
fn a_date_picker_takes_a_date_or_says_that_it_does_not() {
    let world = World::new();
    let task = library(&world, "antd");
    let taken = input(&task, "#day", "2026-05-17");
    assert_eq!(
        (&taken["value"], &taken["valueMatches"], &taken["committed"]),
        (&json!("2026-05-17"), &json!(true), &json!(true)),
        "{taken}"
    );
    assert_eq!(text_of(&task, "day-value"), "2026-05-17");
    let refused = input(&task, "#day", "someday");
    assert_eq!(
        (&refused["value"], &refused["valueMatches"], &refused["committed"]),
        (&json!("2026-05-17"), &json!(false), &json!(false)),
        "{refused}"
    );
    assert_eq!(text_of(&task, "day-value"), "2026-05-17");
    // The Enter that takes a date does not send the form around the picker.
    input(&task, "#customer_birthday", "2001-02-03");
    assert_eq!(text_of(&task, "accepted"), "");
}

#[test]
fn numbers_and_dates_of_element_plus_are_taken() {
    let world = World::new();
    let task = library(&world, "element-plus");
    for (label, text) in [
        ("Title", "Meeting"),
        ("E-mail", "a@b.example"),
        ("Guests", "7"),
        ("Date", "2026-03-04"),
        ("Note", "one\ntwo"),
    ] {
        let receipt = task.ok("input_text_by_label", json!({"label": label, "text": text}));
        assert_eq!(receipt["valueMatches"], true, "{label}: {receipt}");
    }
    let refused = task.ok("input_text_by_label", json!({"label": "Date", "text": "someday"}));
    assert_eq!(refused["valueMatches"], false, "{refused}");
    task.ok(
        "input_text_by_label",
        json!({"label": "Room", "text": "蓝厅", "choose": "text"}),
    );
    task.ok(
        "click_element_by_selector",
        json!({"selector": "#booking .el-button--primary"}),
    );
    task.ok("wait_for_text", json!({"text": "\"guests\":7"}));
    let accepted: Value = serde_json::from_str(
        js(&task, "document.getElementById('accepted').textContent")
            .as_str()
            .unwrap(),
    )
    .unwrap();
    assert_eq!(
        (&accepted["room"], &accepted["date"], &accepted["note"]),
        (&json!("蓝厅"), &json!("2026-03-04"), &json!("one\ntwo")),
        "{accepted}"
    );
}

fn last(task: &Task<'_>) -> String {
    text_of(task, "last")
}

#[test]
fn fields_of_antd_that_suggest_split_or_format_are_told_as_they_are() {
    let world = World::new();
    let task = library(&world, "antd-fields");
    let town = task.ok(
        "input_text_by_label",
        json!({"label": "Town", "text": "Lima", "choose": "text"}),
    );
    assert_eq!(
        (&town["value"], &town["chosen"], last(&task)),
        (&json!("Lima"), &json!("Lima"), "town Lima".to_owned()),
        "{town}"
    );
    let none = task
        .call(
            "input_text_by_label",
            json!({"label": "Town", "text": "Ber", "choose": "text"}),
        )
        .expect_code("ELEMENT_NOT_FOUND");
    assert_eq!(none["options"], json!(["Berlin", "Bern"]), "{none}");
    let code = task.ok(
        "input_text_by_selector",
        json!({"selector": ".ant-otp input", "nth": 0, "text": "314159"}),
    );
    assert_eq!(
        (&code["spread"], &code["valueMatches"], last(&task)),
        (
            &json!(["3", "1", "4", "1", "5", "9"]),
            &json!(true),
            "code 314159".to_owned()
        ),
        "{code}"
    );
    let price = task.ok("input_text_by_label", json!({"label": "Price", "text": "1234567"}));
    assert_eq!(
        (&price["value"], &price["formatted"], &price["committed"], last(&task)),
        (
            &json!("1,234,567"),
            &json!(true),
            &json!(true),
            "price 1234567".to_owned()
        ),
        "{price}"
    );
}

#[test]
fn times_and_ranges_of_antd_are_taken_by_typing() {
    let world = World::new();
    let task = library(&world, "antd-fields");
    for (selector, text, told) in [
        ("#time", "13:45:10", "time 13:45:10"),
        ("#moment", "2026-05-17 08:30:00", "moment 2026-05-17 08:30:00"),
    ] {
        let receipt = input(&task, selector, text);
        assert_eq!(
            (&receipt["value"], &receipt["valueMatches"]),
            (&json!(text), &json!(true)),
            "{receipt}"
        );
        assert_eq!(last(&task), told, "{receipt}");
    }
    let reply = task.ok(
        "commands",
        json!({"commands": [
            {"input_text_by_selector": {"selector": "#from", "text": "2026-05-17"}},
            {"input_text_by_selector": {"selector": "#to", "text": "2026-05-20"}},
        ]}),
    );
    assert_eq!(last(&task), "stay 2026-05-17 to 2026-05-20", "{reply}");
    assert_eq!(text_of(&task, "sent"), "0");
}

#[test]
fn fields_of_element_plus_and_vxe_that_open_lists_are_chosen_in() {
    let world = World::new();
    let task = library(&world, "vue-fields");
    let town = task.ok(
        "input_text_by_label",
        json!({"label": "Town", "text": "Lisbon", "choose": "text"}),
    );
    assert_eq!(
        (&town["value"], last(&task)),
        (&json!("Lisbon"), "town Lisbon".to_owned()),
        "{town}"
    );
    let time = task.ok("input_text_by_label", json!({"label": "Time", "text": "13:45:10"}));
    assert_eq!(
        (&time["valueMatches"], last(&task)),
        (&json!(true), "time 13:45:10".to_owned()),
        "{time}"
    );
}

#[test]
fn a_range_of_element_plus_is_taken_by_typing_both_ends() {
    let world = World::new();
    let task = library(&world, "vue-fields");
    for (nth, day) in [(0, "2026-03-04"), (1, "2026-03-09")] {
        let receipt = task.ok(
            "input_text_by_selector",
            json!({"selector": ".el-range-input", "nth": nth, "text": day}),
        );
        assert_eq!(
            (&receipt["value"], &receipt["valueMatches"]),
            (&json!(day), &json!(true)),
            "{receipt}"
        );
    }
    assert_eq!(last(&task), "stay 2026-03-04 to 2026-03-09");
}

#[test]
fn masked_fields_take_a_text_with_and_without_their_separators() {
    let world = World::new();
    let task = library(&world, "masked");
    for (id, text, value, told) in [
        ("phone", "5551234567", "+1 (555) 123-4567", "phone 15551234567"),
        ("phone", "+1 (555) 987-6543", "+1 (555) 987-6543", "phone 15559876543"),
        ("plate", "ab1234", "ab-1234", "plate ab1234"),
        ("amount", "1234567.5", "1,234,567.5", "amount 1234567.5"),
        ("day", "24.12.2026", "24.12.2026", "day 24122026"),
        (
            "card",
            "4111111111111111",
            "4111 1111 1111 1111",
            "card 4111111111111111",
        ),
    ] {
        let receipt = input(&task, &format!("#{id}"), text);
        let same = text == value;
        assert_eq!(
            (&receipt["value"], &receipt["valueMatches"], &receipt["committed"]),
            (&json!(value), &json!(same), &json!(true)),
            "{receipt}"
        );
        assert_eq!(receipt.get("formatted").is_some(), !same, "{receipt}");
        assert!(receipt.get("fallbackFrom").is_none(), "{receipt}");
        assert_eq!(last(&task), told, "{receipt}");
    }
}

#[test]
fn a_native_select_that_react_controls_is_chosen_in_or_says_that_it_is_not() {
    let world = World::new();
    let task = library(&world, "masked");
    let text = crate::harness::whole_text(&task);
    let choose = |label: &str, option: &str| {
        let index = crate::harness::index_of(&text, label);
        task.call("select_dropdown_option", json!({"index": index, "text": option}))
    };
    for (option, value) in [("Large", "l"), ("Medium", "m")] {
        let receipt = choose("label='Size'", option).expect_ok();
        assert_eq!(
            (&receipt["value"], last(&task)),
            (&json!(value), format!("size {value}"))
        );
    }
    let reply = choose("label='Fixed'", "Second");
    assert!(reply.msg().contains("select#fixed"), "{}", reply.msg());
    assert_eq!(reply.expect_code("ACTION_FAILED")["reason"], "not-shown");
    assert_eq!(js(&task, "document.getElementById('fixed').value"), "a");
}
