//! A client of the Chrome DevTools Protocol: transports, one multiplexed connection, flat sessions, and the part of
//! the protocol that this product uses. It knows nothing of pages, tasks or policies.
//!
//! Invariants, each guarded by a test in `tests/`:
//! * Calls go out in the order in which their futures are first polled (`calls.rs`).
//! * Every call ends: by its answer, its deadline, the end of its session, or the end of the browser (`endings.rs`).
//! * A session is known before the event that announces it can be read, so none of its messages is lost (`sessions.rs`).
//! * Only noisy events are ever dropped, and each dropped one is counted (`sessions.rs`).
//! * Every protocol name in [`protocol`] exists in the published protocol (`names.rs`).
//!
//! ```no_run
//! # async fn example(write: std::os::fd::OwnedFd, read: std::os::fd::OwnedFd) -> Result<(), Box<dyn std::error::Error>> {
//! use cdp::protocol::browser::GetVersion;
//! let options = cdp::ConnectionOptions::default();
//! let pipe = cdp::Pipe::new(write, read, options.limits())?;
//! let connection = cdp::Connection::start(Box::new(pipe), options);
//! let version = connection.root().call(GetVersion {}).await?;
//! println!("{}", version.product);
//! # Ok(()) }
//! ```

mod command;
mod connection;
mod envelope;
mod error;
mod event;
mod json;
pub mod protocol;
mod session;
mod transport;

pub use command::{Command, EventType};
pub use connection::{Connection, ConnectionOptions};
pub use error::{CdpError, SessionEnd};
pub use event::{Event, EventReceiver};
pub use protocol::Empty;
pub use session::Session;
pub use transport::{BoxFuture, Limits, Pipe, Transport, TransportError, TransportReader, TransportWriter, WebSocket};
