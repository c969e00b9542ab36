//! What a page says beyond its indexed text: boxes, states and markup of elements, forms, text, Markdown, tables.

use serde_json::{Value, json};

use crate::harness::{World, index_of, js, options, whole_text};

/// The record of the field with that label.
fn field<'a>(form: &'a Value, label: &str) -> &'a Value {
    let fields = form["fields"].as_array().expect("fields");
    let found = fields.iter().find(|field| field["label"] == label);
    found.unwrap_or_else(|| panic!("no field {label:?} in {form:#}"))
}

#[test]
fn states_of_elements_are_told_with_their_reasons() {
    let world = World::new();
    let task = world.at("states.html");
    let ask = |method: &str, id: &str| task.ok(method, json!({"selector": format!("#{id}")}));
    assert_eq!(ask("is_visible", "seen")["visible"], true);
    for (id, reason) in [("none", "display-none"), ("hidden", "visibility-hidden")] {
        let answer = ask("is_visible", id);
        assert_eq!((&answer["visible"], &answer["reason"]), (&json!(false), &json!(reason)));
    }
    assert_eq!(ask("is_enabled", "seen")["enabled"], true);
    for (id, reason) in [
        ("off", "disabled-attribute"),
        ("grouped", "disabled-fieldset"),
        ("aria-off", "aria-disabled"),
    ] {
        let answer = ask("is_enabled", id);
        assert_eq!((&answer["enabled"], &answer["reason"]), (&json!(false), &json!(reason)));
    }
    for (id, checked) in [("mark", true), ("mark-label", true), ("switch", true), ("some", false)] {
        assert_eq!(ask("is_checked", id)["checked"], checked, "{id}");
    }
    assert_eq!(ask("is_checked", "some")["indeterminate"], true);
    assert!(ask("is_checked", "mark")["target"].as_str().unwrap().contains("#mark"));
    let none = task.call("is_checked", json!({"selector": "#seen"}));
    assert!(none.msg().contains("#seen"), "{}", none.msg());
    none.expect_code("ACTION_FAILED");
}

#[test]
fn states_take_an_index_a_frame_or_a_match_and_refuse_the_rest() {
    let world = World::new();
    let task = world.at("states.html");
    let text = whole_text(&task);
    let mark = index_of(&text, "Mark");
    let answer = task.ok("is_checked", json!({"index": mark}));
    assert_eq!(
        (&answer["checked"], &answer["target"]),
        (&json!(true), &json!(format!("index={mark}")))
    );
    assert_eq!(
        task.ok("is_visible", json!({"selector": "button >> nth=1"}))["visible"],
        false
    );
    assert_eq!(
        task.ok("is_visible", json!({"selector": "#in", "frame": "1"}))["visible"],
        true
    );
    assert_eq!(
        task.ok("is_visible", json!({"selector": "#deep"}))["visible"],
        true,
        "open shadow root"
    );
    for method in ["is_visible", "is_enabled", "is_checked"] {
        task.call(method, json!({})).expect_code("INVALID_ARGUMENT");
        task.call(method, json!({"selector": "  "}))
            .expect_code("INVALID_ARGUMENT");
        task.call(method, json!({"selector": "::("}))
            .expect_code("INVALID_ARGUMENT");
        task.call(method, json!({"selector": ".none"}))
            .expect_code("ELEMENT_NOT_FOUND");
        task.call(method, json!({"selector": "button >> nth=99"}))
            .expect_code("ELEMENT_NOT_FOUND");
        task.call(method, json!({"index": 9999})).expect_code("STALE_ELEMENT");
        task.call(method, json!({"index": -1})).expect_code("INVALID_ARGUMENT");
        task.call(method, json!({"selector": "#in", "frame": "no such frame"}))
            .expect_code("ACTION_FAILED");
        task.call(method, json!({"index": mark, "snapshotId": "another"}))
            .expect_code("STALE_ELEMENT");
    }
}

