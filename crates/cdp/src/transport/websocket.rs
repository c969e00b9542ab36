//! The WebSocket transport, for browsers that somebody else started. One message is one frame: Chromium's server does
//! not accept fragments. Plain `ws:` only; a TLS end point needs a tunnel.

use super::{BoxFuture, Limits, Transport, TransportError, TransportReader, TransportWriter};
use crate::error::CdpError;
use bytes::Bytes;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::error::CapacityError;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

type Stream = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A connected WebSocket.
pub struct WebSocket {
    stream: Stream,
}

impl WebSocket {
    /// Connects to the browser's `webSocketDebuggerUrl`. Fails with [`CdpError::BrowserGone`], whose reason says what
    /// was wrong: the address, the connection, the handshake, or the time that they took.
    pub async fn connect(url: &str, limits: Limits) -> Result<Self, CdpError> {
        let config = WebSocketConfig::default()
            .max_message_size(Some(limits.max_message_bytes))
            .max_frame_size(Some(limits.max_message_bytes));
        // Commands are small and wait for their answers: Nagle's algorithm would only delay them.
        let connecting = tokio_tungstenite::connect_async_with_config(url, Some(config), true);
        let connected = tokio::time::timeout(limits.connect_timeout, connecting).await;
        let failed = |cause: String| CdpError::BrowserGone {
            reason: format!("cannot connect to {url}: {cause}"),
        };
        match connected {
            Ok(Ok((stream, _response))) => Ok(Self { stream }),
            Ok(Err(error)) => Err(failed(error.to_string())),
            Err(_) => Err(failed(format!("no answer within {:?}", limits.connect_timeout))),
        }
    }
}

impl Transport for WebSocket {
    fn split(self: Box<Self>) -> (Box<dyn TransportWriter>, Box<dyn TransportReader>) {
        let (sink, stream) = self.stream.split();
        (Box::new(Writer(sink)), Box::new(Reader(stream)))
    }
}

fn transport_error(error: Error) -> TransportError {
    match error {
        Error::Io(error) => TransportError::Io(error),
        Error::Capacity(CapacityError::MessageTooLong { size, max_size }) => TransportError::TooLarge {
            bytes: size,
            limit: max_size,
            head: None,
        },
        other => TransportError::WebSocket(other.to_string()),
    }
}

struct Writer(SplitSink<Stream, Message>);

impl TransportWriter for Writer {
    fn send(&mut self, message: Vec<u8>) -> BoxFuture<'_, Result<(), TransportError>> {
        Box::pin(async move {
            let text = String::from_utf8(message).map_err(|error| TransportError::WebSocket(error.to_string()))?;
            self.0.send(Message::text(text)).await.map_err(transport_error)
        })
    }
}

struct Reader(SplitStream<Stream>);

impl TransportReader for Reader {
    fn recv(&mut self) -> BoxFuture<'_, Result<Option<Bytes>, TransportError>> {
        Box::pin(async move {
            loop {
                match self.0.next().await {
                    Some(Ok(Message::Text(text))) => return Ok(Some(text.into())),
                    Some(Ok(Message::Binary(bytes))) => return Ok(Some(bytes)),
                    Some(Ok(Message::Close(_))) | None => return Ok(None),
                    Some(Ok(_)) => {}
                    Some(Err(Error::ConnectionClosed | Error::AlreadyClosed)) => return Ok(None),
                    Some(Err(error)) => return Err(transport_error(error)),
                }
            }
        })
    }
}
