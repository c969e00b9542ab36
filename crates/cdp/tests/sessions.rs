//! Sessions: when they begin, which events they keep, and how a single one ends.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test may panic")]

mod support;

use cdp::protocol::{inspector, page, target};
use cdp::{CdpError, ConnectionOptions, SessionEnd};
use serde_json::json;
use support::*;

const DETACHED: CdpError = CdpError::SessionGone {
    reason: SessionEnd::Detached,
};
const CRASHED: CdpError = CdpError::SessionGone {
    reason: SessionEnd::Crashed,
};

#[tokio::test]
async fn a_session_is_known_when_its_announcement_is_read_and_loses_nothing() {
    let (connection, mut peer) = connect(ConnectionOptions::default());
    let mut events = connection.root().take_events().unwrap();
    peer.attach(None, "S").await;
    peer.event(Some("S"), "Page.loadEventFired", json!({ "timestamp": 1.5 }))
        .await;
    let attached: target::AttachedToTarget = next(&mut events).await.unwrap().parse().unwrap();
    assert_eq!(attached.target_info.r#type, "page");
    let session = connection.session(&attached.session_id).unwrap();
    assert_eq!(session.id(), Some("S"));
    let mut events = session.take_events().unwrap();
    assert!(session.take_events().is_none(), "events can be taken once");
    let event = next(&mut events).await.unwrap();
    assert!(event.is::<page::LoadEventFired>() && !event.is::<page::DomContentEventFired>());
    assert_eq!(event.parse::<page::LoadEventFired>().unwrap().timestamp, 1.5);
}

/// On several threads, so that the reader and the one who reads the events really race.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_announcement_is_read_before_its_session_is_known() {
    const SESSIONS: usize = 2000;
    let (connection, mut peer) = connect(ConnectionOptions::default());
    let mut events = connection.root().take_events().unwrap();
    let announcing = tokio::spawn(async move {
        for number in 0..SESSIONS {
            peer.attach(None, &number.to_string()).await;
        }
        peer
    });
    for _ in 0..SESSIONS {
        let attached: target::AttachedToTarget = next(&mut events).await.unwrap().parse().unwrap();
        assert!(connection.session(&attached.session_id).is_some());
    }
    ended(announcing).await;
}

#[tokio::test]
async fn a_nested_session_is_announced_on_its_parent() {
    let (connection, mut peer) = connect(ConnectionOptions::default());
    peer.attach(None, "page").await;
    peer.attach(Some("page"), "frame").await;
    peer.settle(&connection).await;
    let mut events = connection.session("page").unwrap().take_events().unwrap();
    let attached: target::AttachedToTarget = next(&mut events).await.unwrap().parse().unwrap();
    assert_eq!(attached.session_id, "frame");
    let frame = connection.session("frame").unwrap();
    peer.detach(None, "page").await;
    assert_eq!(soon("the end", frame.ended()).await, SessionEnd::Detached);
    assert!(next(&mut events).await.is_none());
}

#[tokio::test]
async fn noisy_events_over_the_budget_are_dropped_and_counted_and_others_never() {
    let (connection, mut peer) = connect(ConnectionOptions {
        event_budget: 3,
        ..Default::default()
    });
    let root = connection.root();
    for number in 0..10 {
        peer.event(
            None,
            "Network.loadingFinished",
            json!({ "requestId": number.to_string() }),
        )
        .await;
        peer.event(
            None,
            "Page.frameStartedLoading",
            json!({ "frameId": number.to_string() }),
        )
        .await;
        peer.event(None, "DOM.childNodeCountUpdated", json!({})).await;
    }
    peer.settle(&connection).await;
    assert_eq!(root.lost_events(), 7);
    let mut events = root.take_events().unwrap();
    let mut names = Vec::new();
    while let Some(event) = events.try_recv() {
        names.push(event.method().to_owned());
    }
    let count = |name: &str| names.iter().filter(|found| *found == name).count();
    assert_eq!(
        (
            count("Network.loadingFinished"),
            count("Page.frameStartedLoading"),
            names.len()
        ),
        (3, 10, 13)
    );
    peer.event(None, "Log.entryAdded", json!({})).await;
    assert_eq!(next(&mut events).await.unwrap().method(), "Log.entryAdded");
    assert_eq!(root.lost_events(), 7, "reading has made room");
}

