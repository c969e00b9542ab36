//! `returnState`: the state of the page after an action, in the reply of the action.

use serde_json::{Value, json};
use support::Task;

use crate::harness::{World, index_of, js, page_text};

fn state_text(data: &Value) -> &str {
    data["state"]["text"]
        .as_str()
        .unwrap_or_else(|| panic!("no state in {data:#}"))
}

/// Lines of a difference that tell of a change.
fn told(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.starts_with("---")).collect()
}

/// Whether a line of the difference with this sign ends with this word.
fn tells(text: &str, sign: char, word: &str) -> bool {
    told(text)
        .iter()
        .any(|line| line.starts_with(sign) && line.ends_with(word))
}

fn click(task: &Task<'_>, selector: &str, state: &str) -> Value {
    task.ok(
        "click_element_by_selector",
        json!({"selector": selector, "returnState": state}),
    )
}

#[test]
fn a_click_returns_only_the_lines_that_it_changed() {
    let world = World::new();
    let task = world.at("list.html?n=40");
    let before = page_text(&task);
    let data = click(&task, "#b3", "diff");
    let text = state_text(&data);
    assert!(
        told(text).len() == 2 && tells(text, '+', "b3") && tells(text, '-', "none"),
        "{text}"
    );
    let state = &data["state"];
    assert_eq!(
        (&state["mode"], &state["indicesUsable"]),
        (&json!("diff"), &json!(true))
    );
    assert_eq!(
        state["linesUnchanged"].as_u64().unwrap() as usize,
        before.lines().count() - 1
    );
    assert!(
        state["snapshotId"].is_string() && state.get("elements").is_none(),
        "{state}"
    );
    // Its indices are those of the page text before, and its reading is the base of the next one.
    let index = index_of(&before, ">Button 4/>");
    let data = task.ok(
        "click_element_by_index",
        json!({"index": index, "snapshotId": state["snapshotId"], "returnState": "diff"}),
    );
    let text = state_text(&data);
    assert!(
        told(text).len() == 2 && tells(text, '+', "b4") && tells(text, '-', "b3"),
        "{text}"
    );
    assert_eq!(data["state"]["diffBase"], state["snapshotId"]);
}

#[test]
fn the_whole_state_is_what_a_reading_gives_and_none_is_nothing() {
    let world = World::new();
    let task = world.at("list.html?n=40");
    let data = click(&task, "#b1", "full");
    let read = task.ok("get_browser_state", json!({}));
    let unmarked = |text: &str| text.replace('*', "");
    assert_eq!(unmarked(state_text(&data)), unmarked(read["text"].as_str().unwrap()));
    for member in ["elementCount", "url", "title", "indicesUsable"] {
        assert_eq!(data["state"][member], read[member], "{member}");
    }
    assert_eq!(data["state"]["mode"], "full");
    let none = click(&task, "#b2", "none");
    assert!(none.get("state").is_none() && none.get("stateError").is_none() && none.get("unknownParams").is_none());
}

#[test]
fn without_a_reading_before_the_difference_is_the_whole_text() {
    let world = World::new();
    let task = world.at("list.html?n=40");
    let data = click(&task, "#b1", "diff");
    assert_eq!(data["state"]["mode"], "full");
    assert!(data["state"]["diffNote"].is_string() && state_text(&data).contains("Button 2"));
}

#[test]
fn the_page_is_read_as_it_was_read_last() {
    let world = World::new();
    let task = world.at("list.html?n=400");
    task.ok(
        "get_browser_state",
        json!({"viewportExpansion": -1, "interactiveOnly": true}),
    );
    let data = click(&task, "#b1", "full");
    assert!(state_text(&data).contains("Button 100") && !state_text(&data).contains("Row 100"));
    task.ok("get_browser_state", json!({"maxChars": 300}));
    task.ok("get_browser_state", json!({"selector": "#list"}));
    let data = click(&task, "#b2", "full");
    assert_eq!(data["state"]["textTruncated"], true);
    assert!(state_text(&data).chars().count() < 700 && state_text(&data).contains("Clicked:"));
}

