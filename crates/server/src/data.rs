//! `/data/<id>/<file>`: files of tasks, read only.
//!
//! Invariant: what is sent is a regular file inside the data directory, reached without following a symbolic link,
//! and a browser that shows it can run nothing in the service's name.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use axum::body::Body;
use axum::extract::{Path as UrlPath, Request, State, rejection::PathRejection};
use axum::http::{HeaderValue, Method, header};
use axum::response::Response;
use service::files::resolve_data_path;
use tokio::fs::{File, OpenOptions};
use tokio::io::AsyncReadExt;

use crate::guard::Gate;
use crate::security::Refusal;

/// Everything that a file could load or run is off, and its origin is an opaque one (CSP level 3, `sandbox`).
const SANDBOX: HeaderValue =
    HeaderValue::from_static("sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");

const CHUNK: usize = 64 * 1024;

/// How a file is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    media_type: &'static str,
    inline: bool,
}

impl Kind {
    const fn shown(media_type: &'static str) -> Self {
        Self {
            media_type,
            inline: true,
        }
    }

    const fn attached(media_type: &'static str) -> Self {
        Self {
            media_type,
            inline: false,
        }
    }
}

/// Types by extension; only those that cannot carry script of their own are shown in place.
const KINDS: &[(&str, Kind)] = &[
    ("png", Kind::shown("image/png")),
    ("jpg", Kind::shown("image/jpeg")),
    ("jpeg", Kind::shown("image/jpeg")),
    ("webp", Kind::shown("image/webp")),
    ("txt", Kind::shown("text/plain; charset=utf-8")),
    ("pdf", Kind::shown("application/pdf")),
    ("json", Kind::attached("application/json; charset=utf-8")),
    ("csv", Kind::attached("text/csv; charset=utf-8")),
    ("gif", Kind::attached("image/gif")),
    ("svg", Kind::attached("image/svg+xml")),
    ("html", Kind::attached("text/html; charset=utf-8")),
    ("zip", Kind::attached("application/zip")),
];

const UNKNOWN_KIND: Kind = Kind::attached("application/octet-stream");

fn kind_of(path: &Path) -> Kind {
    let extension = path
        .extension()
        .and_then(OsStr::to_str)
        .unwrap_or_default()
        .to_ascii_lowercase();
    KINDS
        .iter()
        .find(|(known, _)| *known == extension)
        .map_or(UNKNOWN_KIND, |(_, kind)| *kind)
}

/// The handler of the route.
pub async fn file(
    State(gate): State<Gate>,
    path: Result<UrlPath<String>, PathRejection>,
    request: Request,
) -> Response {
    let language = gate.language(request.headers());
    let (head_only, asked) = (request.method() == Method::HEAD, request.uri().path().to_owned());
    drop(request);
    let missing = || gate.refuse(&Refusal::no_file(&asked), language);
    let Ok(UrlPath(path)) = path else { return missing() };
    let Some(found) = resolve_data_path(&gate.service.config().work_dir, &format!("/data/{path}")) else {
        return missing();
    };
    match open_regular(&found).await {
        Ok((file, length)) => respond(kind_of(&found), file, length, head_only),
        Err(error) => {
            tracing::debug!(%error, path = %found.display(), "task file not sent");
            missing()
        }
    }
}

/// Opens without following a link that was put there since the path was checked, and without waiting on a FIFO.
async fn open_regular(path: &Path) -> io::Result<(File, u64)> {
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
        .open(path)
        .await?;
    let facts = file.metadata().await?;
    if facts.is_file() {
        Ok((file, facts.len()))
    } else {
        Err(io::ErrorKind::NotFound.into())
    }
}

fn respond(kind: Kind, file: File, length: u64, head_only: bool) -> Response {
    let body = if head_only {
        Body::empty()
    } else {
        Body::from_stream(chunks(file, length))
    };
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind.media_type));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    headers.insert(header::CONTENT_SECURITY_POLICY, SANDBOX);
    if !kind.inline {
        headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment"));
    }
    response
}

/// The first `length` bytes, so that a file that is still growing keeps to the length announced.
fn chunks(file: File, length: u64) -> impl futures_util::Stream<Item = io::Result<Vec<u8>>> {
    futures_util::stream::try_unfold(file.take(length), |mut rest| async move {
        let mut chunk = Vec::with_capacity(CHUNK);
        let read = (&mut rest).take(CHUNK as u64).read_to_end(&mut chunk).await?;
        Ok((read > 0).then_some((chunk, rest)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_inert_types_are_shown_in_place() {
        let shown: Vec<_> = KINDS
            .iter()
            .filter(|(_, kind)| kind.inline)
            .map(|(extension, _)| *extension)
            .collect();
        assert_eq!(shown, ["png", "jpg", "jpeg", "webp", "txt", "pdf"]);
    }

    #[test]
    fn the_extension_decides_whatever_its_case() {
        assert_eq!(kind_of(Path::new("a/b.PNG")).media_type, "image/png");
        for odd in ["a/b", "a/.png", "a/b.png.exe", "a/b.xhtml"] {
            assert_eq!(kind_of(Path::new(odd)), UNKNOWN_KIND, "{odd}");
        }
    }
}
