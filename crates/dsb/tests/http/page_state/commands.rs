//! `list_frames`, `get_page_snapshot`, `diff_dom_text`, `get_interactive_map`, `get_element_listeners`.

use std::time::Duration;

use serde_json::{Value, json};
use support::eventually;

use crate::harness::{World, index_of, js, page_text};

fn strings(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|word| word.as_str().unwrap())
        .collect()
}

#[test]
fn frames_are_listed_with_what_they_hold() {
    let world = World::new();
    let task = world.dsb.task(json!({}));
    let other = world.site.b("");
    let url = format!("/plain/frames.html?other={}", other.trim_end_matches('/'));
    task.ok("go_to_url", json!({"url": world.site.a(&url)}));
    let unread = task.ok("list_frames", json!({"refresh": false}));
    assert!(unread["count"].as_u64().unwrap() >= 1 && unread["frames"][0]["isMain"] == true);
    assert!(unread["frames"][0].get("elementCount").is_none() && unread["note"].as_str().unwrap().contains("refresh"));
    task.ok(
        "wait_for_element",
        json!({"selector": "#inner", "frame": "name=nested"}),
    );
    let listed = task.ok("list_frames", json!({}));
    assert_eq!(listed["count"], 5);
    let nested = &listed["frames"][4];
    assert_eq!(
        (
            &nested["index"],
            &nested["depth"],
            &nested["parentIndex"],
            &nested["elementCount"]
        ),
        (&json!(4), &json!(2), &json!(3), &json!(4))
    );
    let (low, high) = nested["indexRange"].as_str().unwrap().split_once('-').unwrap();
    assert_eq!(high.parse::<u64>().unwrap() - low.parse::<u64>().unwrap(), 3);
    task.ok("get_element_text", json!({"index": low.parse::<u64>().unwrap()}));
    assert_eq!(
        task.ok("list_frames", json!({"refresh": false}))["frames"],
        listed["frames"]
    );
    let by_number = task.ok("get_element_text", json!({"selector": "#name", "frame": 4}));
    assert_eq!(by_number["text"], "Frame nested");
    let missing = task.call("get_element_text", json!({"selector": "#name", "frame": 9}));
    assert!(
        missing.msg().contains("list_frames") && !missing.is_ok(),
        "{}",
        missing.msg()
    );
    task.ok("reload", json!({}));
    let stale = task.ok("list_frames", json!({"refresh": false}));
    assert!(stale["frames"][0].get("elementCount").is_none(), "{stale}");
    task.call("list_frames", json!({"refresh": "soon"}))
        .expect_code("INVALID_ARGUMENT");
}

#[test]
fn a_page_is_told_in_a_few_facts() {
    let world = World::new();
    let task = world.at("alert.html");
    let facts = task.ok("get_page_snapshot", json!({}));
    assert!(facts["url"].as_str().unwrap().ends_with("/plain/alert.html"));
    assert_eq!(
        (&facts["loading"], &facts["tabs"][0]["current"]),
        (&json!(false), &json!(true))
    );
    assert!(facts.get("text").is_none() && facts.get("dialog").is_none() && facts.get("networkRecorded").is_none());
    js(&task, "document.title = 'Renamed'; 0");
    task.ok("click_element_by_selector", json!({"selector": "#alert"}));
    let facts = task.ok(
        "get_page_snapshot",
        json!({"includeRequests": true, "includeConsole": true}),
    );
    assert_eq!(
        (&facts["title"], &facts["dialog"]["message"]),
        (&json!("Renamed"), &json!("Hello"))
    );
    assert!(facts.get("networkRecorded").is_none() && facts["requests"][0]["resourceType"] == "document");
    assert!(facts["consoleRecorded"] == false && facts["consoleNote"].is_string());
    task.call("get_page_snapshot", json!({"includeConsole": 7}))
        .expect_code("INVALID_ARGUMENT");
}

#[test]
fn lines_are_compared_with_the_text_before() {
    let world = World::new();
    let task = world.at("list.html?n=40");
    let first = task.ok("diff_dom_text", json!({}));
    assert_eq!((&first["first"], &first["changed"]), (&json!(true), &json!(true)));
    assert!(strings(&first["added"]).iter().any(|line| line.contains("Button 3")));
    assert!(first.get("state_file").is_none() && first.get("screenshot").is_none());
    let same = task.ok("diff_dom_text", json!({}));
    assert_eq!((&same["first"], &same["changed"]), (&json!(false), &json!(false)));
    let index = index_of(&page_text(&task), ">Button 3/>");
    js(
        &task,
        "document.getElementById('b3').textContent = 'Renamed'; document.getElementById('b5').remove(); 0",
    );
    let diff = task.ok("diff_dom_text", json!({}));
    assert_eq!(diff["changed"], true);
    let (added, removed) = (strings(&diff["added"]), strings(&diff["removed"]));
    assert!(
        added.len() == 1 && added[0].contains(&format!("[{index}]<button")) && added[0].contains("Renamed"),
        "{added:?}"
    );
    assert!(
        removed.len() == 2 && removed.iter().any(|line| line.contains("Button 5")),
        "{removed:?}"
    );
    js(
        &task,
        "document.body.innerHTML = Array.from({length: 500}, (_, n) => `<p>line ${n}</p>`).join(''); 0",
    );
    let many = task.ok("diff_dom_text", json!({"viewportExpansion": -1}));
    assert_eq!((strings(&many["added"]).len(), &many["addedCount"]), (200, &json!(500)));
    task.call("diff_dom_text", json!({"viewportExpansion": -2}))
        .expect_code("INVALID_ARGUMENT");
}

