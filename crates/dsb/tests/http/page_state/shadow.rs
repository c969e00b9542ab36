//! Open shadow roots and slots: in the text, by selector, under the pointer, while waiting, in forms and searches.

use serde_json::json;

use crate::harness::{World, index_of, js, page_text, text_of};

#[test]
fn the_text_follows_the_slots() {
    let world = World::new();
    let task = world.at("shadow.html");
    let text = page_text(&task);
    let order = [
        "In the light",
        "Slotted title",
        "In an open root",
        "label='Inside'",
        "In a nested root",
        "Slotted button",
    ];
    let places: Vec<usize> = order
        .iter()
        .map(|part| text.find(part).unwrap_or_else(|| panic!("no {part} in\n{text}")))
        .collect();
    assert!(places.is_sorted(), "{places:?} in\n{text}");
    assert_eq!(text.matches("Slotted").count(), 2, "nothing is listed twice: {text}");
}

#[test]
fn selectors_and_indices_reach_into_open_roots() {
    let world = World::new();
    let task = world.at("shadow.html");
    let text = page_text(&task);
    for (id, name) in [
        ("in-open", "In an open root"),
        ("in-nested", "In a nested root"),
        ("slotted", "Slotted button"),
        ("declared", "In a declared root"),
    ] {
        for by_index in [true, false] {
            js(&task, "document.getElementById('clicked').textContent = ''; 0");
            let receipt = if by_index {
                task.ok(
                    "click_element_by_index",
                    json!({"index": index_of(&text, name), "mode": "native"}),
                )
            } else {
                task.ok(
                    "click_element_by_selector",
                    json!({"selector": format!("#{id}"), "mode": "native"}),
                )
            };
            assert_eq!(
                (receipt["changed"].as_bool(), text_of(&task, "clicked")),
                (Some(true), id.to_owned()),
                "{receipt}"
            );
        }
        let seen = task.ok("is_visible", json!({"selector": format!("#{id}")}));
        assert_eq!(seen["visible"], true, "{id}: {seen}");
        assert_eq!(
            task.ok("get_element_text", json!({"selector": format!("#{id}")}))["text"],
            name
        );
    }
    task.ok(
        "input_text_by_selector",
        json!({"selector": "#in-field", "text": "Ada"}),
    );
    assert_eq!(text_of(&task, "clicked"), "field:Ada");
    assert!(page_text(&task).contains("value='Ada'"));
}

#[test]
fn waits_searches_and_forms_look_into_open_roots() {
    let world = World::new();
    let task = world.at("shadow.html");
    js(
        &task,
        "const root = document.getElementById('open-host').shadowRoot.getElementById('inner-host').shadowRoot; \
         setTimeout(() => { root.append(Object.assign(document.createElement('p'), {id: 'late', textContent: 'Came late'})); }, 200); 0",
    );
    task.ok("wait_for_element", json!({"selector": "#late"}));
    task.ok("wait_for_text", json!({"text": "Came late"}));
    assert_eq!(task.ok("find_text", json!({"text": "Came late"}))["matchCount"], 1);
    let form = task.ok("get_form_state", json!({}));
    let labels: Vec<&str> = form["fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| field["label"].as_str().unwrap())
        .collect();
    assert_eq!(labels, ["Inside"]);
    js(
        &task,
        "document.body.insertAdjacentHTML('beforeend', \"<div id=veil style='position:fixed;inset:0;background:#fff'>Veil</div>\"); 0",
    );
    let refused = task
        .call(
            "click_element_by_selector",
            json!({"selector": "#in-nested", "mode": "native", "timeoutMs": 600}),
        )
        .expect_code("ELEMENT_OBSCURED");
    assert_eq!(refused["coveredBy"]["id"], "veil", "{refused}");
}
