//! Sending a request and getting its reply, or knowing how far it got.
//!
//! Invariant: a request is sent again only after a connection that broke, and then with the same `requestKey`, which
//! makes the service answer with the recorded reply instead of acting again. A request that timed out, or one that was
//! never delivered, is not sent again.

use std::io;
use std::time::{Duration, Instant};

use serde_json::Value;
use ureq::Agent;
use ureq::http::{Response, header};

/// Times that a request is sent at most.
const ATTEMPTS: u32 = 3;
/// Largest reply, in bytes; inlined images are the only large ones.
const REPLY_MAX: u64 = 1024 * 1024 * 1024;
const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// A reply of the service.
#[derive(Debug)]
pub struct Reply {
    /// The body as received.
    pub text: String,
    /// The body, read.
    pub envelope: Value,
    /// From sending to the last byte.
    pub elapsed: Duration,
}

/// Why there is no reply.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// The request did not reach anyone.
    #[error("no service at {base}: {reason}; start one with `dsb serve`")]
    Unreachable {
        /// The address.
        base: String,
        /// What the system said.
        reason: String,
    },
    /// No reply within the limit.
    #[error("no reply within {limit:?}; the request may have been executed: look at the page before sending it again")]
    TimedOut {
        /// The limit.
        limit: Duration,
    },
    /// The connection broke each time.
    #[error(
        "the connection broke: {reason}; the request may have been executed: look at the page before sending it again"
    )]
    Broken {
        /// What the system said.
        reason: String,
    },
    /// Something else answered.
    #[error("what answers at {base} is not the service: HTTP {status}, not a JSON reply")]
    Foreign {
        /// The address.
        base: String,
        /// Its status.
        status: u16,
    },
    /// The request cannot be put into HTTP.
    #[error("the request cannot be sent: {reason}")]
    Unsendable {
        /// Why.
        reason: String,
    },
}

/// Speaks to one service.
#[derive(Debug)]
pub struct Client {
    agent: Agent,
    base: String,
    token: Option<String>,
    limit: Duration,
}

impl Client {
    /// A client for `base` (`http://host:port`) that waits at most `limit` for each reply.
    pub fn new(base: &str, token: Option<String>, limit: Duration) -> Self {
        let settings = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(limit))
            .timeout_connect(Some(limit.min(CONNECT_LIMIT)))
            .max_redirects(0)
            .max_redirects_will_error(false)
            // The service is on this machine or at the end of a tunnel: a proxy of the environment is not asked.
            .proxy(None);
        Self {
            agent: settings.build().into(),
            base: base.to_owned(),
            token,
            limit,
        }
    }

    /// Where the service is.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Asks a read-only route.
    ///
    /// # Errors
    /// [`SendError`].
    pub fn get(&self, path: &str) -> Result<Reply, SendError> {
        self.exchange(|| {
            let request = self.agent.get(self.url(path));
            match self.authorization() {
                Some(value) => request.header(header::AUTHORIZATION, value).call(),
                None => request.call(),
            }
        })
    }

    /// Runs a command; `envelope` carries its `requestKey`.
    ///
    /// # Errors
    /// [`SendError`].
    pub fn command(&self, envelope: &Value) -> Result<Reply, SendError> {
        let body = envelope.to_string();
        self.exchange(|| {
            let request = self
                .agent
                .post(self.url("/playwright/command"))
                .content_type("application/json");
            match self.authorization() {
                Some(value) => request.header(header::AUTHORIZATION, value).send(&body),
                None => request.send(&body),
            }
        })
    }

    /// The bytes behind a path, for example a screenshot.
    ///
    /// # Errors
    /// [`SendError`]; [`SendError::Foreign`] when the status is not 200.
    pub fn bytes(&self, path: &str) -> Result<Vec<u8>, SendError> {
        let request = self.agent.get(self.url(path));
        let answer = match self.authorization() {
            Some(value) => request.header(header::AUTHORIZATION, value).call(),
            None => request.call(),
        };
        let mut answer = answer.map_err(|error| self.explain(&error))?;
        if answer.status() != 200 {
            return Err(SendError::Foreign {
                base: self.url(path),
                status: answer.status().as_u16(),
            });
        }
        answer
            .body_mut()
            .with_config()
            .limit(REPLY_MAX)
            .read_to_vec()
            .map_err(|error| self.explain(&error))
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    fn authorization(&self) -> Option<String> {
        self.token.as_ref().map(|token| format!("Bearer {token}"))
    }

    fn exchange(&self, send: impl Fn() -> Result<Response<ureq::Body>, ureq::Error>) -> Result<Reply, SendError> {
        let started = Instant::now();
        let mut broken = None;
        for _ in 0..ATTEMPTS {
            match self.once(&send, started) {
                Err(SendError::Broken { reason }) => broken = Some(reason),
                // The service went away after it had got the request once: that it is gone now proves nothing.
                Err(SendError::Unreachable { .. }) if broken.is_some() => break,
                other => return other,
            }
        }
        Err(SendError::Broken {
            reason: broken.unwrap_or_default(),
        })
    }

    fn once(
        &self,
        send: &impl Fn() -> Result<Response<ureq::Body>, ureq::Error>,
        started: Instant,
    ) -> Result<Reply, SendError> {
        let mut answer = send().map_err(|error| self.explain(&error))?;
        let status = answer.status().as_u16();
        let bytes = answer.body_mut().with_config().limit(REPLY_MAX).read_to_vec();
        let bytes = bytes.map_err(|error| self.explain(&error))?;
        let elapsed = started.elapsed();
        let foreign = || SendError::Foreign {
            base: self.base.clone(),
            status,
        };
        let text = String::from_utf8(bytes).map_err(|_| foreign())?;
        let envelope: Value = serde_json::from_str(&text).map_err(|_| foreign())?;
        if envelope.get("ok").is_some_and(Value::is_boolean) {
            Ok(Reply {
                text,
                envelope,
                elapsed,
            })
        } else {
            Err(foreign())
        }
    }

    /// Tells apart what was not delivered, what may have been, and what cannot be.
    fn explain(&self, error: &ureq::Error) -> SendError {
        let unreachable = || SendError::Unreachable {
            base: self.base.clone(),
            reason: error.to_string(),
        };
        match error {
            ureq::Error::Timeout(ureq::Timeout::Connect | ureq::Timeout::Resolve)
            | ureq::Error::HostNotFound
            | ureq::Error::ConnectionFailed => unreachable(),
            ureq::Error::Timeout(_) => SendError::TimedOut { limit: self.limit },
            ureq::Error::Io(cause) if never_left(cause.kind()) => unreachable(),
            ureq::Error::Io(_) | ureq::Error::Protocol(_) => SendError::Broken {
                reason: error.to_string(),
            },
            _ => SendError::Unsendable {
                reason: error.to_string(),
            },
        }
    }
}

