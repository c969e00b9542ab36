//! How messages travel: one trait, two ways. A transport carries whole messages in both directions, never parts, and
//! knows nothing of their content. Its halves are used by one task each.

mod framing;
mod pipe;
mod websocket;

pub use futures_util::future::BoxFuture;
pub use pipe::Pipe;
pub use websocket::WebSocket;

use bytes::Bytes;
use std::time::Duration;

/// A connected way to the browser.
pub trait Transport: Send + 'static {
    /// The two halves. The way is closed once both are dropped.
    fn split(self: Box<Self>) -> (Box<dyn TransportWriter>, Box<dyn TransportReader>);
}

/// The sending half.
pub trait TransportWriter: Send + 'static {
    /// Sends one message: JSON in UTF-8, without framing. Not cancel-safe: a dropped future may leave half a message
    /// on the way, after which the writer must not be used again.
    fn send(&mut self, message: Vec<u8>) -> BoxFuture<'_, Result<(), TransportError>>;
}

/// The receiving half.
pub trait TransportReader: Send + 'static {
    /// The next message; `None` when the browser has closed the way. After [`TransportError::TooLarge`] with a `head`
    /// the next message can be read; after any other error nothing can.
    fn recv(&mut self) -> BoxFuture<'_, Result<Option<Bytes>, TransportError>>;
}

/// Why a transport failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TransportError {
    /// The operating system refused.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The WebSocket protocol was broken, or the peer closed in the middle.
    #[error("WebSocket: {0}")]
    WebSocket(String),
    /// A message is over the limit.
    #[error("a message of {bytes} bytes is over the limit of {limit} bytes")]
    TooLarge {
        /// Size of the message in bytes.
        bytes: usize,
        /// The limit in bytes.
        limit: usize,
        /// The beginning of the message, when the transport has skipped it and goes on; `None` when it cannot go on.
        head: Option<Bytes>,
    },
}

/// What a transport accepts.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Largest message accepted from the browser, in bytes.
    pub max_message_bytes: usize,
    /// Longest time for connecting and the opening handshake (WebSocket only).
    pub connect_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_message_bytes: 256 << 20,
            connect_timeout: Duration::from_secs(10),
        }
    }
}