/// Left, top, width, height of a box.
fn sides(place: &Value) -> [f64; 4] {
    ["x", "y", "width", "height"].map(|side| place[side].as_f64().expect("a side"))
}

#[test]
fn a_box_is_in_the_main_viewport() {
    let world = World::new();
    let task = world.at("states.html");
    let text = whole_text(&task);
    let seen = index_of(&text, ">Seen/>");
    let place = task.ok("get_element_box", json!({"index": seen}));
    assert_eq!(sides(&place), [40.0, 300.0, 120.0, 30.0]);
    let inner = task.ok("get_element_box", json!({"index": index_of(&text, ">In/>")}));
    // The frame's place, its border and padding, and the place in the frame.
    assert_eq!(sides(&inner), [218.0, 128.0, 80.0, 25.0]);
    js(&task, "document.getElementById('seen').style.display = 'none'; 0");
    task.call("get_element_box", json!({"index": seen}))
        .expect_code("ELEMENT_HIDDEN");
    js(&task, "document.getElementById('seen').remove(); 0");
    task.call("get_element_box", json!({"index": seen}))
        .expect_code("STALE_ELEMENT");
    task.call("get_element_box", json!({})).expect_code("INVALID_ARGUMENT");
    task.call("get_element_box", json!({"index": "x"}))
        .expect_code("INVALID_ARGUMENT");
}

#[test]
fn markup_keeps_no_password_and_shows_open_shadow_roots() {
    let world = World::new();
    let task = world.at("states.html");
    js(
        &task,
        "document.getElementById('in-shadow').setAttribute('onclick', '1'); 0",
    );
    let text = whole_text(&task);
    let html = task.ok("get_element_html", json!({"index": index_of(&text, "Holds")}))["html"].clone();
    let html = html.as_str().unwrap();
    assert!(
        html.starts_with("Holds <b>bold</b> <input type=\"password\" id=\"key\" value=\"[redacted]\">"),
        "{html}"
    );
    assert!(
        html.contains("<textarea>kept</textarea>") && !html.contains("s3cret"),
        "{html}"
    );
    // Having been a password once is enough.
    js(&task, "document.getElementById('key').type = 'text'; 0");
    let html = task.ok("get_element_html", json!({"index": index_of(&text, "Holds")}))["html"].clone();
    assert!(html.as_str().unwrap().contains("[redacted]"), "{html}");
    let text = whole_text(&task);
    let host = task.ok(
        "get_element_html",
        json!({"index": index_of(&text, "<div label='Deep'")}),
    )["html"]
        .clone();
    assert!(
        host.as_str().unwrap().contains("shadowrootmode=\"open\"") && host.as_str().unwrap().contains("id=\"deep\""),
        "{host}"
    );
    task.call("get_element_html", json!({"index": 9999}))
        .expect_code("STALE_ELEMENT");
    task.call("get_element_html", json!({"selector": "body"}))
        .expect_code("INVALID_ARGUMENT");
}

#[test]
fn options_of_a_native_select_are_listed() {
    let world = World::new();
    let task = world.at("states.html");
    let text = whole_text(&task);
    let choice = task.ok(
        "get_dropdown_options",
        json!({"index": index_of(&text, "aria-label='Choice'")}),
    );
    assert_eq!(choice["options"], json!(["Red wine", "Labelled", "Off"]));
    assert_eq!((&choice["selected"], &choice["disabled"]), (&json!([0]), &json!([2])));
    let other = task.call("get_dropdown_options", json!({"index": index_of(&text, ">Seen/>")}));
    assert!(other.msg().contains("<select>"), "{}", other.msg());
    other.expect_code("ACTION_FAILED");
    task.call("get_dropdown_options", json!({"index": 9999}))
        .expect_code("STALE_ELEMENT");
    task.call("get_dropdown_options", json!({}))
        .expect_code("INVALID_ARGUMENT");
}

