//! Requests with a key act once, and clients that go away.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use service::Incoming;
use service::ids::TaskId;
use service::messages::Language;

use crate::actors::events;
use crate::bench::{Bench, data, failed, request};

fn keyed(id: TaskId, method: &str, key: &str, params: Value) -> Value {
    let mut request = request(id, method, params);
    request["requestKey"] = json!(key);
    request
}

#[tokio::test(start_paused = true)]
async fn a_repeated_request_is_answered_from_memory() {
    let bench = Bench::new();
    let (id, ..) = bench.task();
    let first = bench.call(keyed(id, "t_click", "k", json!({"uncertain": false}))).await;
    let mut again = bench.call(keyed(id, "t_click", "k", json!({"uncertain": false}))).await;
    assert_eq!(data(&again)["replayed"], true);
    again["data"].as_object_mut().unwrap().remove("replayed");
    assert_eq!(first, again);
    assert_eq!(events(id), ["click"]);
    data(&bench.call(keyed(id, "t_click", "other", json!({}))).await);
    assert_eq!(events(id).len(), 2);
}

#[tokio::test(start_paused = true)]
async fn of_concurrent_duplicates_one_acts_and_the_others_wait_for_it() {
    let bench = Bench::new();
    let (id, ..) = bench.task();
    let sent: Vec<_> = (0..5)
        .map(|_| bench.spawn(keyed(id, "t_click", "k", json!({}))))
        .collect();
    let mut replayed = 0;
    for reply in sent {
        let reply = reply.await.unwrap();
        replayed += i32::from(data(&reply)["replayed"] == true);
    }
    assert_eq!((replayed, events(id).len()), (4, 1));
}

#[tokio::test(start_paused = true)]
async fn a_key_does_not_change_the_order_of_arrival() {
    let bench = Bench::new();
    let (id, ..) = bench.task();
    let sent: Vec<_> = (0..10)
        .map(|number| {
            let params = json!({"name": number.to_string(), "ms": 5});
            let plain = request(id, "t_act", params.clone());
            bench.spawn(if number % 2 == 0 {
                keyed(id, "t_act", &number.to_string(), params)
            } else {
                plain
            })
        })
        .collect();
    for reply in sent {
        data(&reply.await.unwrap());
    }
    let entered: Vec<_> = events(id)
        .into_iter()
        .filter(|event| event.starts_with("enter"))
        .collect();
    assert_eq!(
        entered,
        (0..10).map(|number| format!("enter {number}")).collect::<Vec<_>>()
    );
}

#[tokio::test(start_paused = true)]
async fn a_key_belongs_to_one_request_of_one_task() {
    let bench = Bench::new();
    let (id, other) = (bench.task().0, bench.task().0);
    data(&bench.call(keyed(id, "t_click", "k", json!({}))).await);
    for request in [
        keyed(id, "t_ping", "k", json!({})),
        keyed(id, "t_click", "k", json!({"uncertain": true})),
    ] {
        let reply = bench.call(request).await;
        assert_eq!(failed(&reply, "INVALID_ARGUMENT")["requestKey"], "k");
    }
    let elsewhere = bench.call(keyed(other, "t_click", "k", json!({}))).await;
    assert!(data(&elsewhere).get("replayed").is_none());
}

#[tokio::test(start_paused = true)]
async fn what_was_not_started_is_run_when_it_comes_again() {
    let bench = Bench::new();
    let (id, ..) = bench.task();
    let busy = bench.spawn(request(id, "t_nap", json!({"ms": 6000})));
    let refused = bench.spawn(keyed(id, "t_click", "k", json!({}))).await.unwrap();
    assert_eq!(failed(&refused, "COMMAND_TIMEOUT")["started"], false);
    data(&busy.await.unwrap());
    let again = bench.call(keyed(id, "t_click", "k", json!({}))).await;
    assert!(data(&again).get("replayed").is_none());
    assert!(events(id).contains(&"click".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_beginning_without_an_id_is_not_repeated_either() {
    let bench = Bench::new();
    let begin = json!({"method": "t_begin", "requestKey": "b"});
    let (first, again) = (bench.call(begin.clone()).await, bench.call(begin).await);
    assert_eq!(data(&first)["id"], data(&again)["id"]);
    assert_eq!(bench.service.tasks().count(), 1);
}

/// Sends a request and goes away as soon as the command has begun.
async fn leave(bench: &Bench, id: TaskId, request: Value) {
    let service = Arc::clone(&bench.service);
    let body = request.to_string().into_bytes();
    let client = tokio::spawn(async move {
        service
            .handle(Incoming {
                body,
                language: Language::En,
            })
            .await
    });
    while !events(id).iter().any(|event| event.starts_with("enter")) {
        tokio::task::yield_now().await;
    }
    client.abort();
    assert!(client.await.unwrap_err().is_cancelled());
}

#[tokio::test(start_paused = true)]
async fn an_action_outlives_its_client_and_its_reply_is_there() {
    let bench = Bench::new();
    let (id, ..) = bench.task();
    let act = keyed(id, "t_act", "k", json!({"name": "a", "ms": 300}));
    leave(&bench, id, act.clone()).await;
    assert_eq!(data(&bench.call(act).await)["replayed"], true);
    assert_eq!(events(id), ["enter a", "leave a"]);
}

#[tokio::test(start_paused = true)]
async fn a_wait_whose_client_is_gone_gives_its_turn_back() {
    let bench = Bench::new();
    let (id, ..) = bench.task();
    leave(&bench, id, request(id, "t_nap", json!({"name": "w", "ms": 3_600_000}))).await;
    let next = tokio::time::timeout(
        Duration::from_secs(1),
        bench.call(request(id, "t_act", json!({"name": "n"}))),
    )
    .await;
    data(&next.unwrap());
    assert_eq!(events(id), ["enter w", "dropped w", "enter n", "leave n"]);
}
