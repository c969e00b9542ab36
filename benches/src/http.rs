//! An HTTP client that costs nearly nothing, so that what is measured is the service: one connection that is kept, one
//! write per request, and a reply read to its last byte before the clock stops.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

/// A hang of the service ends the run instead of hanging it.
const LIMIT: Duration = Duration::from_secs(60);

/// One kept connection.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    address: SocketAddr,
}

impl Client {
    pub(crate) fn connect(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(LIMIT))?;
        Ok(Self {
            stream: BufReader::with_capacity(1 << 16, stream),
            address,
        })
    }

    /// `GET` of a route; the reply has to be a success.
    pub(crate) fn get(&mut self, path: &str) -> Result<Value> {
        let request = format!("GET {path} HTTP/1.1\r\nhost: {}\r\n\r\n", self.address);
        data(&self.exchange(request.as_bytes())?)
    }

    /// A command of a task, made ready so that sending it is one write.
    pub(crate) fn command(&self, task: &str, method: &str, params: &Value) -> Vec<u8> {
        let body = serde_json::json!({"id": task, "method": method, "params": params}).to_string();
        let head = format!(
            "POST /playwright/command HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        (head + &body).into_bytes()
    }

    /// Sends what [`Client::command`] made. The time is from the first byte out to the last byte in; the reply is
    /// judged afterwards.
    pub(crate) fn timed(&mut self, request: &[u8]) -> Result<(Duration, Value)> {
        let began = Instant::now();
        let body = self.exchange(request)?;
        let took = began.elapsed();
        Ok((took, data(&body)?))
    }

    fn exchange(&mut self, request: &[u8]) -> Result<Vec<u8>> {
        self.stream.get_mut().write_all(request)?;
        let length = self.head()?;
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        Ok(body)
    }

    /// Reads the head of a reply; gives the length of its body.
    fn head(&mut self) -> Result<usize> {
        let mut line = String::new();
        let (mut length, mut first) = (None, true);
        loop {
            line.clear();
            ensure!(
                self.stream.read_line(&mut line)? > 0,
                "the service closed the connection"
            );
            let text = line.trim_end();
            if text.is_empty() {
                return length.context("a reply without a length");
            }
            if std::mem::take(&mut first) {
                ensure!(text.starts_with("HTTP/1.1 200 "), "{text}");
            } else if let Some((name, value)) = text.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = Some(value.trim().parse()?);
            }
        }
    }
}

/// `data` of a reply that says success.
fn data(body: &[u8]) -> Result<Value> {
    let mut reply: Value = serde_json::from_slice(body)?;
    if reply["ok"] != true {
        bail!("the command failed: {reply}");
    }
    Ok(reply["data"].take())
}
