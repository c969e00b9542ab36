//! What replies cost: sizes that the caller governs, switches that hold everywhere, budgets that must not grow unseen.
//! Budgets are in bytes of the whole HTTP body and about a third above what was measured when they were set.

use serde_json::{Value, json};
use support::Task;

use crate::harness::{World, index_of, js, page_text, whole_text};

/// Bytes of the body of a reply that has to be a success.
fn bytes(world: &World, task: &Task<'_>, method: &str, params: Value, mode: &str) -> usize {
    let envelope = json!({"id": task.id, "method": method, "params": params, "responseMode": mode});
    let headers = [("content-type", "application/json")];
    let (status, body) = world.dsb.fetch(
        "POST",
        "/playwright/command",
        &headers,
        &serde_json::to_vec(&envelope).unwrap(),
    );
    assert_eq!(status, 200, "{method}: {}", String::from_utf8_lossy(&body));
    body.len()
}

#[track_caller]
fn within(what: &str, bytes: usize, budget: usize) {
    assert!(bytes <= budget, "{what} takes {bytes} bytes, its budget is {budget}");
    assert!(
        bytes * 2 > budget,
        "{what} takes {bytes} bytes: a budget of {budget} guards nothing"
    );
}

#[test]
fn pain_11_the_size_of_a_text_has_a_limit_and_the_cut_is_told() {
    let world = World::new();
    let task = world.at("list.html?n=4000");
    let params = json!({"viewportExpansion": -1, "maxChars": 3000, "includeElements": false});
    let state = task.ok("get_browser_state", params);
    let text = state["text"].as_str().unwrap();
    assert_eq!(state["textTruncated"], true);
    let (kept, marker) = text.rsplit_once('\n').unwrap();
    assert!(kept.chars().count() <= 3000 && whole_text(&task).starts_with(kept.split('\n').next().unwrap()));
    for word in ["cut at 3000 characters", "more lines", "maxChars", "selector"] {
        assert!(marker.contains(word), "{marker}");
    }
}

#[test]
fn pain_12_a_wait_answers_its_condition_and_no_page() {
    let world = World::new();
    let task = world.at("list.html?n=4000");
    for (method, params) in [
        ("wait_for_text", json!({"text": "Row 1"})),
        ("wait_for_element", json!({"selector": "#b1"})),
    ] {
        let data = task.ok(method, params.clone());
        assert!(data.get("text").is_none_or(|text| text.as_str().unwrap().len() < 100) && data.get("state").is_none());
        within(method, bytes(&world, &task, method, params.clone(), "full"), 450);
        let mut asked = params;
        asked["returnState"] = json!("full");
        assert!(
            task.ok(method, asked)["state"]["text"]
                .as_str()
                .unwrap()
                .contains("Row 1")
        );
    }
}

/// Parameters of all kinds: a method takes those that it knows and names the others.
fn anything(world: &World) -> Value {
    json!({
        "index": 1, "selector": "#b1", "text": "Row", "key": "a", "keys": "a", "url": world.site.a("/plain/list.html?n=40"),
        "body": "1", "pageIndex": 0, "seconds": 1, "x": 30, "y": 30, "attribute": "id", "name": "id", "value": "v",
        "label": "x", "role": "button", "width": 900, "height": 700, "deltaY": 10, "direction": "down", "pattern": "x",
        "urlPattern": "x", "timeoutMs": 500, "commands": [{"get_title": {}}], "latitude": 1, "longitude": 1,
        "offline": false, "headers": {"x-test": "1"}, "username": "u", "password": "p", "action": "accept",
        "behavior": "accept", "returnState": "none", "highlight": false,
    })
}

/// Those that begin or end what the others need, or wait for a person.
const APART: [&str; 7] = [
    "start",
    "close",
    "shutdown",
    "request_human_input",
    "ask_user",
    "run_recipe",
    "screenshot",
];

