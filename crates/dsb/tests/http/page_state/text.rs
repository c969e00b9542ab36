//! What a caller governs: part of the page, controls only, differences, size, strictness, boxes.

use serde_json::{Value, json};
use support::Task;

use crate::harness::{World, index_of, js, options};

fn read(task: &Task<'_>, params: Value) -> (Value, String) {
    let state = task.ok("get_browser_state", params);
    let text = state["text"].as_str().unwrap().to_owned();
    (state, text)
}

#[test]
fn a_selector_reads_one_part_and_leaves_other_indices_alone() {
    let world = World::new();
    let task = world.at("list.html?n=40");
    let (_, whole) = read(&task, json!({}));
    let (state, part) = read(&task, json!({"selector": "#list > li >> nth=2"}));
    assert_eq!(part.lines().count(), 3, "{part}");
    assert_eq!(index_of(&part, ">Button 3/>"), index_of(&whole, ">Button 3/>"));
    assert_eq!(state["elementCount"], 2);
    let other = index_of(&whole, ">Button 1/>");
    task.ok("click_element_by_index", json!({"index": other}));
    task.call("get_browser_state", json!({"selector": ".nothing"}))
        .expect_code("ELEMENT_NOT_FOUND");
    for bad in ["::(", " "] {
        task.call("get_browser_state", json!({"selector": bad}))
            .expect_code("INVALID_ARGUMENT");
    }
}

#[test]
fn a_selector_takes_only_the_frames_below_it() {
    let world = World::new();
    let task = world.at("frames.html");
    task.ok("wait_for_element", json!({"selector": "#inner", "frame": "name=same"}));
    let (state, text) = read(&task, json!({"selector": "#written"}));
    assert!(text.contains("In srcdoc") && !text.contains("Click inside"), "{text}");
    let frames = state["frames"].as_array().unwrap();
    let same = frames
        .iter()
        .find(|frame| frame["url"].as_str().unwrap().contains("name=same"));
    assert_eq!(same.unwrap()["skipReason"], "outside-selector");
}

#[test]
fn only_controls_are_read_when_asked() {
    let world = World::new();
    let task = world.at("list.html?n=40");
    let (_, whole) = read(&task, json!({}));
    let (_, controls) = read(&task, json!({"interactiveOnly": true}));
    assert!(whole.contains("Row 3") && !controls.contains("Row 3"), "{controls}");
    assert_eq!(controls.lines().count(), 20);
    assert_eq!(index_of(&controls, ">Button 3/>"), index_of(&whole, ">Button 3/>"));
}

#[test]
fn a_difference_tells_what_changed_and_nothing_else() {
    let world = World::new();
    let task = world.at("list.html?n=4000");
    let ask = json!({"mode": "diff", "viewportExpansion": -1, "includeElements": false});
    let (first, text) = read(&task, ask.clone());
    assert!(first["diffNote"].is_string() && first.get("diffBase").is_none() && text.contains("Row 1000"));
    let index = index_of(&text, ">Button 500/>");
    js(
        &task,
        "document.getElementById('b500').textContent = 'Paid'; document.getElementById('b7').parentElement.remove(); \
         document.getElementById('list').insertAdjacentHTML('beforeend', '<li><button>Fresh</button></li>'); 0",
    );
    let (second, text) = read(&task, ask.clone());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6, "{text}");
    assert!(
        lines[..3].iter().all(|line| line.starts_with("- ")) && text.contains("- Row 7"),
        "{text}"
    );
    assert!(text.contains(&format!("~ [{index}]<button >Paid/>")), "{text}");
    assert!(lines[4].starts_with("+ ") && lines[4].contains("<button >Fresh/>") && !lines[4].contains('*'));
    assert!(lines[5].starts_with("--- ") && lines[5].ends_with(" lines unchanged ---"));
    assert_eq!(second["diffBase"], first["snapshotId"]);
    let (_, third) = read(&task, ask.clone());
    assert_eq!(
        third,
        format!(
            "--- {} lines unchanged ---",
            second["linesUnchanged"].as_u64().unwrap() + 2
        )
    );
    let (_, viewport) = read(&task, json!({"mode": "diff"}));
    assert!(viewport.contains("Row 1"), "another kind of reading has no base");
    task.ok("reload", json!({}));
    let (reloaded, whole) = read(&task, ask);
    assert!(reloaded.get("diffBase").is_none() && whole.contains("Row 7"));
    task.call("get_browser_state", json!({"mode": "delta"}))
        .expect_code("INVALID_ARGUMENT");
}

// A token is about four bytes of such text: `./bench` counts the tokens, at most 60.
#[test]
fn one_changed_row_of_a_thousand_costs_a_few_words() {
    let world = World::new();
    let task = world.at("orders.html?n=1000");
    let ask = json!({"mode": "diff", "viewportExpansion": -1, "includeElements": false});
    read(&task, ask.clone());
    js(
        &task,
        "const paid = document.getElementById('r500'); paid.cells[3].textContent = '99.90'; paid.cells[4].textContent = 'returned'; 0",
    );
    let (_, text) = read(&task, ask);
    assert!(
        text.contains("+ Linus Miller | 2024-06-10 | 99.90 | returned"),
        "{text}"
    );
    assert!(
        text.lines().count() == 3 && text.len() <= 180,
        "{} bytes: {text}",
        text.len()
    );
}

