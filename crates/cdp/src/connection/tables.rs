//! Ids, pending calls and sessions of a connection. Plain data without locks or waiting; what belongs together in one
//! step is one method here or one critical section in [`super::shared`].

use super::shared::Answer;
use crate::error::{CdpError, SessionEnd};
use crate::event::EventQueue;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::{oneshot, watch};

/// The browser reads ids as 32-bit integers.
pub(super) const MAX_ID: i64 = i32::MAX as i64;

/// See the head of this file.
#[derive(Default)]
pub(super) struct Tables {
    pub last_id: i64,
    pub pending: HashMap<i64, Pending>,
    pub sessions: HashMap<Arc<str>, Arc<SessionState>>,
    /// The error of every call from now on, once the connection has ended.
    pub gone: Option<CdpError>,
}

/// A call that waits for its answer.
pub(super) struct Pending {
    pub method: &'static str,
    pub session: Arc<SessionState>,
    pub answer: oneshot::Sender<Answer>,
}

/// One session. It does not know the connection, so that the two do not keep each other alive.
pub(crate) struct SessionState {
    /// `None` for the browser itself.
    pub id: Option<Arc<str>>,
    /// The session on which this one was announced.
    parent: Option<Arc<str>>,
    pub events: EventQueue,
    pub end: watch::Sender<Option<SessionEnd>>,
}

impl SessionState {
    pub fn new(id: Option<Arc<str>>, parent: Option<Arc<str>>, budget: usize) -> Arc<Self> {
        let (end, _) = watch::channel(None);
        Arc::new(Self {
            id,
            parent,
            events: EventQueue::new(budget),
            end,
        })
    }

    /// Ends the session, once: a second end does not change the first.
    pub fn finish(&self, end: SessionEnd) {
        self.end
            .send_if_modified(|state| state.is_none() && state.replace(end).is_none());
        self.events.close();
    }
}

impl Tables {
    /// An id for a message of `session`; fails when the session or the browser is gone.
    pub fn next_id(&mut self, session: &SessionState) -> Result<i64, CdpError> {
        if let Some(gone) = &self.gone {
            return Err(gone.clone());
        }
        if let Some(reason) = *session.end.borrow() {
            return Err(CdpError::SessionGone { reason });
        }
        loop {
            self.last_id = self.last_id % MAX_ID + 1;
            if !self.pending.contains_key(&self.last_id) {
                return Ok(self.last_id);
            }
        }
    }

    /// Removes the calls of one session.
    pub fn take_calls(&mut self, session: &SessionState) -> Vec<Pending> {
        let ids: Vec<i64> = self
            .pending
            .iter()
            .filter(|(_, call)| std::ptr::eq(&*call.session, session))
            .map(|(id, _)| *id)
            .collect();
        ids.iter().filter_map(|id| self.pending.remove(id)).collect()
    }

    /// Removes a session and all that were announced on it or below.
    pub fn remove_family(&mut self, id: &str, removed: &mut Vec<Arc<SessionState>>) {
        removed.extend(self.sessions.remove(id));
        let children: Vec<Arc<str>> = self
            .sessions
            .iter()
            .filter(|(_, s)| s.parent.as_deref() == Some(id))
            .map(|(id, _)| id.clone())
            .collect();
        for child in children {
            self.remove_family(&child, removed);
        }
    }
}

/// Fails all `calls` with one error.
pub(super) fn fail(calls: Vec<Pending>, error: &CdpError) {
    for call in calls {
        let _ = call.answer.send(Err(error.clone()));
    }
}
