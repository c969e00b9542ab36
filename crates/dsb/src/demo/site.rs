//! The demo application's own little web server, on a loopback port of its own.
//!
//! Invariant: it serves three files that are part of the program and nothing else, never on the service's origin.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};

use axum::Router;
use axum::http::{HeaderName, header};
use axum::response::IntoResponse;
use axum::routing::get;
use tokio::net::TcpListener;

/// Nothing from anywhere else, and no frame around it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; frame-ancestors 'none'";

/// Starts serving on a free port, for as long as the runtime lives.
///
/// # Errors
/// When no port is free.
pub async fn start() -> io::Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, files()).await {
            tracing::warn!(%error, "demo application");
        }
    });
    Ok(address)
}

fn files() -> Router {
    Router::new()
        .route(
            "/",
            get(|| file("text/html; charset=utf-8", include_str!("../../demo/index.html"))),
        )
        .route(
            "/app.css",
            get(|| file("text/css; charset=utf-8", include_str!("../../demo/app.css"))),
        )
        .route(
            "/app.js",
            get(|| file("text/javascript; charset=utf-8", include_str!("../../demo/app.js"))),
        )
}

async fn file(media_type: &'static str, text: &'static str) -> impl IntoResponse {
    let headers: [(HeaderName, &str); 4] = [
        (header::CONTENT_TYPE, media_type),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, text)
}
