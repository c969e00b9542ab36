//! Clicking by text and by role, scrolling by pages and to a text.

use serde_json::{Value, json};

use crate::harness::{World, index_of, js, text_of, whole_text};

#[test]
fn the_best_element_for_a_text_is_clicked() {
    let world = World::new();
    let task = world.at("texts.html");
    let done = task.ok("click_element_by_text", json!({"text": "save"}));
    assert_eq!(
        (
            &done["tag"],
            &done["text"],
            &done["textMatch"],
            &done["textClickable"],
            &done["textCandidates"]
        ),
        (
            &json!("button"),
            &json!("Save"),
            &json!("exact"),
            &json!(true),
            &json!(3)
        ),
        "{done}"
    );
    assert_eq!(
        (&done["outerHtml"], &done["textLength"]),
        (&json!("<button id=\"save\">Save</button>"), &json!(4))
    );
    assert_eq!(text_of(&task, "clicked"), "save");
    let part = task.ok("click_element_by_text", json!({"text": "all rows"}));
    assert_eq!(part["textMatch"], "contains", "{part}");
    assert!(part["textMatchNote"].is_string());
    assert_eq!(text_of(&task, "clicked"), "save-all");
    task.ok("click_element_by_text", json!({"text": "more details"}));
    assert_eq!(text_of(&task, "clicked"), "details");
    let plain = task.ok("click_element_by_text", json!({"text": "Far down"}));
    assert_eq!(plain["textClickable"], false, "{plain}");
    assert_eq!(text_of(&task, "clicked"), "low");
}

#[test]
fn texts_in_frames_are_clicked_and_secrets_stay_out_of_the_markup() {
    let world = World::new();
    let task = world.at("texts.html");
    let framed = task.ok("click_element_by_text", json!({"text": "only in the frame"}));
    assert_eq!(
        (&framed["tag"], &framed["changed"]),
        (&json!("button"), &json!(true)),
        "{framed}"
    );
    let around = task.ok("click_element_by_text", json!({"text": "Around a password"}));
    assert!(!around.to_string().contains("hunter2"), "{around}");
}

#[test]
fn a_text_that_is_not_there_is_told_at_once() {
    let world = World::new();
    let task = world.at("texts.html");
    for method in ["click_element_by_text", "scroll_to_text"] {
        let reply = task.call(method, json!({"text": "nowhere at all"}));
        assert!(reply.msg().contains("nowhere at all"), "{}", reply.msg());
        let data = reply.expect_code("ELEMENT_NOT_FOUND");
        assert!(data["retryBudget"]["elapsedMs"].as_u64().unwrap_or(0) < 2000, "{data}");
    }
    let reply = task.call("scroll_to_text", json!({"text": "secret words"}));
    assert!(reply.msg().contains("hidden"), "{}", reply.msg());
    reply.expect_code("ELEMENT_NOT_FOUND");
    task.call("click_element_by_text", json!({"text": "secret words", "timeoutMs": 1}))
        .expect_code("ELEMENT_HIDDEN");
}

#[test]
fn roles_and_names_are_those_of_the_accessibility_tree() {
    let world = World::new();
    let task = world.at("texts.html");
    for (role, name, tag) in [
        ("button", "dice", "div"),
        ("button", "LONG name", "button"),
        ("Link", "more details", "a"),
        ("button", "only in the frame", "button"),
    ] {
        let done = task.ok("click_element_by_role", json!({"role": role, "name": name}));
        assert_eq!(done["tag"], tag, "{role} {name}: {done}");
        assert!(done["outerHtml"].is_string());
    }
    let first = task.ok("click_element_by_role", json!({"role": "button"}));
    assert_eq!(first["text"], "Save", "{first}");
    let reply = task.call("click_element_by_role", json!({"role": "button", "name": "zzz"}));
    assert!(reply.msg().contains("Roll the dice"), "{}", reply.msg());
    reply.expect_code("ELEMENT_NOT_FOUND");
    task.call("click_element_by_role", json!({"role": "slider"}))
        .expect_code("ELEMENT_NOT_FOUND");
    js(
        &task,
        "document.body.insertAdjacentHTML('beforeend', '<img alt=\"A picture\" width=50 height=50 src=\"data:image/svg+xml,<svg/>\">'), 0",
    );
    let picture = task.ok("click_element_by_role", json!({"role": "img", "name": "picture"}));
    assert_eq!(picture["tag"], "img", "{picture}");
}

