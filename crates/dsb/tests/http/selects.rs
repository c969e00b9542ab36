//! Lists to choose from: native ones, and those that component libraries build.

use serde_json::{Value, json};
use support::Task;

use crate::harness::{World, index_of, js, text_of, whole_text};

/// A task that shows a page built from a library, once it has built it.
pub fn library<'a>(world: &'a World, name: &str) -> Task<'a> {
    let task = world.dsb.task(json!({}));
    task.ok("go_to_url", json!({"url": world.site.app(name)}));
    task.ok("wait_for_element", json!({"selector": "html[data-ready]"}));
    task
}

fn choose(task: &Task<'_>, line: &str, mut params: Value) -> support::Reply {
    params["index"] = index_of(&whole_text(task), line).into();
    task.call("select_dropdown_option", params)
}

#[test]
fn an_option_is_named_by_label_value_or_position() {
    let world = World::new();
    let task = world.at("selects.html");
    for (params, value, label) in [
        (json!({"text": "Apple"}), "a", "Apple"),
        (json!({"text": "Blood orange"}), "b", "Blood orange"),
        (json!({"value": "c"}), "c", "Cherry"),
        (json!({"optionIndex": 1}), "a", "Apple"),
    ] {
        let receipt = choose(&task, "label='Fruit'", params.clone()).expect_ok();
        assert_eq!(
            (&receipt["value"], &receipt["selectedText"]),
            (&json!(value), &json!(label)),
            "{params}: {receipt}"
        );
        assert_eq!(js(&task, "document.getElementById('fruit').value"), value);
    }
    assert_eq!(text_of(&task, "events"), "input:fruit change:fruit ".repeat(4));
    let again = choose(&task, "label='Fruit'", json!({"text": "Apple"})).expect_ok();
    assert_eq!(again["alreadySelected"], true, "{again}");
    assert_eq!(text_of(&task, "events"), "input:fruit change:fruit ".repeat(4));
    let several = choose(&task, "label='Several'", json!({"texts": ["One", "Three"]})).expect_ok();
    assert_eq!(several["selected"], json!(["One", "Two", "Three"]), "{several}");
}

#[test]
fn what_cannot_be_chosen_is_refused_by_name() {
    let world = World::new();
    let task = world.at("selects.html");
    for (line, params, code, words) in [
        ("label='Fruit'", json!({"text": "Durian"}), "ELEMENT_DISABLED", "Durian"),
        (
            "label='Fruit'",
            json!({"text": "Elderberry"}),
            "ELEMENT_DISABLED",
            "Elderberry",
        ),
        (
            "label='Fruit'",
            json!({"text": "Orange"}),
            "ELEMENT_NOT_FOUND",
            "Blood orange",
        ),
        ("label='Fruit'", json!({"optionIndex": 99}), "ELEMENT_NOT_FOUND", "99"),
        (
            "label='Fruit'",
            json!({"texts": ["Apple", "Cherry"]}),
            "INVALID_ARGUMENT",
            "one option",
        ),
        ("No list", json!({"text": "Only"}), "ACTION_FAILED", "no list"),
        ("label='Fruit'", json!({}), "INVALID_ARGUMENT", "text"),
        ("label='Fruit'", json!({"texts": []}), "INVALID_ARGUMENT", "texts"),
        (
            "label='Fruit'",
            json!({"text": "Apple", "value": "a"}),
            "INVALID_ARGUMENT",
            "one way",
        ),
        ("label='Stubborn'", json!({"text": "Second"}), "ACTION_FAILED", "First"),
    ] {
        let reply = choose(&task, line, params.clone());
        assert!(reply.msg().contains(words), "{params}: {}", reply.msg());
        reply.expect_code(code);
    }
    assert_eq!(text_of(&task, "events"), "input:stubborn change:stubborn ");
    task.call("select_dropdown_option", json!({"index": 9999, "text": "x"}))
        .expect_code("STALE_ELEMENT");
}

#[test]
fn a_choice_that_navigates_is_done() {
    let world = World::new();
    let task = world.at("selects.html");
    choose(&task, "label='Jump'", json!({"text": "Go"})).expect_ok();
    task.ok("wait_for_element", json!({"selector": "#form"}));
}

