//! The WebSocket transport against a real server on the loopback interface, and what can go wrong on the way to one.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test may panic")]

mod support;

use cdp::{CdpError, Connection, ConnectionOptions, Limits, WebSocket};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::time::Duration;
use support::*;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

type Server = WebSocketStream<TcpStream>;

async fn connected(options: ConnectionOptions) -> (Connection, Server) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}/devtools/browser/1", listener.local_addr().unwrap());
    let accepted = async {
        let (stream, _) = listener.accept().await.unwrap();
        tokio_tungstenite::accept_async(stream).await.unwrap()
    };
    let (socket, server) = tokio::join!(WebSocket::connect(&url, options.limits()), accepted);
    (Connection::start(Box::new(socket.unwrap()), options), server)
}

async fn recv(server: &mut Server) -> Value {
    let message = soon("a message", server.next()).await.unwrap().unwrap();
    assert!(message.is_text(), "Chromium takes text frames only");
    serde_json::from_str(message.to_text().unwrap()).unwrap()
}

fn answer(command: &Value) -> String {
    json!({ "id": command["id"], "result": command["params"] }).to_string()
}

#[tokio::test]
async fn text_and_binary_answers_are_read_and_pings_are_answered() {
    let (connection, mut server) = connected(ConnectionOptions::default()).await;
    let calls = [start(&connection.root(), "text"), start(&connection.root(), "binary")];
    let (first, second) = (recv(&mut server).await, recv(&mut server).await);
    server.send(Message::Ping("are you there".into())).await.unwrap();
    server.send(Message::text(answer(&first))).await.unwrap();
    server.send(Message::binary(answer(&second))).await.unwrap();
    for (call, text) in calls.into_iter().zip(["text", "binary"]) {
        assert_eq!(ended(call).await.unwrap().text, text);
    }
    let pong = soon("the pong", server.next()).await.unwrap().unwrap();
    assert_eq!(pong, Message::Pong("are you there".into()));
}

#[tokio::test]
async fn a_large_message_goes_out_as_one_frame() {
    const BYTES: usize = 20 << 20;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}/", listener.local_addr().unwrap());
    let accepted = async {
        let (stream, _) = listener.accept().await.unwrap();
        tokio_tungstenite::accept_async(stream).await.unwrap().into_inner()
    };
    let options = ConnectionOptions::default();
    let (socket, raw) = tokio::join!(WebSocket::connect(&url, options.limits()), accepted);
    let connection = Connection::start(Box::new(socket.unwrap()), options);
    let call = start(&connection.root(), "x".repeat(BYTES));
    let mut head = [0; 10];
    soon(
        "the frame",
        tokio::io::AsyncReadExt::read_exact(&mut { raw }, &mut head),
    )
    .await
    .unwrap();
    // RFC 6455, section 5.2: FIN and opcode 1 (text), then mask bit and 127 for a length of 64 bits.
    assert_eq!(head[..2], [0x81, 0xff]);
    assert!(u64::from_be_bytes(head[2..].try_into().unwrap()) as usize > BYTES);
    assert!(matches!(ended(call).await.unwrap_err(), CdpError::BrowserGone { .. }));
}

#[tokio::test]
async fn a_message_over_the_limit_ends_the_connection_and_says_so() {
    let options = ConnectionOptions {
        max_message_bytes: 1000,
        ..Default::default()
    };
    let (connection, mut server) = connected(options).await;
    let call = start(&connection.root(), "x");
    let id = recv(&mut server).await["id"].clone();
    let large = json!({ "id": id, "result": { "text": "x".repeat(5000) } }).to_string();
    server.send(Message::text(large.clone())).await.unwrap();
    assert_eq!(
        ended(call).await.unwrap_err(),
        CdpError::TooLarge {
            bytes: large.len(),
            limit: 1000
        }
    );
    assert!(
        soon("the close", connection.closed())
            .await
            .contains("limit of 1000 bytes")
    );
}

#[tokio::test]
async fn a_server_that_closes_or_breaks_off_is_gone() {
    let (connection, mut server) = connected(ConnectionOptions::default()).await;
    let call = start(&connection.root(), "x");
    recv(&mut server).await;
    server.close(None).await.unwrap();
    assert!(matches!(ended(call).await.unwrap_err(), CdpError::BrowserGone { .. }));

    let (connection, mut server) = connected(ConnectionOptions::default()).await;
    let call = start(&connection.root(), "x");
    recv(&mut server).await;
    server.get_mut().shutdown().await.unwrap();
    assert!(matches!(ended(call).await.unwrap_err(), CdpError::BrowserGone { .. }));
    assert!(connection.is_closed());
}

#[tokio::test]
async fn the_last_handle_closes_the_socket() {
    let (connection, mut server) = connected(ConnectionOptions::default()).await;
    drop(connection);
    let end = soon("the end", server.next()).await;
    assert!(
        matches!(end, None | Some(Err(_)) | Some(Ok(Message::Close(_)))),
        "{end:?}"
    );
}

async fn refusal(url: &str, connect_timeout: Duration) -> String {
    let limits = Limits {
        connect_timeout,
        ..Limits::default()
    };
    match WebSocket::connect(url, limits).await.err().unwrap() {
        CdpError::BrowserGone { reason } => reason,
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn a_failed_connection_says_where_and_why() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}/", listener.local_addr().unwrap());
    let silent = refusal(&url, Duration::from_millis(50)).await;
    assert!(silent.contains(&url) && silent.contains("no answer within"), "{silent}");
    drop(listener);
    let refused = refusal(&url, Duration::from_secs(10)).await;
    assert!(refused.contains("refused"), "{refused}");
    let nonsense = refusal("not a url", Duration::from_secs(10)).await;
    assert!(nonsense.contains("not a url"), "{nonsense}");
}

#[tokio::test]
async fn a_server_that_is_no_websocket_server_is_refused() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}/", listener.local_addr().unwrap());
    let plain = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream
            .write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")
            .await
            .unwrap();
        stream
    };
    let (reason, _stream) = tokio::join!(refusal(&url, Duration::from_secs(10)), plain);
    assert!(reason.contains("404"), "{reason}");
}
