//! Dragging: HTML5 drag and drop, sortable lists, sliders, canvases; what was refused is never told as done.

use serde_json::{Value, json};
use support::Task;

use crate::harness::{World, index_of, js, text_of, whole_text};

/// Drags by the labels of two buttons.
fn drag(task: &Task<'_>, from: &str, to: &str) -> support::Reply {
    let text = whole_text(task);
    let (index, target) = (index_of(&text, from), index_of(&text, to));
    task.call("drag_element_by_index", json!({"index": index, "targetIndex": target}))
}

fn log(task: &Task<'_>) -> Vec<String> {
    let log = js(task, "window.log");
    log.as_array()
        .unwrap()
        .iter()
        .map(|entry| entry.as_str().unwrap().to_owned())
        .collect()
}

fn app<'a>(world: &'a World, name: &str, ready: &str) -> Task<'a> {
    let task = world.dsb.task(json!({}));
    task.ok("go_to_url", json!({"url": world.site.app(name)}));
    task.ok("wait_for_element", json!({"selector": ready, "timeoutSeconds": 20}));
    task
}

/// Gives an element an index by making it focusable, as far as the page does not.
fn index_by_id(task: &Task<'_>, selector: &str) -> u64 {
    let label = format!("probe {selector}").replace(['#', '.', '\''], "");
    let body = format!(
        "Object.assign(document.querySelector({}), {{ tabIndex: 0, role: 'button', ariaLabel: {} }})",
        json!(selector),
        json!(label)
    );
    task.ok("execute_js", json!({"body": body}));
    // What holds it may be called by it: the last line is its own.
    let text = whole_text(task);
    let line = text.lines().rev().find(|line| line.contains(&label));
    index_of(line.unwrap_or_else(|| panic!("no {label} in\n{text}")), &label)
}

#[test]
fn html5_drag_and_drop_keeps_its_data_and_the_standards_order() {
    let world = World::new();
    let task = world.at("drag.html");
    let receipt = drag(&task, ">Card/>", ">Bin/>").expect_ok();
    assert_eq!(
        text_of(&task, "last"),
        r#"bin got {"id":"card","kind":"card"} move move"#,
        "{receipt}"
    );
    assert_eq!(
        (
            &receipt["kind"],
            &receipt["dropAccepted"],
            &receipt["dropEffect"],
            &receipt["effectAllowed"]
        ),
        (&json!("html5"), &json!(true), &json!("move"), &json!("move")),
        "{receipt}"
    );
    assert_eq!(
        (&receipt["actionStatus"], &receipt["changed"]),
        (&json!("completed"), &json!(true))
    );
    let of = |member: &str, kind: &str| receipt[member].as_array().unwrap().contains(&json!(kind));
    assert!(
        of("sourceEvents", "dragstart") && of("sourceEvents", "dragend") && of("targetEvents", "drop"),
        "{receipt}"
    );
    assert!(receipt["moves"].as_u64().unwrap() >= 5);
    // HTML Standard, "Drag-and-drop processing model": start at the source; enter before leaving the place before; over
    // before drop; no leave of the target before the drop; end at the source last; no release and no click.
    let log = log(&task);
    let at = |entry: &str| {
        log.iter()
            .position(|seen| seen == entry)
            .unwrap_or_else(|| panic!("no {entry} in {log:?}"))
    };
    let order = [
        "mousedown:card:1",
        "dragstart:card",
        "dragenter:bin",
        "dragover:bin",
        "drop:bin",
        "dragend:card",
    ];
    let places: Vec<usize> = order.iter().map(|entry| at(entry)).collect();
    assert!(places.is_sorted(), "{log:?}");
    assert!(!log.contains(&"dragleave:bin".to_owned()), "{log:?}");
    assert!(
        !log.iter()
            .any(|entry| entry.starts_with("mouseup") || entry.starts_with("click")),
        "{log:?}"
    );
    assert_eq!(at("drop:bin") + 1, at("dragend:card"), "{log:?}");
    assert_eq!(log.last().unwrap(), "dragend:card");
}

