//! The documents in the tree against the code: `docs/` is what the declarations yield, and `ARCHITECTURE.md` names only
//! what exists.
//!
//! `UPDATE_DOCS=1 cargo test -p service generated_documents` writes `docs/` again.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use service::command::{Declaration, Group};
use service::params::{FRAMEWORK_NAMES, Param};
use service::planned::EXTRAS;
use service::registry::registry;

const HEAD: &str = "# Commands

Generated from the declarations in the service; edits here are lost \
(`UPDATE_DOCS=1 cargo test -p service generated_documents` writes this file again).

A command is sent as `{\"id\":\"1001\",\"method\":\"get_title\",\"params\":{}}` to `POST /playwright/command`, or with \
`dsb run METHOD -p name=value`. `id` names the task; what needs no task ignores it, except that `start` gives it to the new \
task and `commands` to its steps. Numbers and booleans may be sent as strings, and choices in any case. A parameter that a \
method does not know is ignored and named in `unknownParams` of the reply. Every method also takes `retryOnSpurious`: the \
service may run it again after a transient failure, whatever is said below; `async` acts on batches only.

The class says what a command does: `read` looks, `action` changes something and is never done twice by the service, `wait` \
waits, `admin` concerns the service. What the service adds to every reply (`execution`, `retryBudget`, `newTabs`, the members \
of the automatic screenshot, `state` or `stateError` where `returnState` asked for it) is not listed again. Members without a value are left out of a reply; those marked `?` may have \
none, and so may those of type any.
";

/// The whole reference, one section a group, in the order of the groups and of the table.
fn commands_markdown() -> String {
    let mut out = HEAD.to_owned();
    let mut groups: BTreeMap<Group, Vec<&Declaration>> = BTreeMap::new();
    for declaration in registry().all() {
        groups.entry(declaration.group).or_default().push(declaration);
    }
    for (group, declarations) in groups {
        writeln!(out, "\n## {}", group.as_str()).unwrap();
        declarations
            .into_iter()
            .for_each(|declaration| command(&mut out, declaration));
    }
    let extras = EXTRAS.into_iter().filter(|name| registry().is_planned(name));
    let planned: Vec<_> = registry()
        .planned()
        .chain(extras)
        .map(|name| format!("`{name}`"))
        .collect();
    writeln!(
        out,
        "\n## Planned\n\nThese belong to the product and answer `NOT_IMPLEMENTED` until they are built: {}.",
        planned.join(", ")
    )
    .unwrap();
    out
}

fn command(out: &mut String, declaration: &Declaration) {
    writeln!(out, "\n### {}\n\n{}\n", declaration.name, prose(&declaration.summary)).unwrap();
    writeln!(out, "{}.", traits(declaration).join(" · ")).unwrap();
    let mut params = declaration.params.iter().peekable();
    if params.peek().is_some() {
        out.push_str("\n| Parameter | Type | Default | Meaning |\n| --- | --- | --- | --- |\n");
        params.for_each(|param| parameter(out, param));
    }
    reply(out, &declaration.output_schema);
}

/// What the pipeline does for the command, in words.
fn traits(declaration: &Declaration) -> Vec<String> {
    let flags = declaration.flags;
    let sentences = [
        (flags.needs_task, "needs a task"),
        (
            flags.needs_task && !flags.takes_turn,
            "does not queue behind the task's other commands",
        ),
        (flags.capture, "leaves a screenshot"),
        (flags.resend_safe, "the service may run it again"),
        (flags.long_running, "under the hard time limit"),
        (!flags.batchable, "never inside a batch"),
    ];
    let told = sentences
        .into_iter()
        .filter(|(holds, _)| *holds)
        .map(|(_, words)| words.to_owned());
    std::iter::once(format!("Class `{}`", declaration.class.as_str()))
        .chain(told)
        .collect()
}

fn parameter(out: &mut String, param: &Param) {
    let default = match (&param.default, param.required) {
        (_, true) => "required".to_owned(),
        (Some(value), false) => format!("`{value}`"),
        (None, false) => "–".to_owned(),
    };
    let meaning = prose(&param.description).replace('|', "\\|").replace('\n', " ");
    writeln!(
        out,
        "| `{}` | {} | {default} | {meaning} |",
        param.name,
        values_of(param)
    )
    .unwrap();
}

/// The type, with bounds that somebody chose and choices with their other spellings.
fn values_of(param: &Param) -> String {
    let chosen = |bound: Option<f64>| bound.filter(|bound| *bound < f64::from(u32::MAX));
    let mut out = param.kind.as_str().to_owned();
    match (chosen(param.minimum), chosen(param.maximum)) {
        (Some(least), Some(most)) => write!(out, " from {least} to {most}").unwrap(),
        (Some(least), None) => write!(out, " from {least}").unwrap(),
        (None, Some(most)) => write!(out, " up to {most}").unwrap(),
        (None, None) => {}
    }
    for (at, choice) in param.choices.iter().enumerate() {
        write!(out, "{}`{choice}`", if at == 0 { ": " } else { ", " }).unwrap();
        let others: Vec<_> = param
            .aliases
            .iter()
            .filter(|(_, named)| named == choice)
            .map(|(alias, _)| format!("`{alias}`"))
            .collect();
        if !others.is_empty() {
            write!(out, " (also {})", others.join(", ")).unwrap();
        }
    }
    out
}

