//! One line about a reply.
//!
//! Invariant: the fields stand in a fixed order, so that lines can be compared, and page text in them is inert.

use std::time::Duration;

use serde_json::Value;

use crate::terminal::cut;

/// Members of `data` worth a glance, in the order printed.
const FIELDS: &[&str] = &[
    "count",
    "countBlocking",
    "countStrict",
    "succeeded",
    "failed",
    "expectFailed",
    "seq",
    "status",
    "mode",
    "matched",
    "stable",
    "closed",
    "elementCount",
    "jobId",
    "step",
    "title",
    "url",
    "value",
    "visible",
    "enabled",
    "checked",
    "result",
    "actionStatus",
    "retrySafe",
    "observationComplete",
    "snapshotConsistent",
    "indicesUsable",
];

/// Longest value, in characters.
const VALUE_MAX: usize = 40;
/// Longest message; a message is what the user needs, so it gets more room.
const MESSAGE_MAX: usize = 400;
/// Most steps of a batch.
const STEPS_MAX: usize = 12;

/// The line for a reply to `method` that took `elapsed`.
pub fn line(method: &str, elapsed: Duration, envelope: &Value) -> String {
    let ok = envelope["ok"] == true;
    let data = &envelope["data"];
    let mut parts = vec![
        method.to_owned(),
        verdict(ok).to_owned(),
        format!("{}ms", elapsed.as_millis()),
    ];
    let present = FIELDS
        .iter()
        .filter_map(|name| data.get(name).map(|value| (name, value)));
    parts.extend(present.map(|(name, value)| format!("{name}={}", shown(value, VALUE_MAX))));
    if let Some(url) = data.get("screenshot") {
        parts.push(format!("shot={}", shown(url, MESSAGE_MAX)));
    }
    if let Some(message) = envelope.get("msg").filter(|_| !ok) {
        parts.push(format!("msg={}", shown(message, MESSAGE_MAX)));
    }
    let steps = data["results"].as_array().map(Vec::as_slice).unwrap_or_default();
    steps
        .iter()
        .take(STEPS_MAX)
        .fold(parts.join(" "), |line, step| line + " | " + &step_word(step))
}

fn step_word(step: &Value) -> String {
    let failed_expectation = step["expectResult"]["passed"] == false;
    let word = match (step["ok"] == true, failed_expectation) {
        (_, true) => "expect-fail",
        (true, false) => "ok",
        (false, false) => "FAIL",
    };
    format!(
        "{}:{}={word}",
        shown(&step["index"], VALUE_MAX),
        shown(&step["command"], VALUE_MAX)
    )
}

fn verdict(ok: bool) -> &'static str {
    if ok { "OK" } else { "FAIL" }
}

fn shown(value: &Value, max: usize) -> String {
    match value {
        Value::String(text) => cut(text, max),
        other => cut(&other.to_string(), max),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_stand_in_their_order_and_are_cut() {
        let envelope = json!({"data": {"url": "u".repeat(50), "seq": 8, "unknown": 1, "screenshot": "/data/1/8.png",
            "title": "a\u{1b}[2J\nb"}, "code": 1, "ok": true});
        let expected = format!(
            "navigate OK 54ms seq=8 title=a\\u{{1b}}[2J b url={}… shot=/data/1/8.png",
            "u".repeat(40)
        );
        assert_eq!(line("navigate", Duration::from_millis(54), &envelope), expected);
    }

    #[test]
    fn failures_say_why() {
        let envelope = json!({"code": 0, "msg": "x failed: reason", "ok": false});
        assert_eq!(line("x", Duration::ZERO, &envelope), "x FAIL 0ms msg=x failed: reason");
    }

    #[test]
    fn batches_name_each_step() {
        let step = |index: usize, ok: bool, passed: bool| json!({"index": index, "command": "wait", "ok": ok, "expectResult": {"passed": passed}});
        let steps: Vec<_> = [
            step(0, true, true),
            step(1, true, false),
            json!({"index": 2, "command": "x", "ok": false}),
        ]
        .into_iter()
        .chain((3..20).map(|index| step(index, true, true)))
        .collect();
        let text = line(
            "commands",
            Duration::ZERO,
            &json!({"data": {"count": 20, "results": steps}, "ok": false}),
        );
        assert!(text.starts_with("commands FAIL 0ms count=20 | 0:wait=ok | 1:wait=expect-fail | 2:x=FAIL | 3:wait=ok"));
        assert!(text.ends_with("11:wait=ok"), "{text}");
    }
}