#[test]
fn an_option_itself_can_be_clicked() {
    let world = World::new();
    let task = world.at("selects.html");
    task.ok(
        "click_element_by_selector",
        json!({"selector": "#fruit option[value=c]"}),
    );
    assert_eq!(js(&task, "document.getElementById('fruit').value"), "c");
    assert_eq!(text_of(&task, "events"), "input:fruit change:fruit ");
    task.call(
        "click_element_by_selector",
        json!({"selector": "#fruit option[value=d]"}),
    )
    .expect_code("ELEMENT_DISABLED");
}

#[test]
fn a_combobox_is_opened_and_its_option_clicked() {
    let world = World::new();
    let task = world.at("selects.html");
    let receipt = choose(&task, "label='Colour'", json!({"text": "Red"})).expect_ok();
    assert_eq!(
        (&receipt["selectedText"], &receipt["mode"]),
        (&json!("Red"), &json!("list")),
        "{receipt}"
    );
    assert_eq!(js(&task, "document.getElementById('aria').dataset.trusted"), "true");
    let again = choose(&task, "label='Colour'", json!({"text": "Red"})).expect_ok();
    assert_eq!(again["alreadySelected"], true, "{again}");
    let missing = choose(&task, "label='Colour'", json!({"text": "re"}));
    assert!(missing.msg().contains("Dark red"), "{}", missing.msg());
    missing.expect_code("ELEMENT_NOT_FOUND");
    choose(&task, "label='Colour'", json!({"text": "Green"})).expect_code("ELEMENT_DISABLED");
    let refused = choose(&task, "label='Colour'", json!({"text": "Refused"})).expect_code("ACTION_UNCERTAIN");
    assert_eq!(refused["retrySafe"], false, "{refused}");
    assert_eq!(text_of(&task, "aria"), "Red");
    choose(&task, "label='Colour'", json!({"value": "red"})).expect_code("INVALID_ARGUMENT");
}

#[test]
fn the_selects_of_antd_are_chosen_in() {
    let world = World::new();
    let task = library(&world, "antd");
    let city = choose(&task, "label='City'", json!({"text": "Lima"})).expect_ok();
    assert_eq!(city["selectedText"], "Lima", "{city}");
    choose(&task, "label='City'", json!({"text": "Paris"})).expect_code("ELEMENT_NOT_FOUND");
    // The last of thirty is not in the document until the list is searched or scrolled.
    let fruit = choose(&task, "label='Pick a fruit'", json!({"text": "Fruit 29"})).expect_ok();
    assert_eq!(fruit["selectedText"], "Fruit 29", "{fruit}");
    assert_eq!(text_of(&task, "fruit-value"), "fruit-29");
    let index = index_of(&whole_text(&task), ">Pick several/>");
    let choose_many = |mut params: Value| {
        params["index"] = index.into();
        task.ok("select_dropdown_option", params)
    };
    let many = choose_many(json!({"texts": ["Fruit 2", "Fruit 30"]}));
    assert_eq!(many["selected"], json!(["Fruit 2", "Fruit 30"]), "{many}");
    assert_eq!(text_of(&task, "many-value"), "fruit-2,fruit-30");
    let again = choose_many(json!({"text": "Fruit 30"}));
    assert_eq!(again["alreadySelected"], true, "{again}");
    assert_eq!(text_of(&task, "many-value"), "fruit-2,fruit-30");
    let typed = task.ok(
        "input_text_by_selector",
        json!({"selector": "#fruit", "text": "Fruit 7", "choose": "text"}),
    );
    assert_eq!(typed["valueMatches"], true, "{typed}");
    assert_eq!(text_of(&task, "fruit-value"), "fruit-7");
}

#[test]
fn the_selects_of_element_plus_are_chosen_in() {
    let world = World::new();
    let task = library(&world, "element-plus");
    for room in ["Red room", "蓝厅"] {
        let receipt = choose(&task, "label='Room'", json!({"text": room})).expect_ok();
        assert_eq!(receipt["selectedText"], room, "{receipt}");
    }
    task.ok("input_text_by_label", json!({"label": "Title", "text": "Meeting"}));
    task.ok("input_text_by_label", json!({"label": "E-mail", "text": "a@b.example"}));
    let date = task.ok("input_text_by_label", json!({"label": "Date", "text": "2026-03-04"}));
    assert_eq!(date["valueMatches"], true, "{date}");
    task.ok(
        "click_element_by_selector",
        json!({"selector": "#booking .el-button--primary"}),
    );
    task.ok("wait_for_text", json!({"text": "蓝厅\",\"date\":\"2026-03-04\""}));
}

