//! `returnState` on commands that have a task but no page that could be read.

use serde_json::json;

use crate::bench::{Bench, data, failed, request};

#[tokio::test(start_paused = true)]
async fn a_state_that_fails_never_makes_a_failure_of_a_success() {
    let bench = Bench::new();
    let (id, _, _) = bench.task();
    for wanted in ["diff", "full", "FULL"] {
        let reply = bench.call(request(id, "t_click", json!({"returnState": wanted}))).await;
        let facts = data(&reply);
        assert_eq!(facts["changed"], true);
        assert!(
            facts.get("state").is_none() && facts.get("unknownParams").is_none(),
            "{facts}"
        );
        assert_eq!(facts["stateError"]["code"], "ACTION_FAILED");
        assert!(!facts["stateError"]["message"].as_str().unwrap().is_empty());
        assert!(facts["screenshot"].is_string() && facts["execution"]["status"] == "completed");
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_is_read_unless_it_was_asked_for() {
    let bench = Bench::new();
    let (id, _, _) = bench.task();
    for params in [json!({}), json!({"returnState": "none"}), json!({"returnState": null})] {
        let reply = bench.call(request(id, "t_click", params)).await;
        assert!(data(&reply).get("stateError").is_none() && data(&reply).get("unknownParams").is_none());
    }
}

#[tokio::test(start_paused = true)]
async fn a_command_that_only_looks_does_not_know_it() {
    let bench = Bench::new();
    let (id, _, _) = bench.task();
    let reply = bench.call(request(id, "t_look", json!({"returnState": "full"}))).await;
    assert_eq!(data(&reply)["unknownParams"], json!(["returnState"]));
    assert!(data(&reply).get("stateError").is_none());
}

#[tokio::test(start_paused = true)]
async fn other_values_are_refused_before_anything_starts() {
    let bench = Bench::new();
    let (id, _, page) = bench.task();
    let reply = bench.call(request(id, "t_click", json!({"returnState": "all"}))).await;
    let facts = failed(&reply, "INVALID_ARGUMENT");
    assert_eq!(facts["started"], false);
    assert!(
        reply["msg"].as_str().unwrap().contains("none, diff, full") || reply["msg"].as_str().unwrap().contains("full")
    );
    assert_eq!(*page.shots.lock().unwrap(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_failed_action_is_followed_by_a_reading_only_when_it_may_have_happened() {
    let bench = Bench::new();
    let (id, _, _) = bench.task();
    let uncertain = bench.call(request(id, "t_fall", json!({"returnState": "diff"}))).await;
    let facts = failed(&uncertain, "ACTION_UNCERTAIN");
    assert_eq!(
        (&facts["actionStatus"], &facts["stateError"]["code"]),
        (&json!("unknown"), &json!("ACTION_FAILED"))
    );
    crate::actors::trouble(id, &[service::failure::Code::PageNavigating]);
    let refused = bench
        .call(request(id, "t_flaky_act", json!({"returnState": "diff"})))
        .await;
    assert!(failed(&refused, "PAGE_NAVIGATING").get("stateError").is_none());
}

#[tokio::test(start_paused = true)]
async fn a_batch_and_its_steps_take_it() {
    let bench = Bench::new();
    let (id, _, _) = bench.task();
    let steps = json!([{"t_click": {}}, {"t_click": {"returnState": "diff"}}]);
    let reply = bench.call(request(id, "commands", json!({"commands": steps}))).await;
    let facts = data(&reply);
    assert!(facts.get("stateError").is_none());
    assert!(
        facts["results"][0]["data"].get("stateError").is_none()
            && facts["results"][1]["data"]["stateError"].is_object()
    );
    let steps = json!([{"t_click": {}}, {"t_fall": {}}]);
    let reply = bench
        .call(request(
            id,
            "commands",
            json!({"commands": steps, "returnState": "full"}),
        ))
        .await;
    assert!(failed(&reply, "ACTION_UNCERTAIN")["stateError"].is_object(), "{reply}");
}