#[test]
fn the_page_and_its_boxes_scroll_by_their_own_height() {
    let world = World::new();
    let task = world.at("texts.html");
    let height = js(&task, "innerHeight").as_i64().unwrap();
    let down = task.ok("scroll", json!({"down": true, "numPages": 1}));
    assert_eq!(
        (&down["scrolledBy"], &down["top"], &down["atEnd"]),
        (&json!(height), &json!(height), &json!(false)),
        "{down}"
    );
    assert_eq!(js(&task, "scrollY"), height);
    let end = task.ok("scroll", json!({"down": true, "numPages": 50}));
    assert_eq!(end["atEnd"], true, "{end}");
    let more = task.ok("scroll", json!({"down": true, "numPages": 1}));
    assert_eq!(more["scrolledBy"], 0, "{more}");
    assert!(more["note"].is_string());
    let up = task.ok("scroll", json!({"numPages": 99}));
    assert_eq!((&up["top"], &up["atEnd"]), (&json!(0), &json!(true)), "{up}");
    let delivery = world.at("delivery.html");
    let icon = index_of(&whole_text(&delivery), ">0/>");
    let inner = delivery.ok("scroll", json!({"down": true, "numPages": 2, "index": icon}));
    assert_eq!(
        (&inner["scroller"]["id"], &inner["scrolledBy"]),
        (&json!("icons"), &json!(140)),
        "{inner}"
    );
    let bare = world.at("alert.html");
    let none = bare.ok("scroll", json!({"down": true, "numPages": 1}));
    assert_eq!(
        (&none["scrolledBy"], &none["scroller"]),
        (&json!(0), &Value::Null),
        "{none}"
    );
    bare.call("scroll", json!({"down": true, "numPages": 1, "index": 500}))
        .expect_code("STALE_ELEMENT");
    let index = index_of(&whole_text(&bare), ">Alert/>");
    bare.call("scroll", json!({"down": true, "numPages": 1, "index": index}))
        .expect_code("ACTION_FAILED");
}

#[test]
fn a_text_is_brought_into_view() {
    let world = World::new();
    let task = world.at("texts.html");
    let low = task.ok("scroll_to_text", json!({"text": "FAR down"}));
    assert_eq!(
        (&low["scrolled"], &low["target"]["id"]),
        (&json!(true), &json!("low")),
        "{low}"
    );
    let seen = js(
        &task,
        "(() => { const b = document.getElementById('low').getBoundingClientRect(); return b.top >= 0 && b.bottom <= innerHeight })()",
    );
    assert_eq!(seen, true);
    let again = task.ok("scroll_to_text", json!({"text": "far down"}));
    assert_eq!(again["scrolled"], false, "{again}");
    task.ok("scroll_to_text", json!({"text": "Only in the frame"}));
}

#[test]
fn pages_that_a_script_turns_are_turned_by_the_wheel() {
    let world = World::new();
    let task = world.at("wheel.html");
    for (down, at) in [(true, 1), (true, 2), (false, 1)] {
        let receipt = task.ok("scroll", json!({"down": down, "numPages": 1}));
        assert_eq!(js(&task, "window.at"), at, "{receipt}");
        assert_eq!(
            (
                &receipt["via"],
                &receipt["changed"],
                &receipt["scrolledBy"],
                &receipt["atEnd"]
            ),
            (&json!("wheel"), &json!(true), &json!(0), &json!(false)),
            "{receipt}"
        );
    }
    task.ok("scroll", json!({"down": true, "numPages": 1}));
    let end = task.ok("scroll", json!({"down": true, "numPages": 1}));
    assert_eq!(
        (&end["via"], &end["changed"]),
        (&json!("wheel"), &json!(false)),
        "{end}"
    );
}