#[test]
fn pain_14_what_is_switched_off_is_off_in_every_command() {
    let world = World::new();
    let task = world.at("list.html?n=40");
    let listed = world.dsb.call(None, "list_methods", json!({})).expect_ok();
    let methods = ["methods", "extras"]
        .map(|list| listed[list].as_array().unwrap().clone())
        .concat();
    let mut succeeded = 0;
    for method in methods
        .iter()
        .map(|name| name.as_str().unwrap())
        .filter(|name| !APART.contains(name))
    {
        let reply = task.call(method, anything(&world));
        let data = reply.data();
        for member in ["screenshot", "screenshot_path", "state", "stateError"] {
            assert!(data.get(member).is_none(), "{method} gives {member}: {data:#}");
        }
        if method != "get_browser_state" && method != "diff_dom_text" {
            assert!(data.get("snapshotConsistent").is_none(), "{method} gives a page state");
        }
        succeeded += usize::from(reply.is_ok());
    }
    assert!(
        succeeded * 3 > methods.len() * 2,
        "only {succeeded} of {} were really run",
        methods.len()
    );
    let folder = std::fs::read_dir(world.dsb.home().join("data").join(&task.id)).unwrap();
    let pictures: Vec<_> = folder
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".png"))
        .collect();
    assert_eq!(pictures, [""; 0]);
}

#[test]
fn pain_15_answers_do_not_grow_unseen() {
    let world = World::new();
    let task = world.at("form.html");
    page_text(&task);
    let cases = [
        ("click_element_by_selector", json!({"selector": "h1"}), 1300, 650),
        (
            "input_text_by_selector",
            json!({"selector": "input", "text": "a"}),
            720,
            470,
        ),
        ("press_key", json!({"key": "Tab"}), 570, 330),
        ("go_to_url", json!({"url": world.site.a("/plain/form.html")}), 540, 290),
        ("execute_js", json!({"body": "1"}), 460, 210),
        ("get_title", json!({}), 330, 80),
        ("get_tabs", json!({}), 430, 190),
    ];
    for (method, params, full, compact) in cases {
        within(method, bytes(&world, &task, method, params.clone(), "full"), full);
        within(method, bytes(&world, &task, method, params, "compact"), compact);
    }
}

#[test]
fn pain_16_a_page_of_any_size_is_read_within_the_limit() {
    let world = World::new();
    let task = world.at("change.html");
    js(
        &task,
        "const words = 'word '.repeat(4000);
         document.body.innerHTML = Array.from({length: 195}, (_, n) => `<div role=treeitem tabindex=0>Node ${n} ${words}</div>`).join('');
         let deep = document.body;
         for (let n = 0; n < 1000; n++) deep = deep.appendChild(document.createElement('div'));
         deep.textContent = 'the deepest'; 0",
    );
    let state = task.ok(
        "get_browser_state",
        json!({"viewportExpansion": -1, "includeElements": false}),
    );
    let text = state["text"].as_str().unwrap();
    assert_eq!(state["textTruncated"], true);
    assert!(
        text.chars().count() < 401_000 && text.contains("Node 0"),
        "{}",
        text.len()
    );
    assert_eq!(task.ok("get_title", json!({}))["title"], js(&task, "document.title"));
}

#[test]
fn pain_17_the_default_answer_of_an_action_is_small_and_a_difference_is_too() {
    let world = World::new();
    let task = world.at("list.html?n=4000");
    let params = json!({"viewportExpansion": -1, "includeElements": false});
    let page = bytes(&world, &task, "get_browser_state", params, "compact");
    let click = |id: &str, state: &str| {
        let params = json!({"selector": id, "returnState": state});
        bytes(&world, &task, "click_element_by_selector", params, "compact")
    };
    within("a click", click("#b1", "none"), 420);
    within("a click with its difference", click("#b2", "diff"), 820);
    assert!(page > 50_000 && click("#b3", "full") > page / 2);
}

#[test]
fn pain_18_the_size_follows_from_the_parameters() {
    let world = World::new();
    let task = world.at("list.html?n=4000");
    for limit in [400, 2000, 20_000] {
        let params = json!({"viewportExpansion": -1, "maxChars": limit, "includeElements": false});
        let state = task.ok("get_browser_state", params.clone());
        let length = state["text"].as_str().unwrap().chars().count();
        assert!(length <= limit + 250 && length * 2 > limit, "{limit}: {length}");
        let all = bytes(&world, &task, "get_browser_state", params, "compact");
        assert!(
            all < length * 12 / 10 + 1800,
            "{limit}: {all} bytes for {length} characters"
        );
    }
}

