//! What is trimmed, and what never is.

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;

use super::*;
use crate::command::{Class, Command, Flags, Group, Nothing, declaration};
use crate::context::Context;
use crate::failure::Failure;

macro_rules! command {
    ($name:ident, $method:literal, $omits:expr, $steps:literal) => {
        /// A command with a projection of its own.
        #[derive(Deserialize, JsonSchema)]
        struct $name {}

        impl Command for $name {
            const NAME: &'static str = $method;
            const GROUP: Group = Group::Introspection;
            const CLASS: Class = Class::Read;
            const FLAGS: Flags = Flags::SERVICE;
            const COMPACT_OMITS: &'static [&'static str] = $omits;
            const HOLDS_STEPS: bool = $steps;
            type Output = Nothing;

            async fn run(self, _: &mut Context) -> Result<Nothing, Failure> {
                Ok(Nothing {})
            }
        }
    };
}

command!(Click, "click", CLICK_DIAGNOSTICS, false);
command!(State, "state", &["browser_state", "url", "title"], false);
command!(Many, "many", &[], true);

fn trimmed<C: Command>(mut data: Value) -> Value {
    compact(&mut data, &declaration::<C>(), &|_| None);
    data
}

#[test]
fn nulls_go_at_every_depth_but_not_inside_what_came_from_a_page() {
    let mut data = json!({
        "a": null, "b": {"c": null, "d": [{"e": null, "f": 1}]},
        "result": {"x": null, "y": [null]},
        "requests": [{"id": "1", "body": {"z": null}, "error": null}],
        "text": null,
    });
    strip_nulls(&mut data, &["result", "requests.body", "text"]);
    assert_eq!(
        data,
        json!({
            "b": {"d": [{"f": 1}]},
            "result": {"x": null, "y": [null]},
            "requests": [{"id": "1", "body": {"z": null}}],
        })
    );
}

#[test]
fn an_ordinary_receipt_is_dropped_and_the_result_stays() {
    let data = json!({
        "changed": true, "execution": {"status": "completed"}, "retryBudget": {"retries": 0},
        "capture": {"stage": "complete", "requestedMode": "viewport", "actualMode": "viewport", "retries": 0},
        "capture_degraded": false, "seq": 3, "screenshot": "/data/1/3.png", "screenshot_path": "/x/3.png",
        "unknownParams": ["x"], "url": "kept", "browser_state": "kept",
    });
    let kept = json!({
        "changed": true, "seq": 3, "screenshot": "/data/1/3.png", "unknownParams": ["x"], "url": "kept",
        "browser_state": "kept",
    });
    assert_eq!(trimmed::<Click>(data), kept);
}

#[test]
fn a_retry_a_missing_picture_and_a_fall_back_are_told() {
    for (name, told) in [
        ("retryBudget", json!({"retries": 1})),
        (
            "capture",
            json!({"stage": "complete", "requestedMode": "fullPage", "actualMode": "viewport", "retries": 0}),
        ),
        (
            "capture",
            json!({"stage": "screenshot", "requestedMode": "viewport", "actualMode": "viewport", "retries": 0}),
        ),
        ("capture_degraded", json!(true)),
        ("screenshot_path", json!("/manual.png")),
        ("execution", json!({"status": "failed"})),
    ] {
        let data = json!({name: told});
        assert_eq!(trimmed::<Click>(data.clone()), data);
    }
    let degraded = json!({"screenshot": "/a", "screenshot_path": "/b", "screenshot_error": "no"});
    assert_eq!(trimmed::<Click>(degraded.clone()), degraded);
}

#[test]
fn click_diagnostics_go_only_when_the_outcome_is_known() {
    let receipt = json!({"changed": true, "mode": "mouse", "hit": {"tag": "a"}, "urlBefore": "x", "scanned": 9});
    assert_eq!(
        trimmed::<Click>(receipt.clone()),
        json!({"changed": true, "mode": "mouse"})
    );
    for (name, value) in [
        ("actionStatus", json!("unknown")),
        ("observationComplete", json!(false)),
    ] {
        let mut unknown = receipt.clone();
        unknown[name] = value;
        unknown["execution"] = json!({"status": "completed"});
        assert_eq!(trimmed::<Click>(unknown.clone()), unknown);
    }
}

#[test]
fn a_command_drops_its_own_duplicates_only() {
    let data = json!({"browser_state": "…", "url": "u", "title": "t", "text": "page", "tabs": []});
    assert_eq!(trimmed::<State>(data), json!({"text": "page", "tabs": []}));
}

#[test]
fn a_picture_that_is_not_inlined_needs_no_words_about_it() {
    let data = json!({"inline": false, "base64Omitted": true, "note": "…", "path": "/p", "url": "/u", "size": 9});
    assert_eq!(trimmed::<Click>(data), json!({"path": "/p", "url": "/u", "size": 9}));
    let inlined = json!({"inline": true, "base64": "…", "note": "kept"});
    assert_eq!(trimmed::<Click>(inlined.clone()), inlined);
}

#[test]
fn steps_are_projected_by_their_own_declarations() {
    let click: &'static Declaration = Box::leak(Box::new(declaration::<Click>()));
    let state: &'static Declaration = Box::leak(Box::new(declaration::<State>()));
    let lookup = |name: &str| [click, state].into_iter().find(|declaration| declaration.name == name);
    let mut data = json!({"results": [
        {"index": 0, "command": "click", "data": {"hit": 1, "url": "kept"}},
        {"index": 1, "command": "state", "data": {"url": "gone", "text": "page"}},
        {"index": 2, "command": "other", "data": {"hit": 1}},
    ], "execution": {"status": "completed"}});
    compact(&mut data, &declaration::<Many>(), &lookup);
    assert_eq!(
        data,
        json!({"results": [
            {"index": 0, "command": "click", "data": {"url": "kept"}},
            {"index": 1, "command": "state", "data": {"text": "page"}},
            {"index": 2, "command": "other", "data": {"hit": 1}},
        ]})
    );
}

proptest! {
    #[test]
    fn page_content_is_never_entered(name in "[a-z]{1,6}", inner in "[a-zA-Z_]{1,20}") {
        let page = json!({inner: null, "execution": {"status": "completed"}, "list": [null, {"url": null}]});
        let mut data = json!({"result": page.clone(), name: null});
        strip_nulls(&mut data, &["result"]);
        compact(&mut data, &declaration::<State>(), &|_| None);
        prop_assert_eq!(&data["result"], &page);
    }
}
