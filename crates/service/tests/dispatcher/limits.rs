//! Deadlines, panics, retries: what ends a command other than itself, and what its task is like afterwards.

use std::time::Duration;

use serde_json::json;
use service::failure::Code;
use tokio::time::Instant;

use crate::actors::{events, trouble};
use crate::bench::{Bench, data, failed, request};

#[tokio::test(start_paused = true)]
async fn at_its_deadline_a_command_is_dropped_and_the_task_goes_on() {
    let bench = Bench::with(|config| config.command.timeout_ms = 2000);
    let (id, ..) = bench.task();
    let began = Instant::now();
    let reply = bench
        .call(request(id, "t_act", json!({"name": "slow", "ms": 60_000})))
        .await;
    assert_eq!(began.elapsed().as_millis(), 2000);
    let facts = failed(&reply, "COMMAND_TIMEOUT");
    assert_eq!(
        (&facts["started"], &facts["outcomeUnknown"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(
        (&facts["retryable"], &facts["commandTimeoutMs"]),
        (&json!(false), &json!(2000))
    );
    assert_eq!(facts["execution"]["status"], "timeout");
    assert!(facts.get("urlAfter").is_none() && facts["note"].as_str().unwrap().contains("Do not resend"));
    assert_eq!(events(id), ["enter slow", "dropped slow"]);
    data(&bench.call(request(id, "t_act", json!({"name": "next"}))).await);
}

#[tokio::test(start_paused = true)]
async fn zero_switches_the_limit_off() {
    let bench = Bench::with(|config| config.command.timeout_ms = 0);
    let (id, ..) = bench.task();
    data(&bench.call(request(id, "t_nap", json!({"ms": 86_400_000}))).await);
}

#[tokio::test(start_paused = true)]
async fn a_panic_becomes_a_reply_with_an_id() {
    let bench = Bench::new();
    let (id, ..) = bench.task();
    let read = bench.call(request(id, "t_trip", json!({}))).await;
    let facts = failed(&read, "ACTION_FAILED");
    let error_id = facts["errorId"].as_str().unwrap();
    assert!(
        read["msg"].as_str().unwrap().contains(error_id) && !read.to_string().contains("on purpose"),
        "{read}"
    );
    let action = bench.call(request(id, "t_fall", json!({}))).await;
    let facts = failed(&action, "ACTION_UNCERTAIN");
    assert_eq!(
        (&facts["actionStatus"], &facts["retrySafe"]),
        (&json!("unknown"), &json!(false))
    );
    data(&bench.call(request(id, "t_act", json!({}))).await);
}

#[tokio::test(start_paused = true)]
async fn a_command_that_is_safe_to_repeat_gets_two_more_attempts() {
    let bench = Bench::new();
    let (id, ..) = bench.task();
    trouble(id, &[Code::PageNavigating, Code::SpuriousDispatch]);
    let reply = bench.call(request(id, "t_flaky", json!({}))).await;
    let facts = data(&reply);
    assert_eq!(events(id).len(), 3);
    assert_eq!(
        (
            &facts["retryBudget"]["retries"],
            &facts["retryBudget"]["commandAttempts"]
        ),
        (&json!(2), &json!(3))
    );
    assert_eq!(facts["pageNavigatingRetry"]["errorCode"], "PAGE_NAVIGATING");
    assert_eq!(facts["spuriousRetry"]["errorCode"], "SPURIOUS_DISPATCH");
    trouble(id, &[Code::PageNavigating; 3]);
    let reply = bench.call(request(id, "t_flaky", json!({}))).await;
    let facts = failed(&reply, "PAGE_NAVIGATING");
    assert_eq!(
        (events(id).len(), &facts["retryable"], &facts["retryAfterMs"]),
        (6, &json!(true), &json!(1000))
    );
    assert_eq!(
        (&facts["urlAfter"], &facts["titleAfter"]),
        (&json!("http://localhost/here"), &json!("Here"))
    );
}

#[tokio::test(start_paused = true)]
async fn an_action_is_never_repeated_unless_the_caller_says_so() {
    let bench = Bench::new();
    let (id, ..) = bench.task();
    trouble(id, &[Code::PageNavigating]);
    let reply = bench.call(request(id, "t_flaky_act", json!({}))).await;
    let facts = failed(&reply, "PAGE_NAVIGATING");
    assert_eq!((events(id).len(), &facts["retryable"]), (1, &json!(false)));
    assert!(facts.get("retryAfterMs").is_none());
    trouble(id, &[Code::PageNavigating]);
    data(
        &bench
            .call(request(id, "t_flaky_act", json!({"retryOnSpurious": true})))
            .await,
    );
    assert_eq!(events(id).len(), 3);
    trouble(id, &[Code::StaleElement]);
    failed(&bench.call(request(id, "t_flaky", json!({}))).await, "STALE_ELEMENT");
    assert_eq!(events(id).len(), 4);
}

#[tokio::test(start_paused = true)]
async fn the_configured_number_of_attempts_is_kept() {
    let bench = Bench::with(|config| config.command.spurious_max_attempts = 1);
    let (id, ..) = bench.task();
    trouble(id, &[Code::SpuriousDispatch]);
    failed(
        &bench.call(request(id, "t_flaky", json!({}))).await,
        "SPURIOUS_DISPATCH",
    );
}

#[tokio::test(start_paused = true)]
async fn commands_beyond_the_limit_wait_for_a_place_and_waits_do_not_take_one() {
    let bench = Bench::with(|config| config.command.max_stuck = 1);
    let (first, second, third) = (bench.task().0, bench.task().0, bench.task().0);
    let busy = bench.spawn(request(first, "t_act", json!({"ms": 4000})));
    tokio::time::sleep(Duration::from_millis(1)).await;
    let began = Instant::now();
    data(&bench.call(request(third, "t_nap", json!({"ms": 100}))).await);
    assert_eq!(began.elapsed().as_millis(), 100);
    let queued = bench.call(request(second, "t_act", json!({}))).await;
    assert!(
        data(&queued)["execution"]["queuedMs"].as_u64().unwrap() >= 3800,
        "{queued}"
    );
    data(&busy.await.unwrap());
}
