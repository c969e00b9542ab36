//! Several commands in one request.

use serde_json::{Value, json};
use service::failure::Code;
use service::ids::TaskId;

use crate::actors::{events, trouble};
use crate::bench::{Bench, data, failed, request};

fn batch(id: TaskId, params: Value) -> Value {
    request(id, "commands", params)
}

#[tokio::test(start_paused = true)]
async fn the_shape_is_checked_before_anything_runs() {
    let bench = Bench::new();
    let (id, ..) = bench.task();
    let good = json!({"t_click": {}});
    for (commands, part) in [
        (json!([]), "empty"),
        (json!(vec![good.clone(); 201]), "at most 200 commands; this one has 201"),
        (
            json!([good, {"commands": {"commands": []}}]),
            "Command 1: commands cannot be a step",
        ),
        (json!([good, {"t_click": {}, "t_act": {}}]), "exactly one key"),
        (json!([good, {}]), "exactly one key"),
        (json!([good, 3]), "must be an object"),
        (json!([good, {"t_click": [1]}]), "parameters of t_click"),
        (json!([good, {"t_clicc": {}}]), "Command 1: Unknown method t_clicc"),
        (
            json!([good, {"method": "t_click", "params": {}, "more": 1}]),
            "exactly one key",
        ),
        (
            json!([good, {"t_click": {}, "expect": "x"}]),
            "expect must be an object",
        ),
    ] {
        let reply = bench.call(batch(id, json!({"commands": commands}))).await;
        failed(&reply, "INVALID_ARGUMENT");
        assert!(reply["msg"].as_str().unwrap().contains(part), "{part}: {reply}");
    }
    let missing = bench.call(batch(id, json!({}))).await;
    assert!(missing["msg"].as_str().unwrap().contains("missing parameter commands"));
    let planned = bench
        .call(batch(id, json!({"commands": [good, {"ocr_image": {}}]})))
        .await;
    failed(&planned, "NOT_IMPLEMENTED");
    let job = bench.call(batch(id, json!({"async": true, "commands": [good]}))).await;
    assert_eq!(failed(&job, "NOT_IMPLEMENTED")["started"], false);
    assert!(events(id).is_empty());
}

#[tokio::test(start_paused = true)]
async fn steps_run_in_order_and_are_reported_one_by_one() {
    let bench = Bench::new();
    let (id, ..) = bench.task();
    let commands = json!([
        {"t_act": {"name": "a"}},
        {"method": "t_act", "params": {"name": "b", "odd": 1}},
        {"t_page_value": {"result": {"null": null}}, "expect": {"js": "[1, 2]", "contains": 2}},
        {"t_click": null},
    ]);
    let reply = bench.call(batch(id, json!({"commands": commands}))).await;
    let facts = data(&reply);
    assert_eq!(
        (&facts["count"], &facts["succeeded"], &facts["failed"]),
        (&json!(4), &json!(4), &json!(0))
    );
    assert_eq!((&facts["expectFailed"], &facts["stopped"]), (&json!(0), &json!(false)));
    assert_eq!(facts["results"][1]["data"]["unknownParams"], json!(["odd"]));
    assert_eq!(facts["results"][2]["data"]["result"], json!({"null": null}));
    assert_eq!(facts["results"][2]["expectResult"]["passed"], true);
    assert!(facts["results"][3]["data"]["screenshot"].is_string());
    assert!(facts["results"][0].get("expectResult").is_none() && facts["results"][0].get("error").is_none());
    assert_eq!(events(id), ["enter a", "leave a", "enter b", "leave b", "click"]);
}

#[tokio::test(start_paused = true)]
async fn a_failed_step_stops_the_batch_unless_told_otherwise() {
    let bench = Bench::new();
    let (id, ..) = bench.task();
    let commands = json!([{"t_act": {}}, {"t_act": {"ms": "soon"}}, {"t_act": {}}]);
    let reply = bench.call(batch(id, json!({"commands": commands}))).await;
    let facts = failed(&reply, "INVALID_ARGUMENT");
    assert!(
        reply["msg"]
            .as_str()
            .unwrap()
            .contains("command 1 (t_act) failed: ms must be"),
        "{reply}"
    );
    assert_eq!(
        (&facts["count"], &facts["failed"], &facts["stopped"]),
        (&json!(2), &json!(1), &json!(true))
    );
    assert!(facts.get("stopReason").is_none() && facts["retryable"] == false);
    let step = &facts["results"][1];
    assert_eq!(
        (&step["ok"], &step["error"]["code"]),
        (&json!(false), &json!("INVALID_ARGUMENT"))
    );
    assert!(step["msg"].as_str().unwrap().starts_with("t_act failed: "));
    let reply = bench
        .call(batch(id, json!({"commands": commands, "stopOnError": false})))
        .await;
    let facts = failed(&reply, "INVALID_ARGUMENT");
    assert_eq!(
        (&facts["count"], &facts["succeeded"], &facts["stopped"]),
        (&json!(3), &json!(2), &json!(false))
    );
}

