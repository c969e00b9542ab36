//! Modals that pages draw: found and closed with the real libraries, and nothing found where nothing is open.

use serde_json::{Value, json};
use support::Task;

use crate::harness::{World, js, text_of};

/// A task that shows a bundled application.
fn at<'a>(world: &'a World, app: &str, query: &str) -> Task<'a> {
    let task = world.dsb.task(json!({}));
    task.ok("go_to_url", json!({"url": format!("{}{query}", world.site.app(app))}));
    task.ok(
        "wait_for_element",
        json!({"selector": "html[data-ready=true]", "timeoutSeconds": 30}),
    );
    task
}

fn open(task: &Task<'_>, what: &str) -> Value {
    task.ok(
        "click_element_by_selector",
        json!({"selector": format!("#open-{what}")}),
    )
}

/// The one modal that is open.
fn only(task: &Task<'_>) -> Value {
    let found = task.ok("get_modals", json!({}));
    assert_eq!(found["count"], 1, "{found}");
    assert_eq!(found["modals"][0], found["top"]);
    found["top"].clone()
}

/// Closes what is open and looks that it is gone.
fn close(task: &Task<'_>, params: Value) -> Value {
    let closed = task.ok("close_modal", params);
    assert_eq!(
        (&closed["closed"], &closed["countAfter"], &closed["closedAll"]),
        (&json!(true), &json!(0), &json!(true)),
        "{closed}"
    );
    assert_eq!(task.ok("get_modals", json!({}))["count"], 0);
    closed
}

