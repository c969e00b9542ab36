//! Keyboard input as a page sees it, compared with what the UI Events specification orders.

use serde_json::{Value, json};
use support::Task;

use crate::harness::{World, js};

fn taken(task: &Task<'_>) -> Vec<Value> {
    js(task, "take()").as_array().cloned().unwrap_or_default()
}

fn brief(events: &[Value]) -> Vec<String> {
    let line = |event: &Value| {
        let word = |name: &str| event[name].as_str().unwrap_or_default().to_owned();
        match event["kind"].as_str() {
            Some("beforeinput" | "input") => format!("{} {} {}", word("kind"), word("inputType"), word("data")),
            _ => format!("{} {} {} {}", word("kind"), word("key"), word("code"), word("mods")),
        }
    };
    events.iter().map(|event| line(event).trim_end().to_owned()).collect()
}

fn focused<'a>(world: &'a World, id: &str) -> Task<'a> {
    let task = world.at("keys.html");
    task.ok("click_element_by_selector", json!({"selector": format!("#{id}")}));
    taken(&task);
    task
}

#[test]
fn a_typed_text_makes_the_events_of_a_keyboard_in_their_order() {
    let world = World::new();
    let task = focused(&world, "field");
    task.ok("send_keys", json!({"keys": "aB é"}));
    let events = taken(&task);
    assert_eq!(
        brief(&events),
        [
            "keydown a KeyA",
            "keypress a KeyA",
            "beforeinput insertText a",
            "input insertText a",
            "keyup a KeyA",
            "keydown Shift ShiftLeft shiftKey",
            "keydown B KeyB shiftKey",
            "keypress B KeyB shiftKey",
            "beforeinput insertText B",
            "input insertText B",
            "keyup B KeyB shiftKey",
            "keyup Shift ShiftLeft",
            "keydown   Space",
            "keypress   Space",
            "beforeinput insertText",
            "input insertText",
            "keyup   Space",
            "beforeinput insertText é",
            "input insertText é",
        ],
        "{events:#?}"
    );
    assert!(events.iter().all(|event| event["trusted"] == true), "{events:#?}");
    assert!(events.iter().all(|event| event["repeat"] != true), "{events:#?}");
    assert_eq!(js(&task, "document.getElementById('field').value"), "aB é");
}

#[test]
fn combinations_hold_their_modifiers_and_let_them_go() {
    let world = World::new();
    let task = focused(&world, "field");
    task.ok("send_keys", json!({"keys": "old"}));
    taken(&task);
    task.ok("send_keys", json!({"keys": "Control+A"}));
    let events = taken(&task);
    assert_eq!(
        brief(&events),
        [
            "keydown Control ControlLeft ctrlKey",
            "keydown a KeyA ctrlKey",
            "keyup a KeyA ctrlKey",
            "keyup Control ControlLeft"
        ]
    );
    assert_eq!(
        events
            .iter()
            .map(|event| event["location"].as_i64())
            .collect::<Vec<_>>(),
        [Some(1), Some(0), Some(0), Some(1)]
    );
    assert_eq!(js(&task, "document.getElementById('field').selectionEnd"), 3);
    task.ok("send_keys", json!({"keys": "Shift+Tab"}));
    taken(&task);
    // Nothing is held afterwards.
    task.ok("click_element_by_selector", json!({"selector": "#field"}));
    task.ok("send_keys", json!({"keys": "x"}));
    assert!(
        taken(&task)
            .iter()
            .all(|event| event["mods"].as_str().unwrap_or_default().is_empty())
    );
}

