//! Replies: the envelope's bytes with the headers that every reply of ours carries.
//!
//! Invariant: nothing that the service sends can be framed, sniffed into another type, embedded by another origin or
//! kept by a cache.

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use service::Outgoing;

/// What every envelope is sent as.
const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=utf-8");

const HARDENING: [(HeaderName, HeaderValue); 4] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
];

const NO_CONTENT_POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'; base-uri 'none'");

/// The HTTP form of a reply of the service.
pub fn envelope(outgoing: Outgoing) -> Response {
    let mut response = Response::new(Body::from(outgoing.body));
    *response.status_mut() = StatusCode::from_u16(outgoing.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(header::CONTENT_TYPE, JSON);
    response
}

/// Adds the protective headers; a policy that the route has set itself (a stricter one) stays.
pub fn harden(response: &mut Response) {
    let headers = response.headers_mut();
    for (name, value) in HARDENING {
        headers.insert(name, value);
    }
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(NO_CONTENT_POLICY);
}
