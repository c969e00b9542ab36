//! What users of such tools complain of, where the network is concerned. A test bears the number of its row in the
//! project's list of complaints.

use serde_json::json;

use super::{fetched, finished, requests};
use crate::harness::{World, js};

#[test]
fn pain_71_collections_of_requests_are_bounded_and_their_losses_told() {
    let world = World::new();
    let task = world.at("form.html");
    let many = "return (async () => { for (let n = 0; n < 600; n++) await fetch('/xhr?n=50&m=' + n).then((r) => r.text()); return 1; })()";
    task.ok("execute_js", json!({"body": many, "timeoutMs": 60_000}));
    finished(&task, "m=599");
    let all = task.ok("get_requests", json!({}));
    assert_eq!(
        (&all["total"], all["requests"].as_array().unwrap().len()),
        (&json!(200), 200)
    );
    assert!(
        all["lostRequests"].as_u64().unwrap() >= 400 && all["note"].is_string(),
        "{}",
        all["lostRequests"]
    );
    let last = task.ok("get_response_body", json!({"filter": "m=599"}));
    assert_eq!(last["bodyAvailable"], true);
}

#[test]
fn pain_83_a_body_is_there_long_after_the_browser_let_go_of_it() {
    let world = World::new();
    let task = world.at("form.html");
    fetched(&task, "/xhr?n=1&q=kept", "{}");
    finished(&task, "q=kept");
    task.ok("get_response_body", json!({"filter": "q=kept"}));
    for page in ["list.html", "change.html"] {
        task.ok("go_to_url", json!({"url": world.site.b(&format!("/plain/{page}"))}));
    }
    let kept = task.ok("get_response_body", json!({"filter": "q=kept"}));
    assert!(
        kept["body"].as_str().unwrap().contains("kept 1") && kept["bodyFromCache"] == true,
        "{kept}"
    );
}

#[test]
fn pain_85_requests_before_the_first_question_are_there() {
    let world = World::new();
    let task = world.at("form.html");
    fetched(&task, "/xhr?early", "{}");
    let first = requests(&task, "");
    assert!(first[0]["url"].as_str().unwrap().ends_with("form.html") && first[0]["resourceType"] == "document");
    assert!(first.iter().any(|one| one["url"].as_str().unwrap().ends_with("?early")));
}

#[test]
fn pain_49_streams_keep_no_page_from_rest_while_they_are_recorded() {
    let world = World::new();
    let task = world.at("streams.html?events=1");
    js(
        &task,
        "window.s = new WebSocket('ws://' + location.host + '/net/socket'); 0",
    );
    task.ok("wait_for_idle", json!({"timeoutSeconds": 10}));
    assert_eq!(task.ok("get_requests", json!({}))["inflight"], 0);
}

#[test]
fn pain_92_a_password_in_a_body_is_not_told_on() {
    let world = World::new();
    let task = world.at("form.html");
    fetched(
        &task,
        "/net/login",
        "{method: 'POST', body: JSON.stringify({password: 'typed-secret-1'})}",
    );
    finished(&task, "/net/login");
    let told = task
        .ok("get_response_body", json!({"filter": "/net/login"}))
        .to_string();
    assert!(
        !told.contains("body-secret-1") && !told.contains("typed-secret-1"),
        "{told}"
    );
}