fn never_left(kind: io::ErrorKind) -> bool {
    matches!(
        kind,
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::HostUnreachable
            | io::ErrorKind::NetworkUnreachable
            | io::ErrorKind::AddrNotAvailable
    )
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::{TcpListener, TcpStream};
    use std::thread;

    use serde_json::json;

    use super::*;
    use crate::client::envelope;

    fn client(listener: &TcpListener, limit: Duration) -> Client {
        Client::new(
            &format!("http://{}", listener.local_addr().unwrap()),
            Some("secret".into()),
            limit,
        )
    }

    /// Head and body of one request.
    fn receive(stream: &TcpStream) -> (String, String) {
        let mut reader = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(reader.read_line(&mut head).unwrap() > 0);
        }
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length")
                .then(|| value.trim().parse::<usize>().unwrap())
        });
        let mut body = vec![0; length.unwrap_or(0)];
        reader.read_exact(&mut body).unwrap();
        (head, String::from_utf8(body).unwrap())
    }

    fn answer(mut stream: &TcpStream, status: &str, body: &str) {
        write!(
            stream,
            "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
    }

    #[test]
    fn a_broken_connection_is_answered_by_the_same_request_again() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = client(&listener, Duration::from_secs(20));
        let server = thread::spawn(move || {
            let (first, _) = listener.accept().unwrap();
            let (_, lost) = receive(&first);
            drop(first);
            let (second, _) = listener.accept().unwrap();
            let (head, again) = receive(&second);
            answer(&second, "200 OK", r#"{"code":1,"ok":true}"#);
            (lost, again, head)
        });
        let reply = client
            .command(&envelope(Some("1"), "click", serde_json::Map::new()))
            .unwrap();
        assert_eq!(reply.envelope, json!({"code": 1, "ok": true}));
        let (lost, again, head) = server.join().unwrap();
        assert_eq!(lost, again);
        assert!(lost.contains("requestKey"));
        assert!(head.to_ascii_lowercase().contains("authorization: bearer secret"));
    }

    #[test]
    fn a_service_that_dies_with_the_request_leaves_the_outcome_open() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = client(&listener, Duration::from_secs(20));
        let server = thread::spawn(move || {
            let (first, _) = listener.accept().unwrap();
            drop(listener);
            receive(&first);
        });
        let error = client
            .command(&envelope(Some("1"), "click", serde_json::Map::new()))
            .unwrap_err();
        server.join().unwrap();
        assert!(matches!(error, SendError::Broken { .. }), "{error}");
        assert!(error.to_string().contains("may have been executed"));
    }

    #[test]
    fn nobody_there_is_told_as_such() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = client(&listener, Duration::from_secs(20));
        drop(listener);
        assert!(matches!(
            client.get("/playwright/health").unwrap_err(),
            SendError::Unreachable { .. }
        ));
    }

    #[test]
    fn a_silent_service_is_asked_once() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = client(&listener, Duration::from_millis(200));
        let error = client.command(&json!({})).unwrap_err();
        assert!(matches!(error, SendError::TimedOut { .. }), "{error}");
        listener.set_nonblocking(true).unwrap();
        assert!(listener.accept().is_ok());
        assert_eq!(listener.accept().unwrap_err().kind(), io::ErrorKind::WouldBlock);
    }

    #[test]
    fn replies_of_others_are_not_believed() {
        for (status, body) in [
            ("200 OK", "<html>"),
            ("200 OK", "[1]"),
            ("302 Found", ""),
            ("200 OK", "{\"ok\":1}"),
        ] {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let client = client(&listener, Duration::from_secs(20));
            let server = thread::spawn(move || {
                let (stream, _) = listener.accept().unwrap();
                receive(&stream);
                answer(&stream, status, body);
            });
            let error = client.get("/playwright/health").unwrap_err();
            server.join().unwrap();
            assert!(matches!(error, SendError::Foreign { .. }), "{status} {body}: {error}");
        }
    }
}
