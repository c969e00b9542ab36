//! What the handles, the reader and the writer share. One lock guards ids, pending calls and sessions together, so
//! that no call can be registered on a session or a connection whose end has already failed the others. It is held for
//! map operations only, never while waiting.

use super::ConnectionOptions;
use super::tables::{Pending, SessionState, Tables, fail};
use crate::error::{CdpError, SessionEnd};
use bytes::Bytes;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{mpsc, oneshot, watch};

/// What a pending call receives: the raw result.
pub(crate) type Answer = Result<Bytes, CdpError>;
/// Why the connection closed, once it has.
pub(crate) type Closed = watch::Receiver<Option<Arc<str>>>;

pub(crate) struct Shared {
    pub options: ConnectionOptions,
    root: Arc<SessionState>,
    tables: Mutex<Tables>,
    outgoing: mpsc::UnboundedSender<Vec<u8>>,
    unwritten: AtomicUsize,
    closed: watch::Sender<Option<Arc<str>>>,
}

impl Shared {
    pub fn new(options: ConnectionOptions) -> (Self, mpsc::UnboundedReceiver<Vec<u8>>) {
        let (outgoing, to_write) = mpsc::unbounded_channel();
        let (closed, _) = watch::channel(None);
        let root = SessionState::new(None, None, options.event_budget);
        let shared = Self {
            options,
            root,
            tables: Mutex::default(),
            outgoing,
            unwritten: AtomicUsize::new(0),
            closed,
        };
        (shared, to_write)
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn root(&self) -> Arc<SessionState> {
        self.root.clone()
    }

    pub fn session(&self, id: &str) -> Option<Arc<SessionState>> {
        self.tables().sessions.get(id).cloned()
    }

    pub fn watch_closed(&self) -> Closed {
        self.closed.subscribe()
    }

    /// A new call of `session`: its id, and where its answer will come. Fails when the session or the browser is gone.
    pub fn register(
        &self,
        session: &Arc<SessionState>,
        method: &'static str,
    ) -> Result<(i64, oneshot::Receiver<Answer>), CdpError> {
        let (answer, receiver) = oneshot::channel();
        let mut tables = self.tables();
        let id = tables.next_id(session)?;
        tables.pending.insert(
            id,
            Pending {
                method,
                session: session.clone(),
                answer,
            },
        );
        Ok((id, receiver))
    }

    /// An id for a message whose answer nobody waits for.
    pub fn unheard_id(&self, session: &SessionState) -> Result<i64, CdpError> {
        self.tables().next_id(session)
    }

    /// Forgets a call: its answer, should it come, is ignored.
    pub fn forget(&self, id: i64) {
        self.tables().pending.remove(&id);
    }

    /// Puts a message on the write queue. Returns at once; the order of calls is the order on the wire.
    pub fn enqueue(&self, message: Vec<u8>) {
        self.unwritten.fetch_add(1, Relaxed);
        // The writer is gone only when the connection is closed, and then every pending call has failed already.
        let _ = self.outgoing.send(message);
    }

    /// The writer has taken one message from the queue.
    pub fn written(&self) {
        self.unwritten.fetch_sub(1, Relaxed);
    }

    /// Whether so much waits to be written that unheard messages are dropped.
    pub fn is_congested(&self) -> bool {
        self.unwritten.load(Relaxed) >= self.options.write_queue
    }

    /// Ends the call `id`. `outcome` is made with the call's method, only if somebody still waits.
    pub fn complete(&self, id: i64, outcome: impl FnOnce(&'static str) -> Answer) {
        let Some(call) = self.tables().pending.remove(&id) else {
            return;
        };
        let answer = outcome(call.method);
        if let (
            Err(CdpError::SessionGone {
                reason: SessionEnd::Detached,
            }),
            Some(id),
        ) = (&answer, &call.session.id)
        {
            self.detach(id);
        }
        let _ = call.answer.send(answer);
    }

    /// Makes a session known that was announced on `parent`.
    pub fn attach(&self, id: &str, parent: Option<&str>) {
        let mut tables = self.tables();
        if tables.gone.is_none() && !tables.sessions.contains_key(id) {
            let id: Arc<str> = id.into();
            let state = SessionState::new(Some(id.clone()), parent.map(Into::into), self.options.event_budget);
            tables.sessions.insert(id, state);
        }
    }

    /// Ends a session and those announced on it: the browser destroys them together, and the news of the inner ones
    /// would have come on the outer one.
    pub fn detach(&self, id: &str) {
        let mut ended = Vec::new();
        let mut calls = Vec::new();
        {
            let mut tables = self.tables();
            tables.remove_family(id, &mut ended);
            for session in &ended {
                session.finish(SessionEnd::Detached);
                calls.extend(tables.take_calls(session));
            }
        }
        fail(
            calls,
            &CdpError::SessionGone {
                reason: SessionEnd::Detached,
            },
        );
    }

    /// Fails the calls of a session whose target has crashed. The session stays: a reload revives it.
    pub fn crash(&self, session: &SessionState) {
        let calls = self.tables().take_calls(session);
        fail(
            calls,
            &CdpError::SessionGone {
                reason: SessionEnd::Crashed,
            },
        );
    }

    /// Ends everything, once. Pending calls fail with `cause` where there is a better one than that the browser is
    /// gone; later calls fail with the latter.
    pub fn shut_down(&self, reason: &str, cause: Option<CdpError>) {
        let gone = CdpError::BrowserGone {
            reason: reason.to_owned(),
        };
        let calls: Vec<Pending> = {
            let mut tables = self.tables();
            if tables.gone.is_some() {
                return;
            }
            tables.gone = Some(gone.clone());
            for (_, session) in tables.sessions.drain() {
                session.finish(SessionEnd::Closed);
            }
            tables.pending.drain().map(|(_, call)| call).collect()
        };
        self.root.finish(SessionEnd::Closed);
        self.closed.send_replace(Some(reason.into()));
        fail(calls, &cause.unwrap_or(gone));
    }
}

/// Waits until the connection is closed, and says why.
pub(crate) async fn when_closed(closed: &mut Closed) -> String {
    match closed.wait_for(Option::is_some).await {
        Ok(reason) => reason.as_deref().unwrap_or_default().to_owned(),
        Err(_) => "nobody uses the connection any more".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tables::MAX_ID;
    use super::*;

    #[test]
    fn ids_start_again_below_what_the_browser_can_read_and_pass_over_pending_ones() {
        let (shared, _to_write) = Shared::new(ConnectionOptions::default());
        let first = shared.register(&shared.root(), "A.a").unwrap();
        assert_eq!(first.0, 1);
        shared.tables().last_id = MAX_ID - 1;
        assert_eq!(shared.unheard_id(&shared.root()).unwrap(), MAX_ID);
        assert_eq!(shared.unheard_id(&shared.root()).unwrap(), 2);
    }

    #[test]
    fn a_family_of_sessions_ends_together() {
        let (shared, _to_write) = Shared::new(ConnectionOptions::default());
        for (id, parent) in [
            ("page", None),
            ("frame", Some("page")),
            ("inner", Some("frame")),
            ("other", None),
        ] {
            shared.attach(id, parent);
        }
        let inner = shared.session("inner").unwrap();
        let (_, mut answer) = shared.register(&inner, "A.a").unwrap();
        shared.detach("page");
        let gone = CdpError::SessionGone {
            reason: SessionEnd::Detached,
        };
        assert_eq!(answer.try_recv().unwrap(), Err(gone.clone()));
        assert_eq!(shared.register(&inner, "A.a").unwrap_err(), gone);
        assert!(shared.session("frame").is_none());
        assert!(shared.session("other").is_some());
    }
}
