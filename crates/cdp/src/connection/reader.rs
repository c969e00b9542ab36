//! The reading task: takes messages from the transport and hands each to the call or the session that it belongs to.
//! Invariant: what a message changes (a session begins or ends) is done before the message can be seen by others.

use super::shared::{Answer, Closed, Shared, when_closed};
use super::tables::SessionState;
use crate::envelope::{Envelope, ErrorBody, leading_id, slice_of};
use crate::error::{CdpError, SessionEnd};
use crate::event::{Event, Importance, importance};
use crate::json;
use crate::transport::{TransportError, TransportReader};
use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::pin::pin;
use std::sync::{Arc, Weak};

/// "Session with given id not found", the browser's answer to a message for a session that has gone.
const SESSION_NOT_FOUND: i64 = -32001;
/// How the browser answers the calls that were pending in a process that crashed.
const TARGET_CRASHED: &str = "Target crashed";

pub(super) async fn run(shared: Weak<Shared>, mut closed: Closed, mut reader: Box<dyn TransportReader>) {
    let mut closed = pin!(when_closed(&mut closed));
    loop {
        let received = tokio::select! {
            _ = &mut closed => return,
            received = reader.recv() => received,
        };
        let Some(shared) = shared.upgrade() else { return };
        match received {
            Ok(Some(message)) => dispatch(&shared, &message),
            Ok(None) => return shared.shut_down("the browser closed the connection", None),
            Err(error) => {
                if !go_on_after(&shared, error) {
                    return;
                }
            }
        }
    }
}

/// Deals with an error of the transport; false when the connection is over.
fn go_on_after(shared: &Shared, error: TransportError) -> bool {
    let text = error.to_string();
    match error {
        TransportError::TooLarge {
            bytes,
            limit,
            head: Some(head),
        } => {
            tracing::warn!(
                bytes,
                limit,
                "a message from the browser was too large and has been skipped"
            );
            if let Some(id) = leading_id(&head) {
                shared.complete(id, |_| Err(CdpError::TooLarge { bytes, limit }));
            }
            true
        }
        TransportError::TooLarge {
            bytes,
            limit,
            head: None,
        } => {
            shared.shut_down(&text, Some(CdpError::TooLarge { bytes, limit }));
            false
        }
        _ => {
            shared.shut_down(&text, None);
            false
        }
    }
}

fn dispatch(shared: &Shared, message: &Bytes) {
    let envelope: Envelope = match serde_json::from_slice(message) {
        Ok(envelope) => envelope,
        Err(error) => return tracing::debug!(%error, bytes = message.len(), "a message is not understood"),
    };
    match (envelope.id, envelope.method) {
        (Some(id), _) => shared.complete(id, |method| answer(method, message, &envelope)),
        (None, Some(method)) => event(shared, method, &envelope),
        (None, None) => tracing::debug!(bytes = message.len(), "a message has neither id nor method"),
    }
}

fn answer(method: &'static str, message: &Bytes, envelope: &Envelope) -> Answer {
    let Some(error) = envelope.error else {
        return Ok(slice_of(message, envelope.result));
    };
    let body: ErrorBody = json::parse(error.get().as_bytes()).map_err(|error| CdpError::decode(method, &error))?;
    Err(match body.code {
        SESSION_NOT_FOUND => CdpError::SessionGone {
            reason: SessionEnd::Detached,
        },
        _ if body.message == TARGET_CRASHED => CdpError::SessionGone {
            reason: SessionEnd::Crashed,
        },
        code => CdpError::Protocol {
            method,
            code,
            message: body.text(),
        },
    })
}

fn event(shared: &Shared, method: &str, envelope: &Envelope) {
    let importance = importance(method);
    if importance == Importance::Ignored {
        return;
    }
    let session = match envelope.session_id {
        Some(id) => shared.session(id),
        None => Some(shared.root()),
    };
    let Some(session) = session else {
        return tracing::debug!(method, "an event is for a session that is not known");
    };
    apply(shared, method, &session, envelope.params);
    session.events.push(importance, || {
        let params = envelope.params.map_or("{}", RawValue::get);
        let params = json::replace_lone_surrogates(params.as_bytes());
        Event::new(method, String::from_utf8_lossy(&params))
    });
}

/// The parameters common to the events that say that a session begins or ends.
#[derive(Deserialize)]
struct Announcement {
    #[serde(rename = "sessionId")]
    session_id: String,
}

/// What an event changes in the connection itself.
fn apply(shared: &Shared, method: &str, session: &Arc<SessionState>, params: Option<&RawValue>) {
    let announced = || -> Option<String> {
        let announcement: Announcement = json::parse(params?.get().as_bytes()).ok()?;
        Some(announcement.session_id)
    };
    if method == "Inspector.targetCrashed" {
        shared.crash(session);
    } else if method == "Target.attachedToTarget" {
        announced().inspect(|id| shared.attach(id, session.id.as_deref()));
    } else if method == "Target.detachedFromTarget" {
        announced().inspect(|id| shared.detach(id));
    }
}
