//! `collapseRepeats`: long lists shortened, honestly.

use serde_json::{Value, json};
use support::Task;

use crate::harness::{World, index_of, js, page_text};

fn read(task: &Task<'_>, more: Value) -> String {
    let mut params = json!({"viewportExpansion": -1, "collapseRepeats": true, "includeElements": false});
    params
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    task.ok("get_browser_state", params)["text"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn a_long_list_shows_its_first_entries_and_how_the_others_are_read() {
    let world = World::new();
    let task = world.at("list.html?n=400");
    let text = read(&task, json!({}));
    assert!(
        text.contains("Row 3") && !text.contains("Row 4") && text.contains("List"),
        "{text}"
    );
    let last = text.lines().last().unwrap();
    assert_eq!(
        last.trim(),
        "--- 97 more like these (194 controls, not indexed here) are left out; read one with selector \
         \"#list > li >> nth=3\" (up to nth=99) and viewportExpansion -1, or read all without collapseRepeats ---"
    );
    let one = task.ok(
        "get_browser_state",
        json!({"selector": "#list > li >> nth=3", "viewportExpansion": -1}),
    );
    assert!(one["text"].as_str().unwrap().contains("Row 4"));
    let past = json!({"selector": "#list > li >> nth=100", "viewportExpansion": -1});
    task.call("get_browser_state", past).expect_code("ELEMENT_NOT_FOUND");
    task.call("get_browser_state", json!({"collapseRepeats": "yes"}))
        .expect_code("INVALID_ARGUMENT");
}

#[test]
fn what_was_never_delivered_has_no_index_and_what_was_keeps_its_own() {
    let world = World::new();
    let task = world.at("list.html?n=400");
    let short = read(&task, json!({}));
    let highest = short.lines().filter(|line| line.contains("[")).count() as u64 - 1;
    task.call("click_element_by_index", json!({"index": highest + 1}))
        .expect_code("STALE_ELEMENT");
    let whole = page_text(&task);
    let fifth = index_of(&whole, ">Button 5/>");
    read(&task, json!({}));
    task.ok("click_element_by_index", json!({"index": fifth}));
    assert_eq!(js(&task, "document.getElementById('clicked').textContent"), "b5");
}

#[test]
fn tables_and_lists_inside_lists_are_shortened_once() {
    let world = World::new();
    let task = world.at("change.html");
    js(
        &task,
        "const row = (n) => `<tr class='${n % 2 ? 'odd' : 'even'}'><td>R${n}</td><td><button>B${n}</button></td></tr>`; \
         const item = (n) => `<div class='item'><p>Group ${n}</p><ul>${Array.from({length: 8}, (_, m) => `<li>G${n}E${m}</li>`).join('')}</ul></div>`; \
         document.body.innerHTML = `<table>${Array.from({length: 20}, (_, n) => row(n)).join('')}</table>${Array.from({length: 7}, (_, n) => item(n)).join('')}<p>End</p><a href='#'>1</a><a href='#'>2</a>`; 0",
    );
    let text = read(&task, json!({}));
    assert!(
        text.contains("R2") && !text.contains("R3") && text.contains("--- 17 more like these (17 controls"),
        "{text}"
    );
    assert!(
        text.contains("G2E2") && !text.contains("G2E3") && !text.contains("Group 3"),
        "{text}"
    );
    assert_eq!(text.matches(" more like these").count(), 5, "{text}");
    assert!(
        text.contains("--- 4 more like these (0 controls") && text.contains("End") && text.contains(">2/>"),
        "{text}"
    );
    for line in text.lines().filter(|line| line.contains(" more like these")) {
        let selector = line.split('"').nth(1).unwrap();
        let one = task.ok("get_element_count", json!({"selector": selector}));
        assert_eq!(one["count"], 1, "{line}");
    }
}

#[test]
fn a_difference_of_shortened_texts_counts_what_is_left_out() {
    let world = World::new();
    let task = world.at("list.html?n=400");
    read(&task, json!({}));
    js(&task, "document.getElementById('b50').textContent = 'Unseen'; 0");
    let text = read(&task, json!({"mode": "diff"}));
    assert_eq!(text.lines().count(), 1, "{text}");
    js(
        &task,
        "document.getElementById('list').insertAdjacentHTML('beforeend', '<li><button>Fresh</button></li>'); 0",
    );
    let text = read(&task, json!({"mode": "diff"}));
    assert!(
        text.contains("--- 98 more like these (195 controls") && !text.contains("Fresh"),
        "{text}"
    );
    let other = task.ok("get_browser_state", json!({"mode": "diff", "viewportExpansion": -1}));
    assert!(other["diffNote"].is_string(), "a whole reading has no shortened base");
}

#[test]
fn lists_in_frames_are_shortened_in_their_own_part() {
    let world = World::new();
    let task = world.at("change.html");
    let (near, far) = (
        world.site.a("/plain/list.html?n=40"),
        world.site.b("/plain/list.html?n=40"),
    );
    let rows = "<li><button>Own</button></li>".repeat(9);
    let body = format!(
        "<ul id=own>{rows}</ul><iframe src='{near}'></iframe><button>Between</button><iframe src='{far}'></iframe><button>Last</button>"
    );
    js(&task, &format!("document.body.innerHTML = {}; 0", json!(body)));
    for part in [&near, &far] {
        task.ok(
            "wait_for_element",
            json!({"selector": "#list > li >> nth=9", "frame": part}),
        );
    }
    let text = read(&task, json!({"includeFrames": true}));
    let parts: Vec<&str> = text.split("--- frame[").collect();
    assert_eq!(parts.len(), 4, "{text}");
    assert!(
        parts[1].contains("--- 6 more like these") && parts[1].matches(">Own/>").count() == 3,
        "{text}"
    );
    for part in &parts[2..] {
        assert!(
            part.contains("--- 7 more like these") && part.contains("Row 3") && !part.contains("Row 4"),
            "{text}"
        );
    }
    let last = task.ok("get_element_text", json!({"index": index_of(&text, ">Last/>")}));
    assert_eq!(last["text"], "Last");
}