#[test]
fn every_named_key_is_the_key_that_it_names() {
    let world = World::new();
    let task = focused(&world, "area");
    for (name, key, code, number) in [
        ("Escape", "Escape", "Escape", 27),
        ("esc", "Escape", "Escape", 27),
        ("Backspace", "Backspace", "Backspace", 8),
        ("Delete", "Delete", "Delete", 46),
        ("Home", "Home", "Home", 36),
        ("End", "End", "End", 35),
        ("ArrowLeft", "ArrowLeft", "ArrowLeft", 37),
        ("ArrowUp", "ArrowUp", "ArrowUp", 38),
        ("PageDown", "PageDown", "PageDown", 34),
        ("Insert", "Insert", "Insert", 45),
        ("F2", "F2", "F2", 113),
        ("Space", " ", "Space", 32),
        ("Enter", "Enter", "Enter", 13),
        ("CapsLock", "CapsLock", "CapsLock", 20),
        ("ContextMenu", "ContextMenu", "ContextMenu", 93),
    ] {
        task.ok("press_key", json!({"key": name}));
        let events = taken(&task);
        let (first, last) = (
            events.first().cloned().unwrap_or_default(),
            events.last().cloned().unwrap_or_default(),
        );
        assert_eq!(
            (&first["kind"], &first["key"], &first["code"], &first["keyCode"]),
            (&json!("keydown"), &json!(key), &json!(code), &json!(number)),
            "{name}: {events:#?}"
        );
        assert_eq!(
            (&last["kind"], &last["key"]),
            (&json!("keyup"), &json!(key)),
            "{name}: {events:#?}"
        );
    }
    assert_eq!(js(&task, "document.getElementById('area').value"), " \n");
}

#[test]
fn a_document_that_goes_in_the_middle_leaves_no_key_held() {
    let world = World::new();
    let task = focused(&world, "field");
    js(
        &task,
        "document.getElementById('field').addEventListener('input', (event) => { if (event.target.value.length === 3) location.href = '/plain/keys.html?next' }); 0",
    );
    let reply = task.call("send_keys", json!({"keys": "THIS IS A LONG TEXT THAT GOES ON AND ON"}));
    let told = reply.data();
    assert!(
        told["navigation"].is_object() || reply.error_code() == "ACTION_UNCERTAIN",
        "{}",
        reply.body
    );
    task.ok("wait_for_element", json!({"selector": "#field"}));
    task.ok("click_element_by_selector", json!({"selector": "#field"}));
    taken(&task);
    task.ok("send_keys", json!({"keys": "ok"}));
    assert!(
        taken(&task)
            .iter()
            .all(|event| event["mods"].as_str().unwrap_or_default().is_empty()),
        "a modifier is held"
    );
    assert_eq!(js(&task, "document.getElementById('field').value"), "ok");
}

#[test]
fn what_has_the_focus_is_told_also_inside_frames_and_shadow_roots() {
    let world = World::new();
    let task = world.at(&format!("frames.html?other={}", world.site.b("")));
    let element = json!({"selector": "h2", "frame": "name=nested", "timeoutSeconds": 10});
    task.ok("wait_for_element", element);
    for frame in ["name=same", "name=cross", "name=nested"] {
        task.ok(
            "click_element_by_selector",
            json!({"selector": "#field", "frame": frame}),
        );
        let sent = task.ok("send_keys", json!({"keys": "hi"}));
        let focused = &sent["focused"];
        assert_eq!(
            (&focused["tag"], &focused["id"], &focused["isBody"]),
            (&json!("input"), &json!("field"), &json!(false)),
            "{frame}: {sent}"
        );
        assert!(focused["frameUrl"].as_str().unwrap().contains(frame), "{sent}");
        assert!(
            sent.get("focusNote").is_none() && focused.get("isFrame").is_none(),
            "{sent}"
        );
        let echo = task.ok("find_text", json!({"text": "hi"}));
        assert!(echo["count"] != 0, "{echo}");
    }
    // Only the body of a frame has the focus: nothing takes the keys.
    task.ok(
        "click_element_by_selector",
        json!({"selector": "h2", "frame": "name=same"}),
    );
    let sent = task.ok("press_key", json!({"key": "ArrowDown"}));
    assert_eq!(sent["focused"]["isBody"], true, "{sent}");
    assert!(sent["focusNote"].is_string(), "{sent}");
    let task = world.at("shadow.html");
    task.ok("click_element_by_selector", json!({"selector": "#in-field"}));
    let sent = task.ok("send_keys", json!({"keys": "x"}));
    assert_eq!(
        (&sent["focused"]["tag"], &sent["focused"]["id"]),
        (&json!("input"), &json!("in-field")),
        "{sent}"
    );
}