const LISTENING: &str = "
  document.body.innerHTML = '<button id=own>Own</button><button id=inline onclick=\"0\">Inline</button><button id=bare class=\"c1 c2\">Bare</button>' +
    '<button id=property>Property</button><div id=shell><button id=inner>Inner</button></div><input id=field type=password value=hidden><a id=link href=\"/x\">Link</a>';
  own.addEventListener('click', () => {}); own.addEventListener('keydown', () => {}); own.addEventListener('click', () => {}, true);
  property.onmousedown = () => {}; shell.addEventListener('click', () => {});
  bare.__reactFiber$x1 = {}; inner.__reactProps$x1 = { onClick() {}, title: 'no' }; 0";

#[test]
fn listeners_are_told_with_those_around() {
    let world = World::new();
    let task = world.at("change.html");
    js(&task, LISTENING);
    let of = |selector: &str| task.ok("get_element_listeners", json!({"selector": selector}));
    let own = of("#own");
    assert_eq!(
        (&own["found"], &own["hasListeners"], &own["detection"]),
        (&json!(true), &json!(true), &json!("cdp"))
    );
    let mut types = strings(&own["listeners"]);
    types.sort_unstable();
    assert_eq!(types, ["click", "keydown"]);
    assert!(own.get("note").is_none() && own["tag"] == "button");
    assert_eq!(of("#inline")["inline"], true);
    assert_eq!(strings(&of("#property")["listeners"]), ["mousedown"]);
    let bare = of("#bare");
    assert_eq!(
        (&bare["hasListeners"], &bare["className"], &bare["react"]),
        (&json!(false), &json!("c1 c2"), &json!(true))
    );
    assert!(bare["note"].is_string() && strings(&bare["listeners"]).is_empty());
    let inner = of("#inner");
    assert_eq!((&inner["react"], &inner["hasListeners"]), (&json!(true), &json!(true)));
    assert_eq!(
        inner["delegated"],
        json!([{"type": "click", "on": "div#shell"}]),
        "ours are not the page's"
    );
    let index = index_of(&page_text(&task), ">Own/>");
    assert_eq!(
        task.ok("get_element_listeners", json!({"index": index}))["hasListeners"],
        true
    );
    let none = of(".nothing");
    assert!(none["found"] == false && none["note"].is_string() && none.get("hasListeners").is_none());
    task.call("get_element_listeners", json!({}))
        .expect_code("INVALID_ARGUMENT");
    task.call("get_element_listeners", json!({"selector": "::("}))
        .expect_code("INVALID_ARGUMENT");
    task.call("get_element_listeners", json!({"index": 9999}))
        .expect_code("STALE_ELEMENT");
}

#[test]
fn the_map_has_the_facts_of_now() {
    let world = World::new();
    let task = world.at("change.html");
    js(&task, LISTENING);
    let map = task.ok("get_interactive_map", json!({}));
    let by_id = |map: &Value, id: &str| {
        let elements = map["elements"].as_array().unwrap();
        elements
            .iter()
            .find(|element| element["id"] == id)
            .unwrap_or_else(|| panic!("no {id} in {map:#}"))
            .clone()
    };
    assert_eq!(map["count"], map["elements"].as_array().unwrap().len());
    let own = by_id(&map, "own");
    assert_eq!(
        (&own["resolved"], &own["hasListeners"], &own["listenerDetection"]),
        (&json!(true), &json!(true), &json!("cdp"))
    );
    assert!(own["xpath"].as_str().unwrap().ends_with("/button[1]") && own["rect"][2].as_f64().unwrap() > 10.0);
    assert!(by_id(&map, "bare").get("hasListeners").is_none());
    assert_eq!(by_id(&map, "field")["value"], "[redacted]");
    assert!(by_id(&map, "link")["href"].as_str().unwrap().ends_with("/x"));
    let lost = own["index"].clone();
    js(
        &task,
        "own.remove(); document.getElementById('bare').textContent = 'Changed'; 0",
    );
    let later = task.ok("get_interactive_map", json!({}));
    assert_eq!(later["snapshotId"], map["snapshotId"]);
    assert_eq!(by_id(&later, "bare")["text"], "Changed");
    let elements = later["elements"].as_array().unwrap();
    let gone = elements.iter().find(|element| element["index"] == lost).unwrap();
    assert_eq!(
        (&gone["resolved"], &gone["tag"], &gone["text"]),
        (&json!(false), &json!("button"), &json!("Own"))
    );
    assert!(gone.get("rect").is_none());
}

#[test]
fn the_text_of_a_page_is_kept_as_a_file() {
    let world = World::new();
    let task = world.at("list.html?n=40");
    let state = task.ok("get_browser_state", json!({}));
    let path = state["state_file"].as_str().unwrap();
    let wanted = format!(
        "{}\n\n{}",
        state["browser_state"].as_str().unwrap(),
        state["text"].as_str().unwrap()
    );
    // It is written after the reply, and appears whole.
    let kept = eventually("the text as a file", Duration::from_secs(10), || {
        match world.dsb.fetch("GET", path, &[], b"") {
            (200, bytes) => Some(String::from_utf8(bytes).unwrap()),
            _ => None,
        }
    });
    assert_eq!(kept, wanted);
    // Where it cannot be kept, no path is told.
    let folder = world.dsb.home().join("data").join(&task.id);
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::write(&folder, b"in the way").unwrap();
    let state = task.ok("get_browser_state", json!({}));
    assert!(
        state.get("state_file").is_none() && state["text"].is_string(),
        "{state:#}"
    );
}