#[test]
fn a_drop_that_is_not_accepted_is_never_done() {
    let world = World::new();
    let task = world.at("drag.html");
    for (from, to) in [(">Card/>", ">Wall/>"), (">Copy only/>", ">Moves only/>")] {
        js(&task, "(window.log.length = 0)");
        let reply = drag(&task, from, to);
        assert!(reply.msg().contains("did not accept"), "{}", reply.msg());
        let data = reply.expect_code("ACTION_FAILED");
        assert_eq!(
            (&data["dropAccepted"], &data["dropEffect"], &data["actionStatus"]),
            (&json!(false), &json!("none"), &json!("not_done")),
            "{data}"
        );
        let log = log(&task);
        assert!(!log.iter().any(|entry| entry.starts_with("drop:")), "{log:?}");
        assert!(log.last().unwrap().starts_with("dragend"), "{log:?}");
    }
    assert_eq!(text_of(&task, "last"), "none");
    // Nothing is left of it: the next drag and the next click work.
    drag(&task, ">Card/>", ">Bin/>").expect_ok();
    let text = whole_text(&task);
    js(&task, "(window.log.length = 0)");
    task.ok("click_element_by_index", json!({"index": index_of(&text, ">Wall/>")}));
    let log = log(&task);
    assert!(
        log.contains(&"click:wall".to_owned()) && log.contains(&"mousedown:wall:1".to_owned()),
        "{log:?}"
    );
    assert!(!log.iter().any(|entry| entry.starts_with("drag")), "{log:?}");
}

#[test]
fn both_ends_are_brought_within_reach() {
    let world = World::new();
    let task = world.at("drag.html");
    for (to, id) in [(">Far bin/>", "far-bin"), (">Deep bin/>", "deep-bin")] {
        let receipt = drag(&task, ">Card/>", to).expect_ok();
        assert!(text_of(&task, "last").starts_with(&format!("{id} got")), "{receipt}");
        assert_eq!(receipt["dropAccepted"], true);
    }
}

#[test]
fn a_place_that_appears_when_the_drag_begins_is_found_where_it_lies() {
    let world = World::new();
    let task = world.at("drag.html");
    js(
        &task,
        "(document.getElementById('hidden-place').style.display = 'block')",
    );
    let text = whole_text(&task);
    let (card, place) = (index_of(&text, ">Card/>"), index_of(&text, ">Late place/>"));
    // The source now moves everything below it when it is dragged.
    let body = "document.getElementById('card').addEventListener('dragstart', () => setTimeout(() => \
        document.getElementById('bin').style.marginTop = '120px'))";
    js(&task, body);
    let receipt = task.ok("drag_element_by_index", json!({"index": card, "targetIndex": place}));
    assert!(text_of(&task, "last").starts_with("hidden-place got"), "{receipt}");
}

#[test]
fn a_drag_that_the_page_calls_off_goes_on_as_the_mouse() {
    let world = World::new();
    let task = world.at("drag.html");
    let receipt = drag(&task, ">Stubborn/>", ">Bin/>").expect_ok();
    assert_eq!(
        (&receipt["kind"], &receipt["dropAccepted"]),
        (&json!("pointer"), &Value::Null),
        "{receipt}"
    );
    assert!(
        receipt["targetEvents"].as_array().unwrap().contains(&json!("mouseup")),
        "{receipt}"
    );
    let log = log(&task);
    assert!(
        log.contains(&"mousemove:bin:1".to_owned()) && log.contains(&"mouseup:bin:0".to_owned()),
        "{log:?}"
    );
    assert!(js(&task, "window.moves").as_u64().unwrap() >= 5);
}

#[test]
fn a_canvas_is_drawn_on_from_point_to_point() {
    let world = World::new();
    let task = world.at("drag.html");
    let canvas = index_by_id(&task, "#canvas");
    let points = json!({"index": canvas, "sourceX": 20, "sourceY": 50, "targetX": 180, "targetY": 50});
    let receipt = task.ok("drag_element_by_index", points);
    assert_eq!(
        (&receipt["kind"], &receipt["actionStatus"]),
        (&json!("pointer"), &json!("completed")),
        "{receipt}"
    );
    assert_eq!(
        js(&task, "[inked(25, 49), inked(100, 49), inked(175, 49), inked(100, 10)]"),
        json!([true, true, true, false])
    );
}

#[test]
fn sortable_lists_are_sorted_by_html5_and_by_pointer() {
    let world = World::new();
    let task = app(&world, "sortable", "html[data-ready=true]");
    for (list, from, to, kind, order) in [
        ("native", 1, 3, "html5", "Beta,Gamma,Alpha,Delta"),
        ("pointer", 1, 3, "pointer", "East,South,North,West"),
    ] {
        let source = index_by_id(&task, &format!("#{list} li:nth-child({from})"));
        let target = index_by_id(&task, &format!("#{list} li:nth-child({to})"));
        let receipt = task.ok("drag_element_by_index", json!({"index": source, "targetIndex": target}));
        assert_eq!(receipt["kind"], kind, "{receipt}");
        assert_eq!(text_of(&task, "last"), format!("{list} {order}"), "{receipt}");
    }
    let source = index_by_id(&task, "#todo li:nth-child(1)");
    let target = index_by_id(&task, "#done li:nth-child(1)");
    task.ok("drag_element_by_index", json!({"index": source, "targetIndex": target}));
    assert!(text_of(&task, "last").contains("Write"), "{}", text_of(&task, "last"));
}

