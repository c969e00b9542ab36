//! `execute_js`.

use serde_json::json;

use crate::harness::{World, options};

#[test]
fn takes_expressions_functions_statements_and_promises() {
    let world = World::new();
    let task = world.at("change.html");
    for (body, expected) in [
        ("document.title", json!("Change")),
        (
            "() => ({a: [1, null, {b: null}]})",
            json!({"a": [1, null, {"b": null}]}),
        ),
        ("function () { return 7 }", json!(7)),
        ("(() => 42)()", json!(42)),
        ("({a: 1}).a", json!(1)),
        ("const x = 2; return x * 2", json!(4)),
        ("let y = 2; y * 3", json!(6)),
        (
            "await new Promise((done) => setTimeout(done, 20)); return 'later'",
            json!("later"),
        ),
        ("async () => 'promised'", json!("promised")),
        ("document.body", json!("ref: <body>")),
        ("9007199254740993n", json!("9007199254740993")),
        ("'null'", json!("null")),
    ] {
        assert_eq!(
            task.ok("execute_js", json!({"body": body}))["result"],
            expected,
            "{body}"
        );
    }
    for body in ["undefined", "null", "NaN", "Infinity"] {
        assert!(
            task.ok("execute_js", json!({"body": body})).get("result").is_none(),
            "{body}"
        );
    }
}

#[test]
fn variables_are_literals_and_cannot_break_out() {
    let world = World::new();
    let task = world.at("change.html");
    let nasty = "a'b\"c`${1}</script>\\\n{{other}}";
    for body in ["'{{v}}'", "\"{{v}}\"", "{{v}}"] {
        let data = task.ok("execute_js", json!({"body": body, "vars": {"v": nasty}}));
        assert_eq!(
            (&data["result"], &data["varsApplied"]),
            (&json!(nasty), &json!(["v"])),
            "{body}"
        );
    }
    assert_eq!(
        task.ok("execute_js", json!({"body": "{{n}} + 1", "vars": {"n": 41}}))["result"],
        42
    );
}

#[test]
fn failures_carry_the_error() {
    let world = World::new();
    let task = world.at("change.html");
    let reply = task.call("execute_js", json!({"body": "null.x"}));
    assert!(reply.msg().contains("TypeError"), "{}", reply.msg());
    let data = reply.expect_code("ACTION_FAILED");
    assert_eq!(
        (&data["error"]["name"], &data["scriptPreview"], &data["scriptLength"]),
        (&json!("TypeError"), &json!("null.x"), &json!(6))
    );
    let cut = task
        .call("execute_js", json!({"body": "function f() { if ("}))
        .expect_code("ACTION_FAILED");
    assert!(cut["hint"].is_string(), "{cut}");
    let counted = task.call(
        "execute_js",
        json!({"body": "window.n = (window.n || 0) + 1; JSON.parse('{')"}),
    );
    counted.expect_code("ACTION_FAILED");
    assert_eq!(
        task.ok("execute_js", json!({"body": "window.n"}))["result"],
        1,
        "a script that throws runs once"
    );
    task.call("execute_js", json!({"body": "const a = {}; a.a = a; return a"}))
        .expect_code("ACTION_FAILED");
    for bad in [json!({}), json!({"body": ""}), json!({"body": "x".repeat(100_001)})] {
        task.call("execute_js", bad).expect_code("INVALID_ARGUMENT");
    }
}

#[test]
fn a_loop_is_stopped_and_the_page_stays_usable() {
    let world = World::new();
    let task = world.at("change.html");
    let data = task
        .call("execute_js", json!({"body": "while (true) {}", "timeoutMs": 300}))
        .expect_code("EVAL_TIMEOUT");
    assert_eq!(
        (&data["outcomeUnknown"], &data["evalTimeoutMs"]),
        (&json!(true), &json!(300))
    );
    assert_eq!(task.ok("execute_js", json!({"body": "1 + 1"}))["result"], 2);
    task.call("execute_js", json!({"body": "new Promise(() => {})", "timeoutMs": 200}))
        .expect_code("EVAL_TIMEOUT");
    task.ok("click_element_by_selector", json!({"selector": "#text"}));
}

#[test]
fn runs_in_frames_of_the_same_and_of_another_origin() {
    let world = World::new();
    let other = world.site.b("");
    let task = world.at(&format!("frames.html?other={other}"));
    task.ok("wait_for_element", json!({"selector": "button", "frame": "name=same"}));
    let same = task.ok("execute_js", json!({"body": "location.search", "frame": "name=same"}));
    assert_eq!(same["result"], "?name=same", "{same}");
    assert!(same["frameUrl"].as_str().unwrap().contains("name=same"));
    task.ok("wait_for_element", json!({"selector": "button", "frame": "name=cross"}));
    let cross = task.ok("execute_js", json!({"body": "location.origin", "frame": "name=cross"}));
    assert_eq!(cross["result"], other, "{cross}");
    assert_eq!(
        task.ok("execute_js", json!({"body": "location.pathname", "frame": 0}))["result"],
        "/plain/frames.html"
    );
    let missing = task.call("execute_js", json!({"body": "1", "frame": "nowhere"}));
    assert!(missing.msg().contains("list_frames"), "{}", missing.msg());
    assert!(!missing.is_ok());
}

#[test]
fn script_files_stay_in_their_directory() {
    let world = World::with(
        options()
            .file("scripts/js/title.js", "document.title")
            .file("outside.js", "1"),
    );
    let task = world.at("change.html");
    assert_eq!(
        task.ok("execute_js", json!({"bodyFile": "title.js"}))["result"],
        "Change"
    );
    for name in ["../../outside.js", "missing.js", "/etc/hostname", "."] {
        task.call("execute_js", json!({"bodyFile": name}))
            .expect_code("INVALID_ARGUMENT");
    }
}
