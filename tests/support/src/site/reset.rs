//! A listener whose connections a handler can reset, as a crashed or overloaded server does.
//!
//! Invariant: a broken connection never carries another byte and ends with RST, not with FIN: the client sees a reset,
//! not an empty answer.

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

pub struct ResettableListener(pub TcpListener);

impl Listener for ResettableListener {
    type Io = Resettable;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Resettable, SocketAddr) {
        // The TcpListener's own implementation knows which errors of accept pass by themselves.
        let (stream, addr) = Listener::accept(&mut self.0).await;
        (
            Resettable {
                stream,
                broken: Arc::default(),
            },
            addr,
        )
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.local_addr()
    }
}

/// What a handler gets to break its own connection.
#[derive(Clone)]
pub struct Breaker(Arc<AtomicBool>);

impl Breaker {
    /// The next write fails and the connection is reset.
    pub fn break_connection(&self) {
        self.0.store(true, Ordering::Release);
    }
}

impl Connected<IncomingStream<'_, ResettableListener>> for Breaker {
    fn connect_info(stream: IncomingStream<'_, ResettableListener>) -> Self {
        Self(Arc::clone(&stream.io().broken))
    }
}

pub struct Resettable {
    stream: TcpStream,
    broken: Arc<AtomicBool>,
}

impl Resettable {
    fn check(&self) -> io::Result<()> {
        if self.broken.load(Ordering::Acquire) {
            Err(io::ErrorKind::ConnectionReset.into())
        } else {
            Ok(())
        }
    }
}

impl Drop for Resettable {
    fn drop(&mut self) {
        if self.broken.load(Ordering::Acquire) {
            // Closing with a zero linger time sends RST (SO_LINGER in socket(7)).
            let _ = self.stream.set_zero_linger();
        }
    }
}

impl AsyncRead for Resettable {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Resettable {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
