//! One connection, shared by all sessions of a browser. Two tasks, one reading and one writing, live as long as the
//! transport and somebody who could use it: the last [`Connection`] or [`Session`] to be dropped closes it.

mod reader;
pub(crate) mod shared;
pub(crate) mod tables;
mod writer;

use crate::session::Session;
use crate::transport::{Limits, Transport};
use shared::{Shared, when_closed};
use std::sync::Arc;
use std::time::Duration;

/// How a connection behaves.
#[derive(Debug, Clone, Copy)]
pub struct ConnectionOptions {
    /// Deadline of [`Session::call`]. 30 s by default.
    pub call_timeout: Duration,
    /// Largest message in either direction, in bytes. 256 MiB by default.
    pub max_message_bytes: usize,
    /// Noisy events (network, console, log) kept for each session until they are read. 10,000 by default.
    pub event_budget: usize,
    /// Messages that may wait to be written before [`Session::notify`] drops its own. 1,024 by default. Calls are
    /// not limited: each has somebody who waits for it, and so limits itself.
    pub write_queue: usize,
}

impl Default for ConnectionOptions {
    fn default() -> Self {
        Self {
            call_timeout: Duration::from_secs(30),
            max_message_bytes: 256 << 20,
            event_budget: 10_000,
            write_queue: 1024,
        }
    }
}

impl ConnectionOptions {
    /// The limits for a transport of this connection.
    pub fn limits(&self) -> Limits {
        Limits {
            max_message_bytes: self.max_message_bytes,
            ..Limits::default()
        }
    }
}

/// A connection to one browser. Clones are handles to the same connection.
#[derive(Clone)]
pub struct Connection {
    shared: Arc<Shared>,
}

impl Connection {
    /// Starts talking. Must be called within a tokio runtime, which runs the reading and the writing task.
    pub fn start(transport: Box<dyn Transport>, options: ConnectionOptions) -> Self {
        let (shared, outgoing) = Shared::new(options);
        let shared = Arc::new(shared);
        let (writer, reader) = transport.split();
        tokio::spawn(writer::run(
            Arc::downgrade(&shared),
            shared.watch_closed(),
            writer,
            outgoing,
        ));
        tokio::spawn(reader::run(Arc::downgrade(&shared), shared.watch_closed(), reader));
        Self { shared }
    }

    /// The session of the browser itself.
    pub fn root(&self) -> Session {
        Session::new(self.shared.clone(), self.shared.root())
    }

    /// The session with this id. It is known before `Target.attachedToTarget` can be read, and forgotten when the
    /// browser detaches it; `None` then means that the target has gone already.
    pub fn session(&self, id: &str) -> Option<Session> {
        let state = self.shared.session(id)?;
        Some(Session::new(self.shared.clone(), state))
    }

    /// Waits until the transport is gone, and says why.
    pub async fn closed(&self) -> String {
        when_closed(&mut self.shared.watch_closed()).await
    }

    /// Whether the transport is gone.
    pub fn is_closed(&self) -> bool {
        self.shared.watch_closed().borrow().is_some()
    }

    /// Fails all pending calls, ends all sessions and closes the transport, now. Messages that are still waiting to be
    /// written are dropped. A browser on a pipe ends because of this.
    pub fn close(&self, reason: &str) {
        self.shared.shut_down(reason, None);
    }
}
