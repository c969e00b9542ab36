//! Calls: their order, their answers, their deadlines, their errors, and what a dropped call leaves behind.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test may panic")]

mod support;

use cdp::{CdpError, ConnectionOptions};
use futures_util::future::join_all;
use serde_json::json;
use std::time::Duration;
use support::*;

#[tokio::test]
async fn calls_go_out_in_the_order_of_their_first_poll() {
    let (connection, mut peer) = connect(ConnectionOptions::default());
    peer.attach(None, "S").await;
    peer.settle(&connection).await;
    let (root, page) = (connection.root(), connection.session("S").unwrap());
    let third = root.call(echo(3));
    let (first, second) = (root.call(echo(1)), page.call(echo(2)));
    let answered = async {
        for text in ["1", "2", "3"] {
            let command = peer.recv().await;
            assert_eq!(command["params"]["text"], text);
            assert_eq!(command["sessionId"].as_str(), (text == "2").then_some("S"));
            peer.echo(&command).await;
        }
    };
    let (a, b, c, ()) = tokio::join!(first, second, third, answered);
    assert_eq!([a, b, c].map(|reply| reply.unwrap().text), ["1", "2", "3"]);
}

/// More than tokio lets one task do between two yields, so that its cooperative budget runs out in the middle.
#[tokio::test]
async fn the_order_holds_for_more_calls_than_one_turn_of_a_task() {
    const CALLS: usize = 2000;
    let (connection, mut peer) = connect(ConnectionOptions::default());
    let root = connection.root();
    let answering = tokio::spawn(async move {
        let mut texts = Vec::new();
        for _ in 0..CALLS {
            let command = peer.recv().await;
            texts.push(command["params"]["text"].as_str().unwrap().to_owned());
            peer.echo(&command).await;
        }
        texts
    });
    let replies = join_all((0..CALLS).map(|number| root.call(echo(number)))).await;
    let expected: Vec<String> = (0..CALLS).map(|number| number.to_string()).collect();
    assert_eq!(ended(answering).await, expected);
    assert_eq!(
        replies.into_iter().map(|reply| reply.unwrap().text).collect::<Vec<_>>(),
        expected
    );
}

#[tokio::test]
async fn answers_find_their_calls_in_any_order() {
    let (connection, mut peer) = connect(ConnectionOptions::default());
    let calls: Vec<_> = (0..20).map(|number| start(&connection.root(), number)).collect();
    let mut commands = Vec::new();
    for _ in 0..calls.len() {
        commands.push(peer.recv().await);
    }
    for command in commands.iter().rev() {
        peer.echo(command).await;
    }
    for (number, call) in calls.into_iter().enumerate() {
        assert_eq!(ended(call).await.unwrap().text, number.to_string());
    }
}

#[tokio::test]
async fn a_call_without_an_answer_ends_at_its_deadline() {
    let (connection, mut peer) = connect(ConnectionOptions::default());
    let limit = Duration::from_millis(20);
    let call = connection.root().call_within(echo("late"), limit);
    let (outcome, command) = tokio::join!(call, peer.recv());
    assert_eq!(
        outcome.unwrap_err(),
        CdpError::Timeout {
            method: "Test.echo",
            after: limit
        }
    );
    peer.echo(&command).await;
    peer.settle(&connection).await;
}

#[tokio::test]
async fn a_dropped_call_was_sent_and_its_answer_is_ignored() {
    let (connection, mut peer) = connect(ConnectionOptions::default());
    let dropped = start(&connection.root(), "dropped");
    let command = peer.recv().await;
    dropped.abort();
    assert!(soon("the abort", dropped).await.unwrap_err().is_cancelled());
    peer.echo(&command).await;
    peer.settle(&connection).await;
    drop(connection.root().call(echo("never polled")));
    let call = start(&connection.root(), "next");
    let command = peer.recv().await;
    assert_eq!(
        command["params"]["text"], "next",
        "what was never polled was never sent"
    );
    peer.echo(&command).await;
    assert_eq!(ended(call).await.unwrap().text, "next");
}