/// The members of a reply on one line, and below it those that the declaration explains.
fn reply(out: &mut String, schema: &Value) {
    let members: Vec<_> = schema["properties"].as_object().into_iter().flatten().collect();
    if members.is_empty() {
        return;
    }
    let line: Vec<_> = members
        .iter()
        .map(|(name, member)| format!("`{name}` {}", type_of(member)))
        .collect();
    writeln!(out, "\nReply: {}.", line.join(", ")).unwrap();
    let explained: Vec<_> = members
        .iter()
        .filter_map(|(name, member)| Some((name, member["description"].as_str()?)))
        .collect();
    if !explained.is_empty() {
        out.push('\n');
    }
    for (name, words) in explained {
        writeln!(out, "* `{name}`: {}", prose(words).replace('\n', " ")).unwrap();
    }
}

fn type_of(schema: &Value) -> String {
    let (name, optional) = match &schema["type"] {
        Value::String(name) => (name.as_str(), false),
        Value::Array(names) => {
            let own = names.iter().filter_map(Value::as_str).find(|name| *name != "null");
            (own.unwrap_or("any"), names.iter().any(|name| name == "null"))
        }
        _ => ("any", false),
    };
    let inner = &schema["items"]["properties"];
    let inside = match inner.as_object() {
        Some(members) if name == "array" => {
            let names: Vec<_> = members.keys().map(|name| format!("`{name}`")).collect();
            format!(" of objects ({})", names.join(", "))
        }
        _ => String::new(),
    };
    format!("{name}{}{inside}", if optional { "?" } else { "" })
}

/// Text for Markdown: outside code, `<` would begin a tag.
fn prose(text: &str) -> String {
    let parts: Vec<_> = text
        .split('`')
        .enumerate()
        .map(|(at, part)| {
            if at % 2 == 0 {
                part.replace('<', "&lt;")
            } else {
                part.to_owned()
            }
        })
        .collect();
    parts.join("`")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// Holds a file of the tree against what it should be; writes it instead when asked to.
fn hold(name: &str, wanted: &str) {
    let path = root().join(name);
    if std::env::var_os("UPDATE_DOCS").is_some_and(|value| value == "1") {
        fs::write(&path, wanted).unwrap();
        return;
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    let differs = (wanted.lines().chain([""]))
        .zip(found.lines().chain([""]))
        .position(|(wanted, found)| wanted != found);
    assert!(
        found == wanted,
        "{name} is not what the declarations yield (line {}); UPDATE_DOCS=1 cargo test -p service generated_documents \
         writes it again",
        differs.map_or(0, |at| at + 1)
    );
}

#[test]
fn generated_documents_are_what_the_declarations_yield() {
    hold("docs/configuration.md", &service::config::markdown());
    hold("docs/commands.md", &commands_markdown());
}

#[test]
fn the_command_reference_leaves_nothing_out() {
    let text = commands_markdown();
    for declaration in registry().all() {
        let section = text
            .split(&format!("\n### {}\n", declaration.name))
            .nth(1)
            .unwrap_or_else(|| panic!("{} has no section", declaration.name));
        let section = section.split("\n##").next().unwrap();
        for param in declaration.params.iter() {
            assert!(
                section.contains(&format!("| `{}` |", param.name)),
                "{}.{}",
                declaration.name,
                param.name
            );
        }
    }
    let planned = text.split("\n## Planned\n").nth(1).unwrap();
    for name in registry().planned() {
        assert!(planned.contains(&format!("`{name}`")), "{name}");
    }
    assert!(!planned.contains("`commands`"), "built is not planned");
    for name in FRAMEWORK_NAMES {
        assert!(HEAD.contains(&format!("`{name}`")), "{name}");
    }
}

#[test]
fn code_in_prose_is_left_alone() {
    assert_eq!(prose("data/<id>/x is `<id>`, a<b"), "data/&lt;id>/x is `<id>`, a&lt;b");
}

/// Every Rust file below a folder, path and text; nothing built or downloaded.
fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !["target", "node_modules", "dist"].contains(&name.as_str()) {
            sources(&path, found);
        } else if name.ends_with(".rs") {
            found.push((
                path.to_string_lossy().into_owned(),
                fs::read_to_string(&path).unwrap_or_default(),
            ));
        }
    }
}

/// What stands in backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Names of the form `file::test` that no file holds as a test.
fn missing_tests<'a>(text: &'a str, files: &[(String, String)]) -> Vec<&'a str> {
    let is_test = |code: &str, name: &str| {
        let before = code.split(&format!("fn {name}(")).next().unwrap_or_default();
        before.len() < code.len() && before.rsplit('}').next().unwrap_or_default().contains("test")
    };
    quoted(text)
        .filter(|name| {
            let Some((file, test)) = name.split_once("::") else {
                return false;
            };
            let end = format!("/{file}.rs");
            !files
                .iter()
                .any(|(path, code)| path.ends_with(&end) && is_test(code, test))
        })
        .collect()
}

#[test]
fn the_architecture_names_only_what_exists() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let mut files = Vec::new();
    sources(&root().join("crates"), &mut files);
    sources(&root().join("tests"), &mut files);
    assert_eq!(missing_tests(&text, &files), [""; 0]);
    let tops = ["crates/", "tests/", "docs/", "locales/", "benches/", "scripts/"];
    let paths = quoted(&text).filter(|name| tops.iter().any(|top| name.starts_with(top)));
    let gone: Vec<_> = paths
        .filter(|name| !name.contains("::") && !name.contains('<') && !root().join(name).exists())
        .collect();
    assert_eq!(gone, [""; 0]);
    assert!(
        text.matches("::").count() > 20,
        "the guards of the invariants have been read"
    );
}

#[test]
fn a_guard_that_is_gone_is_found() {
    let files = [(
        "x/state/index.rs".to_owned(),
        "#[test]\nfn kept() {}\nfn helper() {}".to_owned(),
    )];
    let missing = missing_tests(
        "`index::kept` `state/index::kept` `dex::kept` `index::lost` `index::helper` `plain`",
        &files,
    );
    assert_eq!(missing, ["dex::kept", "index::lost", "index::helper"]);
}
