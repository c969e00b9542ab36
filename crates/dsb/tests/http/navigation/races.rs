//! Commands while the page is being replaced.

use std::time::Duration;

use serde_json::json;
use support::eventually;

use crate::harness::{World, js};

#[test]
fn pain_51_a_read_during_a_navigation_waits_and_answers() {
    let world = World::new();
    let task = world.at("navigate.html");
    for round in 0..6 {
        task.ok("go_to_url", json!({"url": world.site.a("/plain/navigate.html")}));
        js(
            &task,
            &format!("setTimeout(() => location.assign('change.html'), {}); 0", round * 15),
        );
        for (method, params) in [
            ("get_browser_state", json!({})),
            ("find_text", json!({"text": "the"})),
            ("get_element_count", json!({"selector": "button"})),
            ("get_title", json!({})),
            ("wait_for_element", json!({"selector": "h1", "timeoutSeconds": 10})),
            (
                "wait_for_function",
                json!({"expression": "document.body", "timeoutSeconds": 10}),
            ),
            ("wait_for_stable", json!({"quietMs": 20, "timeoutSeconds": 10})),
        ] {
            let reply = task.call(method, params);
            assert!(reply.is_ok(), "{round} {method}: {}", reply.body);
        }
        task.ok("wait_for_url", json!({"url": "change.html", "timeoutSeconds": 10}));
    }
}

#[test]
fn pain_51_a_script_says_that_the_page_went_under_it() {
    let world = World::new();
    let task = world.at("navigate.html");
    let reply = task.call(
        "execute_js",
        json!({"body": "location.assign('change.html'); await new Promise(() => {})"}),
    );
    assert!(!reply.msg().contains("context"), "{}", reply.msg());
    let data = reply.expect_code("PAGE_NAVIGATING");
    assert_eq!(
        (&data["retryable"], &data["outcomeUnknown"]),
        (&json!(false), &json!(true)),
        "{data}"
    );
    task.ok("wait_for_url", json!({"url": "change.html", "timeoutSeconds": 10}));
}

#[test]
fn pain_53_the_start_of_the_browser_costs_a_navigation_nothing() {
    // The browser's start and the navigation take longer together than one command may: each has a limit of its own.
    let real = browser_path();
    let slow = format!("#!/bin/sh\nsleep 4\nexec '{real}' \"$@\"\n");
    let world = with_browser("slow", &slow);
    let task = world.dsb.task(json!({"browser": "chromium"}));
    let landed = task.ok("go_to_url", json!({"url": world.site.a("/slow?ms=7000")}));
    assert_eq!(landed["status"], 200, "{landed}");
    let took = landed["execution"]["durationMs"].as_u64().unwrap();
    assert!((6900..10_000).contains(&took), "{landed}");
}

#[test]
fn pain_53_a_browser_that_does_not_come_up_is_told_in_its_own_words() {
    let broken = "#!/bin/sh\necho 'libmissing.so.7: cannot open shared object file' >&2\nexit 127\n";
    let world = with_browser("broken", broken);
    let failed = world.dsb.call(None, "start", json!({"browser": "chromium"}));
    assert!(!failed.is_ok(), "{}", failed.body);
    assert!(failed.msg().contains("libmissing.so.7"), "{}", failed.msg());
}

/// The browser that the service would choose by itself.
fn browser_path() -> String {
    let world = World::new();
    let started = world.dsb.call(None, "start", json!({})).expect_ok();
    started["browser"]["executable"].as_str().unwrap().to_owned()
}

/// A service whose browser is started by a script, and whose commands may last ten seconds.
fn with_browser(name: &str, script: &str) -> World {
    use std::os::unix::fs::PermissionsExt;
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("browser-{name}"));
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    World::with(
        crate::harness::options()
            .arg("--browser.capture.enabled=false")
            .arg("--browser.command.timeoutMs=10000")
            .arg(format!("--browser.chromium.path={}", path.display())),
    )
}

#[test]
fn navigations_one_over_the_other_end_at_the_last() {
    let world = World::new();
    let task = world.at("navigate.html");
    js(&task, "location.assign('/slow?ms=60000'); 0");
    let landed = task.ok("go_to_url", json!({"url": world.site.a("/plain/change.html")}));
    assert_eq!(landed["title"], "Change", "{landed}");
    let seen = eventually("the title", Duration::from_secs(5), || {
        let title = task.ok("get_title", json!({}))["title"].clone();
        (title == "Change").then_some(title)
    });
    assert_eq!(seen, "Change");
}
