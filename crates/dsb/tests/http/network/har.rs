//! The record as a HAR file, judged by a validator that others wrote.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::{fetched, finished};
use crate::harness::World;

/// What the public validator of the format says of a file.
fn validate(file: &str) -> String {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let out = Command::new("node")
        .arg("har.mjs")
        .arg(file)
        .current_dir(fixtures)
        .output()
        .expect("node runs");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).trim().to_owned()
}

#[test]
fn the_file_is_valid_and_holds_what_was_recorded() {
    let world = World::new();
    let task = world.at("form.html");
    fetched(&task, "/redirect?to=/xhr%3Fn=1%26a=b", "{}");
    fetched(&task, "/echo?key=har", "{method: 'POST', body: JSON.stringify({a: 1})}");
    fetched(&task, "/drop", "{}");
    finished(&task, "/echo?key=har");
    task.ok("get_response_body", json!({"filter": "/echo?key=har"}));
    let own = task.ok("get_requests", json!({"format": "har"}));
    let path = own["path"].as_str().unwrap();
    assert!(
        path.ends_with("requests-1.har") && own.get("requests").is_none(),
        "{own}"
    );
    assert_eq!(validate(path), "valid");
    let file: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let entries = file["log"]["entries"].as_array().unwrap();
    assert_eq!(own["count"], entries.len());
    let of = |part: &str| {
        entries
            .iter()
            .find(|one| one["request"]["url"].as_str().unwrap().contains(part))
            .unwrap()
    };
    let posted = of("/echo?key=har");
    assert_eq!(posted["request"]["postData"]["text"], "{\"a\":1}");
    assert!(
        posted["response"]["content"]["text"].as_str().unwrap().contains("POST"),
        "{posted}"
    );
    assert!(
        of("/redirect")["response"]["redirectURL"]
            .as_str()
            .unwrap()
            .contains("/xhr?n=1")
    );
    assert!(of("/drop")["_error"].is_string());
    let served = world.dsb.get(own["url"].as_str().unwrap());
    assert_eq!(served.status, 200);
    std::fs::write(format!("{path}.bad.har"), "{\"log\": {}}").unwrap();
    assert!(
        validate(&format!("{path}.bad.har")).starts_with("invalid"),
        "the validator can say no"
    );
}

#[test]
fn it_is_written_where_the_caller_says_and_a_place_that_cannot_be_is_told() {
    let world = World::new();
    let task = world.at("form.html");
    let at = world.dsb.home().join("kept.har");
    let told = task.ok(
        "get_requests",
        json!({"format": "har", "path": at, "filter": "form.html"}),
    );
    assert_eq!((told["path"].as_str(), &told["count"]), (at.to_str(), &json!(1)));
    assert_eq!(validate(at.to_str().unwrap()), "valid");
    let folder = world.dsb.home().join("folder.har");
    std::fs::create_dir(&folder).unwrap();
    task.call("get_requests", json!({"format": "har", "path": folder}))
        .expect_code("ACTION_FAILED");
}