fn events(task: &Task<'_>) -> String {
    js(task, "window.__events.join('; ')")
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

/// Opens each of the application's overlays and closes it: what opens it, its kind, its title, and what the application
/// is told.
fn open_and_close(app: &str, cases: &[(&str, &str, &str, &str)]) {
    let world = World::new();
    let task = at(&world, app, "");
    for (what, kind, title, told) in cases {
        open(&task, what);
        let modal = only(&task);
        assert_eq!(
            (&modal["kind"], &modal["title"], &modal["blocking"]),
            (&json!(kind), &json!(title), &json!(true)),
            "{app} {what}: {modal}"
        );
        let closed = close(&task, json!({}));
        assert_eq!(closed["clicked"][0]["via"], "mouse", "{closed}");
        let events = events(&task);
        assert!(events.contains(told), "{app} {what}: {events}");
    }
}

#[test]
fn antd_overlays_are_found_and_closed() {
    open_and_close(
        "antd-overlays",
        &[
            ("modal", "antd", "Edit the order", "modal cancelled"),
            ("forced", "antd", "No way out but this", "forced read"),
            ("maskless", "antd", "Beside the page", "maskless cancelled"),
            ("drawer", "antd", "Details", "drawer closed"),
            ("confirm", "antd", "Delete this item?", "confirm cancelled"),
            ("tour", "overlay", "First step", "tour closed"),
        ],
    );
}

#[test]
fn element_plus_overlays_are_found_and_closed() {
    open_and_close(
        "element-plus-overlays",
        &[
            ("dialog", "element-plus", "Shipping", "dialog gone"),
            ("drawer", "element-plus", "Details", "drawer gone"),
            ("confirm", "element-plus", "提示", "confirm close"),
            ("alert", "element-plus", "Notice", "alert cancel"),
            ("prompt", "element-plus", "Question", "prompt cancel"),
        ],
    );
}

#[test]
fn vxe_windows_are_found_and_closed() {
    open_and_close(
        "vxe-modal",
        &[
            ("modal", "vxe", "Edit stock", "modal gone"),
            ("window", "vxe", "Beside the page", "window gone"),
            ("drawer", "vxe", "Details", "drawer gone"),
            ("confirm", "vxe", "操作提示", "confirm close"),
        ],
    );
}

#[test]
fn layui_layers_are_found_and_closed() {
    open_and_close(
        "layui",
        &[
            ("page", "layui", "详情", "page closed"),
            ("plain", "layui", "", "plain closed"),
        ],
    );
    let world = World::new();
    let task = at(&world, "layui", "");
    open(&task, "confirm");
    assert_eq!(only(&task)["buttons"], json!(["确定", "取消"]));
    close(&task, json!({"button": "取消"}));
    open(&task, "confirm");
    close(&task, json!({"button": "确定"}));
    assert_eq!(events(&task), "cancelled; confirmed");
}

#[test]
fn material_bootstrap_and_jquery_dialogs_are_found_and_closed() {
    open_and_close(
        "mui",
        &[
            ("dialog", "mui", "Cancel the journey?", "dialog disagreed"),
            ("drawer", "mui", "Filters", "drawer closed"),
        ],
    );
    open_and_close(
        "bootstrap",
        &[
            ("modal", "bootstrap", "Remove the account?", "modal hidden"),
            ("static", "bootstrap", "", "understood"),
            ("offcanvas", "bootstrap", "Menu", "offcanvas hidden"),
        ],
    );
    open_and_close(
        "jquery-ui",
        &[
            ("modal", "jquery-ui", "Delete the file?", "modal closed"),
            ("palette", "jquery-ui", "Palette", "palette closed"),
        ],
    );
}

#[test]
fn native_dialog_elements_and_popovers_are_found_and_closed() {
    let world = World::new();
    let task = world.at("native-dialog.html");
    open(&task, "modal");
    let modal = only(&task);
    assert_eq!(
        (&modal["kind"], &modal["title"], &modal["hasMask"], &modal["buttons"]),
        (
            &json!("native"),
            &json!("Leave the group?"),
            &json!(true),
            &json!(["Leave", "Cancel"])
        )
    );
    close(&task, json!({}));
    assert_eq!(events(&task), "modal closed stay");
    open(&task, "modal");
    close(&task, json!({"button": "leave"}));
    open(&task, "beside");
    close(&task, json!({}));
    assert!(events(&task).ends_with("modal closed leave; beside closed noted"));
    let task = world.at("popover.html");
    open(&task, "manual");
    let popover = only(&task);
    assert_eq!(
        (&popover["kind"], &popover["blocking"]),
        (&json!("popover"), &json!(false))
    );
    close(&task, json!({}));
    assert!(events(&task).ends_with("manual closed"));
}

#[test]
fn cookie_banners_and_guides_without_a_role_are_found_by_what_they_cover() {
    let world = World::new();
    let task = world.at("cookies.html");
    let banner = only(&task);
    assert_eq!(
        (&banner["confidence"], &banner["buttons"]),
        (&json!("heuristic"), &json!(["Accept all", "Only what is needed"]))
    );
    close(&task, json!({}));
    assert_eq!(
        text_of(&task, "last"),
        "cookies needed",
        "only what must be is accepted"
    );
    let task = world.at("guide.html");
    let card = only(&task);
    assert_eq!(
        (&card["hasMask"], &card["buttons"]),
        (&json!(true), &json!(["Skip", "Next"]))
    );
    let next = task.ok("close_modal", json!({"button": "Next"}));
    assert_eq!(
        (&next["closed"], &next["countAfter"]),
        (&json!(false), &json!(1)),
        "{next}"
    );
    assert!(next["hint"].is_string());
    close(&task, json!({}));
    assert_eq!(text_of(&task, "last"), "guide skipped at 2");
    task.ok("click_element_by_selector", json!({"selector": "#new"}));
    assert_eq!(text_of(&task, "last"), "new card");
}

#[test]
fn a_stack_of_sixteen_is_closed_from_the_top() {
    let world = World::new();
    for motion in ["?motion=off", ""] {
        let task = at(&world, "antd-overlays", motion);
        open(&task, "deep");
        let found = task.ok("get_modals", json!({}));
        assert_eq!(
            (&found["count"], &found["countBlocking"], &found["top"]["title"]),
            (&json!(16), &json!(16), &json!("Level 16"))
        );
        let one = task.ok("close_modal", json!({}));
        assert_eq!(
            (&one["countBefore"], &one["countAfter"]),
            (&json!(16), &json!(15)),
            "{one}"
        );
        // The first lies below fifteen others: a press there would hit the last one's mask.
        let data = task
            .call("close_modal", json!({"which": "first"}))
            .expect_code("ELEMENT_OBSCURED");
        assert!(data["coveredBy"].is_object(), "{data}");
        let all = close(&task, json!({"which": "all"}));
        assert_eq!(
            (&all["countBefore"], &all["clicked"].as_array().unwrap().len()),
            (&json!(15), &15)
        );
        let events = events(&task);
        let cancelled: Vec<_> = events.split("; ").filter(|event| event.starts_with("cancel")).collect();
        let expected: Vec<_> = (1..=16).rev().map(|n| format!("cancel level {n}")).collect();
        assert_eq!(cancelled, expected);
    }
}

#[test]
fn dialogs_inside_dialogs_are_dialogs_of_their_own() {
    let world = World::new();
    let task = at(&world, "element-plus-overlays", "");
    open(&task, "dialog");
    open(&task, "inner");
    let found = task.ok("get_modals", json!({}));
    assert_eq!(
        (&found["count"], &found["top"]["title"]),
        (&json!(2), &json!("Place")),
        "{found}"
    );
    let inner = task.ok("close_modal", json!({"title": "place"}));
    assert_eq!(
        (&inner["countBefore"], &inner["countAfter"]),
        (&json!(2), &json!(1)),
        "{inner}"
    );
    close(&task, json!({"button": "确定"}));
    assert!(events(&task).contains("dialog ok"));
}

#[test]
fn modals_of_frames_are_found_and_pressed_where_they_are() {
    let world = World::new();
    for page in [
        world.site.a("/plain/native-dialog.html"),
        world.site.b("/plain/native-dialog.html"),
    ] {
        let task = world.at(&format!("dialogs.html?frame={page}"));
        task.ok(
            "click_element_by_selector",
            json!({"selector": "#open-modal", "frame": "1"}),
        );
        let modal = only(&task);
        assert_eq!((&modal["frameIndex"], &modal["frameUrl"]), (&json!(1), &json!(page)));
        close(&task, json!({}));
        let told = task.ok("execute_js", json!({"body": "window.__events.join()", "frame": "1"}));
        assert_eq!(told["result"], "modal closed stay", "{page}");
    }
}

#[test]
fn modals_in_shadow_roots_are_found_and_closed() {
    let world = World::new();
    let task = world.at("change.html");
    js(
        &task,
        "const host = document.createElement('div'); document.body.append(host); const root = host.attachShadow({ mode: 'open' }); \
         root.innerHTML = '<div role=dialog aria-label=\"In the shade\" style=\"position:fixed;left:100px;top:100px;width:300px;height:120px;background:white\">Hello <button>Close</button></div>'; \
         root.querySelector('button').onclick = () => host.remove(); return 1",
    );
    assert_eq!(only(&task)["title"], "In the shade");
    close(&task, json!({}));
}

#[test]
fn a_label_that_does_not_exist_fails_and_presses_nothing() {
    let world = World::new();
    let task = at(&world, "antd-overlays", "?motion=off");
    open(&task, "confirm");
    let refused = task.call("close_modal", json!({"button": "Archive"}));
    assert!(refused.msg().contains("Cancel / Delete"), "{}", refused.msg());
    let data = refused.expect_code("ELEMENT_NOT_FOUND");
    assert_eq!(
        (&data["labels"], &data["started"]),
        (&json!(["Cancel", "Delete"]), &json!(false))
    );
    assert_eq!(events(&task), "");
    close(&task, json!({"button": "delete"}));
    assert!(events(&task).starts_with("confirm ok"));
}

#[test]
fn what_is_not_open_or_cannot_be_meant_is_told() {
    let world = World::new();
    let task = at(&world, "antd-overlays", "?motion=off");
    let none = task.ok("close_modal", json!({}));
    assert_eq!(
        (&none["closed"], &none["countBefore"], &none["countAfter"]),
        (&json!(false), &json!(0), &json!(0))
    );
    assert!(none["note"].is_string() && none.get("clicked").is_none(), "{none}");
    open(&task, "modal");
    for which in [json!({"title": "Nothing like it"}), json!({"which": "class:nothing"})] {
        let refused = task.call("close_modal", which);
        assert!(refused.msg().contains("Edit the order"), "{}", refused.msg());
        refused.expect_code("ELEMENT_NOT_FOUND");
    }
    for bad in [
        json!({"which": "second"}),
        json!({"which": "class:"}),
        json!({"which": 3}),
    ] {
        task.call("close_modal", bad).expect_code("INVALID_ARGUMENT");
    }
    close(&task, json!({"which": "class:ANT-MODAL"}));
}

#[test]
fn a_modal_that_stays_is_never_called_closed() {
    let world = World::new();
    let task = at(&world, "antd-overlays", "");
    open(&task, "stubborn");
    let stayed = task.ok("close_modal", json!({}));
    assert_eq!(
        (&stayed["closed"], &stayed["countAfter"]),
        (&json!(false), &json!(1)),
        "{stayed}"
    );
    assert!(stayed["hint"].is_string());
    assert_eq!(events(&task), "stubborn refused");
    let task = world.at("native-dialog.html");
    open(&task, "guarded");
    assert_eq!(task.ok("close_modal", json!({}))["closed"], false);
}

#[test]
fn a_button_at_work_is_waited_for() {
    let world = World::new();
    let task = at(&world, "antd-overlays", "");
    open(&task, "slow");
    close(&task, json!({"button": "Publish"}));
    assert_eq!(events(&task), "publishing; published");
}

#[test]
fn nothing_is_a_modal_where_nothing_is_open() {
    let world = World::new();
    let task = world.dsb.task(json!({}));
    let plain = [
        "calm-chrome",
        "calm-chat",
        "calm-words",
        "calm-app",
        "form",
        "list",
        "states",
        "article",
        "spa",
        "shadow",
        "moving",
    ];
    let apps = [
        "antd",
        "antd-overlays",
        "bootstrap",
        "codemirror",
        "downshift",
        "element-plus",
        "element-plus-overlays",
        "jquery-ui",
        "layui",
        "monaco",
        "mui",
        "quill",
        "select2",
        "sortable",
        "tinymce",
        "tiptap",
        "vxe-modal",
        "vxe-table",
    ];
    let pages = plain.map(|page| world.site.a(&format!("/plain/{page}.html")));
    for url in pages.into_iter().chain(apps.map(|app| world.site.app(app))) {
        task.ok("go_to_url", json!({"url": url}));
        let found = task.ok("get_modals", json!({}));
        assert_eq!(found["count"], 0, "{url}: {found}");
        assert!(found["note"].is_string() && found.get("top").is_none());
    }
}

#[test]
fn notices_that_go_by_themselves_are_no_modals() {
    let world = World::new();
    for (app, notices) in [
        ("antd-overlays", &["message", "notification"][..]),
        ("element-plus-overlays", &["message", "notification"]),
        ("vxe-modal", &["message"]),
        ("layui", &["message"]),
        ("mui", &["snackbar"]),
        ("bootstrap", &["toast"]),
    ] {
        let task = at(&world, app, "");
        for notice in notices {
            open(&task, notice);
            assert_eq!(task.ok("get_modals", json!({}))["count"], 0, "{app} {notice}");
        }
    }
}
