//! References that go stale, move to other elements or are given anew with every reading.

use serde_json::json;

use crate::harness::{World, index_of, js, page_text, text_of};

#[test]
fn pain_01_a_reference_never_moves_to_another_element() {
    let world = World::new();
    let task = world.at("list.html?n=40");
    let before = page_text(&task);
    let (third, fourth) = (index_of(&before, ">Button 3/>"), index_of(&before, ">Button 4/>"));
    js(
        &task,
        "const li = document.createElement('li'); li.innerHTML = '<button id=fresh>Fresh</button>'; \
         document.getElementById('list').prepend(li); document.getElementById('b4').remove(); 0",
    );
    let after = page_text(&task);
    assert_eq!(index_of(&after, ">Button 3/>"), third);
    let fresh = index_of(&after, ">Fresh/>");
    assert!(
        fresh > fourth && !before.contains(&format!("[{fresh}]<")),
        "numbers are never used again: {after}"
    );
    task.ok("click_element_by_index", json!({"index": third}));
    assert_eq!(text_of(&task, "clicked"), "b3");
    let dead = task.call("click_element_by_index", json!({"index": fourth}));
    assert_eq!(dead.expect_code("STALE_ELEMENT")["reason"], "removed");
    assert_eq!(text_of(&task, "clicked"), "b3", "nothing else was clicked");
}

#[test]
fn pain_03_acting_on_a_reference_after_a_reload_fails_aloud() {
    let world = World::new();
    let task = world.at("form.html");
    let field = index_of(&page_text(&task), "<input");
    task.ok("reload", json!({}));
    for (method, params) in [
        ("input_text", json!({"index": field, "text": "lost"})),
        ("click_element_by_index", json!({"index": field})),
    ] {
        let failed = task.call(method, params);
        assert!(failed.msg().contains("get_browser_state"), "{}", failed.msg());
        failed.expect_code("STALE_ELEMENT");
    }
    let values = js(
        &task,
        "Array.from(document.querySelectorAll('input'), (el) => el.value).join()",
    );
    assert!(!values.as_str().unwrap().contains("lost"));
}

#[test]
fn pain_04_surviving_elements_keep_their_numbers() {
    let world = World::new();
    let task = world.at("list.html?n=40");
    let first = page_text(&task);
    for round in 0..3 {
        js(
            &task,
            &format!(
                "const p = document.createElement('button'); p.textContent = 'Round {round}'; document.body.prepend(p); 0"
            ),
        );
        let text = page_text(&task);
        for name in [">Button 1/>", ">Button 2/>", ">Link 3/>"] {
            assert_eq!(index_of(&text, name), index_of(&first, name), "{name} in round {round}");
        }
    }
    // No reading is needed between two actions on what was read once.
    for at in 1..=3 {
        task.ok(
            "click_element_by_index",
            json!({"index": index_of(&first, &format!(">Button {at}/>"))}),
        );
        assert_eq!(text_of(&task, "clicked"), format!("b{at}"));
    }
}

#[test]
fn pain_05_a_page_that_renders_anew_refuses_its_old_references() {
    let world = World::new();
    let task = world.at("list.html?n=40");
    let index = index_of(&page_text(&task), ">Button 2/>");
    js(
        &task,
        "{ const list = document.getElementById('list'); list.innerHTML = list.innerHTML; } 0",
    );
    let failed = task
        .call("click_element_by_index", json!({"index": index}))
        .expect_code("STALE_ELEMENT");
    assert_eq!(
        (&failed["reason"], &failed["retryable"]),
        (&json!("removed"), &json!(true))
    );
    assert_eq!(text_of(&task, "clicked"), "none");
}

#[test]
fn pain_06_an_index_does_not_look_like_an_attribute() {
    let world = World::new();
    let task = world.at("list.html?n=8");
    let text = page_text(&task);
    let line = text.lines().find(|line| line.contains(">Button 1/>")).unwrap().trim();
    let number = line
        .trim_start_matches('*')
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
        .unwrap();
    assert!(
        number.0.parse::<u32>().is_ok() && number.1.starts_with("<button "),
        "{line}"
    );
    for lookalike in ["uid=", "ref=", "index=", "id="] {
        assert!(!line.contains(lookalike), "{line}");
    }
    // A script finds an element by facts that the map tells of the same index.
    let map = task.ok("get_interactive_map", json!({}));
    let record = map["elements"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["text"] == "Button 1")
        .unwrap();
    assert_eq!(record["index"].to_string(), number.0);
    let xpath = record["xpath"].as_str().unwrap();
    let found = js(
        &task,
        &format!(
            "document.evaluate('{xpath}', document, null, XPathResult.FIRST_ORDERED_NODE_TYPE).singleNodeValue.id"
        ),
    );
    assert_eq!(found, "b1");
}

#[test]
fn pain_08_a_tab_that_is_gone_is_told() {
    let world = World::new();
    let task = world.at("list.html?n=8");
    task.ok("new_tab", json!({"url": world.site.a("/plain/list.html?n=12")}));
    let index = index_of(&page_text(&task), ">Button 3/>");
    task.ok("close_tab", json!({"pageIndex": 1}));
    let failed = task.call("click_element_by_index", json!({"index": index}));
    assert!(!failed.is_ok());
    assert!(
        failed.body.to_string().contains("n=8") || failed.data()["note"].is_string(),
        "{:#}",
        failed.body
    );
    assert_eq!(
        text_of(&task, "clicked"),
        "none",
        "nothing was clicked in the tab that is left"
    );
}

#[test]
fn pain_09_an_index_out_of_range_says_what_the_range_is() {
    let world = World::new();
    let task = world.at("list.html?n=8");
    let unread = task.call("click_element_by_index", json!({"index": 3}));
    assert!(unread.msg().contains("get_browser_state"), "{}", unread.msg());
    unread.expect_code("STALE_ELEMENT");
    let state = task.ok("get_browser_state", json!({}));
    let failed = task.call("click_element_by_index", json!({"index": 4711}));
    let words = failed.msg().to_owned();
    let facts = failed.expect_code("STALE_ELEMENT");
    let (count, highest) = (&facts["count"], &facts["highest"]);
    assert_eq!(count, &state["elementCount"], "{facts:#}");
    assert!(highest.as_u64().unwrap() >= count.as_u64().unwrap() - 1);
    assert!(
        words.contains("4711") && words.contains(&highest.to_string()),
        "{words}"
    );
}

#[test]
fn pain_10_an_action_and_the_page_after_it_are_one_call() {
    let world = World::new();
    let task = world.at("list.html?n=40");
    let mut text = page_text(&task);
    for at in 1..=4 {
        let index = index_of(&text, &format!(">Button {at}/>"));
        let data = task.ok("click_element_by_index", json!({"index": index, "returnState": "full"}));
        text = data["state"]["text"].as_str().unwrap().to_owned();
        assert!(text.contains(&format!("b{at}")), "{text}");
    }
}
