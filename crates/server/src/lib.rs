//! HTTP in front of the service: routes, security, task files.
//!
//! It translates and decides nothing about pages. Invariant: the address is bound before anything else is started, so
//! that a program that waits for the port never waits for a browser.

mod data;
mod guard;
mod handlers;
mod reply;
mod routes;
pub mod security;
mod upload;

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::any;
use axum::serve::ListenerExt;
use service::Service;
use service::config::Config;
use tokio::net::{TcpListener, lookup_host};

use crate::guard::Gate;
use crate::security::Policy;

/// Why the service's address could not be taken.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// Everyone on the network could drive a logged-in browser.
    #[error("server.host={host} is reachable from other machines: set server.token first, or use 127.0.0.1")]
    TokenRequired {
        /// The configured host.
        host: String,
    },
    /// The host name has no address.
    #[error("server.host={host} has no address: {source}")]
    Unresolved {
        /// The configured host.
        host: String,
        /// What the resolver said.
        source: io::Error,
    },
    /// The port cannot be taken.
    #[error(
        "cannot listen on {host}:{port}: {source}; is another service running there? (server.port=N takes another port)"
    )]
    Taken {
        /// The configured host.
        host: String,
        /// The configured port.
        port: u16,
        /// What the system said.
        source: io::Error,
    },
}

/// An address that is ours and on which connections already queue up.
#[derive(Debug)]
pub struct Bound {
    listener: TcpListener,
    address: SocketAddr,
}

/// Takes the configured address (`server.host`, `server.port`; port 0 takes a free one).
///
/// # Errors
/// [`BindError`]; nothing is left bound.
pub async fn bind(config: &Config) -> Result<Bound, BindError> {
    let (host, port) = (config.server.host.clone(), config.server.port);
    let bare = host.trim_start_matches('[').trim_end_matches(']').to_owned();
    let found = lookup_host((bare, port)).await.map(Iterator::collect::<Vec<_>>);
    let addresses = found.map_err(|source| BindError::Unresolved {
        host: host.clone(),
        source,
    })?;
    if !config.server.token.is_set() && addresses.iter().any(|address| !address.ip().is_loopback()) {
        return Err(BindError::TokenRequired { host });
    }
    let taken = |source| BindError::Taken {
        host: host.clone(),
        port,
        source,
    };
    let listener = TcpListener::bind(&addresses[..]).await.map_err(taken)?;
    let address = listener.local_addr().map_err(taken)?;
    if !address.ip().is_loopback() {
        tracing::warn!(%address, "the service is reachable from other machines; every request needs the token");
    }
    Ok(Bound { listener, address })
}

impl Bound {
    /// The address, with the port that was really taken.
    pub fn addr(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `shutdown` ends, then finishes the requests under way.
    ///
    /// # Errors
    /// What the system says when the listener itself fails.
    pub async fn serve(
        self,
        service: Arc<Service>,
        config: &Config,
        shutdown: impl Future<Output = ()> + Send + 'static,
    ) -> io::Result<()> {
        let routes = router(service, config, self.address);
        // Replies are written at once; waiting to fill a segment would only add to a command's time.
        let listener = self.listener.tap_io(|stream| {
            if let Err(error) = stream.set_nodelay(true) {
                tracing::debug!(%error, "TCP_NODELAY refused");
            }
        });
        axum::serve(listener, routes).with_graceful_shutdown(shutdown).await
    }
}

/// All routes behind the security layer.
pub fn router(service: Arc<Service>, config: &Config, address: SocketAddr) -> Router {
    let policy = Arc::new(Policy::new(config, address));
    let gate = Gate {
        service,
        policy,
        language: config.server.language,
    };
    Router::new()
        .route(routes::COMMAND, any(handlers::command))
        .route(routes::HEALTH, any(handlers::health))
        .route(routes::METHODS, any(handlers::records))
        .route(routes::TASKS, any(handlers::records))
        .route(routes::CONFIG, any(handlers::records))
        .route(routes::UPLOAD, any(upload::upload))
        .route("/data/{*path}", any(data::file))
        .fallback(handlers::unknown)
        .layer(from_fn_with_state(gate.clone(), guard::guard))
        .with_state(gate)
}