#[tokio::test]
async fn events_that_nobody_will_read_are_not_kept() {
    let (connection, mut peer) = connect(ConnectionOptions {
        event_budget: 1,
        ..Default::default()
    });
    drop(connection.root().take_events().unwrap());
    for _ in 0..5 {
        peer.event(None, "Network.loadingFinished", json!({})).await;
    }
    peer.settle(&connection).await;
    assert_eq!(connection.root().lost_events(), 0, "what nobody asks for is not lost");
}

#[tokio::test]
async fn a_detached_session_fails_its_own_calls_and_drains_its_events() {
    let (connection, mut peer) = connect(ConnectionOptions::default());
    peer.attach(None, "S").await;
    peer.settle(&connection).await;
    let session = connection.session("S").unwrap();
    let mut events = session.take_events().unwrap();
    let (own, other) = (start(&session, "own"), start(&connection.root(), "other"));
    let (_, command) = (peer.recv().await, peer.recv().await);
    peer.event(Some("S"), "Page.frameDetached", json!({ "frameId": "F" }))
        .await;
    peer.detach(None, "S").await;
    peer.echo(&command).await;
    assert_eq!(ended(own).await.unwrap_err(), DETACHED);
    assert_eq!(ended(other).await.unwrap().text, "other");
    assert_eq!(next(&mut events).await.unwrap().method(), "Page.frameDetached");
    assert!(next(&mut events).await.is_none());
    assert_eq!(
        (session.end(), session.ended().await),
        (Some(SessionEnd::Detached), SessionEnd::Detached)
    );
    assert!(connection.session("S").is_none());
    assert_eq!(session.call(echo("after")).await.unwrap_err(), DETACHED);
    session.notify(echo("after"));
    peer.settle(&connection).await;
}

#[tokio::test]
async fn a_crash_fails_the_pending_calls_and_leaves_the_session() {
    let (connection, mut peer) = connect(ConnectionOptions::default());
    peer.attach(None, "S").await;
    peer.settle(&connection).await;
    let session = connection.session("S").unwrap();
    let mut events = session.take_events().unwrap();
    let call = start(&session, "in the middle");
    peer.recv().await;
    peer.event(Some("S"), "Inspector.targetCrashed", json!({})).await;
    assert_eq!(ended(call).await.unwrap_err(), CRASHED);
    assert!(next(&mut events).await.unwrap().is::<inspector::TargetCrashed>());
    assert_eq!(session.end(), None);
    let reload = start(&session, "reload");
    let command = peer.recv().await;
    peer.echo(&command).await;
    assert_eq!(ended(reload).await.unwrap().text, "reload");
}

#[tokio::test]
async fn the_browsers_own_words_for_a_crash_and_for_an_unknown_session_are_understood() {
    let (connection, mut peer) = connect(ConnectionOptions::default());
    peer.attach(None, "S").await;
    peer.settle(&connection).await;
    let session = connection.session("S").unwrap();
    for (code, message, expected) in [
        (-32000, "Target crashed", CRASHED),
        (-32001, "Session with given id not found.", DETACHED),
    ] {
        assert_eq!(session.end(), None);
        let call = start(&session, "x");
        let id = peer.recv().await["id"].clone();
        peer.send(json!({ "id": id, "error": { "code": code, "message": message } }))
            .await;
        assert_eq!(ended(call).await.unwrap_err(), expected);
    }
    assert_eq!(session.end(), Some(SessionEnd::Detached));
    assert!(connection.session("S").is_none());
}
