//! What a page says beyond its indexed text: elements and forms in modules of their own; text, Markdown and tables here.

mod elements;
mod forms;

use serde_json::{Value, json};

use crate::harness::{World, js, options};

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
        for method in [
            "is_visible",
            "is_enabled",
            "get_form_state",
            "extract_structured_data",
            "get_element_listeners",
        ] {
            task.ok(method, json!({"selector": selector}));
        }
        task.ok("find_text", json!({"text": ".", "regex": true, "selector": selector}));
        task.ok("get_browser_state", json!({"selector": selector}));
        if table["visible"] == true {
            task.ok("wait_for_element", json!({"selector": selector}));
        }
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

#[test]
fn cells_that_span_keep_the_columns_of_the_others() {
    let world = World::new();
    let task = world.at("change.html");
    let table = "<table><thead><tr><th rowspan=2>Region</th><th colspan=2>Sales</th></tr><tr><th>Spring</th><th>Autumn</th></tr></thead>\
         <tbody><tr><td rowspan=2>North</td><td>1</td><td>2</td></tr><tr><td colspan=2>closed | a</td></tr><tr><td>South</td><td><code>a|b</code></td><td>4</td></tr></tbody></table>";
    task.ok(
        "execute_js",
        json!({"body": format!("document.body.innerHTML = {}; 0", json!(table))}),
    );
    let markdown = task.ok("extract_markdown", json!({}))["markdown"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        markdown.lines().collect::<Vec<_>>(),
        [
            "| Region | Sales | |",
            "| --- | --- | --- |",
            "| | Spring | Autumn |",
            "| North | 1 | 2 |",
            "| | closed \\| a | |",
            "| South | `a\\|b` | 4 |",
        ],
        "{markdown}"
    );
}
