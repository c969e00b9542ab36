//! The life of a key.

use serde_json::json;

use super::*;
use crate::failure::{Code, Failure};
use crate::text;

fn reply(value: Value) -> Reply {
    Reply::bare(Ok(value))
}

fn first(replays: &Replays, key: &str) -> Claimed {
    match replays.claim(None, key, 1) {
        Claim::First(claimed) => claimed,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn a_reply_is_kept_for_ten_minutes_after_it_was_given() {
    let replays = Replays::default();
    let claimed = first(&replays, "k");
    tokio::time::advance(Duration::from_secs(900)).await;
    claimed.answer(&reply(json!({"n": 1})));
    tokio::time::advance(Duration::from_secs(599)).await;
    let Claim::Answered(known) = replays.claim(None, "k", 1) else {
        panic!("forgotten too early")
    };
    assert_eq!(known.result.as_ref().unwrap()["n"], 1);
    tokio::time::advance(Duration::from_secs(1)).await;
    drop(first(&replays, "k"));
}

#[tokio::test(start_paused = true)]
async fn the_key_of_another_request_is_taken_and_scopes_are_apart() {
    let replays = Replays::default();
    first(&replays, "k").answer(&reply(json!({})));
    assert!(matches!(replays.claim(None, "k", 2), Claim::Taken));
    assert!(matches!(replays.claim(Some(TaskId(1)), "k", 2), Claim::First(_)));
}

#[tokio::test(start_paused = true)]
async fn what_never_started_or_was_dropped_is_not_remembered() {
    let replays = Replays::default();
    let refused = Failure::new(Code::CommandTimeout, text!("batch.empty")).with("started", false);
    first(&replays, "k").answer(&Reply::bare(Err(refused)));
    let claimed = first(&replays, "k");
    let Claim::Running(mut ended) = replays.claim(None, "k", 1) else {
        panic!("the first one runs")
    };
    drop(claimed);
    assert!(ended.changed().await.is_err(), "those who wait are woken");
    drop(first(&replays, "k"));
}

#[tokio::test(start_paused = true)]
async fn of_too_many_the_oldest_finished_is_dropped() {
    let replays = Replays::default();
    let running = first(&replays, "running");
    for number in 0..KEYS_PER_TASK {
        first(&replays, &format!("k{number}")).answer(&reply(json!({})));
        tokio::time::advance(Duration::from_millis(1)).await;
    }
    assert!(matches!(replays.claim(None, "running", 1), Claim::Running(_)));
    assert!(matches!(replays.claim(None, "k1", 1), Claim::Answered(_)));
    assert!(matches!(replays.claim(None, "k0", 1), Claim::First(_)));
    drop(running);
}

#[tokio::test(start_paused = true)]
async fn inlined_images_are_not_kept() {
    let replays = Replays::default();
    let image = "x".repeat(LARGE);
    let data = json!({"base64": image, "path": "/p", "results": [{"data": {"imageBase64": image}}]});
    first(&replays, "k").answer(&reply(data));
    let Claim::Answered(known) = replays.claim(None, "k", 1) else {
        panic!("answered")
    };
    let data = known.result.as_ref().unwrap();
    assert_eq!(data["path"], "/p");
    assert_eq!((&data["inline"], data.get("base64")), (&json!(false), None));
    assert_eq!(
        data["results"][0]["data"],
        json!({"inline": false, "base64Omitted": true})
    );
}

#[test]
fn the_fingerprint_sees_values_and_not_the_order_of_members() {
    let of = |value: Value| fingerprint("m", value.as_object().unwrap());
    assert_eq!(
        of(json!({"a": 1, "b": {"c": 2, "d": 3}})),
        of(json!({"b": {"d": 3, "c": 2}, "a": 1}))
    );
    assert_ne!(of(json!({"a": [1, 2]})), of(json!({"a": [2, 1]})));
    assert_ne!(of(json!({"a": "1"})), of(json!({"a": 1})));
    assert_ne!(of(json!({"a": {"b": 1}, "c": 2})), of(json!({"a": {"b": 1, "c": 2}})));
    assert_ne!(fingerprint("m", &Map::new()), fingerprint("n", &Map::new()));
}
