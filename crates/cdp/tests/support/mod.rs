//! A browser of which the test plays every move, over real pipes, and small commands to send to it.
#![allow(dead_code, reason = "each test binary uses another part")]

use cdp::{CdpError, Command, Connection, ConnectionOptions, Event, EventReceiver, Pipe, Session};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::os::fd::OwnedFd;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::pipe;

/// Longer than anything here takes; a test that waits so long has failed.
const PATIENCE: Duration = Duration::from_secs(20);

/// Waits for a condition, and fails the test when it does not come.
pub async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    let waited = tokio::time::timeout(PATIENCE, future).await;
    waited.unwrap_or_else(|_| panic!("{what} did not happen within {PATIENCE:?}"))
}

/// A command that returns what the peer makes of it.
#[derive(Debug, Serialize)]
pub struct Echo {
    pub text: String,
}

#[derive(Debug, Default, PartialEq, Deserialize)]
pub struct EchoReply {
    pub text: String,
}

impl Command for Echo {
    const METHOD: &'static str = "Test.echo";
    type Reply = EchoReply;
}

pub fn echo(text: impl ToString) -> Echo {
    Echo { text: text.to_string() }
}

/// The browser's side of a pair of pipes.
pub struct Peer {
    read: BufReader<pipe::Receiver>,
    write: pipe::Sender,
}

/// A connection over pipes, and the peer at its other end.
pub fn connect(options: ConnectionOptions) -> (Connection, Peer) {
    let (commands_out, commands_in) = std::io::pipe().unwrap();
    let (events_out, events_in) = std::io::pipe().unwrap();
    let read = pipe::Receiver::from_owned_fd(OwnedFd::from(commands_out)).unwrap();
    let peer = Peer {
        read: BufReader::new(read),
        write: pipe::Sender::from_owned_fd(OwnedFd::from(events_in)).unwrap(),
    };
    let pipe = Pipe::new(commands_in.into(), events_out.into(), options.limits()).unwrap();
    (Connection::start(Box::new(pipe), options), peer)
}

impl Peer {
    /// The next message, `None` when the client has closed its end.
    pub async fn try_recv(&mut self) -> Option<Value> {
        let mut message = Vec::new();
        soon("a message to the browser", self.read.read_until(0, &mut message))
            .await
            .unwrap();
        message.pop()?;
        Some(serde_json::from_slice(&message).unwrap())
    }

    pub async fn recv(&mut self) -> Value {
        self.try_recv().await.expect("the client closed the pipe")
    }

    pub async fn send(&mut self, message: Value) {
        self.send_text(&message.to_string()).await;
    }

    pub async fn send_text(&mut self, message: &str) {
        self.write.write_all(message.as_bytes()).await.unwrap();
        self.write.write_all(&[0]).await.unwrap();
    }

    /// A message without its end.
    pub async fn send_half(&mut self, message: &str) {
        self.write.write_all(message.as_bytes()).await.unwrap();
    }

    /// Waits until the client has written something.
    pub async fn readable(&self) {
        self.read.get_ref().readable().await.unwrap();
    }

    /// Reads to the end and says how much came.
    pub async fn drain(mut self) -> usize {
        self.read.read_to_end(&mut Vec::new()).await.unwrap()
    }

    /// Closes the end that commands come in at, and keeps the other.
    pub fn stop_reading(self) -> pipe::Sender {
        self.write
    }

    /// Answers a received command with its own text.
    pub async fn echo(&mut self, command: &Value) {
        self.send(json!({ "id": command["id"], "result": command["params"] }))
            .await;
    }

    pub async fn event(&mut self, session: Option<&str>, method: &str, params: Value) {
        let mut message = json!({ "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        self.send(message).await;
    }

    pub async fn attach(&mut self, parent: Option<&str>, session: &str) {
        let info = json!({ "targetId": format!("target of {session}"), "type": "page" });
        let params = json!({ "sessionId": session, "targetInfo": info, "waitingForDebugger": false });
        self.event(parent, "Target.attachedToTarget", params).await;
    }

    pub async fn detach(&mut self, parent: Option<&str>, session: &str) {
        self.event(parent, "Target.detachedFromTarget", json!({ "sessionId": session }))
            .await;
    }

    /// Returns when the client has dealt with all that was sent so far.
    pub async fn settle(&mut self, connection: &Connection) {
        let root = connection.root();
        let call = tokio::spawn(async move { root.call(echo("settled")).await });
        let command = self.recv().await;
        self.echo(&command).await;
        soon("the answer", call).await.unwrap().unwrap();
    }
}

/// Starts a call in a task of its own, so that it is polled from now on.
pub fn start(session: &Session, text: impl ToString) -> tokio::task::JoinHandle<Result<EchoReply, CdpError>> {
    tokio::spawn(session.call(echo(text)))
}

pub async fn ended<T>(call: tokio::task::JoinHandle<T>) -> T {
    soon("the end of the call", call).await.unwrap()
}

pub async fn next(events: &mut EventReceiver) -> Option<Event> {
    soon("an event or the end of events", events.recv()).await
}