#[test]
fn a_long_text_is_cut_honestly_and_compared_whole() {
    let world = World::new();
    let task = world.at("list.html?n=400");
    let cut = json!({"viewportExpansion": -1, "maxChars": 500});
    let (state, text) = read(&task, cut.clone());
    assert_eq!(state["textTruncated"], true);
    assert!(
        text.lines().last().unwrap().starts_with("--- cut at 500 characters: "),
        "{text}"
    );
    js(&task, "document.getElementById('b90').textContent = 'Far below'; 0");
    let mut ask = cut;
    ask["mode"] = json!("diff");
    let (_, text) = read(&task, ask);
    assert!(text.contains("Far below") && text.lines().count() == 2, "{text}");
}

#[test]
fn changes_during_a_reading_are_told_and_indices_stay_good() {
    let world = World::new();
    let task = world.at("change.html");
    js(
        &task,
        "document.body.innerHTML = '<button id=stay>Stay</button><ul id=l></ul><p id=t></p>'; \
         const channel = new MessageChannel(); let n = 0; \
         channel.port1.onmessage = () => { const li = document.createElement('li'); li.textContent = n++; l.replaceChildren(li); channel.port2.postMessage(0); }; \
         channel.port2.postMessage(0); 0",
    );
    let (state, text) = read(&task, json!({}));
    assert_eq!(
        (
            &state["snapshotConsistent"],
            &state["snapshotAttempts"],
            &state["indicesUsable"]
        ),
        (&json!(false), &json!(2), &json!(true))
    );
    assert_eq!(state["snapshotIssues"], json!(["mutations_changed"]));
    assert!(state["snapshotStructuralMutations"].as_u64().unwrap() > 0 && state["snapshotHint"].is_string());
    task.ok(
        "click_element_by_index",
        json!({"index": index_of(&text, ">Stay/>"), "mode": "js"}),
    );
}

#[test]
fn strictness_counts_changes_of_text_too() {
    let world = World::new();
    let task = world.at("change.html");
    js(
        &task,
        "document.body.innerHTML = '<p id=t>0</p>'; const channel = new MessageChannel(); let n = 0; \
         channel.port1.onmessage = () => { t.firstChild.data = n++; channel.port2.postMessage(0); }; channel.port2.postMessage(0); 0",
    );
    let (lenient, _) = read(&task, json!({}));
    assert_eq!(lenient["snapshotConsistent"], true, "{lenient}");
    assert!(lenient["snapshotContentMutations"].as_u64().unwrap() > 0 && lenient["snapshotNote"].is_string());
    let (strict, _) = read(&task, json!({"strictSnapshot": true}));
    assert_eq!(
        (
            &strict["snapshotStrict"],
            &strict["snapshotConsistent"],
            &strict["snapshotAttempts"]
        ),
        (&json!(true), &json!(false), &json!(2))
    );
    let quiet = world
        .at("form.html")
        .ok("get_browser_state", json!({"strictSnapshot": true}));
    assert_eq!(
        (&quiet["snapshotConsistent"], &quiet["snapshotAttempts"]),
        (&json!(true), &json!(1))
    );
    assert!(quiet.get("snapshotMutations").is_none());
}

const LAYER: &str = "document.querySelectorAll('#playwright-highlight-container').length";

#[test]
fn boxes_are_drawn_when_asked_and_never_in_the_way() {
    let world = World::with(options());
    let task = world.at("list.html?n=40");
    task.ok("get_browser_state", json!({}));
    assert_eq!(js(&task, LAYER), 0, "nobody watches a browser without a window");
    let plain = task.ok("screenshot", json!({}));
    read(&task, json!({"highlight": true}));
    let style = js(
        &task,
        "getComputedStyle(document.querySelector('html > #playwright-highlight-container')).pointerEvents",
    );
    assert_eq!(style, "none");
    let (state, text) = read(&task, json!({"highlight": true}));
    let picture = task.ok("screenshot", json!({}));
    assert_eq!(js(&task, LAYER), 0, "a picture takes the boxes away");
    let bytes = |path: &Value| world.dsb.fetch("GET", path.as_str().unwrap(), &[], &[]).1;
    let [plain, picture, beside] = [&plain["url"], &picture["url"], &state["screenshot"]].map(bytes);
    assert!(plain == picture && plain == beside, "a picture shows boxes");
    read(&task, json!({"highlight": true}));
    let (again, same) = read(&task, json!({"highlight": true, "strictSnapshot": true}));
    assert_eq!(
        (same.as_str(), &again["snapshotConsistent"]),
        (text.as_str(), &json!(true))
    );
    assert_eq!(js(&task, LAYER), 1);
    let receipt = task.ok(
        "click_element_by_index",
        json!({"index": index_of(&text, ">Button 3/>")}),
    );
    assert_eq!(receipt["changed"], true, "{receipt}");
    assert_eq!(js(&task, LAYER), 0);
    task.call("get_browser_state", json!({"highlight": "red"}))
        .expect_code("INVALID_ARGUMENT");
}