#[test]
fn pain_19_a_part_of_the_page_can_be_read() {
    let world = World::new();
    let task = world.at("list.html?n=40");
    let read = |params: Value| {
        task.ok("get_browser_state", params)["text"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let part = read(json!({"selector": "#list > li >> nth=2"}));
    assert!(
        part.contains("Button 3") && !part.contains("Button 2") && part.lines().count() < 6,
        "{part}"
    );
    let controls = read(json!({"interactiveOnly": true}));
    assert!(
        controls.contains("Button 3") && !controls.contains("Row 3"),
        "{controls}"
    );
    let cut = read(json!({"maxChars": 200}));
    assert!(cut.contains("cut at 200 characters"), "{cut}");
    // A picture of one element instead of the page.
    let element = task.ok("screenshot", json!({"selector": "#b3"}));
    let page = task.ok("screenshot", json!({}));
    assert!(element["size"].as_u64().unwrap() < page["size"].as_u64().unwrap());
}

#[test]
fn pain_20_what_acts_is_listed_in_its_place_with_a_name() {
    let world = World::new();
    let task = world.at("change.html");
    js(
        &task,
        "document.body.innerHTML = `<p>before</p>
           <div onclick='this.dataset.on=1' style='cursor:pointer'>A plain div</div>
           <div id=marked onclick='this.dataset.on=1'>By attribute only</div>
           <a onclick='0' style='cursor:pointer'>Link without address</a>
           <button aria-label='Close panel'><svg width=10 height=10></svg></button>
           <span role=button tabindex=0 title='More options'><i>⋮</i></span>
           <div tabindex=0 role=checkbox aria-checked=false>Tick me</div>
           <p>after</p>`; 0",
    );
    let text = page_text(&task);
    let names = [
        "A plain div",
        "By attribute only",
        "Link without address",
        "Close panel",
        "More options",
        "Tick me",
    ];
    let lines: Vec<_> = text.lines().collect();
    let at = |part: &str| {
        lines
            .iter()
            .position(|line| line.contains(part))
            .unwrap_or_else(|| panic!("no {part}: {text}"))
    };
    let places: Vec<_> = std::iter::once("before")
        .chain(names)
        .chain(["after"])
        .map(at)
        .collect();
    assert!(places.is_sorted(), "in tree order, not in an appendix: {text}");
    for name in names {
        index_of(&text, name);
    }
    task.ok(
        "click_element_by_index",
        json!({"index": index_of(&text, "By attribute only")}),
    );
    assert_eq!(js(&task, "document.getElementById('marked').dataset.on"), "1");
}

#[test]
fn pain_21_what_is_put_at_the_end_of_the_body_is_not_missing() {
    let world = World::new();
    let task = world.at("change.html");
    js(
        &task,
        "document.body.innerHTML = `<main><div role=combobox tabindex=0 aria-expanded=true aria-controls=pop aria-label=Fruit>Choose</div></main>`;
         const pop = document.createElement('div'); pop.id = 'pop'; pop.setAttribute('role', 'listbox');
         pop.style = 'position:absolute;top:60px;left:10px;z-index:1000;background:white';
         pop.innerHTML = `<div role=option aria-selected=false style='cursor:pointer' onclick='document.title=\"Pear\"'>Pear</div>
            <label><input type=radio name=r value=1> Small</label> <label><input type=radio name=r value=2 checked> Large</label>`;
         document.body.append(pop); 0",
    );
    let text = page_text(&task);
    for part in ["Pear", "Small", "Large", "Fruit"] {
        index_of(&text, part);
    }
    assert_eq!(text.matches("type='radio'").count(), 2, "{text}");
    task.ok("click_element_by_index", json!({"index": index_of(&text, "Pear")}));
    assert_eq!(js(&task, "document.title"), "Pear");
}
