//! What really received a click: pages that move, replace, open and close things under it.

use serde_json::{Value, json};
use support::Task;

use crate::harness::{World, index_of, js, text_of, whole_text};

fn click(task: &Task<'_>, selector: &str) -> Value {
    task.ok("click_element_by_selector", json!({"selector": selector}))
}

#[test]
fn a_tab_strip_that_scrolls_when_pressed_gets_the_release_too() {
    let world = World::new();
    let task = world.at("delivery.html");
    let receipt = click(&task, "#third");
    assert_eq!(receipt["hit"]["id"], "third", "{receipt}");
    assert!(
        js(&task, "document.getElementById('strip').scrollLeft > 0")
            .as_bool()
            .unwrap()
    );
    assert_eq!(text_of(&task, "clicked"), "third");
}

#[test]
fn a_press_that_takes_effect_by_itself_is_done_and_says_where_the_release_went() {
    let world = World::new();
    for id in ["menu", "suggestion", "chip"] {
        let task = world.at("delivery.html");
        let receipt = click(&task, &format!("#{id}"));
        assert_eq!(
            (&receipt["hit"]["id"], &receipt["changed"]),
            (&json!(id), &json!(true)),
            "{receipt}"
        );
        assert!(receipt["releasedOn"]["tag"].is_string(), "{receipt}");
        assert!(receipt["warning"].as_str().unwrap().contains("press"), "{receipt}");
        assert_eq!(text_of(&task, "pressed"), id);
        assert_ne!(text_of(&task, "clicked"), id);
    }
}

#[test]
fn rows_and_buttons_that_are_drawn_anew_all_the_time_are_clicked() {
    let world = World::new();
    let task = world.at("delivery.html");
    for _ in 0..5 {
        let receipt = click(&task, "[data-row=row2]");
        assert_eq!(receipt["hit"]["text"], "Row 2", "{receipt}");
        assert_eq!(text_of(&task, "clicked"), "row2");
    }
    let frantic = world.at("delivery.html?frantic");
    let reply = frantic.call("click_element_by_selector", json!({"selector": ".frantic"}));
    // A frame may fall between press and release twice in a row; then nothing may be claimed.
    match reply.is_ok() {
        true => assert_eq!(text_of(&frantic, "pressed"), "frantic", "{}", reply.body),
        false => drop(reply.expect_code("ACTION_UNCERTAIN")),
    }
}

#[test]
fn an_index_of_a_row_that_was_drawn_anew_is_refused() {
    let world = World::new();
    let task = world.at("delivery.html");
    let index = index_of(&whole_text(&task), "Row 2");
    task.ok("wait_for_element", json!({"selector": "#rows"}));
    js(&task, "document.getElementById('rows').innerHTML = ''");
    task.call("click_element_by_index", json!({"index": index}))
        .expect_code("STALE_ELEMENT");
}

#[test]
fn a_button_of_a_dialog_that_is_still_opening_is_clicked_when_it_rests() {
    let world = World::new();
    let task = world.at("delivery.html");
    click(&task, "#open");
    let receipt = click(&task, "#confirm");
    assert_eq!(receipt["hit"]["id"], "confirm", "{receipt}");
    assert_eq!(text_of(&task, "clicked"), "confirm");
}

#[test]
fn an_icon_in_a_box_that_was_just_scrolled_is_clicked() {
    let world = World::new();
    let task = world.at("delivery.html");
    for id in ["icon15", "icon0", "icon19"] {
        click(&task, &format!("#{id}"));
        assert_eq!(text_of(&task, "clicked"), id);
    }
}

#[test]
fn a_menu_that_opens_under_the_pointer_is_reached() {
    let world = World::new();
    let task = world.at("delivery.html");
    let menu = index_of(&whole_text(&task), ">Menu/>");
    task.ok("hover_element_by_index", json!({"index": menu}));
    let receipt = click(&task, "#sub-item");
    assert_eq!(receipt["hit"]["id"], "sub-item", "{receipt}");
    assert_eq!(text_of(&task, "clicked"), "sub-item");
}

#[test]
fn a_double_click_whose_second_half_goes_elsewhere_is_not_done() {
    let world = World::new();
    let task = world.at("delivery.html");
    js(
        &task,
        "document.getElementById('open').onclick = (e) => e.target.remove(), 0",
    );
    let index = index_of(&whole_text(&task), "Open the dialog");
    let data = task
        .call("double_click_element_by_index", json!({"index": index}))
        .expect_code("ACTION_UNCERTAIN");
    assert_eq!(
        (&data["actionStatus"], &data["retrySafe"]),
        (&json!("unknown"), &json!(false)),
        "{data}"
    );
}
