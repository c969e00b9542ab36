//! A session: the view of one target (or of the browser itself) through which commands are sent and events come.

use crate::command::Command;
use crate::connection::shared::{Answer, Shared};
use crate::connection::tables::SessionState;
use crate::envelope;
use crate::error::{CdpError, SessionEnd};
use crate::event::EventReceiver;
use crate::json;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// A handle to a session. Clones are cheap and mean the same session; handles outlive it and then fail with
/// [`CdpError::SessionGone`].
#[derive(Clone)]
pub struct Session {
    shared: Arc<Shared>,
    state: Arc<SessionState>,
}

impl Session {
    pub(crate) fn new(shared: Arc<Shared>, state: Arc<SessionState>) -> Self {
        Self { shared, state }
    }

    /// The protocol's session id; `None` for the browser itself.
    pub fn id(&self) -> Option<&str> {
        self.state.id.as_deref()
    }

    /// Sends a command and waits for its answer, at most [`crate::ConnectionOptions::call_timeout`].
    ///
    /// The message is put on the write queue when the future is **first polled**, and the queue keeps its order over
    /// all sessions: `tokio::join!(a, b, c)` sends `a`, `b`, `c` in this order without waiting in between. Dropping
    /// the future forgets the answer; it does not take back a message that was queued.
    pub fn call<C: Command>(&self, command: C) -> impl Future<Output = Result<C::Reply, CdpError>> + Send + use<C> {
        self.call_within(command, self.shared.options.call_timeout)
    }

    /// As [`Session::call`], with a deadline of its own, counted from the first poll.
    pub fn call_within<C: Command>(
        &self,
        command: C,
        limit: Duration,
    ) -> impl Future<Output = Result<C::Reply, CdpError>> + Send + use<C> {
        let session = self.clone();
        async move {
            // No await before this is done: the order promised above depends on it.
            let call = session.send(&command)?;
            drop(command);
            let result = call.answer(limit).await?;
            json::parse(&result).map_err(|error| CdpError::decode(C::METHOD, &error))
        }
    }

    /// Queues a command now and never looks at its answer. For code that cannot wait, such as `Drop`. Best effort:
    /// nothing happens when the session is gone, or when [`crate::ConnectionOptions::write_queue`] messages wait.
    pub fn notify<C: Command>(&self, command: C) {
        if self.shared.is_congested() {
            return tracing::debug!(method = C::METHOD, "the write queue is full: not sent");
        }
        let queued = self.shared.unheard_id(&self.state).and_then(|id| {
            let message = self.encode(id, &command)?;
            self.shared.enqueue(message);
            Ok(())
        });
        if let Err(error) = queued {
            tracing::debug!(method = C::METHOD, %error, "not sent");
        }
    }

    /// The session's events, from its beginning on: those that came before this call are kept. `Some` once; `None`
    /// afterwards.
    pub fn take_events(&self) -> Option<EventReceiver> {
        self.state.events.take()
    }

    /// How the session ended: `Some` once it is gone. A crash is not an end, see [`SessionEnd::Crashed`].
    pub fn end(&self) -> Option<SessionEnd> {
        *self.state.end.borrow()
    }

    /// Waits until the session is gone: detached, or [`SessionEnd::Closed`] with the whole connection.
    pub async fn ended(&self) -> SessionEnd {
        let mut end = self.state.end.subscribe();
        // The sender lives in `self.state`, so waiting cannot fail; the connection's end is the answer if it could.
        end.wait_for(Option::is_some)
            .await
            .ok()
            .and_then(|end| *end)
            .unwrap_or(SessionEnd::Closed)
    }

    /// Events dropped because more than [`crate::ConnectionOptions::event_budget`] noisy ones waited to be read.
    pub fn lost_events(&self) -> u64 {
        self.state.events.lost()
    }

    fn send<C: Command>(&self, command: &C) -> Result<Call, CdpError> {
        let (id, receiver) = self.shared.register(&self.state, C::METHOD)?;
        let call = Call {
            shared: self.shared.clone(),
            id,
            method: C::METHOD,
            receiver,
        };
        let message = self.encode(id, command)?;
        self.shared.enqueue(message);
        Ok(call)
    }

    fn encode<C: Command>(&self, id: i64, command: &C) -> Result<Vec<u8>, CdpError> {
        let message =
            envelope::encode(id, C::METHOD, command, self.id()).map_err(|error| CdpError::decode(C::METHOD, &error))?;
        let (bytes, limit) = (message.len(), self.shared.options.max_message_bytes);
        if bytes > limit {
            Err(CdpError::TooLarge { bytes, limit })
        } else {
            Ok(message)
        }
    }
}

/// A call that waits for its answer. Dropped in whatever way, it leaves no trace in the table of pending calls.
struct Call {
    shared: Arc<Shared>,
    id: i64,
    method: &'static str,
    receiver: oneshot::Receiver<Answer>,
}

impl Call {
    async fn answer(mut self, limit: Duration) -> Answer {
        let sent = Instant::now();
        let answer = tokio::time::timeout(limit, &mut self.receiver).await;
        // The names and times alone: what a call carries may be secret.
        tracing::trace!(method = self.method, took = ?sent.elapsed(), "answered");
        match answer {
            Ok(Ok(answer)) => answer,
            // The table never drops a call without an answer; should it, the connection is not usable.
            Ok(Err(_)) => Err(CdpError::BrowserGone {
                reason: "the connection ended".to_owned(),
            }),
            Err(_) => Err(CdpError::Timeout {
                method: self.method,
                after: limit,
            }),
        }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.shared.forget(self.id);
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("id", &self.id())
            .finish_non_exhaustive()
    }
}
