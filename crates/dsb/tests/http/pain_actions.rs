//! What users of such tools suffered from, by the numbers of the list: clicks (23 to 34) and uploads (64, 65). Each test
//! follows the symptom as it was reported.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{World, index_of, js, page_text, text_of, whole_text};

#[test]
fn pain_23_a_click_out_of_view_is_no_silent_no_op() {
    let world = World::new();
    let task = world.at("covered.html");
    let top = js(
        &task,
        "document.getElementById('below').getBoundingClientRect().top > innerHeight",
    );
    assert_eq!(top, true);
    task.ok("click_element_by_selector", json!({"selector": "#below"}));
    assert_eq!(text_of(&task, "clicked"), "below");
}

#[test]
fn pain_25_a_banner_does_not_eat_a_click_unnoticed() {
    let world = World::new();
    let task = world.at("covered.html");
    let reply = task.call(
        "click_element_by_selector",
        json!({"selector": "#under", "timeoutMs": 200}),
    );
    let data = reply.expect_code("ELEMENT_OBSCURED");
    assert_eq!(data["coveredBy"]["id"], "cover", "{data}");
    assert!(data["coveredHint"].as_str().is_some());
    // What would close it is named by what a person reads on it.
    assert!(data["closeHint"]["buttons"].to_string().contains("Dismiss"), "{data}");
    assert_eq!(text_of(&task, "clicked"), "none");
}

#[test]
fn pain_26_an_element_without_pointer_events_passes_no_click_on() {
    let world = World::new();
    let task = world.at("covered.html");
    let reply = task.call(
        "click_element_by_selector",
        json!({"selector": "#dead", "timeoutMs": 200}),
    );
    assert!(reply.msg().contains("pointer-events: none"), "{}", reply.msg());
    let data = reply.expect_code("ELEMENT_OBSCURED");
    assert!(data["coveredHint"].as_str().unwrap().contains("js"), "{data}");
    task.ok("click_element_by_selector", json!({"selector": "#dead", "mode": "js"}));
    assert_eq!(text_of(&task, "clicked"), "dead");
}

