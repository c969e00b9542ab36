//! Every command while a native dialog is open: it works, or it fails with a typed error; none hangs. The commands and
//! their parameters are taken from the product's own list, so that a new command is in the matrix by itself.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use service::params::Param;
use service::registry::registry;
use support::Task;

use crate::harness::World;

/// No command needs this long to say that a dialog is open; the commands' own limits are far longer.
const AT_ONCE: Duration = Duration::from_secs(15);

/// Commands that end what the matrix works on, and the one by which it answers.
const APART: [&str; 5] = ["start", "close", "shutdown", "set_dialog_behavior", "commands"];

/// A value for a parameter, by its name and then by its type.
fn value(world: &World, param: &Param) -> Value {
    if let Some(choice) = param.choices.first() {
        return json!(choice);
    }
    match (param.name.as_str(), param.kind.as_str()) {
        ("url", _) => json!(world.site.a("/plain/change.html")),
        ("selector", _) => json!("#confirm"),
        ("keys" | "key", _) => json!("Enter"),
        ("seconds", _) => json!(1),
        ("body", _) => json!("1 + 1"),
        (_, "integer" | "number") => json!(0),
        (_, "boolean") => json!(true),
        (_, "array") => json!([]),
        (_, "object") => json!({}),
        _ => json!("confirm"),
    }
}

/// The required parameters, and those without which many commands have no target.
fn params(world: &World, name: &str) -> Value {
    let declaration = registry().get(name).unwrap();
    let indexed = declaration
        .params
        .iter()
        .any(|param| param.name == "index" && param.required);
    let target = |param: &Param| matches!(param.name.as_str(), "selector" | "body") && !indexed;
    let given = declaration
        .params
        .iter()
        .filter(|param| param.required || target(param))
        .map(|param| (param.name.clone(), value(world, param)));
    Value::Object(given.collect())
}

/// Makes the first tab the current one and opens the dialog in it, unless it is open there.
fn with_dialog(world: &World, task: &Task<'_>) {
    let tabs = task.ok("get_tabs", json!({}))["tabs"].clone();
    let open = task.ok("get_dialog", json!({}))["dialog"]["open"] == true;
    if open && tabs.as_array().unwrap().len() == 1 {
        return;
    }
    if open {
        task.ok("set_dialog_behavior", json!({"answer": "accept"}));
    }
    for _ in 1..tabs.as_array().unwrap().len() {
        task.ok("close_tab", json!({"pageIndex": 0}));
    }
    task.ok("set_dialog_behavior", json!({"mode": "ask"}));
    task.ok("go_to_url", json!({"url": world.site.a("/plain/alert.html")}));
    let receipt = task.ok("click_element_by_selector", json!({"selector": "#confirm"}));
    assert_eq!(receipt["dialog"]["open"], true, "{receipt}");
}

#[test]
fn every_command_works_or_fails_fast_while_a_dialog_is_open() {
    let world = World::new();
    let task = world.dsb.task(json!({}));
    let listed = world.dsb.call(None, "list_methods", json!({})).expect_ok();
    let methods = listed["methods"].as_array().unwrap();
    assert!(methods.len() > 50, "{listed}");
    let mut held = Vec::new();
    for name in methods.iter().filter_map(Value::as_str) {
        if APART.contains(&name) {
            continue;
        }
        with_dialog(&world, &task);
        let (given, asked) = (params(&world, name), Instant::now());
        let reply = task.call(name, given.clone());
        assert!(asked.elapsed() < AT_ONCE, "{name} {given} took {:?}", asked.elapsed());
        if !reply.is_ok() {
            let code = reply.error_code();
            assert_ne!(code, "COMMAND_TIMEOUT", "{name} {given}: {}", reply.msg());
            if code == "DIALOG_OPEN" {
                assert!(
                    reply.data()["hint"].as_str().unwrap().contains("set_dialog_behavior"),
                    "{name}"
                );
                held.push(name.to_owned());
            }
        }
    }
    for name in [
        "get_browser_state",
        "execute_js",
        "screenshot",
        "go_to_url",
        "reload",
        "get_modals",
        "wait_for_text",
    ] {
        assert!(held.iter().any(|held| held == name), "{name} is not among {held:?}");
    }
    with_dialog(&world, &task);
    let closing = Instant::now();
    task.ok("close", json!({}));
    assert!(closing.elapsed() < AT_ONCE, "close took {:?}", closing.elapsed());
    let task = world.dsb.task(json!({}));
    with_dialog(&world, &task);
    world.dsb.call(None, "shutdown", json!({})).expect_ok();
    assert!(closing.elapsed() < 2 * AT_ONCE);
}
