//! `/download`: an attachment of any name and size, at once or with a pause in the middle.

use axum::body::{Body, Bytes};
use axum::extract::Query;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::Deserialize;
use std::convert::Infallible;
use std::fmt::Write;
use std::time::Duration;

/// The largest file that is made.
const MAX_BYTES: usize = 64 << 20;

#[derive(Deserialize)]
#[serde(default)]
pub struct Download {
    name: String,
    bytes: usize,
    /// Pause between the two halves, in milliseconds.
    ms: u64,
    /// Pause before the head of the answer, in milliseconds.
    delay: u64,
}

impl Default for Download {
    fn default() -> Self {
        Self {
            name: "download.txt".into(),
            bytes: 1024,
            ms: 0,
            delay: 0,
        }
    }
}

pub async fn download(Query(wanted): Query<Download>) -> Response {
    tokio::time::sleep(Duration::from_millis(wanted.delay)).await;
    let mut content = content(wanted.bytes.min(MAX_BYTES));
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/octet-stream"),
        ),
        (header::CONTENT_LENGTH, content.len().into()),
        (header::CONTENT_DISPOSITION, disposition(&wanted.name)),
    ];
    if wanted.ms == 0 {
        return (headers, content).into_response();
    }
    let rest = content.split_off(content.len() / 2);
    let parts = vec![(0, content), (wanted.ms, rest)];
    let halves = stream::unfold(parts.into_iter(), |mut parts| async move {
        let (pause, part) = parts.next()?;
        tokio::time::sleep(Duration::from_millis(pause)).await;
        Some((Ok::<_, Infallible>(part), parts))
    });
    (headers, Body::from_stream(halves)).into_response()
}

/// Lines of text, so that a truncated or doubled file is seen at a glance.
fn content(bytes: usize) -> Bytes {
    let mut text: String = (1..).map(|line| format!("line {line}\n")).take(bytes / 6 + 1).collect();
    text.truncate(bytes);
    text.into()
}

/// The header with the name in UTF-8 (RFC 6266, RFC 8187).
fn disposition(name: &str) -> HeaderValue {
    let mut encoded = String::from("attachment; filename*=UTF-8''");
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(byte.into());
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    HeaderValue::from_str(&encoded).expect("only visible ASCII") // every other byte was percent-encoded above
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_has_the_asked_size() {
        for bytes in [0, 1, 6, 7, 1000, 65_536] {
            assert_eq!(content(bytes).len(), bytes);
        }
    }

    #[test]
    fn names_are_encoded() {
        assert_eq!(disposition("a b.txt"), "attachment; filename*=UTF-8''a%20b.txt");
        assert_eq!(disposition("报.csv"), "attachment; filename*=UTF-8''%E6%8A%A5.csv");
    }
}