#[test]
fn jquery_ui_and_antd_sliders_and_sortables_follow_the_mouse() {
    let world = World::new();
    let task = app(&world, "jquery-ui", "html[data-ready=true]");
    let source = index_by_id(&task, "#item-One");
    let target = index_by_id(&task, "#item-Three");
    let receipt = task.ok(
        "drag_element_by_index",
        json!({"index": source, "targetIndex": target, "targetY": 34, "targetX": 60}),
    );
    assert_eq!(receipt["kind"], "pointer", "{receipt}");
    assert_eq!(text_of(&task, "last"), "order Two,Three,One,Four", "{receipt}");
    let handle = index_by_id(&task, "#slider .ui-slider-handle");
    // The handle stands at 20 of 100 on 300 pixels; 90 pixels are 30.
    let width = js(
        &task,
        "document.querySelector('#slider .ui-slider-handle').getBoundingClientRect().width / 2",
    );
    let x = width.as_f64().unwrap() + 90.0;
    task.ok(
        "drag_element_by_index",
        json!({"index": handle, "targetX": x, "targetY": 8}),
    );
    assert_eq!(text_of(&task, "last"), "slider 50");

    let task = app(&world, "antd-dnd", ".ant-slider-handle");
    let handle = index_by_id(&task, ".ant-slider-handle");
    let rail = js(
        &task,
        "document.querySelector('.ant-slider-rail').getBoundingClientRect().width * 0.4",
    );
    let x = rail.as_f64().unwrap() + 5.0;
    task.ok(
        "drag_element_by_index",
        json!({"index": handle, "targetX": x, "targetY": 5}),
    );
    let told = text_of(&task, "last");
    let value: i64 = told
        .trim_start_matches("slider ")
        .parse()
        .unwrap_or_else(|_| panic!("{told}"));
    assert!((59..=61).contains(&value), "{told}");
}

#[test]
fn frames_of_one_site_exchange_and_those_of_others_are_refused() {
    let world = World::new();
    let task = world.dsb.task(json!({}));
    let page = format!("/plain/drag-frames.html?other={}", world.site.b(""));
    task.ok("go_to_url", json!({"url": world.site.a(page.trim_end_matches('/'))}));
    task.ok(
        "wait_for_element",
        json!({"selector": "#inner-card", "frame": world.site.b("/plain/drag-inner.html")}),
    );
    let every = || {
        let state = task.ok(
            "get_browser_state",
            json!({"viewportExpansion": -1, "includeFrames": true}),
        );
        state["text"].as_str().unwrap().to_owned()
    };
    let text = every();
    let all = |part: &str| -> Vec<u64> {
        let lines = text.lines().filter(|line| line.contains(part));
        lines.map(|line| index_of(line, part)).collect()
    };
    let (cards, bins) = (all(">Inner card/>"), all(">Inner bin/>"));
    assert_eq!((cards.len(), bins.len()), (2, 2), "{text}");
    let outer_bin = index_of(&text, ">Outer bin/>");
    let pair = |from: u64, to: u64| json!({"index": from, "targetIndex": to});
    // Within a frame, of this site or of another; from a frame of this site to the page.
    for (from, to) in [(cards[0], bins[0]), (cards[1], bins[1]), (cards[0], outer_bin)] {
        let receipt = task.ok("drag_element_by_index", pair(from, to));
        assert_eq!(receipt["dropAccepted"], true, "{receipt}");
    }
    let after = every();
    assert_eq!(after.matches("bin got inner").count(), 3, "{after}");
    // Over the border of a site nothing is pressed.
    let reply = task.call("drag_element_by_index", pair(cards[1], outer_bin));
    assert!(reply.msg().contains("different sites"), "{}", reply.msg());
    let data = reply.expect_code("ACTION_FAILED");
    assert_eq!(
        (&data["reason"], &data["end"]),
        (&json!("drag-across-sites"), &json!("target")),
        "{data}"
    );
}

