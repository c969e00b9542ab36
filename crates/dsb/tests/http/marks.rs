//! Ticking and unticking: the state is read, never guessed.

use serde_json::{Value, json};
use support::Task;

use crate::harness::{World, index_of, text_of, whole_text};

fn set(task: &Task<'_>, verb: &str, part: &str) -> support::Reply {
    let index = index_of(&whole_text(task), part);
    task.call(&format!("{verb}_element_by_index"), json!({"index": index}))
}

fn state_of(task: &Task<'_>, selector: &str) -> Value {
    task.ok("is_checked", json!({"selector": selector}))["checked"].clone()
}

#[test]
fn every_kind_of_mark_is_set_and_taken_back() {
    let world = World::new();
    let task = world.at("marks.html");
    for (part, selector) in [
        ("Plain", "#plain"),
        ("Styled", "#styled"),
        ("Switch", "#switch"),
        ("[3]", "#decorated"),
    ] {
        let done = set(&task, "check", part).expect_ok();
        assert_eq!(
            (&done["checked"], &done["mode"], &done["alreadySet"]),
            (&json!(true), &json!("native"), &Value::Null),
            "{part}: {done}"
        );
        assert_eq!(state_of(&task, selector), true, "{part}");
        let again = set(&task, "check", part).expect_ok();
        assert_eq!(
            (&again["alreadySet"], &again["mode"]),
            (&json!(true), &json!("none")),
            "{part}"
        );
        let back = set(&task, "uncheck", part).expect_ok();
        assert_eq!(back["checked"], false, "{part}: {back}");
        assert_eq!(state_of(&task, selector), false, "{part}");
    }
}

#[test]
fn what_is_right_already_is_not_clicked() {
    let world = World::new();
    let task = world.at("marks.html");
    let done = set(&task, "check", "Ticked").expect_ok();
    assert_eq!(
        (&done["checked"], &done["changed"]),
        (&json!(true), &json!(false)),
        "{done}"
    );
    let done = set(&task, "uncheck", "Plain").expect_ok();
    assert_eq!(
        (&done["checked"], &done["alreadySet"]),
        (&json!(false), &json!(true)),
        "{done}"
    );
    assert_eq!(text_of(&task, "clicks"), "0");
}

#[test]
fn a_mixed_state_is_brought_to_the_wanted_one() {
    let world = World::new();
    let task = world.at("marks.html");
    for (part, selector) in [("Mixed", "#mixed"), ("Tree node", "#aria")] {
        assert_eq!(set(&task, "check", part).expect_ok()["checked"], true);
        let state = task.ok("is_checked", json!({"selector": selector}));
        assert_eq!(
            (&state["checked"], &state["indeterminate"]),
            (&json!(true), &Value::Null),
            "{part}"
        );
    }
}

#[test]
fn a_radio_is_chosen_but_not_taken_back() {
    let world = World::new();
    let task = world.at("marks.html");
    assert_eq!(set(&task, "check", "Small").expect_ok()["checked"], true);
    assert_eq!(set(&task, "uncheck", "Large").expect_ok()["alreadySet"], true);
    let reply = set(&task, "uncheck", "Small");
    assert!(reply.msg().contains("choose another"), "{}", reply.msg());
    assert_eq!(reply.expect_code("ACTION_FAILED")["checked"], true);
    assert_eq!(state_of(&task, "#small"), true);
}

#[test]
fn a_mark_that_the_page_forbids_or_takes_away_is_no_success() {
    let world = World::new();
    let task = world.at("marks.html");
    let data = set(&task, "check", "Guarded").expect_code("ACTION_FAILED");
    assert_eq!(data["checked"], false, "{data}");
    // A second is what a mark may take, not the whole time of the command.
    let took = data["execution"]["durationMs"].as_u64().unwrap();
    assert!(took < 15_000, "{data}");
    let data = set(&task, "check", "Vanishing").expect_code("ACTION_UNCERTAIN");
    assert_eq!(data["retrySafe"], false, "{data}");
    let data = set(&task, "check", "No mark").expect_code("ACTION_FAILED");
    assert_eq!(data["started"], false, "{data}");
    task.call("check_element_by_index", json!({"index": 999}))
        .expect_code("STALE_ELEMENT");
    task.call("check_element_by_index", json!({}))
        .expect_code("INVALID_ARGUMENT");
    task.call("uncheck_element_by_index", json!({"index": 0, "mode": "hard"}))
        .expect_code("INVALID_ARGUMENT");
    let index = index_of(&whole_text(&task), "Plain");
    crate::harness::js(&task, "document.getElementById('plain').disabled = true");
    task.call("check_element_by_index", json!({"index": index}))
        .expect_code("ELEMENT_DISABLED");
}
