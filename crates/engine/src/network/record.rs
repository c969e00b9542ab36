//! One request and what became of it. Pure data.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use cdp::Session;

/// Header fields by name.
pub type Headers = BTreeMap<String, String>;

/// Characters of sent data, and of a message of a socket, that are kept.
pub(crate) const TEXT: usize = 4000;

/// What a request sent along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostData {
    /// The beginning of it, at most 4000 characters; empty when only its existence is known.
    pub text: String,
    /// Characters in all; `None` when the browser did not hand it over.
    pub length: Option<usize>,
    /// More was sent than is kept.
    pub truncated: bool,
}

/// The head of a response.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// Reason phrase; empty in HTTP/2.
    pub status_text: String,
    /// Header fields.
    pub headers: Headers,
    /// Media type as the browser understood it.
    pub mime: String,
    /// Character set, where one was declared.
    pub charset: String,
    /// Such as `h2`.
    pub protocol: String,
    /// Address that answered.
    pub remote: Option<String>,
    /// It came out of the browser's cache.
    pub from_cache: bool,
    /// A service worker gave it.
    pub from_service_worker: bool,
    /// Milliseconds since 1970.
    pub at: u64,
}

/// The body of a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// Still on its way.
    Loading,
    /// With the browser, to be asked for.
    Remote,
    /// Being copied.
    Copying,
    /// Copied when it had arrived.
    Text {
        /// Its beginning, at most 100,000 characters.
        text: Arc<str>,
        /// Characters in all.
        chars: usize,
        /// When it was copied, in milliseconds since 1970.
        at: u64,
    },
    /// No text.
    Binary {
        /// Its length in bytes.
        bytes: usize,
    },
    /// Not to be had, and why: `none`, `failed`, `too-large`, `evicted`, `dropped`, `browser-freed`, `too-many`.
    Gone(&'static str),
}

impl Body {
    /// Bytes that are held.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Text { text, .. } => text.len(),
            _ => 0,
        }
    }

    /// Nothing more will come by itself.
    #[must_use]
    pub const fn is_settled(&self) -> bool {
        !matches!(self, Self::Loading | Self::Copying)
    }
}

/// A message of a socket or of an event stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Milliseconds since 1970.
    pub at: u64,
    /// The page sent it.
    pub sent: bool,
    /// Its beginning, at most 4000 characters; base64 when `binary`.
    pub text: String,
    /// Characters in all.
    pub length: usize,
    /// `text` is base64.
    pub binary: bool,
    /// Name of the event, in an event stream.
    pub event: Option<String>,
}

/// A request and what became of it. Each hop of a redirect is one of its own.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// The id that callers are given.
    pub id: String,
    /// Position in the order of registration, counted from 1 without gaps.
    pub serial: u64,
    /// The browser's id; hops of one redirect share it.
    pub(crate) wire: String,
    /// Where its body can be asked for.
    pub(crate) session: Option<Session>,
    /// Seconds on the browser's clock when it was sent.
    pub(crate) clock: f64,
    /// When it was sent, in milliseconds since 1970; for one that was not recorded, when its answer was.
    pub requested_at: u64,
    /// Method.
    pub method: String,
    /// Address, without fragment.
    pub url: String,
    /// Resource type in lower case.
    pub kind: String,
    /// Header fields that were sent.
    pub headers: Headers,
    /// What was sent along.
    pub post: Option<PostData>,
    /// The answer.
    pub answer: Option<Answer>,
    /// Position among all answers, counted from 1; 0 while there is none.
    pub answered: u64,
    /// The answer is older than those that are kept: its body is gone for good.
    pub dropped: bool,
    /// When it was over, in milliseconds since 1970.
    pub finished_at: Option<u64>,
    /// Why it failed, as the browser names it.
    pub failure: Option<String>,
    /// Bytes that came over the wire.
    pub encoded_bytes: u64,
    /// The id of the hop that it follows.
    pub redirected_from: Option<String>,
    /// The address that it was sent on to.
    pub redirected_to: Option<String>,
    /// Only its answer was seen.
    pub missed: bool,
    /// The action of a rule that it met.
    pub ruled: Option<&'static str>,
    /// Script or document that caused it, with a line where known.
    pub initiator: Option<String>,
    /// Its body.
    pub body: Body,
    /// The newest messages of a socket or an event stream.
    pub messages: VecDeque<Message>,
    /// Messages that the page sent.
    pub sent: u64,
    /// Messages that came.
    pub received: u64,
}

impl Exchange {
    /// A request about which nothing more is known.
    pub(crate) fn new(wire: &str, url: &str, kind: &str, at: u64) -> Self {
        Self {
            id: String::new(),
            serial: 0,
            wire: wire.to_owned(),
            session: None,
            clock: 0.0,
            requested_at: at,
            method: "GET".to_owned(),
            url: url.to_owned(),
            kind: kind.to_ascii_lowercase(),
            headers: Headers::new(),
            post: None,
            answer: None,
            answered: 0,
            dropped: false,
            finished_at: None,
            failure: None,
            encoded_bytes: 0,
            redirected_from: None,
            redirected_to: None,
            missed: false,
            ruled: None,
            initiator: None,
            body: Body::Loading,
            messages: VecDeque::new(),
            sent: 0,
            received: 0,
        }
    }

    /// Milliseconds since 1970 of a moment on the browser's clock.
    pub(crate) fn moment(&self, clock: f64) -> u64 {
        let later = ((clock - self.clock) * 1000.0).max(0.0);
        // A difference of two clock readings of one browser: far below the limit.
        self.requested_at + later as u64
    }

    /// Bytes that are held beside the body and the messages.
    pub(crate) fn bytes(&self) -> usize {
        let fields = |headers: &Headers| {
            headers
                .iter()
                .map(|(name, value)| name.len() + value.len())
                .sum::<usize>()
        };
        self.url.len()
            + fields(&self.headers)
            + self.post.as_ref().map_or(0, |post| post.text.len())
            + self.answer.as_ref().map_or(0, |answer| fields(&answer.headers))
    }
}

/// The first `most` characters of a text, and how many it has.
pub(crate) fn beginning(text: &str, most: usize) -> (&str, usize) {
    let chars = text.chars().count();
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    (&text[..end], chars)
}
