//! A site that speaks TLS with a certificate that nobody has signed.
//!
//! Invariant: the key is made for the one run and is stored nowhere.

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use axum::serve::Listener;
use rcgen::CertifiedKey;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{Receiver, channel};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::{ServerConfig, version};
use tokio_rustls::server::TlsStream;

/// A running site; it ends at drop.
pub struct TlsSite {
    addr: SocketAddr,
    runtime: Option<Runtime>,
}

impl TlsSite {
    /// Starts the site on a free port.
    pub fn start() -> Self {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime for the site");
        let addr = runtime.block_on(serve(acceptor()));
        Self {
            addr,
            runtime: Some(runtime),
        }
    }

    /// An address of the site.
    pub fn url(&self) -> String {
        format!("https://127.0.0.1:{}/", self.addr.port())
    }
}

impl Drop for TlsSite {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn acceptor() -> TlsAcceptor {
    let names = vec!["127.0.0.1".to_owned()];
    let CertifiedKey { cert, signing_key } = rcgen::generate_simple_self_signed(names).expect("a certificate");
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).expect("a private key");
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_protocol_versions(&[&version::TLS13, &version::TLS12])
        .expect("versions that the provider has")
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)
        .expect("a key that fits the certificate");
    TlsAcceptor::from(Arc::new(config))
}

async fn serve(acceptor: TlsAcceptor) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
    let addr = listener.local_addr().expect("the address of a listener");
    let (sender, ready) = channel(16);
    tokio::spawn(async move {
        while let Ok((stream, from)) = listener.accept().await {
            let (acceptor, sender) = (acceptor.clone(), sender.clone());
            // One that never shakes hands holds up nobody else.
            tokio::spawn(async move {
                if let Ok(stream) = acceptor.accept(stream).await {
                    let _ = sender.send((stream, from)).await;
                }
            });
        }
    });
    let router = Router::new().route("/", get(|| async { Html("<title>Behind TLS</title>") }));
    tokio::spawn(async move { axum::serve(Handshaken { ready, addr }, router).await });
    addr
}

/// Connections whose handshake is done.
struct Handshaken {
    ready: Receiver<(TlsStream<TcpStream>, SocketAddr)>,
    addr: SocketAddr,
}

impl Listener for Handshaken {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, SocketAddr) {
        match self.ready.recv().await {
            Some(connection) => connection,
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.addr)
    }
}