#[test]
fn the_selects_of_select2_are_chosen_in() {
    let world = World::new();
    let task = library(&world, "select2");
    let country = choose(&task, "Choose a country", json!({"text": "Hungary"})).expect_ok();
    assert_eq!(country["selectedText"], "Hungary", "{country}");
    assert_eq!(js(&task, "document.getElementById('country').value"), "hungary");
    choose(&task, "Hungary", json!({"text": "Atlantis"})).expect_code("ELEMENT_NOT_FOUND");
    let stops = choose(&task, "Choose stops", json!({"texts": ["Brazil", "中国"]})).expect_ok();
    assert_eq!(stops["selected"], json!(["Brazil", "中国"]), "{stops}");
    assert_eq!(js(&task, "$('#stops').val().join()"), "brazil,中国");
}

#[test]
fn the_selects_of_material_ui_and_downshift_are_chosen_in() {
    let world = World::new();
    let task = library(&world, "mui");
    let size = choose(&task, "label='Size'", json!({"text": "medium"})).expect_ok();
    assert_eq!(size["selectedText"], "medium", "{size}");
    assert_eq!(text_of(&task, "last"), "size medium");
    let town = choose(&task, "label='Town'", json!({"text": "Lyon"})).expect_ok();
    assert_eq!(town["selectedText"], "Lyon", "{town}");
    assert_eq!(text_of(&task, "last"), "town Lyon");
    let typed = task.ok(
        "input_text_by_label",
        json!({"label": "Town", "text": "北京", "choose": "text"}),
    );
    assert_eq!(typed["valueMatches"], true, "{typed}");
    assert_eq!(text_of(&task, "last"), "town 北京");
    let task = library(&world, "downshift");
    let book = choose(&task, "label='Book'", json!({"text": "Faust"})).expect_ok();
    assert_eq!(book["selectedText"], "Faust", "{book}");
    let shelf = choose(&task, "label='Shelf'", json!({"text": "红楼梦"})).expect_ok();
    assert_eq!(shelf["selectedText"], "红楼梦", "{shelf}");
    assert_eq!(js(&task, "window.__events.join('; ')"), "book Faust; shelf 红楼梦");
}

#[test]
fn suggestions_of_jquery_ui_and_the_lists_of_layui_are_chosen_from() {
    let world = World::new();
    let task = library(&world, "jquery-ui");
    let town = task.ok(
        "input_text_by_label",
        json!({"label": "Town", "text": "Berlin", "choose": "text"}),
    );
    assert_eq!(
        (&town["valueMatches"], &town["chosen"]),
        (&json!(true), &json!("Berlin")),
        "{town}"
    );
    assert_eq!(text_of(&task, "last"), "town Berlin");
    let task = library(&world, "layui");
    let city = choose(&task, "请选择", json!({"text": "上海"})).expect_ok();
    assert_eq!(city["selectedText"], "上海", "{city}");
    assert_eq!(text_of(&task, "last"), "city sh");
}

#[test]
fn a_list_of_a_thousand_options_is_searched_or_scrolled() {
    let world = World::new();
    let task = library(&world, "antd-fields");
    let part = choose(&task, "label='Part'", json!({"text": "Part 987"})).expect_ok();
    assert_eq!(part["selectedText"], "Part 987", "{part}");
    assert_eq!(text_of(&task, "last"), "part 987");
    // This list is searched by the number of an option, not by its label.
    let number = choose(&task, "label='Search by number'", json!({"text": "Part 654"})).expect_ok();
    assert_eq!(number["selectedText"], "Part 654", "{number}");
    assert_eq!(text_of(&task, "last"), "number 654");
    choose(&task, "label='Part'", json!({"text": "Part 1001"})).expect_code("ELEMENT_NOT_FOUND");
    choose(&task, "label='Part'", json!({"text": "Part 7"})).expect_code("ELEMENT_DISABLED");
    // The application keeps what it had, and nothing is claimed.
    choose(&task, "label='Unchangeable'", json!({"text": "Part 5"})).expect_code("ACTION_UNCERTAIN");
}

