//! The pipe transport: Chromium started with `--remote-debugging-pipe` reads commands on its descriptor 3 and writes
//! on 4, each message ended by a NUL byte. No port is open, and the browser ends when our ends close.

use super::framing::NulFramer;
use super::{BoxFuture, Limits, Transport, TransportError, TransportReader, TransportWriter};
use bytes::Bytes;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::unix::pipe;

/// Kernel buffer asked for, so that a large answer does not need a wake-up for every 64 KiB.
const PIPE_BYTES: usize = 1 << 20;

/// Our ends of the two pipes.
pub struct Pipe {
    write: pipe::Sender,
    read: pipe::Receiver,
    limits: Limits,
}

impl Pipe {
    /// Takes our ends: `write` is the writing end of the pipe that the browser reads as descriptor 3, `read` the
    /// reading end of the one that it writes as descriptor 4. Both become non-blocking (the browser's ends do not).
    /// The browser's own ends must be closed in this process, or its end is never seen.
    ///
    /// Must be called within a tokio runtime. Fails when a descriptor is not that end of a pipe.
    pub fn new(write: OwnedFd, read: OwnedFd, limits: Limits) -> io::Result<Self> {
        enlarge(&write);
        enlarge(&read);
        let (write, read) = (
            pipe::Sender::from_owned_fd(write)?,
            pipe::Receiver::from_owned_fd(read)?,
        );
        Ok(Self { write, read, limits })
    }
}

/// Best effort: an unprivileged user may have used up the quota for pipe buffers.
fn enlarge(pipe: impl AsFd) {
    if let Err(error) = rustix::pipe::fcntl_setpipe_size(pipe, PIPE_BYTES) {
        tracing::debug!(%error, "the pipe keeps its default size");
    }
}

impl Transport for Pipe {
    fn split(self: Box<Self>) -> (Box<dyn TransportWriter>, Box<dyn TransportReader>) {
        let framer = NulFramer::new(self.limits.max_message_bytes);
        (
            Box::new(Writer(self.write)),
            Box::new(Reader {
                pipe: self.read,
                framer,
                limits: self.limits,
            }),
        )
    }
}

struct Writer(pipe::Sender);

impl TransportWriter for Writer {
    fn send(&mut self, mut message: Vec<u8>) -> BoxFuture<'_, Result<(), TransportError>> {
        message.push(0);
        Box::pin(async move { Ok(self.0.write_all(&message).await?) })
    }
}

struct Reader {
    pipe: pipe::Receiver,
    framer: NulFramer,
    limits: Limits,
}

impl Reader {
    async fn next(&mut self) -> Result<Option<Bytes>, TransportError> {
        loop {
            match self.framer.next() {
                Some(Ok(message)) => return Ok(Some(message)),
                Some(Err(oversized)) => {
                    let limit = self.limits.max_message_bytes;
                    return Err(TransportError::TooLarge {
                        bytes: oversized.bytes,
                        limit,
                        head: Some(oversized.head),
                    });
                }
                None => {}
            }
            if self.pipe.read_buf(self.framer.room()).await? == 0 {
                if self.framer.is_inside_message() {
                    return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
                }
                return Ok(None);
            }
        }
    }
}

impl TransportReader for Reader {
    fn recv(&mut self) -> BoxFuture<'_, Result<Option<Bytes>, TransportError>> {
        Box::pin(self.next())
    }
}
