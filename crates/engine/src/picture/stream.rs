//! A stream of the browser. Invariant: it is closed when its reader is dropped, whether or not it was read to its end.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cdp::Session;
use cdp::protocol::io;

use crate::deadline::Deadline;
use crate::error::{EngineError, Result};

/// Bytes asked for at once.
const PART: i64 = 1 << 20;

pub(super) struct Stream {
    session: Session,
    handle: String,
}

impl Stream {
    pub(super) fn new(session: &Session, handle: String) -> Self {
        Self {
            session: session.clone(),
            handle,
        }
    }

    /// Everything that it gives; `None` when that is more than `limit` bytes.
    pub(super) async fn read(self, limit: usize, deadline: Deadline) -> Result<Option<Vec<u8>>> {
        let mut bytes = Vec::new();
        loop {
            let read = io::Read {
                handle: self.handle.clone(),
                offset: None,
                size: Some(PART),
            };
            let part = self.session.call_within(read, deadline.remaining()).await?;
            if part.base64_encoded == Some(true) {
                let decoded = STANDARD.decode(&part.data).map_err(|error| EngineError::Protocol {
                    method: "IO.read".into(),
                    message: error.to_string(),
                })?;
                bytes.extend(decoded);
            } else {
                bytes.extend(part.data.as_bytes());
            }
            if bytes.len() > limit {
                return Ok(None);
            }
            if part.eof {
                return Ok(Some(bytes));
            }
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        let (session, handle) = (self.session.clone(), std::mem::take(&mut self.handle));
        // Outside of a runtime the service is ending, and the browser with it.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        runtime.spawn(async move {
            // A session that has ended has closed it.
            let _ = session.call(io::Close { handle }).await;
        });
    }
}