#[tokio::test(start_paused = true)]
async fn an_unmet_expectation_fails_the_batch_but_no_command() {
    let bench = Bench::new();
    let (id, ..) = bench.task();
    let commands = json!([
        {"t_act": {}, "expect": {"js": "\"other\"", "contains": "rust"}},
        {"t_act": {}, "expect": {"js": "not json", "equals": 1}},
    ]);
    let reply = bench.call(batch(id, json!({"commands": commands}))).await;
    let facts = failed(&reply, "ACTION_FAILED");
    assert_eq!(
        (&facts["failed"], &facts["expectFailed"], &facts["stopped"]),
        (&json!(0), &json!(2), &json!(false))
    );
    assert!(facts["note"].as_str().unwrap().contains("expectation"));
    assert!(
        reply["msg"]
            .as_str()
            .unwrap()
            .contains("command 0 (t_act) was not met: other"),
        "{reply}"
    );
    assert!(facts["results"][1]["expectResult"]["error"].is_string());
    let reply = bench
        .call(batch(id, json!({"commands": commands, "stopOnExpectFailure": true})))
        .await;
    let facts = failed(&reply, "ACTION_FAILED");
    assert_eq!(
        (&facts["count"], &facts["stopReason"]),
        (&json!(1), &json!("stopOnExpectFailure"))
    );
    let wrong = json!([{"t_act": {"name": "never"}, "expect": {"js": "1", "equal": 1}}]);
    failed(
        &bench.call(batch(id, json!({"commands": wrong}))).await,
        "INVALID_ARGUMENT",
    );
    assert!(!events(id).contains(&"enter never".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn time_stops_a_batch_between_steps_and_a_step_at_its_own_limit() {
    let bench = Bench::with(|config| {
        config.command.timeout_ms = 5000;
        config.command.hard_timeout_ms = 20_000;
    });
    let (id, ..) = bench.task();
    let nap = |ms: u64| json!({"t_nap": {"ms": ms}});
    let steps = json!({"maxDurationMs": 150, "commands": [nap(100), nap(100), nap(100)]});
    let reply = bench.call(batch(id, steps)).await;
    let facts = data(&reply);
    assert_eq!((&facts["count"], &facts["stopped"]), (&json!(2), &json!(true)));
    assert_eq!(facts["stopReason"], "maxDurationMs(150ms)");
    let slow =
        json!({"stopOnError": false, "commands": [nap(6000), nap(10), nap(4000), nap(4000), nap(4000), nap(4000)]});
    let reply = bench.call(batch(id, slow)).await;
    let facts = failed(&reply, "COMMAND_TIMEOUT");
    let steps: Vec<_> = facts["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["ok"] == true)
        .collect();
    assert_eq!(
        steps,
        [false, true, true, true, true, false],
        "each step has its limit, and the batch has one: {facts}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_batch_may_begin_its_task_and_outlive_it() {
    let bench = Bench::new();
    let commands = json!([{"t_begin": {}}, {"t_act": {"name": "in"}}, {"t_end": {}}, {"t_act": {}}, {"t_begin": {}}]);
    let reply = bench
        .call(json!({"method": "commands", "params": {"commands": commands, "stopOnError": false}}))
        .await;
    let facts = failed(&reply, "ACTION_FAILED");
    let id: TaskId = facts["results"][0]["data"]["id"].as_str().unwrap().parse().unwrap();
    assert_eq!(events(id), ["enter in", "leave in"]);
    let oks: Vec<_> = facts["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["ok"] == true)
        .collect();
    assert_eq!(oks, [true, true, true, false, true]);
    assert_eq!(facts["results"][4]["data"]["id"], id.to_string());
    data(&bench.call(request(id, "t_act", json!({}))).await);
}

#[tokio::test(start_paused = true)]
async fn the_turn_is_held_for_the_whole_batch() {
    let bench = Bench::new();
    let (id, ..) = bench.task();
    let commands = json!([{"t_act": {"name": "1", "ms": 100}}, {"t_act": {"name": "2", "ms": 100}}]);
    let whole = bench.spawn(batch(id, json!({"commands": commands})));
    let other = bench.spawn(request(id, "t_act", json!({"name": "3"})));
    data(&whole.await.unwrap());
    data(&other.await.unwrap());
    assert_eq!(
        events(id),
        ["enter 1", "leave 1", "enter 2", "leave 2", "enter 3", "leave 3"]
    );
}

#[tokio::test(start_paused = true)]
async fn extra_attempts_are_two_a_step_and_twenty_a_batch() {
    let bench = Bench::new();
    let (id, ..) = bench.task();
    trouble(id, &[Code::SpuriousDispatch; 40]);
    let commands = vec![json!({"t_flaky": {}}); 12];
    let reply = bench
        .call(batch(id, json!({"commands": commands, "stopOnError": false})))
        .await;
    assert_eq!(failed(&reply, "SPURIOUS_DISPATCH")["failed"], 12);
    assert_eq!(events(id).len(), 12 + 20);
}
