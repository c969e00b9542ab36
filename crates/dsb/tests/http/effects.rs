//! What counts as an effect of a click, and what is told when the page, the tab or the browser goes under it.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use support::eventually;

use crate::harness::{World, index_of, js, whole_text};

#[test]
fn titles_scrolling_mixed_marks_popovers_dialogs_and_rules_are_seen() {
    let world = World::new();
    for (id, kind) in [
        ("title", "title"),
        ("top", "scroll"),
        ("scroll-inner", "scroll"),
        ("mix", "form"),
        ("pop", "toggle"),
        ("summary", "toggle"),
        ("modal", "toggle"),
        ("tick-label", "text"),
    ] {
        let task = world.at("effects.html");
        let receipt = task.ok("click_element_by_selector", json!({"selector": format!("#{id}")}));
        assert_eq!(
            (&receipt["changed"], &receipt["effective"]),
            (&json!(true), &json!(true)),
            "{id}: {receipt}"
        );
        let changes = receipt["changes"].as_array().unwrap();
        // What a rule or the browser shows is also seen as text.
        let seen = changes.contains(&json!(kind)) || kind == "toggle" && changes.contains(&json!("text"));
        assert!(seen, "{id}: {receipt}");
    }
}

#[test]
fn a_page_that_goes_blank_is_waited_for_or_told() {
    let world = World::new();
    let task = world.at("effects.html");
    let receipt = task.ok("click_element_by_selector", json!({"selector": "#blank"}));
    assert_eq!(
        (
            &receipt["page_appears_blank"],
            &receipt["probeRecovered"],
            &receipt["probeTrustworthy"]
        ),
        (&json!(true), &json!(true), &json!(true)),
        "{receipt}"
    );
    assert_eq!(
        (&receipt["observationComplete"], &receipt["changed"]),
        (&json!(true), &json!(true))
    );
    let task = world.at("effects.html");
    let receipt = task.ok("click_element_by_selector", json!({"selector": "#blank-for-good"}));
    assert_eq!(
        (
            &receipt["probeRecovered"],
            &receipt["probeTrustworthy"],
            &receipt["observationComplete"]
        ),
        (&json!(false), &json!(false), &json!(false)),
        "{receipt}"
    );
    assert_eq!(receipt["effective"], Value::Null, "{receipt}");
    assert!(
        receipt["hint"].as_str().unwrap().contains("not trustworthy"),
        "{receipt}"
    );
}

#[test]
fn a_page_that_leaves_at_the_press_is_a_navigation() {
    let world = World::new();
    let task = world.at("effects.html");
    let receipt = task.ok("click_element_by_selector", json!({"selector": "#leave"}));
    assert!(
        receipt["navigation"]["url"].as_str().unwrap().ends_with("change.html"),
        "{receipt}"
    );
    assert_eq!(receipt["changeStatus"], "observed");
    assert!(whole_text(&task).contains("Change the text"));
}

#[test]
fn a_deadline_in_the_middle_is_an_unknown_outcome_and_nothing_stays_held() {
    let world = World::with(
        crate::harness::options()
            .arg("--browser.capture.enabled=false")
            .arg("--browser.command.timeoutMs=8000"),
    );
    let task = world.at("effects.html?spin=14000");
    let reply = task.call(
        "click_element_by_selector",
        json!({"selector": "#spin", "timeoutMs": 60_000}),
    );
    assert!(!reply.is_ok(), "{}", reply.body);
    let code = reply.data()["errorCode"].as_str().unwrap().to_owned();
    assert!(
        ["ACTION_UNCERTAIN", "COMMAND_TIMEOUT"].contains(&code.as_str()),
        "{}",
        reply.body
    );
    assert_ne!(reply.data()["retrySafe"], true, "{}", reply.body);
    let buttons = eventually("the page answers again", Duration::from_secs(40), || {
        let moved = task.call("mouse_move", json!({"x": 5, "y": 5}));
        moved.is_ok().then_some(())?;
        let script = "new Promise((done) => { addEventListener('mousemove', (e) => done(e.buttons), { once: true }); setTimeout(() => done(0), 300) })";
        let reply = task.call("execute_js", json!({"body": script}));
        reply.is_ok().then(|| reply.data()["result"].clone())
    });
    assert_eq!(buttons, 0);
}

