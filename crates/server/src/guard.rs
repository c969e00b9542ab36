//! The layer around all routes: judges each request, refuses or passes it on, and finishes each reply.
//!
//! Invariant: no handler runs for a request that was not judged; no reply leaves without the protective headers.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use futures_util::StreamExt;
use service::Service;
use service::messages::Language;

use crate::reply;
use crate::routes::Route;
use crate::security::{Head, Policy, Refusal, Verdict, decide};

/// A client that writes its whole body before it reads would miss a refusal that comes earlier, so this much of a
/// refused body is read and thrown away first.
const DRAIN_BYTES: u64 = 256 * 1024 * 1024;
const DRAIN_TIME: Duration = Duration::from_secs(2);

/// What the layer and the handlers share.
#[derive(Clone)]
pub struct Gate {
    /// The service behind the routes.
    pub service: Arc<Service>,
    /// What is allowed.
    pub policy: Arc<Policy>,
    /// Language of replies to clients that name none.
    pub language: Language,
}

impl Gate {
    /// The language that a request asks for.
    pub fn language(&self, headers: &HeaderMap) -> Language {
        let asked = headers
            .get(header::ACCEPT_LANGUAGE)
            .and_then(|value| value.to_str().ok());
        Language::from_accept_language(asked, self.language)
    }

    /// The reply that says why a request is not served.
    pub fn refuse(&self, refusal: &Refusal, language: Language) -> Response {
        let status = refusal.status();
        let mut response = reply::envelope(self.service.failure(status.as_u16(), refusal.failure(), language));
        let extra = match refusal {
            Refusal::Token => Some((header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))),
            Refusal::Verb { allowed, .. } => HeaderValue::from_str(allowed).ok().map(|value| (header::ALLOW, value)),
            _ => None,
        };
        if let Some((name, value)) = extra {
            response.headers_mut().insert(name, value);
        }
        response
    }
}

/// The middleware itself.
pub async fn guard(State(gate): State<Gate>, request: Request, next: Next) -> Response {
    let head = Head {
        method: request.method(),
        uri: request.uri(),
        headers: request.headers(),
    };
    let verdict = decide(&gate.policy, &head);
    let language = gate.language(request.headers());
    let origin = request.headers().get(header::ORIGIN).cloned();
    let mut response = match &verdict {
        Ok(Verdict::Serve { .. }) => next.run(request).await,
        Ok(Verdict::Preflight { route }) => preflight(*route),
        Err(refusal) => {
            tracing::info!(
                reason = refusal.reason(),
                status = refusal.status().as_u16(),
                "request refused"
            );
            drain(request.into_body()).await;
            gate.refuse(refusal, language)
        }
    };
    reply::harden(&mut response);
    if let (Ok(Verdict::Serve { listed: true, .. } | Verdict::Preflight { .. }), Some(origin)) = (verdict, origin) {
        allow_origin(&mut response, origin);
    }
    response
}

fn preflight(route: Route) -> Response {
    let verbs: Vec<_> = route.verbs().iter().map(|verb| verb.as_str()).collect();
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    if let Ok(verbs) = HeaderValue::from_str(&verbs.join(", ")) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, verbs);
    }
    let allowed = HeaderValue::from_static("content-type, authorization, accept-language");
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, allowed);
    // Chromium asks for this before a public page may reach a loopback address.
    let private = HeaderName::from_static("access-control-allow-private-network");
    headers.insert(private, HeaderValue::from_static("true"));
    response
}

fn allow_origin(response: &mut Response, origin: HeaderValue) {
    response
        .headers_mut()
        .insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    response
        .headers_mut()
        .append(header::VARY, HeaderValue::from_static("Origin"));
}

async fn drain(body: Body) {
    let mut stream = body.into_data_stream();
    let mut seen = 0u64;
    let discard = async {
        while let Some(Ok(chunk)) = stream.next().await {
            seen = seen.saturating_add(chunk.len() as u64);
            if seen > DRAIN_BYTES {
                break;
            }
        }
    };
    // Reaching the limit only means that the client may see a closed connection instead of the reason.
    let _ = tokio::time::timeout(DRAIN_TIME, discard).await;
}

/// Reads a whole body within the policy's limit.
///
/// # Errors
/// [`Refusal::TooLarge`] for a body that grew beyond the limit without having declared it, [`Refusal::BrokenBody`]
/// when it ended early.
pub async fn collect(policy: &Policy, body: Body) -> Result<Vec<u8>, Refusal> {
    let limit = policy.body_limit();
    let mut stream = body.into_data_stream();
    let mut whole = Vec::new();
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|_| Refusal::BrokenBody)?;
        whole.extend_from_slice(&chunk);
        if let Some(limit) = limit.filter(|limit| whole.len() as u64 > *limit) {
            return Err(Refusal::TooLarge { limit });
        }
    }
    Ok(whole)
}
