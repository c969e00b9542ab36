//! Copying bodies. Invariants: bounded in number and bytes, beside everything else; a body that is text is kept as text
//! from its beginning, of any other only the length.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cdp::Session;
use cdp::protocol::network::GetResponseBody;

use super::book::NetworkBook;
use super::record::{Body, Exchange, beginning};
use crate::tab::now_ms;

/// Characters of a body that are kept.
pub(crate) const CHARS: usize = 100_000;
/// A body that came as more bytes than this is not copied unasked.
const LARGE: u64 = 8 << 20;
/// A document that came as more bytes than this is not copied unasked.
const LARGE_DOCUMENT: u64 = 1 << 20;
/// How long the copying of one body may take.
const LIMIT: Duration = Duration::from_secs(10);
/// Bodies that may wait to be copied.
const WAITING: usize = 256;

/// Whether a body that has arrived is copied; else what is noted of it.
pub(super) fn plan(one: &Exchange) -> Result<(), Body> {
    let status = one.answer.as_ref().map_or(0, |answer| answer.status);
    // RFC 9110, section 6.4.1: these have no content.
    if one.method == "HEAD" || matches!(status, 100..=199 | 204 | 205 | 304) || one.kind == "preflight" {
        return Err(Body::Gone("none"));
    }
    let limit = match one.kind.as_str() {
        "xhr" | "fetch" => LARGE,
        "document" => LARGE_DOCUMENT,
        _ => return Err(Body::Remote),
    };
    if one.encoded_bytes > limit {
        return Err(Body::Remote);
    }
    Ok(())
}

/// Copies a body as soon as its turn comes.
pub(super) fn copy(book: &Arc<NetworkBook>, serial: u64, session: Session, wire: String) {
    if book.waiting.fetch_add(1, Relaxed) >= WAITING {
        book.waiting.fetch_sub(1, Relaxed);
        book.update(|log| {
            log.losses.bodies += 1;
            log.set_body(serial, Body::Gone("too-many"));
        });
        return;
    }
    let book = Arc::clone(book);
    tokio::spawn(async move {
        let body = {
            // The semaphore lives as long as the book and is never closed.
            let _turn = book.copies.acquire().await;
            fetch(&session, wire).await
        };
        book.waiting.fetch_sub(1, Relaxed);
        book.set_body(serial, body.map_or(Body::Gone("browser-freed"), |(body, _)| body));
    });
}

/// Asks the browser for a body: what is kept of it, and the whole text where it is one.
async fn fetch(session: &Session, wire: String) -> Option<(Body, Option<String>)> {
    let reply = session
        .call_within(GetResponseBody { request_id: wire }, LIMIT)
        .await
        .ok()?;
    let text = if reply.base64_encoded {
        let bytes = STANDARD.decode(reply.body.as_bytes()).ok()?;
        match text_of(bytes) {
            Ok(text) => text,
            Err(bytes) => return Some((Body::Binary { bytes }, None)),
        }
    } else {
        reply.body
    };
    let (kept, chars) = beginning(&text, CHARS);
    let body = Body::Text {
        text: kept.into(),
        chars,
        at: now_ms(),
    };
    Some((body, Some(text)))
}

/// Bytes that the browser took for something else and that are text all the same; else how many they are.
fn text_of(bytes: Vec<u8>) -> Result<String, usize> {
    let count = bytes.len();
    let control = |byte: &u8| *byte < 0x20 && !matches!(*byte, b'\t' | b'\n' | b'\r' | 0x0c);
    if bytes.iter().any(control) {
        return Err(count);
    }
    String::from_utf8(bytes).map_err(|_| count)
}

impl NetworkBook {
    /// Asks the browser for the body of an exchange, whole. `None` when it has let go of it.
    pub async fn read_body(&self, one: &Exchange) -> Option<(Body, Option<String>)> {
        let session = one.session.as_ref()?;
        let _turn = self.copies.acquire().await;
        fetch(session, one.wire.clone()).await
    }
}
