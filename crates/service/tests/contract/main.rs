//! The declarations against the contract: class, flags and parameters of every registered command.
//!
//! A difference is allowed only when it stands in [`reviewed::DIFFERENCES`] with its reason, and a reviewed difference
//! that no longer exists is an error too.

#![allow(clippy::unwrap_used)] // test code

mod reviewed;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use service::command::Declaration;
use service::params::Param;
use service::planned::TABLE;
use service::registry::registry;
use service::return_state;

const CONTRACT: &str = include_str!("commands.json");

fn contract() -> Vec<Value> {
    serde_json::from_str(CONTRACT).unwrap()
}

/// Differences as `method path: ours, theirs`, by `method path`.
type Differences = BTreeMap<String, String>;

fn differ(found: &mut Differences, at: String, ours: Value, theirs: Value) {
    if ours != theirs {
        found.insert(at, format!("ours {ours}, contract {theirs}"));
    }
}

fn compare(found: &mut Differences, declaration: &Declaration, theirs: &Value) {
    let name = declaration.name;
    let flags = declaration.flags;
    for (member, ours) in [
        ("group", json!(declaration.group.as_str())),
        ("kind", json!(declaration.class.as_str())),
        ("needsTask", json!(flags.needs_task)),
        ("capture", json!(flags.capture)),
        ("resendSafe", json!(flags.resend_safe)),
        ("longRunning", json!(flags.long_running)),
        ("batchable", json!(flags.batchable)),
    ] {
        differ(found, format!("{name} {member}"), ours, theirs[member].clone());
    }
    let mut wanted: BTreeMap<&str, &Value> = theirs["params"]
        .as_array()
        .unwrap()
        .iter()
        .map(|param| (param["name"].as_str().unwrap(), param))
        .collect();
    // Declared by the design for every action at once; who takes it is tested beside its declaration.
    let own = declaration
        .params
        .iter()
        .filter(|param| param.name != return_state::NAME);
    for param in own {
        match wanted.remove(param.name.as_str()) {
            Some(theirs) => compare_param(found, name, param, theirs),
            None => differ(
                found,
                format!("{name} {}", param.name),
                json!("present"),
                json!("absent"),
            ),
        }
    }
    for missing in wanted.keys() {
        differ(found, format!("{name} {missing}"), json!("absent"), json!("present"));
    }
}

fn compare_param(found: &mut Differences, method: &str, ours: &Param, theirs: &Value) {
    let at = |member: &str| format!("{method} {}.{member}", ours.name);
    let choices = if ours.choices.is_empty() {
        Value::Null
    } else {
        json!(ours.choices)
    };
    differ(found, at("type"), json!(ours.kind.as_str()), theirs["type"].clone());
    differ(found, at("required"), json!(ours.required), theirs["required"].clone());
    differ(found, at("enum"), choices, theirs["enum"].clone());
    differ(
        found,
        at("default"),
        ours.default.clone().unwrap_or_default(),
        theirs["default"].clone(),
    );
}

#[test]
fn the_table_is_that_of_the_contract() {
    let contract = contract();
    let names: Vec<&str> = contract
        .iter()
        .map(|command| command["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, TABLE);
}

#[test]
fn every_registered_command_is_declared_as_the_contract_says() {
    let contract = contract();
    let mut found = Differences::new();
    for theirs in &contract {
        if let Some(declaration) = registry().get(theirs["name"].as_str().unwrap()) {
            compare(&mut found, declaration, theirs);
        }
    }
    let unreviewed: Vec<_> = found.iter().filter(|(at, _)| reason(at).is_none()).collect();
    let gone: Vec<_> = reviewed::DIFFERENCES
        .iter()
        .filter(|(at, _)| !found.contains_key(*at))
        .collect();
    assert!(
        unreviewed.is_empty() && gone.is_empty(),
        "not reviewed: {unreviewed:#?}\nreviewed but gone: {gone:#?}"
    );
}

fn reason(at: &str) -> Option<&'static str> {
    reviewed::DIFFERENCES
        .iter()
        .find(|(known, _)| *known == at)
        .map(|(_, reason)| *reason)
}

#[test]
fn every_reviewed_difference_has_a_reason() {
    for (at, reason) in reviewed::DIFFERENCES {
        assert!(reason.len() > 20, "{at}: {reason}");
    }
}

#[test]
fn registration_keeps_the_order_of_the_table() {
    let registered: Vec<&str> = registry().all().map(|declaration| declaration.name).collect();
    let positions: Vec<_> = registered
        .iter()
        .filter_map(|name| TABLE.iter().position(|known| known == name))
        .collect();
    assert!(positions.is_sorted(), "{registered:?}");
}