#[test]
fn the_lists_of_element_plus_with_tags_and_of_vxe_are_chosen_in() {
    let world = World::new();
    let task = library(&world, "vue-fields");
    let tags = choose(&task, "label='Tags'", json!({"texts": ["Small", "Medium"]})).expect_ok();
    assert_eq!(tags["selected"], json!(["Small", "Medium"]), "{tags}");
    assert_eq!(text_of(&task, "last"), "tags small,medium");
    let size = choose(&task, "Choose a size", json!({"text": "Medium"})).expect_ok();
    assert_eq!(size["selectedText"], "Medium", "{size}");
    assert_eq!(text_of(&task, "last"), "size medium");
    choose(&task, "Choose a size", json!({"text": "Large"})).expect_code("ELEMENT_DISABLED");
}

#[test]
fn options_are_taken_back_out_of_lists_of_several() {
    let world = World::new();
    let task = world.at("selects.html");
    let chosen = choose(&task, "label='Several'", json!({"texts": ["One", "Three"]})).expect_ok();
    assert_eq!(chosen["selected"], json!(["One", "Two", "Three"]), "{chosen}");
    js(&task, "(document.getElementById('events').textContent = '')");
    let fewer = choose(
        &task,
        "label='Several'",
        json!({"texts": ["One", "Two"], "deselect": true}),
    )
    .expect_ok();
    assert_eq!(fewer["selectedText"], "Three", "{fewer}");
    assert_eq!(
        crate::harness::text_of(&task, "events"),
        "input:several change:several "
    );
    let again = choose(&task, "label='Several'", json!({"text": "One", "deselect": true})).expect_ok();
    assert_eq!(again["alreadySelected"], true, "{again}");
    let none = choose(&task, "label='Several'", json!({"value": "3", "deselect": true})).expect_ok();
    assert_eq!(none["selectedText"], "", "{none}");
    choose(&task, "label='Fruit'", json!({"text": "Apple", "deselect": true})).expect_code("INVALID_ARGUMENT");
}

#[test]
fn choices_are_taken_back_out_of_the_lists_of_components() {
    let world = World::new();
    let task = library(&world, "select2");
    choose(&task, "Choose stops", json!({"texts": ["Brazil", "Chile"]})).expect_ok();
    let one = choose(&task, "Brazil", json!({"text": "Brazil", "deselect": true})).expect_ok();
    assert_eq!(one["selectedText"], "Chile", "{one}");
    assert_eq!(js(&task, "$('#stops').val().join()"), "chile");
    let task = library(&world, "antd");
    let index = index_of(&whole_text(&task), ">Pick several/>");
    let several = |mut params: Value| {
        params["index"] = index.into();
        task.ok("select_dropdown_option", params)
    };
    several(json!({"texts": ["Fruit 2", "Fruit 30"]}));
    let one = several(json!({"text": "Fruit 2", "deselect": true}));
    assert_eq!(one["selectedText"], "Fruit 30", "{one}");
    assert_eq!(text_of(&task, "many-value"), "fruit-30");
    let again = several(json!({"text": "Fruit 2", "deselect": true}));
    assert_eq!(again["alreadySelected"], true, "{again}");
    assert_eq!(text_of(&task, "many-value"), "fruit-30");
}

#[test]
fn a_select2_that_asks_its_server_is_searched_and_chosen_in() {
    let world = World::new();
    let task = library(&world, "select2");
    let index = index_of(&whole_text(&task), "Search a product");
    let chosen = task.ok("select_dropdown_option", json!({"index": index, "text": "Item 2"}));
    assert_eq!(
        (&chosen["selectedText"], &chosen["searched"]),
        (&json!("Item 2"), &json!(true)),
        "{chosen}"
    );
    task.call(
        "select_dropdown_option",
        json!({"index": index, "text": "No such product"}),
    )
    .expect_code("ELEMENT_NOT_FOUND");
}
