//! Messages that end with a NUL byte, as Chromium's `--remote-debugging-pipe` sends them. Pure: bytes in, messages
//! out. Invariants: no byte is looked at twice, and never more than the limit is kept of one message.

use bytes::{Bytes, BytesMut};

/// How much of an oversized message is kept, to find out which call it answers.
const HEAD_BYTES: usize = 256;
/// Free room offered for each read: small while messages are small, doubling within a large one.
const MIN_READ: usize = 64 << 10;
const MAX_READ: usize = 1 << 20;

/// Cuts a stream of bytes into messages.
pub(crate) struct NulFramer {
    buffer: BytesMut,
    scanned: usize,
    limit: usize,
    skipping: Option<Oversized>,
}

/// A message that was over the limit and has been skipped.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Oversized {
    /// Its beginning.
    pub head: Bytes,
    /// Its whole size.
    pub bytes: usize,
}

impl NulFramer {
    /// A framer that accepts messages of up to `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            buffer: BytesMut::new(),
            scanned: 0,
            limit,
            skipping: None,
        }
    }

    /// The buffer, with room behind its content, to read into. What is in it must not be changed.
    pub fn room(&mut self) -> &mut BytesMut {
        let wanted = self.buffer.len().clamp(MIN_READ, MAX_READ);
        self.buffer.reserve(wanted);
        &mut self.buffer
    }

    /// The next whole message, or the news that one was too large; `None` when more bytes are needed.
    pub fn next(&mut self) -> Option<Result<Bytes, Oversized>> {
        let found = memchr::memchr(0, &self.buffer[self.scanned..]);
        let Some(found) = found else {
            self.scanned = self.buffer.len();
            if self.skipping.is_some() || self.scanned > self.limit {
                self.skip();
            }
            return None;
        };
        let mut message = self.buffer.split_to(self.scanned + found + 1);
        message.truncate(message.len() - 1);
        self.scanned = 0;
        Some(match self.skipping.take() {
            Some(begun) => Err(Oversized {
                bytes: begun.bytes + message.len(),
                ..begun
            }),
            None if message.len() > self.limit => Err(Oversized {
                head: head(&message),
                bytes: message.len(),
            }),
            None => Ok(message.freeze()),
        })
    }

    /// Whether a message has begun that has not ended.
    pub fn is_inside_message(&self) -> bool {
        !self.buffer.is_empty() || self.skipping.is_some()
    }

    /// Forgets what is in the buffer but counts it.
    fn skip(&mut self) {
        let bytes = self.buffer.len();
        match &mut self.skipping {
            Some(begun) => begun.bytes += bytes,
            None => {
                self.skipping = Some(Oversized {
                    head: head(&self.buffer),
                    bytes,
                })
            }
        }
        self.buffer.clear();
        self.scanned = 0;
    }
}

fn head(message: &[u8]) -> Bytes {
    Bytes::copy_from_slice(&message[..message.len().min(HEAD_BYTES)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Feeds the stream in pieces of the given sizes (repeated) and collects what comes out.
    fn cut(limit: usize, stream: &[u8], pieces: &[usize]) -> (Vec<Result<Bytes, Oversized>>, NulFramer) {
        let mut framer = NulFramer::new(limit);
        let mut out = Vec::new();
        let mut sizes = pieces.iter().cycle();
        let mut rest = stream;
        while !rest.is_empty() {
            let (piece, after) = rest.split_at((*sizes.next().unwrap()).min(rest.len()));
            framer.room().extend_from_slice(piece);
            out.extend(std::iter::from_fn(|| framer.next()));
            rest = after;
        }
        (out, framer)
    }

    #[test]
    fn a_message_over_the_limit_is_skipped_and_the_next_one_is_read() {
        for piece in [1, 3, 1000] {
            let (out, framer) = cut(4, b"0123456789\0ok\0part", &[piece]);
            let oversized = out[0].as_ref().unwrap_err();
            assert_eq!(oversized.bytes, 10);
            assert!(oversized.head.starts_with(b"0123"));
            assert_eq!(out[1].as_ref().unwrap(), "ok");
            assert!(framer.is_inside_message());
        }
    }

    #[test]
    fn a_message_of_exactly_the_limit_is_read() {
        let (out, framer) = cut(4, b"0123\0", &[1]);
        assert_eq!(out, [Ok(Bytes::from_static(b"0123"))]);
        assert!(!framer.is_inside_message());
    }

    proptest! {
        #[test]
        fn any_cutting_gives_the_same_messages(
            messages in prop::collection::vec(prop::collection::vec(1u8.., 0..40), 0..20),
            pieces in prop::collection::vec(1usize..50, 1..8),
            limit in 0usize..50,
        ) {
            let stream: Vec<u8> = messages.iter().flat_map(|message| [message, &[0][..]].concat()).collect();
            let (out, framer) = cut(limit, &stream, &pieces);
            prop_assert!(!framer.is_inside_message());
            prop_assert_eq!(out.len(), messages.len());
            for (got, sent) in out.iter().zip(&messages) {
                match got {
                    Ok(bytes) => prop_assert!(sent.len() <= limit && bytes == sent),
                    Err(oversized) => prop_assert!(sent.len() > limit && oversized.bytes == sent.len()
                        && sent.starts_with(&oversized.head)),
                }
            }
        }
    }
}