#[test]
fn a_form_is_told_as_a_person_sees_it() {
    let world = World::new();
    let task = world.at("states.html");
    let form = task.ok("get_form_state", json!({"selector": "#registration"}));
    assert_eq!(
        (&form["count"], &form["truncated"], &form["scope"]),
        (&json!(8), &json!(false), &json!("#registration"))
    );
    let name = field(&form, "Name");
    assert_eq!(
        (
            &name["required"],
            &name["invalid"],
            &name["error"],
            &name["placeholder"],
            &name["value"]
        ),
        (
            &json!(true),
            &json!(true),
            &json!("Enter a name"),
            &json!("Your name"),
            &json!("")
        )
    );
    assert!(name.get("index").is_none(), "no number has been read yet: {name}");
    let code = field(&form, "Code");
    assert_eq!(
        (&code["value"], &code["readOnly"], &code["invalid"], &code["valueFrom"]),
        (&json!("A-17"), &json!(true), &json!(true), &json!("dom"))
    );
    assert_eq!(
        (&form["errorCount"], &form["errors"][0]),
        (
            &json!(2),
            &json!({"label": "Name", "id": "name", "error": "Enter a name"})
        )
    );
    assert_eq!(field(&form, "PIN")["value"], "[redacted]");
    let size = field(&form, "Size");
    assert_eq!(
        (&size["value"], &size["shown"]),
        (&json!("[\"s\",\"m\"]"), &json!("Small, Medium"))
    );
    assert_eq!(
        (&field(&form, "Free")["checked"], &field(&form, "Team")["checked"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(field(&form, "Note")["value"], "Written");
    assert_eq!(field(&form, "Deep")["value"], "d");
    assert!(!form.to_string().contains("4321") && !form.to_string().contains("t0ken"));
}

#[test]
fn a_form_is_scoped_capped_and_joined_with_the_numbers() {
    let world = World::new();
    let task = world.at("states.html");
    let text = whole_text(&task);
    let all = task.ok("get_form_state", json!({}));
    assert_eq!(all["scope"], "document");
    assert_eq!(field(&all, "Name")["index"], index_of(&text, "label='Name'"));
    let hidden = task.ok(
        "get_form_state",
        json!({"selector": ".registration", "includeHidden": true}),
    );
    assert_eq!(hidden["count"], 10);
    let hidden = hidden["fields"].as_array().unwrap();
    assert!(
        hidden
            .iter()
            .any(|field| field["type"] == "hidden" && field["value"] == "t0ken" && field["visible"] == false)
    );
    let first = task.ok("get_form_state", json!({"selector": "form >> nth=0", "max": 3}));
    assert_eq!(
        (
            first["fields"].as_array().unwrap().len(),
            &first["count"],
            &first["truncated"],
            &first["scope"]
        ),
        (3, &json!(8), &json!(true), &json!("form >> nth=0"))
    );
    let framed = task.ok("get_form_state", json!({"frame": "1"}));
    assert_eq!(
        (&framed["count"], &framed["fields"][0]["label"]),
        (&json!(1), &json!("Framed"))
    );
    task.call("get_form_state", json!({"selector": ".none"}))
        .expect_code("ELEMENT_NOT_FOUND");
    task.call("get_form_state", json!({"selector": "::("}))
        .expect_code("INVALID_ARGUMENT");
    task.call("get_form_state", json!({"max": -1}))
        .expect_code("INVALID_ARGUMENT");
    task.call("get_form_state", json!({"frame": "no such frame"}))
        .expect_code("ACTION_FAILED");
}

#[test]
fn forms_of_component_libraries_are_told() {
    let world = World::new();
    let task = world.dsb.task(json!({}));
    task.ok("go_to_url", json!({"url": world.site.app("antd")}));
    task.ok(
        "wait_for_element",
        json!({"selector": "#customer button[type=submit]", "timeoutSeconds": 20}),
    );
    task.ok(
        "click_element_by_selector",
        json!({"selector": "#customer button[type=submit]"}),
    );
    task.ok("wait_for_text", json!({"text": "Please enter a name"}));
    let form = task.ok("get_form_state", json!({"selector": "#customer form"}));
    let name = field(&form, "Name");
    assert_eq!(
        (&name["required"], &name["invalid"], &name["error"]),
        (&json!(true), &json!(true), &json!("Please enter a name"))
    );
    assert_eq!(field(&form, "Password")["value"], "[redacted]");
    assert_eq!(field(&form, "Newsletter")["checked"], false);
    assert_eq!(field(&form, "Free")["checked"], true);
    assert_eq!(field(&form, "I accept the terms")["checked"], false);
    let words = task.ok("extract_markdown", json!({"selector": "#customer form"}));
    let words = words["markdown"].as_str().unwrap();
    assert!(
        words.contains("[x] Free [ ] Team") && words.contains("Newsletter\n[ ]"),
        "{words}"
    );
    task.ok(
        "click_element_by_selector",
        json!({"selector": "#customer .ant-select"}),
    );
    task.ok("wait_for_element", json!({"selector": ".ant-select-item-option"}));
    task.ok(
        "click_element_by_selector",
        json!({"selector": ".ant-select-item-option >> nth=3"}),
    );
    let form = task.ok("get_form_state", json!({"selector": "#customer form"}));
    let city = field(&form, "City");
    assert_eq!(
        (&city["value"], &city["valueFrom"], &city["invalid"]),
        (&json!("Lima"), &json!("display"), &json!(false)),
        "{city}"
    );

    task.ok("click_element_by_selector", json!({"selector": "#fruit"}));
    task.ok("wait_for_text", json!({"text": "Fruit 2"}));
    task.ok("send_keys", json!({"keys": "Enter"}));
    task.ok("input_text_by_selector", json!({"selector": "#fruit", "text": "uit 3"}));
    let fruit = task.ok("get_form_state", json!({"selector": ".ant-select:has(#fruit)"}))["fields"][0].clone();
    assert_eq!(
        (&fruit["value"], &fruit["typed"], &fruit["valueFrom"]),
        (&json!("Fruit 1"), &json!("uit 3"), &json!("display")),
        "what is searched for is not the value: {fruit}"
    );

    task.ok("go_to_url", json!({"url": world.site.app("element-plus")}));
    task.ok(
        "wait_for_element",
        json!({"selector": "#booking", "timeoutSeconds": 20}),
    );
    let words = task.ok("extract_markdown", json!({"selector": "#booking"}));
    let words = words["markdown"].as_str().unwrap();
    assert!(
        words.contains("Catering [ ]") && words.contains("Seats [x] Rows [ ] Circle"),
        "{words}"
    );
    let form = task.ok("get_form_state", json!({"selector": "#booking"}));
    assert_eq!(field(&form, "Title")["required"], true, "{form:#}");
    assert_eq!(
        (&field(&form, "Catering")["checked"], &field(&form, "Rows")["checked"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(
        (&field(&form, "Screen")["checked"], &field(&form, "Guests")["value"]),
        (&json!(false), &json!("1"))
    );
    assert_eq!(field(&form, "Room")["value"], "");
}

#[test]
fn text_is_found_with_place_and_context() {
    let world = World::new();
    let task = world.at("article.html");
    let found = task.ok("find_text", json!({"text": "rose by", "contextChars": 6}));
    assert_eq!(
        (&found["matchCount"], &found["returned"], &found["truncated"]),
        (&json!(1), &json!(1), &json!(false))
    );
    let first = &found["matches"][0];
    assert_eq!(
        (&first["match"], &first["before"], &first["after"]),
        (&json!("rose by"), &json!("Sales "), &json!(" 12 % "))
    );
    assert!(
        first["index"].as_u64().unwrap() >= 18 && first["line"].as_u64().unwrap() > 1,
        "{first}"
    );
    assert_eq!(
        (&found["source"], &found["contextChars"], &found["regex"]),
        (&json!("body"), &json!(6), &json!(false))
    );
    assert!(
        found["textLength"].as_u64().unwrap() > 100 && found.get("hint").is_none(),
        "{found}"
    );
    let lines = task.ok("find_text", json!({"text": r"^price: (\d+)$", "regex": true}));
    assert_eq!(lines["matches"][0]["match"], "price: 42", "text of an open shadow root");
    let scoped = task.ok("find_text", json!({"text": "North", "selector": "table >> nth=0"}));
    assert_eq!(
        (&scoped["matchCount"], &scoped["source"]),
        (&json!(0), &json!("table >> nth=0"))
    );
    assert!(scoped["hint"].is_string());
    let some = task.ok("find_text", json!({"text": "e", "maxMatches": 2}));
    assert_eq!((&some["returned"], &some["truncated"]), (&json!(2), &json!(true)));
    assert!(some["matchCount"].as_u64().unwrap() > 10 && some["hint"].as_str().unwrap().contains("maxMatches"));
    let hidden = task.ok("find_text", json!({"text": "zerowidth"}));
    assert_eq!(hidden["matchCount"], 1, "invisible characters do not part a word");
    assert_eq!(task.ok("find_text", json!({"text": "SALES ROSE"}))["matchCount"], 0);
    assert_eq!(
        task.ok("find_text", json!({"text": "x", "contextChars": 9999}))["contextChars"],
        2000
    );
    assert_eq!(
        task.ok("find_text", json!({"text": "a.b", "regex": false}))["matchCount"],
        0
    );
}

#[test]
fn a_search_that_cannot_be_made_is_refused_before_it_starts() {
    let world = World::new();
    let task = world.at("states.html");
    assert_eq!(
        task.ok("find_text", json!({"text": "framed words", "frame": "1"}))["matchCount"],
        1
    );
    let bad = task.call("find_text", json!({"text": "(", "regex": true}));
    assert!(bad.msg().contains("unclosed group"), "{}", bad.msg());
    assert_eq!(bad.expect_code("INVALID_ARGUMENT")["started"], false);
    task.call("find_text", json!({"text": "(?=x)", "regex": true}))
        .expect_code("INVALID_ARGUMENT");
    task.call("find_text", json!({"text": ""}))
        .expect_code("INVALID_ARGUMENT");
    task.call("find_text", json!({})).expect_code("INVALID_ARGUMENT");
    task.call("find_text", json!({"text": "x", "maxMatches": -2}))
        .expect_code("INVALID_ARGUMENT");
    task.call("find_text", json!({"text": "x", "selector": ".none"}))
        .expect_code("ELEMENT_NOT_FOUND");
    task.call("find_text", json!({"text": "x", "selector": "::("}))
        .expect_code("INVALID_ARGUMENT");
    task.call("find_text", json!({"text": "x", "frame": "no such frame"}))
        .expect_code("ACTION_FAILED");
}

#[test]
fn a_page_becomes_markdown() {
    let world = World::new();
    let task = world.at("article.html");
    let page = task.ok("extract_markdown", json!({"maxChars": 0}));
    let markdown = page["markdown"].as_str().unwrap();
    let wanted = include_str!("../golden/article.md").trim_end();
    assert_eq!(markdown.replace(&world.site.a(""), "http://site"), wanted, "{markdown}");
    assert_eq!(
        (&page["truncated"], &page["source"], &page["title"]),
        (&json!(false), &json!("body"), &json!("Article"))
    );
    assert_eq!(page["length"].as_u64().unwrap() as usize, markdown.chars().count());
    assert!(page["url"].as_str().unwrap().ends_with("/plain/article.html") && page.get("links").is_none());
}

#[test]
fn markdown_is_scoped_cut_and_linked() {
    let world = World::new();
    let task = world.at("article.html");
    let markdown = |params: Value| task.ok("extract_markdown", params);
    let linked = markdown(json!({"selector": "p", "nth": 0, "includeLinks": true}));
    let target = world.site.a("/plain/list.html?n=3");
    assert!(
        linked["markdown"]
            .as_str()
            .unwrap()
            .contains(&format!("[last year]({target})")),
        "{linked}"
    );
    assert_eq!(linked["links"], json!([{"text": "last year", "href": target}]));
    assert_eq!(linked["source"], "p >> nth=0");
    let table = markdown(json!({"selector": "#sales"}));
    assert_eq!(
        table["markdown"],
        "Sales\n\n| Region | | Sum |\n| --- | --- | --- |\n| North | A\\|B | 1<br>2 |\n| | C | - |"
    );
    assert_eq!(table["source"], "#sales");
    assert_eq!(
        markdown(json!({"selector": "#sales tbody"}))["markdown"],
        "| | | |\n| --- | --- | --- |\n| North | A\\|B | 1<br>2 |\n| | C | - |"
    );
    assert_eq!(
        markdown(json!({"selector": ".deep"}))["markdown"],
        "price: 42",
        "inside an open shadow root"
    );
    let short = markdown(json!({"maxChars": 60}));
    assert_eq!(short["truncated"], true);
    let kept = short["markdown"].as_str().unwrap();
    assert!(
        kept.chars().count() <= 60 && short["length"].as_u64().unwrap() > 60,
        "{short}"
    );
    assert!(short["truncatedHint"].as_str().unwrap().contains("60"));
    task.call("extract_markdown", json!({"selector": ".none"}))
        .expect_code("ELEMENT_NOT_FOUND");
    task.call("extract_markdown", json!({"selector": "p", "nth": 99}))
        .expect_code("ELEMENT_NOT_FOUND");
    task.call("extract_markdown", json!({"selector": "p >> nth=1", "nth": 2}))
        .expect_code("INVALID_ARGUMENT");
    task.call("extract_markdown", json!({"nth": 2}))
        .expect_code("INVALID_ARGUMENT");
    task.call("extract_markdown", json!({"selector": "::("}))
        .expect_code("INVALID_ARGUMENT");
    task.call("extract_markdown", json!({"maxChars": "many"}))
        .expect_code("INVALID_ARGUMENT");
    task.call("extract_markdown", json!({"frame": "no such frame"}))
        .expect_code("ACTION_FAILED");
}

#[test]
fn a_deep_and_a_large_page_stay_bounded() {
    let world = World::new();
    let task = world.at("article.html");
    js(
        &task,
        "let at = document.body; at.textContent = '';
         for (let i = 0; i < 1200; i++) { const next = document.createElement(['div', 'ul', 'li', 'blockquote'][i % 4]); at.append(next); at = next; }
         at.append('the bottom');
         const more = document.createElement('div'); more.innerHTML = '<p>word</p>'.repeat(20000); document.body.append(more); 0",
    );
    let page = task.ok("extract_markdown", json!({"maxChars": 0}));
    let markdown = page["markdown"].as_str().unwrap();
    assert!(markdown.contains("the bottom"));
    assert_eq!(markdown.lines().filter(|line| *line == "word").count(), 20000);
    assert_eq!(task.ok("find_text", json!({"text": "word"}))["matchCount"], 20000);
}

#[test]
fn tables_are_listed_with_selectors_that_read_them() {
    let world = World::new();
    let task = world.at("article.html");
    let list = task.ok("list_tables", json!({}));
    assert_eq!(list["count"], 6);
    assert_eq!((&list["title"], list["hint"].is_string()), (&json!("Article"), true));
    let tables = list["tables"].as_array().unwrap();
    let sales = tables.iter().find(|table| table["id"] == "sales").unwrap();
    assert_eq!(
        (
            &sales["rows"],
            &sales["cols"],
            &sales["className"],
            &sales["caption"],
            &sales["imageCount"],
            &sales["visible"]
        ),
        (
            &json!(4),
            &json!(3),
            &json!("data wide"),
            &json!("Sales"),
            &json!(0),
            &json!(true)
        )
    );
    assert!(sales["preview"].as_str().unwrap().contains("Region") && sales["textLength"].as_u64().unwrap() > 20);
    assert_eq!(
        tables.iter().find(|table| table["id"] == "absent").unwrap()["visible"],
        false
    );
    for table in tables {
        let selector = table["selector"].as_str().unwrap();
        assert_eq!(selector, format!("table >> nth={}", table["index"]));
        let read = task.ok("extract_markdown", json!({"selector": selector}));
        assert_eq!(read["source"], *selector);
        let words = task.ok("get_element_text", json!({"selector": selector}))["text"].clone();
        assert_eq!(
            words.as_str().unwrap().chars().count() as u64,
            table["textLength"],
            "{table}"
        );
        assert_eq!(task.ok("get_element_count", json!({"selector": selector}))["count"], 1);
    }
    let framed = world.at("states.html");
    assert_eq!(framed.ok("list_tables", json!({}))["count"], 0);
    assert_eq!(
        framed.ok("list_tables", json!({"frame": "1"}))["tables"][0]["preview"],
        "framed cell"
    );
    framed
        .call("list_tables", json!({"frame": "no such frame"}))
        .expect_code("ACTION_FAILED");
}

#[test]
fn tables_of_component_libraries_are_whole() {
    let world = World::new();
    let task = world.dsb.task(json!({}));
    task.ok("go_to_url", json!({"url": world.site.app("element-plus")}));
    task.ok(
        "wait_for_element",
        json!({"selector": "#members .el-table__row", "timeoutSeconds": 20}),
    );
    let members = task.ok("extract_markdown", json!({"selector": "#members .el-table"}));
    let markdown = members["markdown"].as_str().unwrap();
    assert!(
        markdown.starts_with(
            "| No. | Name | Role | Actions |\n| --- | --- | --- | --- |\n| 1 | Ann | admin | Edit Remove |\n"
        ),
        "{markdown}"
    );
    task.ok("go_to_url", json!({"url": world.site.app("vxe-table")}));
    task.ok(
        "wait_for_element",
        json!({"selector": ".vxe-body--row", "timeoutSeconds": 20}),
    );
    let stock = task.ok("extract_markdown", json!({"selector": ".vxe-table"}));
    let markdown = stock["markdown"].as_str().unwrap();
    assert!(
        markdown.contains("| No. | Name | Amount | Actions |") && markdown.contains("| start 1 | 0 |"),
        "{markdown}"
    );
}

#[test]
fn page_text_and_links_are_given_for_extraction() {
    let world = World::with(
        options()
            .arg("--browser.capture.enabled=false")
            .arg("--browser.extract.maxChars=120"),
    );
    let task = world.at("article.html");
    let data = task.ok(
        "extract_structured_data",
        json!({"query": "the sum", "extractLinks": true}),
    );
    assert_eq!(
        (&data["query"], &data["limit"], &data["truncated"]),
        (&json!("the sum"), &json!(120), &json!(true))
    );
    assert!(data["text"].as_str().unwrap().starts_with("Quarterly report"), "{data}");
    assert!(data["text"].as_str().unwrap().chars().count() <= 120 && data["length"].as_u64().unwrap() > 120);
    assert!(data["truncatedHint"].as_str().unwrap().contains("extract_markdown"));
    assert_eq!(
        data["links"],
        json!([{"text": "last year", "href": world.site.a("/plain/list.html?n=3")}])
    );
    assert_eq!(
        task.ok("extract_markdown", json!({}))["truncated"],
        true,
        "the same limit holds for Markdown"
    );
    let framed = world.at("states.html");
    let inner = framed.ok("extract_structured_data", json!({"frame": "1"}));
    assert!(inner["text"].as_str().unwrap().contains("framed words"));
    assert!(inner.get("links").is_none() && inner.get("query").is_none() && inner.get("truncatedHint").is_none());
    framed
        .call("extract_structured_data", json!({"frame": "no such frame"}))
        .expect_code("ACTION_FAILED");
    framed
        .call("extract_structured_data", json!({"extractLinks": "perhaps"}))
        .expect_code("INVALID_ARGUMENT");
}
