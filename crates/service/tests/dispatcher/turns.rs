//! One command of a task at a time, in the order of arrival.

use std::time::Duration;

use serde_json::json;
use tokio::time::Instant;

use crate::actors::events;
use crate::bench::{Bench, data, failed, request};

#[tokio::test(start_paused = true)]
async fn commands_of_one_task_never_overlap_and_keep_their_order() {
    let bench = Bench::new();
    let (id, ..) = bench.task();
    let sent: Vec<_> = (0..20)
        .map(|number| {
            let method = ["t_nap", "t_act", "t_look"][number % 3];
            bench.spawn(request(
                id,
                method,
                json!({"name": number.to_string(), "ms": 20 - number}),
            ))
        })
        .collect();
    for reply in sent {
        data(&reply.await.unwrap());
    }
    let expected: Vec<_> = (0..20)
        .flat_map(|number| [format!("enter {number}"), format!("leave {number}")])
        .collect();
    assert_eq!(events(id), expected);
}

#[tokio::test(start_paused = true)]
async fn tasks_run_side_by_side() {
    let bench = Bench::new();
    let (first, second) = (bench.task().0, bench.task().0);
    let began = Instant::now();
    let both = [first, second].map(|id| bench.spawn(request(id, "t_nap", json!({"ms": 1000}))));
    for reply in both {
        data(&reply.await.unwrap());
    }
    assert!(began.elapsed() < Duration::from_millis(1500));
}

#[tokio::test(start_paused = true)]
async fn a_turn_is_waited_for_five_seconds() {
    let bench = Bench::new();
    let (id, ..) = bench.task();
    let long = bench.spawn(request(id, "t_nap", json!({"name": "long", "ms": 60_000})));
    let began = Instant::now();
    let late = bench.spawn(request(id, "t_act", json!({"name": "late"})));
    let reply = late.await.unwrap();
    let data = failed(&reply, "COMMAND_TIMEOUT");
    assert_eq!(
        (&data["started"], &data["serialized"], &data["retryable"]),
        (&json!(false), &json!(true), &json!(true))
    );
    assert_eq!(data["retryAfterMs"], 1000);
    assert!(data.get("execution").is_none() && data.get("urlAfter").is_none() && data.get("outcomeUnknown").is_none());
    assert_eq!(began.elapsed().as_millis(), 5000);
    crate::bench::data(&long.await.unwrap());
    assert!(!events(id).contains(&"enter late".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn the_control_plane_does_not_queue_behind_a_busy_task() {
    let bench = Bench::new();
    let (id, task, _) = bench.task();
    let busy = bench.spawn(request(id, "t_nap", json!({"ms": 3000})));
    let waiting = bench.spawn(request(id, "t_act", json!({"name": "late"})));
    tokio::time::sleep(Duration::from_millis(10)).await;
    assert_eq!(task.in_flight(), 1);
    let began = Instant::now();
    data(&bench.call(request(id, "t_ping", json!({}))).await);
    data(&bench.call(request(id, "t_end", json!({}))).await);
    assert!(began.elapsed() < Duration::from_millis(50));
    data(&busy.await.unwrap());
    let reply = waiting.await.unwrap();
    failed(&reply, "ACTION_FAILED");
    assert!(
        reply["msg"].as_str().unwrap().contains("no task"),
        "its turn came after the end of the task: {reply}"
    );
    assert!(!events(id).contains(&"enter late".to_owned()));
}
