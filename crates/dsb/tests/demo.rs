//! The tour on a real browser.

#![allow(clippy::unwrap_used)] // a test fails by panicking

mod common;

use std::fs;
use std::path::Path;

use common::{Serving, dsb, stderr, stdout};

/// The file behind the line that names the screenshot.
fn screenshot(told: &str) -> Vec<u8> {
    let path = told
        .lines()
        .find_map(|line| line.strip_prefix("screenshot  "))
        .unwrap_or_else(|| panic!("{told}"));
    fs::read(Path::new(path)).unwrap()
}

#[test]
fn once_shows_every_step_and_the_new_row() {
    let home = tempfile::tempdir().unwrap();
    let output = dsb(home.path())
        .args(["demo", "--once", "--server.port=0"])
        .output()
        .unwrap();
    let told = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{told}\n{}", stderr(&output));
    assert!(told.contains("the table shows the new row"), "{told}");
    assert!(told.contains("Ada Lovelace") && told.contains("Darjeeling"), "{told}");
    assert!(screenshot(told).starts_with(b"\x89PNG"), "{told}");
}

#[test]
fn a_running_service_is_used_and_left_running() {
    let home = tempfile::tempdir().unwrap();
    let serving = Serving::start(home.path(), &[]);
    for _ in 0..2 {
        let output = dsb(home.path())
            .args(["demo", "--once", "--base-url", &serving.base])
            .output()
            .unwrap();
        assert_eq!(
            output.status.code(),
            Some(0),
            "{}\n{}",
            stdout(&output),
            stderr(&output)
        );
        assert!(stdout(&output).contains(&format!("was running already, process {}", serving.pid())));
    }
    let tasks = dsb(home.path())
        .args(["run", "list_tasks", "--base-url", &serving.base, "--json"])
        .output()
        .unwrap();
    let tasks: serde_json::Value = serde_json::from_str(stdout(&tasks)).unwrap();
    assert_eq!(tasks["data"]["count"], 0, "{tasks}");
}
