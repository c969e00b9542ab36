//! What is printed about a reply, and the exit code that follows from it.
//!
//! Invariant: warnings reach standard error whatever is selected for standard output, and a selection never changes
//! what happened: a failed reply stays exit code 2.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::Path;

use serde_json::Value;

use super::json_text::{inert, pretty, select};
use super::request::{Call, View};
use super::{Reply, summary_line};
use crate::cli::Common;
use crate::exit::Exit;
use crate::terminal;

/// Prints a reply as the options ask.
pub fn report(common: &Common, call: &Call, reply: &Reply) -> Exit {
    warnings(&call.method, &reply.envelope)
        .iter()
        .for_each(|warning| eprintln!("dsb: {warning}"));
    let outcome = if reply.envelope["ok"] == true {
        Exit::Done
    } else {
        Exit::Failed
    };
    let line = summary_line(&call.method, reply.elapsed, &reply.envelope);
    if let Some(path) = &common.out {
        return match write_out(path, &reply.text) {
            Ok(()) => printed(&format!("{line} → {}", path.display()), outcome),
            Err(error) => {
                eprintln!("dsb: {}: {error}", path.display());
                Exit::Usage
            }
        };
    }
    if let Some(path) = &common.select {
        return selected(path, reply, outcome);
    }
    match shape(common, call.view, outcome) {
        Shape::Line => printed(&line, outcome),
        Shape::Json => printed(&json(&reply.text), outcome),
        Shape::Both => printed(&format!("{line}\n{}", json(&reply.text)), outcome),
        Shape::Text => printed(
            &terminal::lines(reply.envelope["data"]["text"].as_str().unwrap_or_default()),
            outcome,
        ),
    }
}

enum Shape {
    Line,
    Json,
    Both,
    Text,
}

/// Options win over what the subcommand would show; of a failure everything is shown.
fn shape(common: &Common, view: View, outcome: Exit) -> Shape {
    match (common.json, common.summary, view) {
        (true, _, _) => Shape::Json,
        (false, true, _) => Shape::Line,
        _ if outcome != Exit::Done => Shape::Both,
        (_, _, View::Both) => Shape::Both,
        (_, _, View::Line) => Shape::Line,
        (_, _, View::Text) => Shape::Text,
    }
}

fn selected(path: &str, reply: &Reply, outcome: Exit) -> Exit {
    match select(&reply.text, path) {
        Some(part) => printed(&json(part), outcome),
        None => {
            eprintln!("dsb: the reply has no {path}");
            let exit = if outcome == Exit::Done { Exit::Usage } else { outcome };
            printed("null", exit)
        }
    }
}

/// Laid out for a person, on one line for a program.
fn json(text: &str) -> String {
    let text = inert(text.trim());
    if io::stdout().is_terminal() {
        pretty(&text)
    } else {
        text
    }
}

fn printed(text: &str, exit: Exit) -> Exit {
    match terminal::print(text) {
        Ok(()) => exit,
        Err(error) => {
            eprintln!("dsb: standard output: {error}");
            Exit::Usage
        }
    }
}

fn write_out(path: &Path, text: &str) -> io::Result<()> {
    fs::write(path, text)
}

/// What a user must see although the reply is a success, or beside its failure.
fn warnings(method: &str, envelope: &Value) -> Vec<String> {
    let data = &envelope["data"];
    let mut found = one_reply(method, data);
    for step in data["results"].as_array().into_iter().flatten() {
        let name = step["command"].as_str().unwrap_or("?");
        found.extend(one_reply(
            &format!("step {} {}", step["index"], terminal::one_line(name)),
            &step["data"],
        ));
    }
    if method == "start" {
        found.extend(
            ["engineWarning", "profileNote"]
                .iter()
                .filter_map(|name| told(&data[*name])),
        );
        found.extend(told(&data["browser"]["note"]));
    }
    found
}

fn one_reply(name: &str, data: &Value) -> Vec<String> {
    let conditions = [
        (
            data["capture_degraded"] == true,
            "automatic screenshots are degraded: there is no picture of this step",
        ),
        (
            data["indicesUsable"] == false,
            "the page changed while it was read: its indices cannot be used, read again",
        ),
        (
            data["observationComplete"] == false,
            "what the action changed could not be observed completely",
        ),
        (
            data["actionStatus"] == "unknown",
            "it is not known whether the action took effect: look before acting again",
        ),
        (
            data["replayed"] == true,
            "this is the recorded reply of an earlier sending; nothing was done again",
        ),
    ];
    conditions
        .iter()
        .filter(|(holds, _)| *holds)
        .map(|(_, warning)| format!("{name}: {warning}"))
        .collect()
}

fn told(value: &Value) -> Option<String> {
    value.as_str().filter(|text| !text.is_empty()).map(terminal::one_line)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn doubts_are_told_also_for_steps() {
        let envelope = json!({"ok": true, "data": {"capture_degraded": true, "results": [
            {"index": 0, "command": "wait", "data": {}},
            {"index": 1, "command": "click", "data": {"actionStatus": "unknown", "observationComplete": false}}]}});
        let found = warnings("commands", &envelope);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].starts_with("commands: ") && found[1].starts_with("step 1 click: "));
        assert!(warnings("wait", &json!({"ok": true})).is_empty());
    }

    #[test]
    fn a_start_tells_about_engine_and_profile() {
        let envelope =
            json!({"ok": true, "data": {"profileNote": "first use\u{1b}", "browser": {"note": "no sandbox"}}});
        assert_eq!(warnings("start", &envelope), ["first use\\u{1b}", "no sandbox"]);
    }
}