#[tokio::test]
async fn an_error_of_the_browser_is_told_in_its_words() {
    let (connection, mut peer) = connect(ConnectionOptions::default());
    let call = start(&connection.root(), "x");
    let id = peer.recv().await["id"].clone();
    peer.send(json!({ "id": id, "error": { "code": -32602, "message": "Invalid parameters", "data": "text: why" } }))
        .await;
    let message = "Invalid parameters: text: why".to_owned();
    assert_eq!(
        ended(call).await.unwrap_err(),
        CdpError::Protocol {
            method: "Test.echo",
            code: -32602,
            message
        }
    );
}

#[tokio::test]
async fn an_answer_of_another_shape_is_a_decode_error_of_this_call_only() {
    let (connection, mut peer) = connect(ConnectionOptions::default());
    let call = start(&connection.root(), "x");
    let id = peer.recv().await["id"].clone();
    peer.send(json!({ "id": id, "result": { "text": 7 } })).await;
    assert!(matches!(ended(call).await.unwrap_err(), CdpError::Decode { method, .. } if method == "Test.echo"));
    peer.settle(&connection).await;
}

#[tokio::test]
async fn half_an_emoji_in_an_answer_does_not_lose_it() {
    let (connection, mut peer) = connect(ConnectionOptions::default());
    let call = start(&connection.root(), "x");
    let id = peer.recv().await["id"].clone();
    peer.send_text(&format!(r#"{{"id":{id},"result":{{"text":"cut \ud83d"}}}}"#))
        .await;
    assert_eq!(ended(call).await.unwrap().text, "cut \u{fffd}");
}

#[tokio::test]
async fn messages_that_are_not_understood_are_passed_over() {
    let (connection, mut peer) = connect(ConnectionOptions::default());
    for text in [
        "",
        "not json",
        "[]",
        "{}",
        r#"{"id":"7"}"#,
        r#"{"id":987654}"#,
        r#"{"method":7}"#,
        "\u{e9}\\ud8",
    ] {
        peer.send_text(text).await;
    }
    peer.event(Some("unknown session"), "Page.loadEventFired", json!({}))
        .await;
    peer.event(None, "Target.attachedToTarget", json!({ "sessionId": 7 }))
        .await;
    peer.settle(&connection).await;
}

/// Both sides write more than a pipe holds before they read: a client that did one after the other would hang.
#[tokio::test]
async fn large_messages_pass_each_other() {
    const BYTES: usize = 8 << 20;
    let (connection, mut peer) = connect(ConnectionOptions::default());
    let text = "x".repeat(BYTES);
    let call = start(&connection.root(), &text);
    peer.event(None, "Page.big", json!({ "text": text })).await;
    let command = peer.recv().await;
    peer.echo(&command).await;
    assert_eq!(ended(call).await.unwrap().text.len(), BYTES);
    let event = next(&mut connection.root().take_events().unwrap()).await.unwrap();
    assert!(event.params_json().len() > BYTES);
}

#[tokio::test]
async fn a_message_over_the_limit_fails_its_own_call_only() {
    let limit = 10_000;
    let (connection, mut peer) = connect(ConnectionOptions {
        max_message_bytes: limit,
        ..Default::default()
    });
    let too_large = |error: CdpError| matches!(error, CdpError::TooLarge { bytes, limit: 10_000 } if bytes > limit);
    assert!(too_large(
        connection.root().call(echo("x".repeat(limit))).await.unwrap_err()
    ));
    let (call, other) = (start(&connection.root(), "large"), start(&connection.root(), "small"));
    let (first, second) = (peer.recv().await, peer.recv().await);
    peer.send(json!({ "id": first["id"], "result": { "text": "x".repeat(300_000) } }))
        .await;
    peer.echo(&second).await;
    assert!(too_large(ended(call).await.unwrap_err()));
    assert_eq!(ended(other).await.unwrap().text, "small");
}

#[tokio::test]
async fn a_notification_is_sent_without_anybody_waiting() {
    let options = ConnectionOptions {
        write_queue: 2,
        ..Default::default()
    };
    let (connection, mut peer) = connect(options);
    // The writing task cannot run before this task yields, so the queue fills up.
    for number in 0..5 {
        connection.root().notify(echo(number));
    }
    let call = start(&connection.root(), "call");
    for text in ["0", "1", "call"] {
        let command = peer.recv().await;
        assert_eq!(command["params"]["text"], text);
        peer.echo(&command).await;
    }
    assert_eq!(ended(call).await.unwrap().text, "call");
    connection.root().notify(echo("room again"));
    assert_eq!(peer.recv().await["params"]["text"], "room again");
}
