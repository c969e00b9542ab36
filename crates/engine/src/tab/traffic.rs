//! The network events of one session: which requests are under way, and how the main document's own request went.

use std::time::Instant;

use cdp::protocol::network;
use cdp::{Event, Session};

use super::events::read;
use super::setup::Kind;
use super::state::{MainFailure, MainResponse};
use super::{Tab, TabState};
use crate::network::OpenRequest;

pub(super) fn follow(tab: &Tab, session: &Session, kind: Kind, event: &Event) {
    // The page's own requests go under the empty session, which never ends before the tab does.
    let of = if kind == Kind::Page {
        ""
    } else {
        session.id().unwrap_or_default()
    };
    if let Some(sent) = read::<network::RequestWillBeSent>(event) {
        tab.update(|state| on_sent(state, of, sent));
    } else if let Some(got) = read::<network::ResponseReceived>(event) {
        tab.update(|state| on_response(state, &got));
    } else if let Some(done) = read::<network::LoadingFinished>(event) {
        tab.update(|state| state.in_flight.finished(&done.request_id));
    } else if let Some(cached) = read::<network::RequestServedFromCache>(event) {
        tab.update(|state| state.in_flight.finished(&cached.request_id));
    } else if let Some(failed) = read::<network::LoadingFailed>(event) {
        tab.update(|state| on_failure(state, &failed));
    } else if let Some(socket) = read::<network::WebSocketCreated>(event) {
        let request = OpenRequest {
            url: socket.url,
            ..request_of(of, "WebSocket")
        };
        tab.update(|state| state.in_flight.sent(&socket.request_id, request));
    } else if let Some(closed) = read::<network::WebSocketClosed>(event) {
        tab.update(|state| state.in_flight.finished(&closed.request_id));
    }
}

fn request_of(session: &str, kind: &str) -> OpenRequest {
    OpenRequest {
        url: String::new(),
        kind: kind.to_owned(),
        since: Instant::now(),
        session: session.to_owned(),
        frame: String::new(),
        loader: String::new(),
        stream: false,
    }
}

fn on_sent(state: &mut TabState, of: &str, sent: network::RequestWillBeSent) {
    let kind = sent.r#type.as_deref().unwrap_or_default();
    let frame = sent.frame_id.as_deref().unwrap_or_default();
    if kind == "Document" && state.frames.is_main(frame) {
        state
            .main_methods
            .insert(sent.loader_id.clone(), sent.request.method.clone());
    }
    let request = OpenRequest {
        url: sent.request.url,
        frame: frame.to_owned(),
        loader: sent.loader_id,
        ..request_of(of, kind)
    };
    state.in_flight.sent(&sent.request_id, request);
}

fn on_response(state: &mut TabState, got: &network::ResponseReceived) {
    let loader_id = got.loader_id.clone();
    let main = got.frame_id.as_deref().is_some_and(|frame| state.frames.is_main(frame));
    if main && got.r#type == "Document" {
        let method = state.main_methods.get(&loader_id).cloned().unwrap_or_default();
        let status = u16::try_from(got.response.status).unwrap_or(0);
        state.main_response = MainResponse {
            loader_id,
            status,
            method,
        };
    }
    if got.r#type == "Media" || got.response.mime_type == "text/event-stream" {
        state.in_flight.is_stream(&got.request_id);
    }
}

fn on_failure(state: &mut TabState, failed: &network::LoadingFailed) {
    state.in_flight.finished(&failed.request_id);
    // The request of a main document has the id of its loader; one that was called off did not break.
    let main = failed.request_id == state.life.loader_id || state.main_methods.contains_key(&failed.request_id);
    if main && failed.canceled != Some(true) {
        let (loader_id, text) = (failed.request_id.clone(), failed.error_text.clone());
        state.main_failure = Some(MainFailure { loader_id, text });
    }
}