#[test]
fn a_failure_names_the_end_that_it_concerns() {
    let world = World::new();
    let task = world.at("drag.html");
    let text = whole_text(&task);
    let (card, bin) = (index_of(&text, ">Card/>"), index_of(&text, ">Bin/>"));
    let reply = task.call("drag_element_by_index", json!({"index": 9999, "targetIndex": bin}));
    assert!(reply.msg().contains("Source index 9999"), "{}", reply.msg());
    assert_eq!(reply.expect_code("STALE_ELEMENT")["end"], "source");
    let reply = task.call("drag_element_by_index", json!({"index": card, "targetIndex": 9999}));
    assert!(reply.msg().contains("Target index 9999"), "{}", reply.msg());
    assert_eq!(reply.expect_code("STALE_ELEMENT")["end"], "target");
    js(
        &task,
        "(document.getElementById('bin').hidden = true, document.getElementById('bin').style.display = 'none')",
    );
    let reply = task.call("drag_element_by_index", json!({"index": card, "targetIndex": bin}));
    assert_eq!(reply.expect_code("ELEMENT_HIDDEN")["end"], "target");
    js(&task, "(document.getElementById('card').disabled = true)");
    let wall = index_of(&text, ">Wall/>");
    let reply = task.call(
        "drag_element_by_index",
        json!({"index": card, "targetIndex": wall, "timeoutMs": 100}),
    );
    assert_eq!(reply.expect_code("ELEMENT_DISABLED")["end"], "source");
    assert!(log(&task).is_empty(), "nothing was pressed: {:?}", log(&task));
}

#[test]
fn bad_arguments_of_a_drag_touch_nothing() {
    let world = World::new();
    let task = world.at("drag.html");
    let _ = whole_text(&task);
    for params in [
        json!({}),
        json!({"targetIndex": 1}),
        json!({"index": 1}),
        json!({"index": 1, "targetIndex": 1}),
        json!({"index": 1, "targetIndex": 2, "targetX": 3}),
        json!({"index": 1, "targetIndex": 2, "sourceY": 3}),
        json!({"index": "x", "targetIndex": 2}),
        json!({"index": 1, "targetIndex": 2, "timeoutMs": 0}),
    ] {
        let data = task
            .call("drag_element_by_index", params.clone())
            .expect_code("INVALID_ARGUMENT");
        assert_eq!(data["started"], false, "{params}");
    }
    assert!(log(&task).is_empty());
}

#[test]
fn a_press_that_goes_elsewhere_is_told_and_leaves_no_button_held() {
    let world = World::new();
    let task = world.at("drag.html");
    let text = whole_text(&task);
    let (card, bin) = (index_of(&text, ">Card/>"), index_of(&text, ">Bin/>"));
    let cover = "document.getElementById('card').addEventListener('pointerover', () => { \
        const cover = document.body.appendChild(document.createElement('div')); cover.id = 'cover'; \
        cover.style.cssText = 'position:fixed;inset:0 0 auto 0;height:60px'; })";
    js(&task, cover);
    let reply = task.call("drag_element_by_index", json!({"index": card, "targetIndex": bin}));
    assert!(reply.msg().contains("went to"), "{}", reply.msg());
    let data = reply.expect_code("ACTION_UNCERTAIN");
    assert_eq!(
        (&data["actionStatus"], &data["retrySafe"]),
        (&json!("unknown"), &json!(false)),
        "{data}"
    );
    js(
        &task,
        "(document.getElementById('cover').remove(), window.log.length = 0)",
    );
    task.ok("click_element_by_index", json!({"index": bin}));
    let log = log(&task);
    assert!(
        log.contains(&"mousemove:bin:0".to_owned()) && log.contains(&"click:bin".to_owned()),
        "{log:?}"
    );
}

#[test]
fn a_drop_that_another_element_takes_is_not_done() {
    let world = World::new();
    let task = world.at("drag.html");
    let layer = "document.getElementById('bin').addEventListener('dragenter', () => { \
        const layer = document.body.appendChild(document.createElement('div')); layer.id = 'layer'; \
        layer.style.cssText = 'position:fixed;inset:0'; \
        layer.addEventListener('dragover', (event) => event.preventDefault()); })";
    js(&task, layer);
    let reply = drag(&task, ">Card/>", ">Bin/>");
    assert!(reply.msg().contains("<div#layer>"), "{}", reply.msg());
    let data = reply.expect_code("ACTION_UNCERTAIN");
    assert_eq!(
        (&data["dropAccepted"], &data["retrySafe"]),
        (&json!(true), &json!(false)),
        "{data}"
    );
    assert_eq!(text_of(&task, "last"), "none");
}

#[test]
fn a_refused_drop_during_which_the_page_changed_is_neither_done_nor_undone() {
    let world = World::new();
    let task = world.at("drag.html");
    let body = "document.getElementById('wall').addEventListener('dragenter', () => { \
        document.getElementById('last').textContent = 'sorted on the way'; })";
    js(&task, body);
    let data = drag(&task, ">Card/>", ">Wall/>").expect_code("ACTION_UNCERTAIN");
    assert_eq!(
        (&data["dropAccepted"], &data["changed"], &data["retrySafe"]),
        (&json!(false), &json!(true), &json!(false)),
        "{data}"
    );
}
