//! Modals that behave unlike those of the libraries: that come again, ask back, take their time, have two ways out, or
//! stay while another one goes.

use serde_json::{Value, json};
use support::Task;

use crate::harness::{World, text_of};

fn open(task: &Task<'_>, id: &str) {
    task.ok("click_element_by_selector", json!({"selector": format!("#{id}")}));
}

fn titles(task: &Task<'_>) -> Vec<String> {
    let modals = task.ok("get_modals", json!({}))["modals"].clone();
    let all = modals.as_array().unwrap().iter();
    all.map(|one| one["title"].as_str().unwrap_or_default().to_owned())
        .collect()
}

fn close(task: &Task<'_>, params: Value) -> Value {
    task.ok("close_modal", params)
}

#[test]
fn one_that_comes_again_is_not_called_closed() {
    let world = World::new();
    let task = world.at("odd-modals.html");
    open(&task, "reopen");
    let reply = close(&task, json!({}));
    assert_eq!(text_of(&task, "events"), "removed; ");
    if reply["closed"] == true {
        // It was gone when it was looked for; what has come since is another one, and reading says so.
        task.ok("wait_for_element", json!({"selector": "[role=dialog]"}));
    } else {
        assert!(reply["hint"].as_str().unwrap().contains("Subscribe now"), "{reply}");
    }
    assert_eq!(titles(&task), ["Subscribe now"]);
}

#[test]
fn one_that_asks_back_is_not_called_closed_and_the_question_is_named() {
    let world = World::new();
    let task = world.at("odd-modals.html");
    open(&task, "dirty");
    let reply = close(&task, json!({}));
    assert_eq!(reply["closed"], false, "{reply}");
    assert_eq!(
        (&reply["countBefore"], &reply["countAfter"]),
        (&json!(1), &json!(2)),
        "{reply}"
    );
    assert!(reply["hint"].as_str().unwrap().contains("Discard changes?"), "{reply}");
    assert_eq!(
        task.ok("get_modals", json!({}))["top"]["title"],
        "Discard changes?",
        "the question is on top"
    );
    let kept = close(&task, json!({"button": "Keep editing"}));
    assert_eq!(
        (&kept["closed"], &kept["countAfter"]),
        (&json!(true), &json!(1)),
        "{kept}"
    );
    close(&task, json!({}));
    let both = close(&task, json!({"button": "Discard"}));
    assert_eq!(
        (&both["closed"], &both["closedAll"]),
        (&json!(true), &json!(true)),
        "{both}"
    );
    assert_eq!(text_of(&task, "events"), "asked; kept; asked; discarded; ");
}

#[test]
fn one_that_fades_is_waited_for() {
    let world = World::new();
    let task = world.at("odd-modals.html");
    open(&task, "slow");
    let reply = close(&task, json!({}));
    assert_eq!(
        (&reply["closed"], &reply["countAfter"]),
        (&json!(true), &json!(0)),
        "{reply}"
    );
    task.ok("wait_for_text", json!({"text": "faded", "timeoutSeconds": 10}));
    assert_eq!(titles(&task), Vec::<String>::new());
}

#[test]
fn of_two_equal_buttons_one_is_pressed_once() {
    let world = World::new();
    let task = world.at("odd-modals.html");
    open(&task, "twins");
    let reply = close(&task, json!({"button": "Close"}));
    assert_eq!(reply["closed"], true, "{reply}");
    assert_eq!(reply["clicked"].as_array().unwrap().len(), 1, "{reply}");
    let events = text_of(&task, "events");
    assert!(events == "first; " || events == "second; ", "{events}");
}

#[test]
fn one_that_stays_while_its_neighbour_goes_is_not_called_closed() {
    let world = World::new();
    let task = world.at("odd-modals.html");
    open(&task, "pair");
    let reply = close(&task, json!({"title": "Stays"}));
    assert_eq!(text_of(&task, "events"), "neighbour gone; ");
    assert_eq!(
        (&reply["countBefore"], &reply["countAfter"]),
        (&json!(2), &json!(1)),
        "{reply}"
    );
    assert_eq!(reply["closed"], false, "{reply}");
    assert!(reply["hint"].is_string(), "{reply}");
}