#[test]
fn a_browser_that_dies_under_a_click_is_told() {
    let world = World::new();
    let task = world.at("effects.html?spin=20000");
    let tasks = world.dsb.call(None, "list_tasks", json!({})).expect_ok();
    let pid = Pid::from_raw(i32::try_from(tasks["browser"]["pid"].as_i64().unwrap()).unwrap()).unwrap();
    std::thread::scope(|scope| {
        let clicking = scope.spawn(|| task.call("click_element_by_selector", json!({"selector": "#spin"})));
        eventually("the click is running", Duration::from_secs(5), || {
            let tasks: Value = world.dsb.call(None, "list_tasks", json!({})).expect_ok();
            (tasks["tasks"][0]["inflight"] == 1).then_some(())
        });
        kill_process(pid, Signal::KILL).unwrap();
        let reply = clicking.join().unwrap();
        assert!(!reply.is_ok(), "{}", reply.body);
    });
}

#[test]
fn a_tab_that_closes_under_a_click_is_told() {
    let world = World::new();
    let task = world.at("effects.html");
    js(&task, "window.opened = open('effects.html'), 0");
    eventually("the second tab", Duration::from_secs(5), || {
        let tabs = task.ok("get_tabs", json!({}));
        (tabs["tabs"].as_array().unwrap().len() == 2).then_some(())
    });
    task.ok("switch_tab", json!({"pageIndex": 1}));
    task.ok("wait_for_element", json!({"selector": "#close-me"}));
    let reply = task.call("click_element_by_selector", json!({"selector": "#close-me"}));
    if reply.is_ok() {
        let data = reply.expect_ok();
        assert_ne!(data["changeStatus"], "not_observed", "{data}");
    } else {
        let data = reply.expect_code("ACTION_UNCERTAIN");
        assert_eq!(data["retrySafe"], false, "{data}");
    }
    // The task goes on with the tab that is left.
    assert_eq!(task.ok("get_title", json!({}))["title"], "Effects");
}

#[test]
fn hovering_shows_what_a_rule_shows() {
    let world = World::new();
    let task = world.at("delivery.html");
    let index = index_of(&whole_text(&task), ">Menu/>");
    let receipt = task.ok("hover_element_by_index", json!({"index": index}));
    assert_eq!(receipt["changed"], true, "{receipt}");
    let both = task.ok("hover_and_click", json!({"index": index, "hoverDelayMs": 0}));
    assert_eq!(
        (&both["tag"], &both["text"]),
        (&json!("button"), &json!("Menu")),
        "{both}"
    );
    assert!(
        both["outerHtml"].as_str().unwrap().starts_with("<button id=\"parent\""),
        "{both}"
    );
}

#[test]
fn what_an_answer_makes_of_a_link_is_told_download_or_document() {
    let world = World::new();
    let task = world.at("download.html");
    for round in 0..4 {
        for (id, name) in [
            ("attachment", "report.txt"),
            ("late", "late.txt"),
            ("script", "script.txt"),
            ("slow", "slow.bin"),
        ] {
            let receipt = task.ok("click_element_by_selector", json!({"selector": format!("#{id}")}));
            assert_eq!(
                (
                    &receipt["downloadsStarted"],
                    &receipt["downloads"][0]["suggestedFilename"]
                ),
                (&json!(1), &json!(name)),
                "{round} {id}: {receipt}"
            );
            assert_eq!(
                (
                    &receipt["navigation"],
                    &receipt["changed"],
                    &receipt["observationComplete"]
                ),
                (&Value::Null, &json!(true), &json!(true)),
                "{round} {id}: {receipt}"
            );
        }
        let receipt = task.ok("click_element_by_selector", json!({"selector": "#page"}));
        assert_eq!(
            (&receipt["navigation"]["state"], receipt.get("downloadsStarted")),
            (&json!("committed"), None),
            "{round}: {receipt}"
        );
        task.ok("go_back", json!({}));
    }
}
