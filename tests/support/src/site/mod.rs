//! The fixture site: bundled applications, hand-written pages and routes that behave badly on request.
//!
//! Invariant: both listeners are on the loopback interface and serve the same content. `a` is 127.0.0.1, `b` is
//! localhost on another port: not only two origins but two sites, so a browser puts them into different processes.

mod counters;
mod download;
mod files;
mod image;
mod net;
mod reset;
mod routes;
mod tls;

use axum::Router;
use counters::Counters;
use reset::{Breaker, ResettableListener};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

pub use tls::TlsSite;

/// A running site; it ends at drop.
pub struct Site {
    /// The first listener, spoken to as 127.0.0.1.
    pub addr_a: SocketAddr,
    /// The second listener, spoken to as localhost.
    pub addr_b: SocketAddr,
    counters: Arc<Counters>,
    runtime: Option<Runtime>,
}

impl Site {
    /// Starts the site on two free ports. It has threads of its own, so a test needs no runtime.
    pub fn start() -> Self {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a runtime for the site");
        let counters = Arc::new(Counters::default());
        let router = routes::router(Arc::clone(&counters));
        let [addr_a, addr_b] = [(); 2].map(|()| runtime.block_on(listen(router.clone())));
        Self {
            addr_a,
            addr_b,
            counters,
            runtime: Some(runtime),
        }
    }

    /// An address on the first origin; `path` begins with a slash.
    pub fn a(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.addr_a.port())
    }

    /// An address on the second origin.
    pub fn b(&self, path: &str) -> String {
        format!("http://localhost:{}{path}", self.addr_b.port())
    }

    /// The address of a bundled application (a folder of `tests/fixtures` with `main.js`); panics when it was not built.
    #[track_caller]
    pub fn app(&self, name: &str) -> String {
        assert!(
            files::has_bundle(name),
            "the page {name} is not built: ./test builds it, or `npm ci && npm run build`"
        );
        self.a(&format!("/{name}/"))
    }

    /// How often `POST /submit?key=` (or `/echo?key=`) was called with this key.
    pub fn count(&self, key: &str) -> u64 {
        self.counters.get(key)
    }

    /// Waits until the counter has reached `least`; panics at `limit`.
    #[track_caller]
    pub fn await_count(&self, key: &str, least: u64, limit: Duration) -> u64 {
        let count = self.counters.wait(key, least, limit);
        assert!(count >= least, "counter {key} is {count}, not {least}, after {limit:?}");
        count
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // Not a plain drop: that would wait for slow answers, and is forbidden inside a test's own runtime.
            runtime.shutdown_background();
        }
    }
}

async fn listen(router: Router) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .await
        .expect("a free port on loopback");
    let addr = listener.local_addr().expect("the address of a listener");
    let service = router.into_make_service_with_connect_info::<Breaker>();
    tokio::spawn(async move { axum::serve(ResettableListener(listener), service).await });
    addr
}
