//! A person, or another program, opens and closes tabs of the same browser: through its debugging port, which these tests
//! ask the browser to open.

use std::net::TcpListener;
use std::time::Duration;

use serde_json::{Value, json};
use support::eventually;

use crate::harness::{World, options};

/// The other program.
struct Stranger {
    port: u16,
    agent: ureq::Agent,
}

impl Stranger {
    fn world() -> (World, Self) {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let flags = format!("--remote-debugging-port={port}");
        let mut options = options().arg("--browser.capture.enabled=false");
        for kind in ["chrome", "edge", "chromium"] {
            options = options.arg(format!("--browser.{kind}.extraArgs={flags}"));
        }
        let agent = ureq::Agent::config_builder().proxy(None).build().new_agent();
        (World::with(options), Self { port, agent })
    }

    fn ask(&self, path: &str) -> String {
        let url = format!("http://127.0.0.1:{}/json/{path}", self.port);
        let mut reply = self.agent.put(&url).send_empty().unwrap();
        reply.body_mut().read_to_string().unwrap()
    }

    fn open(&self, url: &str) -> String {
        let opened: Value = serde_json::from_str(&self.ask(&format!("new?{url}"))).unwrap();
        opened["id"].as_str().unwrap().to_owned()
    }

    fn pages(&self) -> Vec<Value> {
        let all: Value = serde_json::from_str(&self.ask("list")).unwrap();
        let all = all.as_array().unwrap().iter().cloned();
        all.filter(|one| one["type"] == "page").collect()
    }
}

#[test]
fn pain_60_tabs_of_others_never_become_ours() {
    let (world, stranger) = Stranger::world();
    let task = world.at("form.html");
    let foreign = stranger.open(&world.site.a("/plain/change.html"));
    stranger.ask(&format!("activate/{foreign}"));
    eventually("the foreign tab", Duration::from_secs(5), || {
        (stranger.pages().len() == 2).then_some(())
    });
    let tabs = task.ok("get_tabs", json!({}))["tabs"].clone();
    assert_eq!(tabs.as_array().unwrap().len(), 1, "{tabs}");
    let title = task.ok("get_title", json!({}));
    assert_eq!(title["title"], "Native controls");
    assert!(title.get("newTabs").is_none(), "{title}");
    assert_eq!(
        task.ok("switch_tab", json!({"pageIndex": 0}))["title"],
        "Native controls"
    );
    task.call("switch_tab_by_url", json!({"url": "change.html"}))
        .expect_code("ACTION_FAILED");
    // Nor does ours close theirs.
    task.ok("close_other_tabs", json!({}));
    let other = world.at("popup.html");
    task.ok("close", json!({}));
    assert!(
        stranger.pages().iter().any(|page| page["id"] == json!(foreign)),
        "the foreign tab is left alone"
    );
    assert_eq!(other.ok("get_title", json!({}))["title"], "Popups");
}

#[test]
fn pain_60_a_tab_of_ours_that_another_closes_is_told() {
    let (world, stranger) = Stranger::world();
    let task = world.at("form.html");
    task.ok("new_tab", json!({"url": world.site.a("/plain/change.html")}));
    let pages = stranger.pages();
    let ours = pages
        .iter()
        .find(|page| page["url"].as_str().unwrap().contains("change.html"))
        .unwrap();
    let waited = std::thread::scope(|scope| {
        let waiting =
            scope.spawn(|| task.call("wait_for_element", json!({"selector": "#never", "timeoutSeconds": 60})));
        eventually("the wait is running", Duration::from_secs(5), || {
            (world.dsb.call(None, "list_tasks", json!({})).expect_ok()["tasks"][0]["inflight"] == 1).then_some(())
        });
        stranger.ask(&format!("close/{}", ours["id"].as_str().unwrap()));
        waiting.join().unwrap()
    });
    assert_eq!(waited.expect_code("ACTION_FAILED")["tabGone"], true);
    let healed = task.ok("get_title", json!({}));
    assert_eq!(healed["title"], "Native controls");
    assert!(healed["note"].as_str().unwrap().contains("form.html"), "{healed}");
}
