//! The end of a connection: by the browser, by the client, and by nobody using it any more. Nothing may hang.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test may panic")]

mod support;

use cdp::{CdpError, ConnectionOptions, SessionEnd};
use serde_json::json;
use support::*;

fn is_gone(error: &CdpError, words: &str) -> bool {
    matches!(error, CdpError::BrowserGone { reason } if reason.contains(words))
}

#[tokio::test]
async fn the_end_of_the_browser_ends_everything_with_one_error() {
    let (connection, mut peer) = connect(ConnectionOptions::default());
    peer.attach(None, "S").await;
    peer.settle(&connection).await;
    let (root, session) = (connection.root(), connection.session("S").unwrap());
    let mut events = session.take_events().unwrap();
    let calls = [start(&root, 1), start(&session, 2)];
    peer.recv().await;
    peer.recv().await;
    peer.event(Some("S"), "Page.loadEventFired", json!({})).await;
    drop(peer);
    for call in calls {
        assert!(is_gone(&ended(call).await.unwrap_err(), "closed"));
    }
    assert!(soon("the close", connection.closed()).await.contains("closed"));
    assert!(connection.is_closed());
    assert_eq!(soon("the end", session.ended()).await, SessionEnd::Closed);
    assert_eq!(soon("the end", root.ended()).await, SessionEnd::Closed);
    assert_eq!(next(&mut events).await.unwrap().method(), "Page.loadEventFired");
    assert!(next(&mut events).await.is_none());
    assert!(is_gone(&session.call(echo("after")).await.unwrap_err(), "closed"));
    session.notify(echo("after"));
}

#[tokio::test]
async fn half_a_message_at_the_end_is_an_error_not_a_message() {
    let (connection, mut peer) = connect(ConnectionOptions::default());
    let call = start(&connection.root(), 1);
    let id = peer.recv().await["id"].clone();
    peer.send_half(&format!(r#"{{"id":{id},"result":{{"text":"x"}}}}"#))
        .await;
    drop(peer);
    assert!(is_gone(&ended(call).await.unwrap_err(), "end of file"));
}

#[tokio::test]
async fn closing_fails_pending_calls_and_closes_the_pipe() {
    let (connection, mut peer) = connect(ConnectionOptions::default());
    let call = start(&connection.root(), 1);
    peer.recv().await;
    let waiting = tokio::spawn({
        let connection = connection.clone();
        async move { connection.closed().await }
    });
    connection.close("no longer needed");
    connection.close("a second reason");
    assert!(is_gone(&ended(call).await.unwrap_err(), "no longer needed"));
    assert_eq!(ended(waiting).await, "no longer needed");
    assert_eq!(peer.try_recv().await, None);
}

/// The peer does not read, so that the writer is stuck in the middle of a message.
#[tokio::test]
async fn closing_does_not_wait_for_a_browser_that_does_not_read() {
    let (connection, peer) = connect(ConnectionOptions::default());
    let call = start(&connection.root(), "x".repeat(4 << 20));
    soon("a full pipe", peer.readable()).await;
    connection.close("enough");
    assert!(is_gone(&ended(call).await.unwrap_err(), "enough"));
    assert_eq!(connection.closed().await, "enough");
    assert!(soon("the end of the pipe", peer.drain()).await < 4 << 20);
}

#[tokio::test]
async fn the_last_handle_closes_the_pipe() {
    let (connection, mut peer) = connect(ConnectionOptions::default());
    let session = connection.root();
    drop(connection);
    let call = start(&session, "a session is a handle");
    let command = peer.recv().await;
    peer.echo(&command).await;
    assert!(ended(call).await.is_ok());
    let mut events = session.take_events().unwrap();
    drop(session);
    assert_eq!(peer.try_recv().await, None);
    assert!(next(&mut events).await.is_none());
}

#[tokio::test]
async fn a_browser_that_closed_its_reading_end_is_gone() {
    let (connection, peer) = connect(ConnectionOptions::default());
    let _still_writing = peer.stop_reading();
    let error = connection.root().call(echo("x")).await.unwrap_err();
    assert!(is_gone(&error, "cannot write"), "{error}");
}