#[test]
fn pain_27_a_click_behind_a_panel_ends_in_bounded_time() {
    let world = World::new();
    let task = world.at("covered.html");
    let began = Instant::now();
    let reply = task.call(
        "click_element_by_selector",
        json!({"selector": "#under", "timeoutMs": 1000}),
    );
    reply.expect_code("ELEMENT_OBSCURED");
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn pain_29_a_click_is_the_users_and_may_open_a_window() {
    let world = World::new();
    let task = world.at("popup.html");
    let receipt = task.ok("click_element_by_selector", json!({"selector": "#open"}));
    assert_eq!(receipt["mode"], "native", "{receipt}");
    assert_eq!(receipt["newTab"]["current"], true, "{receipt}");
    assert_eq!(receipt["tabCountAfter"], 2, "{receipt}");
}

#[test]
fn pain_30_an_option_of_a_collapsed_list_is_chosen_by_its_click() {
    let world = World::new();
    let task = world.at("form.html");
    let began = Instant::now();
    let receipt = task.ok(
        "click_element_by_selector",
        json!({"selector": "select[name=fruit] option[value=b]"}),
    );
    assert_eq!(
        js(&task, "document.querySelector('select[name=fruit]').value"),
        "b",
        "{receipt}"
    );
    assert!(began.elapsed() < Duration::from_secs(5), "no time-out was waited for");
}

#[test]
fn pain_32_clicks_in_frames_land_where_they_are_meant() {
    let world = World::new();
    let task = world.dsb.task(json!({}));
    let page = format!("/plain/frames.html?other={}", world.site.b("").trim_end_matches('/'));
    task.ok("go_to_url", json!({"url": world.site.a(&page)}));
    task.ok(
        "wait_for_element",
        json!({"selector": "#inner", "frame": "name=nested"}),
    );
    // Scrolled, zoomed and turned, in three frames deep over two sites.
    js(
        &task,
        "Object.assign(document.body.style, { zoom: 1.2, paddingTop: '300px', transform: 'rotate(2deg)' }) && 1",
    );
    for frame in ["name=same", "name=nested"] {
        let receipt = task.ok(
            "click_element_by_selector",
            json!({"selector": "#inner", "frame": frame}),
        );
        assert_eq!(receipt["hit"]["id"], "inner", "{frame}: {receipt}");
        let count = task.ok("get_element_text", json!({"selector": "#count", "frame": frame}));
        assert_eq!(count["text"], "1", "{frame}");
    }
}

#[test]
fn pain_33_a_drag_is_a_drag_for_the_page_too() {
    let world = World::new();
    let task = world.at("drag.html");
    let text = whole_text(&task);
    let (card, bin) = (index_of(&text, ">Card/>"), index_of(&text, ">Bin/>"));
    let receipt = task.ok("drag_element_by_index", json!({"index": card, "targetIndex": bin}));
    assert_eq!(receipt["dropAccepted"], true, "{receipt}");
    let log = js(&task, "window.log.join(' ')");
    let log = log.as_str().unwrap();
    assert!(log.contains("dragstart:card") && log.contains("drop:bin"), "{log}");
    assert!(!log.contains("dragleave:bin"), "no bogus leave before the drop: {log}");
    // Moves carry the held button, and every one of them is on the way.
    assert!(
        log.contains("mousemove:card:1") && !log.contains("mousemove:bin:0"),
        "{log}"
    );
    // An offset within the target is obeyed.
    js(
        &task,
        "document.getElementById('bin').addEventListener('drop', (e) => { window.at = [e.offsetX, e.offsetY] })",
    );
    task.ok(
        "drag_element_by_index",
        json!({"index": card, "targetIndex": bin, "targetX": 12, "targetY": 9}),
    );
    let at = js(&task, "window.at");
    let near = |value: &serde_json::Value, wanted: f64| (value.as_f64().unwrap() - wanted).abs() <= 1.5;
    assert!(near(&at[0], 12.0) && near(&at[1], 9.0), "{at}");
    // Files from outside are dropped as files.
    let path = world.dsb.home().join("note.txt");
    fs::write(&path, "hello").unwrap();
    task.ok("go_to_url", json!({"url": world.site.a("/plain/uploads.html")}));
    task.ok("upload_file", json!({"path": path, "selector": "#zone"}));
    assert_eq!(text_of(&task, "last"), "dropped note.txt:5:text/plain");
}

#[test]
fn pain_34_an_action_that_took_effect_is_not_told_as_failed() {
    let world = World::new();
    let task = world.at("download.html");
    let receipt = task.ok("click_element_by_selector", json!({"selector": "#attachment"}));
    assert_eq!(
        (&receipt["actionStatus"], &receipt["changed"]),
        (&json!("completed"), &json!(true)),
        "{receipt}"
    );
    // A page that goes away in the very click is no failure either.
    let task = world.at("navigate.html");
    let link = js(&task, "document.querySelector('a[href]').id");
    let receipt = task.ok(
        "click_element_by_selector",
        json!({"selector": format!("#{}", link.as_str().unwrap())}),
    );
    assert_eq!(receipt["actionStatus"], "completed", "{receipt}");
}

#[test]
fn pain_64_hidden_labelled_and_picker_only_inputs_take_files() {
    let world = World::new();
    let task = world.at("uploads.html");
    let path = world.dsb.home().join("note.txt");
    fs::write(&path, "hello").unwrap();
    let text = page_text(&task);
    for (target, told) in [
        (json!({"selector": "#hidden"}), "hidden"),
        (json!({"index": index_of(&text, "Choose by label")}), "by-label"),
        (json!({"index": index_of(&text, "Choose beside")}), "beside"),
        (json!({"index": index_of(&text, "Pick on the fly")}), "picker"),
    ] {
        let mut params = target.clone();
        params["path"] = json!(path);
        task.ok("upload_file", params);
        assert_eq!(
            text_of(&task, "last"),
            format!("{told} note.txt:5:text/plain"),
            "{target}"
        );
    }
}

#[test]
fn pain_65_an_upload_that_the_page_ignored_or_rejected_is_told() {
    let world = World::new();
    let task = world.at("uploads.html");
    let path = world.dsb.home().join("note.txt");
    fs::write(&path, "hello").unwrap();
    let ignored = task.ok("upload_file", json!({"path": path, "selector": "#plain"}));
    assert_eq!(
        (&ignored["consumed"], &ignored["effective"]),
        (&json!("noListener"), &json!(false)),
        "{ignored}"
    );
    let asked = task.ok("upload_file", json!({"path": path, "selector": "#pictures"}));
    assert_eq!(
        (&asked["acceptMismatch"], &asked["accept"]),
        (&json!(true), &json!("image/*")),
        "{asked}"
    );
    let rejected = task.ok("upload_file", json!({"path": path, "selector": "#rejecting"}));
    assert_eq!(
        (&rejected["filesLength"], &rejected["changed"]),
        (&json!(0), &json!(true)),
        "{rejected}"
    );
    let replaced = task.ok("upload_file", json!({"path": path, "selector": ".replaced"}));
    assert_eq!(replaced["elementGone"], true, "{replaced}");
}
