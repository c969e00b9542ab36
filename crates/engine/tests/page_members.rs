//! How the page script reads the members of nodes: a page can mask those of its forms and of its document.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;

/// Members that other objects of the script have too, or that elements of a kind told apart first are asked for.
const SHARED: &str = "addEventListener append contains firstChild focus getBoundingClientRect getClientRects host id \
    matches mode nextSibling removeEventListener title type";

/// Name and text of the files of the page script.
fn files() -> Vec<(String, String)> {
    let folder = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/page")).unwrap();
    folder
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.display().to_string(), fs::read_to_string(path).unwrap()))
        .collect()
}

/// The names that have a symbol, as the list in `dom.js` has them.
fn maskable() -> BTreeSet<String> {
    let (_, text) = files().into_iter().find(|(path, _)| path.ends_with("dom.js")).unwrap();
    let list = text
        .split("const MASKABLE")
        .nth(1)
        .unwrap()
        .split(".split(")
        .next()
        .unwrap();
    let quoted = list.split('"').skip(1).step_by(2);
    quoted.flat_map(str::split_whitespace).map(str::to_owned).collect()
}

/// Identifiers that follow `mark` where something stands directly before it that has members.
fn members<'a>(line: &'a str, mark: &'a str) -> impl Iterator<Item = &'a str> {
    line.match_indices(mark).filter_map(move |(at, _)| {
        let before = line[..at].chars().next_back()?;
        let name = &line[at + mark.len()..];
        let end = name.find(|c: char| !c.is_alphanumeric()).unwrap_or(name.len());
        (before.is_alphanumeric() || "])?".contains(before)).then_some(&name[..end])
    })
}

fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| {
        let line = line.trim_start();
        !(line.starts_with("//") || line.starts_with('*') || line.starts_with("/*"))
    })
}

#[test]
fn members_that_a_page_can_mask_are_read_by_symbol() {
    let names = maskable();
    assert!(names.len() > 80, "{names:?}");
    for (path, text) in files() {
        for line in code(&text) {
            for name in members(line, "[dom.") {
                assert!(names.contains(name), "{path}: no symbol for {name} in {line}");
            }
            for name in members(&line.replace("[dom.", "["), ".") {
                let plain = names.contains(name) && !SHARED.split_whitespace().any(|shared| shared == name);
                assert!(!plain, "{path}: plain {name} in {line}");
            }
        }
    }
}
