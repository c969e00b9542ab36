//! The service is out of reach of the pages that it drives: by whatever way and name a page asks for it, nothing is
//! answered, nothing is done, and the console says so.

use std::time::Duration;

use serde_json::{Value, json};
use support::{Task, eventually};

use crate::harness::{World, js};

/// What an answer of the service could never be without.
const ANSWER: &str = "\"data\"";

fn names(world: &World) -> Vec<String> {
    let port = world.dsb.addr().port();
    ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "127.0.0.2", "a.localhost"]
        .map(|host| format!("http://{host}:{port}"))
        .to_vec()
}

fn tasks(world: &World) -> Value {
    world.dsb.call(None, "list_tasks", json!({})).expect_ok()["count"].clone()
}

/// Waits until the console tells of a failure to load from `address`.
fn told(task: &Task<'_>, address: &str) {
    eventually(address, Duration::from_secs(15), || {
        let all = task.ok("get_console_logs", json!({}));
        let lines = all["logs"].as_array().unwrap();
        lines
            .iter()
            .any(|line| line.as_str().unwrap().contains(address))
            .then_some(())
    });
}

#[test]
fn requests_of_pages_are_refused_under_every_name() {
    let world = World::new();
    let task = world.at("change.html");
    for name in names(&world) {
        let read = js(
            &task,
            &format!("return fetch('{name}/playwright/tasks').then((r) => r.text(), (e) => 'failed ' + e)"),
        );
        assert!(read.as_str().unwrap().starts_with("failed"), "{name}: {read}");
        told(&task, &name);
    }
    // What needs no permission to be sent reaches nothing either.
    let before = tasks(&world);
    for name in names(&world) {
        let start = r#"{"method":"start","params":{}}"#;
        let sent = format!(
            "const body = '{start}', url = '{name}/playwright/command';
             navigator.sendBeacon(url, body);
             const form = Object.assign(document.createElement('form'), {{method: 'POST', enctype: 'text/plain', action: url, target: 'into'}});
             form.append(Object.assign(document.createElement('input'), {{name: '{{\"method\":\"start\",\"x\":\"', value: '\"}}'}}));
             document.body.append(Object.assign(document.createElement('iframe'), {{name: 'into'}}), form);
             form.submit();
             const done = Promise.allSettled(['text/plain', 'application/json'].map((type) =>
               fetch(url, {{method: 'POST', mode: 'no-cors', headers: {{'content-type': type}}, body}})));
             return done.then(() => 1);"
        );
        js(&task, &sent);
    }
    assert_eq!(tasks(&world), before);
}

#[test]
fn frames_pictures_scripts_windows_and_links_show_nothing_of_it() {
    let world = World::new();
    for (n, name) in names(&world).into_iter().enumerate() {
        let task = world.at("change.html");
        let own = format!("{name}/playwright/tasks");
        js(
            &task,
            &format!(
                "for (const [tag, key] of [['iframe', 'src'], ['img', 'src'], ['script', 'src'], ['embed', 'src'], ['object', 'data']])
                   document.body.append(Object.assign(document.createElement(tag), {{[key]: '{own}?{n}'}}));
                 0"
            ),
        );
        told(&task, &format!("{own}?{n}"));
        js(&task, &format!("open('{own}', '_blank', 'noreferrer'); 0"));
        eventually("the new tab", Duration::from_secs(10), || {
            let tabs = task.ok("get_tabs", json!({}))["tabs"].clone();
            (tabs.as_array().unwrap().len() == 2).then_some(())
        });
        task.ok("switch_tab", json!({"pageIndex": 1}));
        shows_nothing(&task, &own);
        task.ok("close_tab", json!({"pageIndex": 1}));
        task.ok(
            "go_to_url",
            json!({"url": format!("data:text/html,<a id=link href='{own}'>go</a>")}),
        );
        task.ok("click_element_by_selector", json!({"selector": "#link"}));
        shows_nothing(&task, &own);
        task.ok("close", json!({}));
    }
}

fn shows_nothing(task: &Task<'_>, own: &str) {
    task.ok("wait_for_load", json!({"timeoutSeconds": 10}));
    let text = eventually("a document", Duration::from_secs(10), || {
        let reply = task.call("execute_js", json!({"body": "document.documentElement.innerText"}));
        reply
            .is_ok()
            .then(|| reply.data()["result"].as_str().unwrap_or_default().to_owned())
    });
    let answered = text.contains(ANSWER) && !text.contains("\"ok\":false");
    assert!(!answered, "{own}: {text}");
}

#[test]
fn a_redirect_to_it_is_a_failure_and_the_page_is_left() {
    let world = World::new();
    let task = world.at("change.html");
    for name in names(&world) {
        let own = format!("{name}/playwright/tasks");
        let url = world.site.a(&format!("/redirect?to={own}"));
        for method in ["go_to_url", "new_tab"] {
            let reply = task.call(method, json!({"url": url}));
            // A new tab that could not load is there all the same, and says so.
            let failed = !reply.is_ok() || reply.data()["warning"].is_string();
            assert!(failed, "{own}: {}", reply.body);
            let shown = task.ok("get_url", json!({}))["url"].clone();
            assert!(
                shown == "about:blank" || shown.as_str().unwrap().starts_with("chrome-error:"),
                "{own}: {shown}"
            );
            if name.contains("127.0.0.1") || name.contains("//localhost") {
                reply.expect_code("ACTION_FAILED");
            }
        }
    }
}
