//! What a reply carries about how it came about, in both modes, and what is kept of it.

use serde_json::{Value, json};
use service::failure::Code;

use crate::actors::trouble;
use crate::bench::{Bench, data, failed, request};

fn compact(mut request: Value) -> Value {
    request["responseMode"] = json!("compact");
    request
}

#[tokio::test(start_paused = true)]
async fn the_full_receipt_tells_how_it_ran() {
    let bench = Bench::new();
    let (id, ..) = bench.task();
    let reply = bench.call(request(id, "t_click", json!({}))).await;
    assert_eq!(
        reply.as_object().unwrap().keys().collect::<Vec<_>>(),
        ["data", "code", "ok"]
    );
    let execution = &data(&reply)["execution"];
    assert_eq!(
        (&execution["status"], &execution["durationMs"]),
        (&json!("completed"), &json!(50))
    );
    assert!(
        execution["startedAt"].as_u64().unwrap() > 1_600_000_000_000 && execution["queuedMs"] == 0,
        "{execution}"
    );
    let budget = &data(&reply)["retryBudget"];
    assert_eq!(
        (&budget["attempts"], &budget["retries"], &budget["remainingMs"]),
        (&json!(1), &json!(0), &json!(29_950))
    );
}

#[tokio::test(start_paused = true)]
async fn compact_drops_the_ordinary_and_keeps_what_matters() {
    let bench = Bench::new();
    let (id, _, page) = bench.task();
    let plain = bench.call(compact(request(id, "t_click", json!({"what": 1})))).await;
    let kept: Vec<_> = data(&plain).as_object().unwrap().keys().cloned().collect();
    assert_eq!(
        kept,
        ["changed", "seq", "screenshot", "unknownParams", "unknownParamNote"]
    );
    let unknown = bench
        .call(compact(request(id, "t_click", json!({"uncertain": true}))))
        .await;
    assert!(data(&unknown)["hit"] == "a" && data(&unknown)["execution"].is_object());
    let mut asked = compact(request(id, "t_click", json!({})));
    asked["diagnostics"] = json!(true);
    assert_eq!(data(&bench.call(asked).await)["hit"], "a");
    page.fail_next(&[Code::ActionFailed]);
    let blind = bench.call(compact(request(id, "t_click", json!({})))).await;
    assert!(data(&blind)["screenshot_error"].is_string() && data(&blind)["capture"].is_object());
    let failure = bench.call(compact(request(id, "t_fall", json!({})))).await;
    assert_eq!(failed(&failure, "ACTION_UNCERTAIN")["execution"]["status"], "failed");
    trouble(id, &[Code::PageNavigating]);
    let retried = bench.call(compact(request(id, "t_flaky", json!({})))).await;
    assert!(data(&retried)["retryBudget"].is_object() && data(&retried)["pageNavigatingRetry"].is_object());
    assert!(data(&retried)["note"].is_string(), "notes are never trimmed");
}

#[tokio::test(start_paused = true)]
async fn compact_batches_are_trimmed_step_by_step_unless_one_failed() {
    let bench = Bench::new();
    let (id, ..) = bench.task();
    let steps = |last: &str| json!({"commands": [{"t_click": {}}, {last: {}}]});
    let good = bench.call(compact(request(id, "commands", steps("t_act")))).await;
    assert_eq!(
        data(&good)["results"][0]["data"].as_object().unwrap().len(),
        3,
        "{good}"
    );
    let bad = bench.call(compact(request(id, "commands", steps("t_trip")))).await;
    assert_eq!(failed(&bad, "ACTION_FAILED")["results"][0]["data"]["hit"], "a");
}

#[tokio::test(start_paused = true)]
async fn the_task_remembers_and_the_trace_is_written_without_secrets() {
    let bench = Bench::new();
    let (id, task, _) = bench.task();
    bench
        .call(request(id, "t_page_value", json!({"result": "x".repeat(5000)})))
        .await;
    bench.call(request(id, "t_click", json!({"colour": "hunter22"}))).await;
    bench.call(request(id, "t_trip", json!({}))).await;
    let history = task.history();
    let told: Vec<_> = history
        .iter()
        .map(|known| (known.seq, known.method.as_str(), known.ok))
        .collect();
    assert_eq!(
        told,
        [(1, "t_page_value", true), (2, "t_click", true), (3, "t_trip", false)]
    );
    assert_eq!(history[0].data["result"].as_str().unwrap().chars().count(), 2001);
    assert!(history[2].msg.as_ref().unwrap().starts_with("t_trip failed"));
    let trace = bench.service.trace().clone();
    assert!(tokio::task::spawn_blocking(move || trace.flush()).await.unwrap());
    let mut written = String::new();
    for day in std::fs::read_dir(bench.dir.path().join("logs/trace")).unwrap() {
        for file in std::fs::read_dir(day.unwrap().path()).unwrap() {
            written += &std::fs::read_to_string(file.unwrap().path()).unwrap();
        }
    }
    assert!(written.contains("t_click") && written.contains("colour"));
    assert!(!written.contains("hunter22"));
}
