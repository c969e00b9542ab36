//! Routes that answer late, wrongly or not at all, and routes that tell what they were sent.

use super::counters::Counters;
use super::reset::Breaker;
use super::{download, files, image, net};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{any, get, post};
use futures_util::stream;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

type Count = State<Arc<Counters>>;

pub fn router(counters: Arc<Counters>) -> Router {
    Router::new()
        .route("/", get(files::index))
        .route("/slow", any(slow))
        .route("/status/{code}", any(status))
        .route("/redirect", any(redirect))
        .route("/echo", any(echo))
        .route("/counter", get(counter))
        .route("/submit", post(submit))
        .route("/xhr", any(rows))
        .route("/download", get(download::download))
        .route("/drop", any(reset))
        .route("/image", get(image::image))
        .route("/password", any(password))
        .route("/loop", get(endless))
        .route("/auth", get(locked))
        .route("/events", get(events))
        .merge(net::router())
        .fallback(get(files::serve))
        .layer(from_fn(uncached))
        // Outside the layer: the browser may keep such a page whole and bring it back.
        .route("/kept", get(kept))
        .with_state(counters)
}

/// A cached page would hide a request that a test counts on.
async fn uncached(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// The empty icon keeps the browser from asking for one, which a test's request log would show.
fn page(title: &str, body: &str) -> Html<String> {
    let head = format!("<meta charset=\"utf-8\"><title>{title}</title><link rel=\"icon\" href=\"data:,\">");
    Html(format!("<!doctype html>{head}<h1>{title}</h1>{body}"))
}

fn json_reply(value: &Value) -> impl IntoResponse + use<> {
    ([(header::CONTENT_TYPE, "application/json")], value.to_string())
}

#[derive(Deserialize)]
struct Delay {
    #[serde(default)]
    ms: u64,
}

/// A page that comes after `ms`.
async fn slow(Query(Delay { ms }): Query<Delay>) -> impl IntoResponse {
    tokio::time::sleep(Duration::from_millis(ms)).await;
    page("Slow", &format!("<p>answered after {ms} ms</p>"))
}

/// A page with this status; a number that is none gives 400.
async fn status(Path(code): Path<u16>) -> Response {
    let code = StatusCode::from_u16(code).unwrap_or(StatusCode::BAD_REQUEST);
    (code, page(&format!("Status {}", code.as_u16()), "")).into_response()
}

#[derive(Deserialize)]
struct Target {
    to: String,
    /// Which of the redirecting statuses; 302 when none is asked for.
    code: Option<u16>,
}

async fn redirect(Query(Target { to, code }): Query<Target>) -> Response {
    let code = code
        .and_then(|code| StatusCode::from_u16(code).ok())
        .unwrap_or(StatusCode::FOUND);
    match HeaderValue::from_str(&to) {
        Ok(to) => (code, [(header::LOCATION, to)]).into_response(),
        Err(_) => StatusCode::BAD_REQUEST.into_response(),
    }
}

#[derive(Deserialize)]
struct Key {
    #[serde(default = "Key::unnamed")]
    key: String,
}

impl Key {
    fn unnamed() -> String {
        "default".into()
    }
}

/// Tells the request as JSON; a POST counts on its `key`.
async fn echo(
    State(counters): Count,
    Query(Key { key }): Query<Key>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> impl IntoResponse {
    if method == Method::POST {
        counters.add(&key);
    }
    let headers: Map<_, _> = headers
        .iter()
        .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into()))
        .collect();
    json_reply(&json!({
        "method": method.as_str(),
        "path": uri.path(),
        "query": uri.query().unwrap_or_default(),
        "headers": headers,
        "body": String::from_utf8_lossy(&body),
    }))
}

/// How often [`submit`] was called with this key.
async fn counter(State(counters): Count, Query(Key { key }): Query<Key>) -> impl IntoResponse {
    json_reply(&counters.get(&key).into())
}

async fn submit(State(counters): Count, Query(Key { key }): Query<Key>, body: Bytes) -> impl IntoResponse {
    let count = counters.add(&key);
    page(
        "Submitted",
        &format!(
            "<p>Submission <span id=\"count\">{count}</span>, {} bytes</p>",
            body.len()
        ),
    )
}

#[derive(Deserialize)]
#[serde(default)]
struct Rows {
    ms: u64,
    n: usize,
    q: String,
}

impl Default for Rows {
    fn default() -> Self {
        Self {
            ms: 0,
            n: 5,
            q: String::new(),
        }
    }
}

/// `n` rows as JSON after `ms`; `q` becomes part of their names.
async fn rows(Query(Rows { ms, n, q }): Query<Rows>) -> impl IntoResponse {
    tokio::time::sleep(Duration::from_millis(ms)).await;
    let name = if q.is_empty() { "item" } else { &q };
    let rows: Vec<_> = (1..=n.min(10_000))
        .map(|i| json!({"id": i, "name": format!("{name} {i}"), "amount": i * 3}))
        .collect();
    json_reply(&json!({"query": q, "rows": rows}))
}

/// Asks for a name and a password, in the way that makes browsers open a window for it (RFC 7617).
async fn password() -> Response {
    let ask = HeaderValue::from_static("Basic realm=\"fixtures\"");
    (
        StatusCode::UNAUTHORIZED,
        [(header::WWW_AUTHENTICATE, ask)],
        page("Password", ""),
    )
        .into_response()
}

/// Takes the request and resets the connection.
async fn reset(ConnectInfo(breaker): ConnectInfo<Breaker>) -> StatusCode {
    breaker.break_connection();
    StatusCode::OK
}

/// A redirect to itself.
async fn endless() -> impl IntoResponse {
    (StatusCode::FOUND, [(header::LOCATION, "/loop")])
}

/// A page for those who know the password (user `user`, password `pass`).
async fn locked(headers: HeaderMap) -> Response {
    let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if given == Some("Basic dXNlcjpwYXNz") {
        return page("Unlocked", "").into_response();
    }
    let ask = [(header::WWW_AUTHENTICATE, "Basic realm=\"fixture\"")];
    (StatusCode::UNAUTHORIZED, ask, page("Locked", "")).into_response()
}

/// An event stream that never ends.
async fn events() -> impl IntoResponse {
    let ticks = stream::unfold(0u64, |n| async move {
        if n > 0 {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        Some((Ok::<_, Infallible>(Bytes::from(format!("data: {n}\n\n"))), n + 1))
    });
    ([(header::CONTENT_TYPE, "text/event-stream")], Body::from_stream(ticks))
}

/// A page that may be cached and that counts how often it was made.
async fn kept() -> impl IntoResponse {
    let script = "<p>Typed: <span id=\"typed\"></span></p><script>window.made = Math.random()</script>";
    page("Kept", script)
}
