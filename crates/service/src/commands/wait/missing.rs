//! What a wait that ran out of its time is told as: the condition, and what of it was missing in the end.

use engine::EngineError;
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::messages::Text;
use crate::refusals::{named, number, word};
use crate::text;

/// The failure of a wait of `seconds`.
pub(super) fn failure(error: &EngineError, seconds: f64) -> Failure {
    let mut failure = Failure::from_engine(error, false);
    if let EngineError::Refused { code, reason, facts } = error
        && code == "ACTION_TIMEOUT"
    {
        failure.text = words(reason, facts, seconds);
        failure = failure.with("timeoutSeconds", seconds);
    }
    failure
}

fn words(reason: &str, facts: &Map<String, Value>, seconds: f64) -> Text {
    match reason {
        "not-visible" | "not-attached" if !facts.contains_key("text") && facts.contains_key("state") => text!(
            "wait.element",
            selector = word(facts, "selector"),
            state = word(facts, "state"),
            seconds = seconds,
            matched = number(facts, "matched"),
            why = word(facts, "hiddenReason")
        ),
        "still-visible" | "still-attached" => text!(
            "wait.still_there",
            selector = word(facts, "selector"),
            state = word(facts, "state"),
            seconds = seconds,
            matched = number(facts, "matched")
        ),
        "not-visible" => text!(
            "wait.text_hidden",
            text = word(facts, "text"),
            seconds = seconds,
            what = mutating(facts, "target")
        ),
        "not-attached" if facts.contains_key("text") => {
            text!("wait.text", text = word(facts, "text"), seconds = seconds)
        }
        "not-attached" => text!("wait.no_scope", selector = word(facts, "selector"), seconds = seconds),
        "too-few" | "too-many" => text!(
            "wait.count",
            selector = word(facts, "selector"),
            seconds = seconds,
            count = number(facts, "count")
        ),
        "other-url" => text!(
            "wait.url",
            pattern = word(facts, "pattern"),
            seconds = seconds,
            url = word(facts, "url")
        ),
        "loading" => text!(
            "wait.load",
            seconds = seconds,
            reached = word(facts, "reached"),
            requests = list(facts)
        ),
        "not-true" => text!("wait.function", seconds = seconds, error = word(facts, "lastError")),
        "requests" => text!("wait.requests", seconds = seconds, requests = list(facts)),
        "not-quiet" => text!(
            "wait.not_quiet",
            seconds = seconds,
            mutations = number(facts, "mutations"),
            what = mutating(facts, "mutating")
        ),
        "not-stable" => text!(
            "wait.not_stable",
            seconds = seconds,
            changes = number(facts, "changes"),
            what = mutating(facts, "mutating")
        ),
        "selector-missing" => text!("wait.selector_missing", seconds = seconds),
        "text-missing" => text!("wait.text_missing", seconds = seconds),
        "frame-not-found" => text!("wait.frame", frame = word(facts, "frame"), seconds = seconds),
        "page-busy" => text!("wait.busy", seconds = seconds),
        "navigating" => text!("wait.navigating", seconds = seconds, url = word(facts, "url")),
        _ => text!("refused.timeout", reason = reason),
    }
}

/// The requests that are named, or a dash.
fn list(facts: &Map<String, Value>) -> String {
    let requests = facts.get("inflightRequests").and_then(Value::as_array);
    let all: Vec<&str> = requests.into_iter().flatten().filter_map(Value::as_str).collect();
    if all.is_empty() { "-".into() } else { all.join("; ") }
}

/// The element that is named, or a dash.
fn mutating(facts: &Map<String, Value>, member: &str) -> String {
    facts
        .get(member)
        .and_then(Value::as_object)
        .map_or_else(|| "-".into(), named)
}
