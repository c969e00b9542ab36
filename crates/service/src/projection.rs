//! What is left out of a reply: members without a value, and in compact mode what a caller rarely needs.
//!
//! Invariant: only the product's own members at known places are touched. What came from a page (`Command::OPAQUE`) is
//! never entered, and nothing is trimmed that tells of a failure, an unknown outcome, a missing picture or a retry.

use serde_json::{Map, Value, json};

use crate::command::Declaration;

/// Finds the declaration of a batch's step by its method.
pub type Lookup<'a> = &'a dyn Fn(&str) -> Option<&'static Declaration>;

/// What compact mode leaves out of a click's receipt whose outcome is known (for `Command::COMPACT_OMITS`).
pub const CLICK_DIAGNOSTICS: &[&str] = &[
    "urlBefore",
    "urlAfter",
    "tabCountBefore",
    "tabCountAfter",
    "textLengthBefore",
    "textLengthAfter",
    "outerHtml",
    "hit",
    "scanned",
    "selectorNote",
    "probedFrameUrl",
    "probeTrustworthy",
    "observationWindowMs",
];

/// Removes members whose value is null, at every depth of the product's own structures. A member named by `opaque` is
/// removed when it is null itself, and left as it is otherwise.
pub fn strip_nulls(value: &mut Value, opaque: &[&str]) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| strip_nulls(item, opaque)),
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            for (name, member) in members.iter_mut() {
                if !opaque.contains(&name.as_str()) {
                    strip_nulls(member, &below(opaque, name));
                }
            }
        }
        _ => {}
    }
}

/// The paths that go on inside a member.
fn below<'a>(opaque: &[&'a str], name: &str) -> Vec<&'a str> {
    opaque
        .iter()
        .filter_map(|path| path.strip_prefix(name)?.strip_prefix('.'))
        .collect()
}

/// Trims the `data` of a successful reply.
pub fn compact(data: &mut Value, declaration: &Declaration, lookup: Lookup<'_>) {
    let Value::Object(members) = data else { return };
    if !outcome_is_known(members) {
        return;
    }
    if declaration.holds_steps {
        compact_steps(members, lookup);
    }
    drop_receipt(members);
    drop_picture(members);
    for name in declaration.compact_omits {
        members.shift_remove(*name);
    }
}

fn compact_steps(members: &mut Map<String, Value>, lookup: Lookup<'_>) {
    let steps = members
        .get_mut("results")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten();
    for step in steps {
        let declaration = step.get("command").and_then(Value::as_str).and_then(lookup);
        if let (Some(declaration), Some(data)) = (declaration, step.get_mut("data")) {
            compact(data, declaration, lookup);
        }
    }
}

fn outcome_is_known(members: &Map<String, Value>) -> bool {
    members.get("actionStatus") != Some(&json!("unknown")) && members.get("observationComplete") != Some(&json!(false))
}

/// How the command was run, unless something about it was out of the ordinary.
fn drop_receipt(members: &mut Map<String, Value>) {
    remove_if(members, "execution", |execution| execution["status"] == "completed");
    remove_if(members, "retryBudget", |budget| budget["retries"] == 0);
}

fn drop_picture(members: &mut Map<String, Value>) {
    let normal = |capture: &Value| {
        capture["stage"] == "complete" && capture["requestedMode"] == capture["actualMode"] && capture["retries"] == 0
    };
    remove_if(members, "capture", normal);
    remove_if(members, "capture_degraded", |degraded| degraded == &json!(false));
    let failed = ["screenshot_error", "screenshot_skipped", "capture_degraded"];
    if members.contains_key("screenshot") && !failed.iter().any(|name| members.contains_key(*name)) {
        members.shift_remove("screenshot_path");
    }
    if members.get("inline") == Some(&json!(false)) {
        for name in ["inline", "base64Omitted", "note", "imageNote"] {
            members.shift_remove(name);
        }
    }
}

fn remove_if(members: &mut Map<String, Value>, name: &str, condition: impl Fn(&Value) -> bool) {
    if members.get(name).is_some_and(condition) {
        members.shift_remove(name);
    }
}

#[cfg(test)]
mod tests;
