//! The automatic screenshot and its circuit breaker.

use std::time::Duration;

use serde_json::json;
use service::failure::Code;

use crate::bench::{Bench, data, failed, request};

#[tokio::test(start_paused = true)]
async fn a_successful_command_leaves_one_picture() {
    let bench = Bench::new();
    let (id, task, page) = bench.task();
    let reply = bench.call(request(id, "t_click", json!({}))).await;
    let facts = data(&reply);
    assert_eq!(
        (&facts["seq"], &facts["screenshot"]),
        (&json!(1), &json!(format!("/data/{id}/1.png")))
    );
    assert_eq!(
        std::fs::read(facts["screenshot_path"].as_str().unwrap()).unwrap(),
        b"\x89PNG"
    );
    let capture = &facts["capture"];
    assert_eq!(
        (&capture["stage"], &capture["attempts"], &capture["retries"]),
        (&json!("complete"), &json!(1), &json!(0))
    );
    assert_eq!(capture["viewport"], json!({"width": 1280, "height": 800}));
    assert_eq!((*page.shots.lock().unwrap(), task.files.last_seq()), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn other_commands_and_failures_leave_none() {
    let bench = Bench::new();
    let (id, _, page) = bench.task();
    data(&bench.call(request(id, "t_act", json!({}))).await);
    failed(&bench.call(request(id, "t_fall", json!({}))).await, "ACTION_UNCERTAIN");
    assert_eq!(*page.shots.lock().unwrap(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_failed_picture_is_told_and_three_pause_them() {
    let bench = Bench::new();
    let (id, _, page) = bench.task();
    page.fail_next(&[Code::ActionFailed; 3]);
    let first = bench.call(request(id, "t_click", json!({}))).await;
    assert!(data(&first)["screenshot_error"].is_string() && data(&first).get("capture_degraded").is_none());
    assert_eq!(data(&first)["capture"]["errorCode"], "ACTION_FAILED");
    bench.call(request(id, "t_click", json!({}))).await;
    let third = bench.call(request(id, "t_click", json!({}))).await;
    assert_eq!(
        (&data(&third)["capture_degraded"], &data(&third)["retryAfterMs"]),
        (&json!(true), &json!(120_000))
    );
    assert!(data(&third)["capture_note"].is_string());
    let paused = bench.call(request(id, "t_click", json!({}))).await;
    let facts = data(&paused);
    assert!(
        facts["screenshot_skipped"].is_string() && facts.get("screenshot_error").is_none(),
        "{facts}"
    );
    assert_eq!(
        (&facts["seq"], &facts["capture"]["stage"]),
        (&json!(4), &json!("circuit-open"))
    );
    assert_eq!(*page.shots.lock().unwrap(), 3);
    tokio::time::advance(Duration::from_secs(121)).await;
    let open = bench.call(request(id, "t_click", json!({}))).await;
    assert_eq!(
        (&data(&open)["capture"]["halfOpen"], &data(&open)["seq"]),
        (&json!(true), &json!(5))
    );
}

#[tokio::test(start_paused = true)]
async fn a_navigating_page_is_photographed_again() {
    let bench = Bench::new();
    let (id, _, page) = bench.task();
    page.fail_next(&[Code::PageNavigating]);
    let reply = bench.call(request(id, "t_click", json!({}))).await;
    assert_eq!(
        (
            &data(&reply)["capture"]["retries"],
            &data(&reply)["retryBudget"]["retries"]
        ),
        (&json!(1), &json!(1))
    );
    assert!(data(&reply)["screenshot"].is_string());
}

#[tokio::test(start_paused = true)]
async fn pictures_are_skipped_when_switched_off_or_without_a_page() {
    let bench = Bench::with(|config| config.capture.enabled = false);
    let (id, _, page) = bench.task();
    let reply = bench.call(request(id, "t_click", json!({}))).await;
    assert!(
        data(&reply)["screenshot_skipped"]
            .as_str()
            .unwrap()
            .contains("browser.capture.enabled")
    );
    assert_eq!(*page.shots.lock().unwrap(), 0);
    let bench = Bench::new();
    let (id, task, _) = bench.task();
    task.set_page(None);
    let reply = bench.call(request(id, "t_click", json!({}))).await;
    assert!(data(&reply)["screenshot_skipped"].is_string());
}
