//! `/image`: a picture of any kind and size, or what a server sends in its place.

use axum::body::{Body, Bytes};
use axum::extract::Query;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::Deserialize;
use std::convert::Infallible;

/// A PNG of one pixel.
pub const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\0\x05\0\x01\xff\x89\x99=\x1d\0\0\0\0IEND\xaeB`\x82";
const SVG: &[u8] =
    b"<svg xmlns='http://www.w3.org/2000/svg' width='30' height='20'><rect width='30' height='20'/></svg>";
const HTML: &[u8] = b"<!doctype html><title>Sign in</title><p>Sign in first";
/// How much is sent at once of what is larger than a picture.
const PART: usize = 1 << 20;

#[derive(Deserialize)]
#[serde(default)]
pub struct Image {
    /// `png`, `svg` or `html`.
    kind: String,
    /// Media type, when it is not that of the kind; empty for none.
    r#type: Option<String>,
    /// A cookie without which the answer is 403.
    cookie: Option<String>,
    /// Bytes in all, zeros after the content, without a length told beforehand.
    bytes: usize,
}

impl Default for Image {
    fn default() -> Self {
        Self {
            kind: "png".into(),
            r#type: None,
            cookie: None,
            bytes: 0,
        }
    }
}

pub async fn image(Query(wanted): Query<Image>, headers: HeaderMap) -> Response {
    let sent = headers.get(header::COOKIE).and_then(|cookies| cookies.to_str().ok());
    let has = |cookie: &str| sent.unwrap_or_default().split("; ").any(|sent| sent == cookie);
    if wanted.cookie.as_deref().is_some_and(|cookie| !has(cookie)) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let (content, own_type) = match wanted.kind.as_str() {
        "svg" => (SVG, "image/svg+xml"),
        "html" => (HTML, "text/html"),
        _ => (PNG, "image/png"),
    };
    let mut response = body(content, wanted.bytes).into_response();
    let kind = wanted.r#type.as_deref().unwrap_or(own_type);
    response.headers_mut().remove(header::CONTENT_TYPE);
    if let (false, Ok(kind)) = (kind.is_empty(), HeaderValue::from_str(kind)) {
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
    }
    response
}

fn body(content: &'static [u8], bytes: usize) -> Body {
    let rest = bytes.saturating_sub(content.len());
    if rest == 0 {
        return Body::from(content);
    }
    let zeros = (0..rest.div_ceil(PART)).map(move |part| Bytes::from(vec![0; PART.min(rest - part * PART)]));
    let parts = std::iter::once(Bytes::from_static(content)).chain(zeros);
    Body::from_stream(stream::iter(parts.map(Ok::<_, Infallible>)))
}
