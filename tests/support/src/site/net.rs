//! `/net/…`: answers whose bodies are large, packed, binary or in other character sets, sockets, and a service worker.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Query;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use futures_util::stream;
use serde::Deserialize;
use std::convert::Infallible;
use std::time::Duration;

/// `{"packed": "text text …"}`, 40 times the word, packed (RFC 1952).
const PACKED: &[u8] = &[
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xab, 0x56, 0x2a, 0x48, 0x4c, 0xce, 0x4e, 0x4d, 0x51,
    0xb2, 0x52, 0x50, 0x2a, 0x49, 0xad, 0x28, 0x51, 0x18, 0x06, 0x84, 0x52, 0x2d, 0x00, 0xe9, 0x3e, 0x78, 0x48, 0xd6,
    0x00, 0x00, 0x00,
];
/// The largest body that is made.
const MAX_BYTES: usize = 64 << 20;

pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/net/large", get(large))
        .route("/net/binary", get(binary))
        .route("/net/charset", get(charset))
        .route("/net/packed", get(packed))
        .route("/net/drip", get(drip))
        .route("/net/empty", any(empty))
        .route("/net/shared", any(shared))
        .route("/net/login", any(login))
        .route("/net/socket", any(socket))
        .route("/net/worker.js", get(worker))
}

#[derive(Deserialize)]
struct Size {
    bytes: usize,
}

/// So many letters.
async fn large(Query(Size { bytes }): Query<Size>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain")], "x".repeat(bytes.min(MAX_BYTES)))
}

async fn binary() -> impl IntoResponse {
    let bytes: Vec<u8> = (0..=255).collect();
    ([(header::CONTENT_TYPE, "application/octet-stream")], bytes)
}

/// Two characters in GBK.
async fn charset() -> impl IntoResponse {
    (
        [(header::CONTENT_TYPE, "text/plain; charset=gbk")],
        &b"\xc4\xe3\xba\xc3"[..],
    )
}

async fn packed() -> impl IntoResponse {
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CONTENT_ENCODING, "gzip"),
    ];
    (headers, PACKED)
}

/// Five lines, one every 50 ms.
async fn drip() -> impl IntoResponse {
    let lines = stream::unfold(0u64, |n| async move {
        if n == 5 {
            return None;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        Some((Ok::<_, Infallible>(Bytes::from(format!("line {n}\n"))), n + 1))
    });
    ([(header::CONTENT_TYPE, "text/plain")], Body::from_stream(lines))
}

async fn empty() -> StatusCode {
    StatusCode::NO_CONTENT
}

/// May be read by any origin, once it has asked (a preflight).
async fn shared(method: Method, headers: HeaderMap) -> Response {
    let origin = headers
        .get(header::ORIGIN)
        .and_then(|value| value.to_str().ok())
        .unwrap_or("*");
    let allowed = [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, origin),
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, PUT"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "x-asked"),
        (header::CONTENT_TYPE, "application/json"),
    ];
    let body = if method == Method::OPTIONS {
        ""
    } else {
        "{\"shared\":true}"
    };
    (allowed, body).into_response()
}

/// Sets a cookie and hands out what must not be told on.
async fn login() -> impl IntoResponse {
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::SET_COOKIE, "session=cookie-secret-1; Path=/"),
        (HeaderName::from_static("x-api-key"), "key-secret-1"),
    ];
    (
        headers,
        "{\"user\":\"ann\",\"password\":\"body-secret-1\",\"access_token\":\"body-secret-2\"}",
    )
}

/// Sends back what it is sent.
async fn socket(upgrade: WebSocketUpgrade) -> Response {
    upgrade.on_upgrade(echo)
}

async fn echo(mut socket: WebSocket) {
    while let Some(Ok(message)) = socket.recv().await {
        let echoed = match message {
            Message::Text(text) => Message::Text(format!("echo {text}").into()),
            Message::Binary(bytes) => Message::Binary(bytes),
            _ => continue,
        };
        if socket.send(echoed).await.is_err() {
            return;
        }
    }
}

/// Answers `/net/stored` itself and fetches everything else.
async fn worker() -> impl IntoResponse {
    let script = r#"
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.pathname === "/net/stored") event.respondWith(new Response('{"from":"worker"}', { headers: { "content-type": "application/json" } }));
  else if (url.pathname === "/xhr") event.respondWith(fetch(event.request));
});"#;
    let headers = [
        (header::CONTENT_TYPE, "text/javascript"),
        (HeaderName::from_static("service-worker-allowed"), "/"),
    ];
    (headers, script)
}