#[test]
fn after_a_navigation_the_state_is_that_of_the_new_document() {
    let world = World::new();
    let task = world.at("list.html?n=8");
    let data = task.ok(
        "go_to_url",
        json!({"url": world.site.a("/plain/change.html"), "returnState": "full"}),
    );
    assert!(
        data["state"]["url"].as_str().unwrap().ends_with("/plain/change.html"),
        "{data:#}"
    );
    let index = index_of(state_text(&data), "<button");
    task.ok(
        "click_element_by_index",
        json!({"index": index, "snapshotId": data["state"]["snapshotId"]}),
    );
    js(
        &task,
        &format!(
            "document.body.innerHTML = '<a id=go href=\"{}\">Go</a>'; 0",
            world.site.a("/slow?ms=300")
        ),
    );
    let data = click(&task, "#go", "diff");
    assert!(state_text(&data).contains("answered after 300 ms"), "{data:#}");
    assert_eq!(
        (&data["state"]["mode"], &data["state"]["title"]),
        (&json!("full"), &json!("Slow"))
    );
}

#[test]
fn a_refused_action_has_no_state() {
    let world = World::new();
    let task = world.at("covered.html");
    let failed = task.call(
        "click_element_by_selector",
        json!({"selector": "#nothing", "returnState": "full"}),
    );
    let data = failed.expect_code("ELEMENT_NOT_FOUND");
    assert!(data.get("state").is_none() && data.get("stateError").is_none());
    task.call(
        "click_element_by_selector",
        json!({"selector": "h1", "returnState": "everything"}),
    )
    .expect_code("INVALID_ARGUMENT");
}

#[test]
fn a_page_that_cannot_be_read_leaves_the_action_a_success() {
    let world = World::new();
    let task = world.at("change.html");
    let busy = "setTimeout(() => { const end = Date.now() + 7000; while (Date.now() < end); }); 'ran'";
    let data = task.ok("execute_js", json!({"body": busy, "returnState": "full"}));
    assert_eq!(data["result"], "ran");
    assert!(
        data.get("state").is_none() && data["stateError"]["message"].is_string(),
        "{data:#}"
    );
    let read = js(&task, "1 + 1");
    assert_eq!(read, 2);
}

#[test]
fn a_batch_returns_the_state_after_its_last_step() {
    let world = World::new();
    let task = world.at("list.html?n=40");
    page_text(&task);
    let steps = json!([
        {"click_element_by_selector": {"selector": "#b1"}},
        {"click_element_by_selector": {"selector": "#b2", "returnState": "diff"}},
        {"click_element_by_selector": {"selector": "#b5"}},
    ]);
    let data = task.ok("commands", json!({"commands": steps, "returnState": "diff"}));
    let step = |at: usize| &data["results"][at]["data"];
    assert!(step(0).get("state").is_none() && tells(state_text(step(1)), '+', "b2"));
    assert_eq!(told(state_text(&data)).len(), 2, "{data:#}");
    assert!(tells(state_text(&data), '+', "b5") && tells(state_text(&data), '-', "b2"));
    let steps = json!([{"click_element_by_selector": {"selector": "#b6"}}, {"click_element_by_selector": {"selector": "#nothing"}}]);
    let failed = task.call("commands", json!({"commands": steps, "returnState": "diff"}));
    let data = failed.expect_code("ELEMENT_NOT_FOUND");
    assert!(tells(state_text(&data), '+', "b6"), "{data:#}");
}

#[test]
fn closing_a_tab_returns_the_state_of_the_one_that_is_current_then() {
    let world = World::new();
    let task = world.at("list.html?n=8");
    let opened = task.ok(
        "new_tab",
        json!({"url": world.site.a("/plain/article.html"), "returnState": "full"}),
    );
    assert!(
        opened["state"]["url"].as_str().unwrap().ends_with("article.html"),
        "{opened:#}"
    );
    let closed = task.ok("close_tab", json!({"pageIndex": 1, "returnState": "full"}));
    assert!(
        closed["state"]["url"].as_str().unwrap().contains("list.html"),
        "{closed:#}"
    );
}

#[test]
fn the_catalogue_tells_of_it() {
    let world = World::new();
    let note = |filter: &str| {
        world
            .dsb
            .call(None, "list_methods", json!({"filter": filter}))
            .expect_ok()["note"]
            .clone()
    };
    assert!(note("click").as_str().unwrap().contains("returnState"));
    assert_eq!(note("get_title"), Value::Null);
}
