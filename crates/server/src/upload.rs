//! `/playwright/upload`: reads a body in any of its three forms and hands the file to the store.
//!
//! Invariant: nothing is kept of a body that could not be read to its end, and a page can make none of the three forms
//! count without having passed the security layer.

use axum::body::Body;
use axum::extract::{DefaultBodyLimit, FromRequest, Multipart, Query, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::Response;
use serde::Deserialize;
use service::failure::Failure;
use service::messages::{Language, Text};
use service::text;

use crate::guard::{Gate, collect};
use crate::reply;

/// Part of a multipart body that is taken when the address names none.
const DEFAULT_FIELD: &str = "file";

#[derive(Debug, Default, Deserialize)]
struct Wanted {
    field: Option<String>,
    filename: Option<String>,
    name: Option<String>,
}

/// The body of a JSON upload.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Inline {
    #[serde(default)]
    filename: String,
    content_base64: String,
    content_type: Option<String>,
}

/// A file that arrived.
struct Arrived {
    name: String,
    content_type: Option<String>,
    bytes: Vec<u8>,
}

/// The route.
pub async fn upload(State(gate): State<Gate>, request: Request) -> Response {
    let language = gate.language(request.headers());
    let wanted = Query::<Wanted>::try_from_uri(request.uri())
        .map(|query| query.0)
        .unwrap_or_default();
    let (parts, body) = request.into_parts();
    let bytes = match collect(&gate.policy, body).await {
        Ok(bytes) => bytes,
        Err(refusal) => return gate.refuse(&refusal, language),
    };
    let service = std::sync::Arc::clone(&gate.service);
    if parts.method == Method::POST {
        let arrived = match arrived(&parts.headers, wanted, bytes).await {
            Ok(arrived) => arrived,
            Err(reason) => return refuse(&gate, reason, language),
        };
        let Arrived {
            name,
            content_type,
            bytes,
        } = arrived;
        return blocking(move || service.keep_upload(&name, content_type.as_deref(), &bytes, language)).await;
    }
    if parts.method == Method::DELETE {
        let Some(name) = wanted.name else {
            return refuse(&gate, text!("server.upload_name_missing"), language);
        };
        return blocking(move || service.delete_upload(&name, language)).await;
    }
    blocking(move || service.list_uploads(language)).await
}

/// Work on files, away from the threads that serve requests.
async fn blocking(work: impl FnOnce() -> service::Outgoing + Send + 'static) -> Response {
    match tokio::task::spawn_blocking(work).await {
        Ok(outgoing) => reply::envelope(outgoing),
        Err(error) => {
            tracing::error!(%error, "an upload was not finished");
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
            response
        }
    }
}

fn refuse(gate: &Gate, reason: Text, language: Language) -> Response {
    let status = StatusCode::BAD_REQUEST.as_u16();
    reply::envelope(gate.service.failure(status, Failure::invalid(reason), language))
}

async fn arrived(headers: &HeaderMap, wanted: Wanted, bytes: Vec<u8>) -> Result<Arrived, Text> {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = content_type
        .unwrap_or_default()
        .split(';')
        .next()
        .unwrap_or_default()
        .trim();
    if essence.eq_ignore_ascii_case("multipart/form-data") {
        return part_of(content_type.unwrap_or_default(), &wanted, bytes).await;
    }
    if essence.eq_ignore_ascii_case("application/json") && wanted.filename.is_none() {
        let inline: Inline =
            serde_json::from_slice(&bytes).map_err(|error| text!("server.upload_bad_json", reason = error))?;
        let bytes = service::uploads::decoded(&inline.content_base64)?;
        return Ok(Arrived {
            name: inline.filename,
            content_type: inline.content_type.or(bytes.content_type),
            bytes: bytes.bytes,
        });
    }
    Ok(Arrived {
        name: wanted.filename.unwrap_or_default(),
        content_type: content_type.map(str::to_owned),
        bytes,
    })
}

/// The wanted part of a multipart body.
async fn part_of(content_type: &str, wanted: &Wanted, bytes: Vec<u8>) -> Result<Arrived, Text> {
    let bad = |reason: String| text!("server.upload_bad_multipart", reason = reason);
    let field = wanted.field.as_deref().unwrap_or(DEFAULT_FIELD);
    let mut request = Request::builder()
        .header(header::CONTENT_TYPE, content_type)
        .body(Body::from(bytes))
        .map_err(|error| bad(error.to_string()))?;
    // The policy's limit has been kept already; the framework's own is smaller.
    DefaultBodyLimit::disable().apply(&mut request);
    let mut parts = Multipart::from_request(request, &())
        .await
        .map_err(|error| bad(error.to_string()))?;
    while let Some(part) = parts.next_field().await.map_err(|error| bad(error.to_string()))? {
        if part.name() != Some(field) {
            continue;
        }
        let name = wanted.filename.clone().or_else(|| part.file_name().map(str::to_owned));
        let content_type = part.content_type().map(str::to_owned);
        let bytes = part.bytes().await.map_err(|error| bad(error.to_string()))?;
        return Ok(Arrived {
            name: name.unwrap_or_default(),
            content_type,
            bytes: bytes.to_vec(),
        });
    }
    Err(text!("server.upload_no_part", field = field))
}
