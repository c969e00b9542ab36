//! Files of the site: `/plain/…` are the hand-written pages, everything else is what the bundler made.
//!
//! Invariant: a path never leaves these two folders.

use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use std::path::{Component, Path, PathBuf};

/// Where the pages are: beside this crate in the tree that it was built from.
fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

pub fn has_bundle(name: &str) -> bool {
    fixtures().join("dist").join(name).join("main.js").is_file()
}

/// Serves the file that the request's path names; a folder gives its `index.html`.
pub async fn serve(request: Request) -> Response {
    let path = request.uri().path();
    let Some(file) = locate(&fixtures(), path) else {
        return not_found(path);
    };
    if file.is_dir() {
        return match path.strip_suffix('/') {
            Some(_) => send(&file.join("index.html"), path).await,
            None => Redirect::temporary(&format!("{path}/")).into_response(),
        };
    }
    send(&file, path).await
}

/// A page with a link to every other page, for people who look at the site.
pub async fn index() -> Html<String> {
    let names = |folder: &str| {
        let entries = std::fs::read_dir(fixtures().join(folder))
            .into_iter()
            .flatten()
            .flatten();
        let mut names: Vec<_> = entries
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        names.sort();
        names.retain(|name| !name.starts_with('.'));
        names
    };
    let apps = names("dist").into_iter().map(|name| format!("/{name}/"));
    let pages = names("plain").into_iter().map(|name| format!("/plain/{name}"));
    let links: String = apps
        .chain(pages)
        .map(|path| format!("<li><a href=\"{path}\">{path}</a>"))
        .collect();
    Html(format!(
        "<!doctype html><meta charset=\"utf-8\"><title>Fixture site</title><ul>{links}</ul>"
    ))
}

fn locate(fixtures: &Path, path: &str) -> Option<PathBuf> {
    let relative = Path::new(path.trim_start_matches('/'));
    let plain_names = relative.components().all(|part| matches!(part, Component::Normal(_)));
    if !plain_names || path.contains('\\') {
        return None;
    }
    Some(if relative.starts_with("plain") {
        fixtures.join(relative)
    } else {
        fixtures.join("dist").join(relative)
    })
}

async fn send(file: &Path, path: &str) -> Response {
    match tokio::fs::read(file).await {
        Ok(bytes) => ([(header::CONTENT_TYPE, content_type(file))], bytes).into_response(),
        Err(_) => not_found(path),
    }
}

fn not_found(path: &str) -> Response {
    (
        StatusCode::NOT_FOUND,
        format!("no page {path}; bundled pages exist after ./test has built them"),
    )
        .into_response()
}

fn content_type(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_inside() {
        let root = Path::new("/f");
        assert_eq!(
            locate(root, "/plain/form.html"),
            Some(PathBuf::from("/f/plain/form.html"))
        );
        assert_eq!(locate(root, "/antd/"), Some(PathBuf::from("/f/dist/antd/")));
        for path in ["/../secret", "/plain/../../secret", "/plain\\..\\x"] {
            assert_eq!(locate(root, path), None, "{path}");
        }
    }
}
