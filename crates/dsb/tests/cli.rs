//! The command line against a service of its own; no browser is started.

#![allow(clippy::unwrap_used)] // a test fails by panicking

mod common;

use std::fs;
use std::net::TcpListener;
use std::process::Output;

use common::{Serving, dsb, stderr, stdout};
use rustix::process::Signal;
use serde_json::Value;

struct Site {
    home: tempfile::TempDir,
    serving: Serving,
}

impl Site {
    fn new(settings: &[&str]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let serving = Serving::start(home.path(), settings);
        Self { home, serving }
    }

    fn run(&self, words: &[&str]) -> Output {
        dsb(self.home.path())
            .args(["--base-url", &self.serving.base])
            .args(words)
            .output()
            .unwrap()
    }
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

#[test]
fn one_line_names_the_address_and_signals_end_it() {
    for signal in [Signal::TERM, Signal::INT] {
        let site = Site::new(&[]);
        let health = site.run(&["health", "--json"]);
        let envelope: Value = serde_json::from_str(stdout(&health)).unwrap();
        assert_eq!(envelope["data"]["pid"], site.serving.pid());
        assert!(
            site.serving.base.ends_with(&format!(":{}", envelope["data"]["port"])),
            "{envelope}"
        );
        assert_eq!(site.serving.end(signal), (Some(0), String::new()));
    }
}

#[test]
fn replies_are_shown_as_asked() {
    let site = Site::new(&[]);
    let both = site.run(&["methods"]);
    let lines: Vec<_> = stdout(&both).lines().collect();
    assert_eq!((code(&both), lines.len()), (0, 2));
    assert!(
        lines[0].starts_with("methods OK ") && lines[1].starts_with('{'),
        "{lines:?}"
    );
    assert_eq!(stdout(&site.run(&["methods", "--summary"])).lines().count(), 1);
    assert!(stdout(&site.run(&["methods", "--json"])).starts_with('{'));
    assert_eq!(
        stdout(&site.run(&["health", "--select", "data.name"])),
        "\"playwright-server\"\n"
    );
    let filtered = site.run(&["methods", "get_title", "--select", "data.methods"]);
    assert_eq!(stdout(&filtered), "[\"get_title\"]\n");
}

#[test]
fn a_selection_that_is_not_there_does_not_hide_a_failure() {
    let site = Site::new(&[]);
    let missing = site.run(&["health", "--select", "data.nothing"]);
    assert_eq!((code(&missing), stdout(&missing)), (3, "null\n"));
    let failed = site.run(&["run", "no_such_method_at_all", "--select", "data.nothing"]);
    assert_eq!((code(&failed), stdout(&failed)), (2, "null\n"));
    let failed = site.run(&["run", "no_such_method_at_all", "--select", "data.errorCode"]);
    assert_eq!((code(&failed), stdout(&failed)), (2, "\"INVALID_ARGUMENT\"\n"));
}

#[test]
fn a_reply_can_go_to_a_file() {
    let site = Site::new(&[]);
    let written = site.run(&["health", "--out", "health.json", "--select", "data.pid"]);
    assert_eq!((code(&written), stdout(&written).lines().count()), (0, 1));
    let text = fs::read_to_string(site.home.path().join("health.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["ok"], true);
    assert_eq!(code(&site.run(&["health", "--out", "no/such/folder/x.json"])), 3);
}

#[test]
fn failures_of_the_service_are_exit_code_two() {
    let site = Site::new(&[]);
    let unknown_task = site.run(&["state", "--id", "424242"]);
    assert_eq!(code(&unknown_task), 2);
    assert!(
        stdout(&unknown_task).starts_with("get_browser_state FAIL "),
        "{}",
        stdout(&unknown_task)
    );
    assert!(stdout(&unknown_task).contains("424242"));
    assert_eq!(code(&site.run(&["run", "navigate", "-p", "nothing=1"])), 2);
}

#[test]
fn nobody_there_is_exit_code_one() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    drop(listener);
    let home = tempfile::tempdir().unwrap();
    let output = dsb(home.path())
        .args(["health", "--host", "127.0.0.1", "--port", &port])
        .output()
        .unwrap();
    assert_eq!((code(&output), stdout(&output)), (1, ""));
    assert!(stderr(&output).contains("dsb serve"), "{}", stderr(&output));
}

#[test]
fn a_wrong_command_line_is_exit_code_three() {
    let home = tempfile::tempdir().unwrap();
    for words in [
        &["frobnicate"][..],
        &["health", "--frobnicate"],
        &["close", "--id", "x"],
        &["health", "--select", "a,b"],
        &["health", "--server.port=1"],
        &["serve", "--server.port"],
        &["batch", "/no/such/file"],
        &["run", "wait", "--params", "{"],
        &["run", "js"],
        &["health", "--base-url", "ftp://x"],
        &["serve", "--server.host=0.0.0.0"],
    ] {
        let output = dsb(home.path()).args(words).output().unwrap();
        assert_eq!((code(&output), stdout(&output)), (3, ""), "{words:?}");
        assert!(!stderr(&output).is_empty(), "{words:?}");
    }
    for words in [&["--help"][..], &["--version"], &["serve", "--help"], &["run", "-h"]] {
        let output = dsb(home.path()).args(words).output().unwrap();
        assert_eq!((code(&output), stderr(&output)), (0, ""), "{words:?}");
    }
}

#[test]
fn help_lists_every_configuration_key() {
    let home = tempfile::tempdir().unwrap();
    let output = dsb(home.path()).args(["serve", "--help"]).output().unwrap();
    for key in service::config::keys() {
        assert!(stdout(&output).contains(&format!("--{}=", key.name)), "{}", key.name);
    }
}

#[test]
fn a_taken_port_is_an_error_of_its_own() {
    let site = Site::new(&[]);
    let port = site.serving.base.rsplit(':').next().unwrap();
    let output = dsb(site.home.path()).args(["serve", "--port", port]).output().unwrap();
    assert_eq!((code(&output), stdout(&output)), (1, ""));
    assert!(stderr(&output).contains(port), "{}", stderr(&output));
}

#[test]
fn the_token_comes_from_the_environment() {
    let site = Site::new(&["--server.token=secret"]);
    assert_eq!(code(&site.run(&["methods"])), 2);
    let command = &mut dsb(site.home.path());
    let output = command
        .args(["methods", "--base-url", &site.serving.base])
        .env("DSB_TOKEN", "secret")
        .output()
        .unwrap();
    assert_eq!(code(&output), 0, "{}", stdout(&output));
}

#[test]
fn the_demo_leaves_other_programs_alone() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let answering = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut head = [0; 1024];
        let read = std::io::Read::read(&mut stream, &mut head).unwrap();
        assert!(read > 0);
        std::io::Write::write_all(&mut stream, b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi").unwrap();
    });
    let home = tempfile::tempdir().unwrap();
    let output = dsb(home.path())
        .args(["demo", "--once", "--host", "127.0.0.1", "--port", &port])
        .output()
        .unwrap();
    answering.join().unwrap();
    assert_eq!(code(&output), 1, "{}", stdout(&output));
    assert!(stderr(&output).contains("another program"), "{}", stderr(&output));
}
