//! Requests under way in a tab: the base of waits and receipts. Invariant: a connection that is meant to stay open (a
//! socket, an event stream, a long poll) never keeps a page from being at rest, and is named when it is left out.
//!
//! An entry is known by the browser's request id alone: the parts of one request may be told on different sessions (a
//! frame that moves to another process answers there), and the ids of renderer processes carry the process.

use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Requests that one tab may have open at once before further ones are only counted as lost.
const LIMIT: usize = 4096;
/// Addresses of finished long polls that are remembered.
const POLLS: usize = 64;
/// A long poll that is asked again within this time is the same one going on.
const AGAIN: Duration = Duration::from_secs(1);

/// A request that is open for longer than this is taken for a long poll.
pub const LONG_POLL: Duration = Duration::from_secs(10);

/// A request that is not finished.
#[derive(Debug, Clone)]
pub struct OpenRequest {
    /// Address.
    pub url: String,
    /// Protocol resource type, such as `XHR`.
    pub kind: String,
    /// When it was sent.
    pub since: Instant,
    /// Session that it was last told on; empty for the page's own.
    pub session: String,
    /// Frame that it belongs to; empty for that of a worker.
    pub frame: String,
    /// Loader of the document that it belongs to.
    pub loader: String,
    /// Meant to stay open: it never counts.
    pub stream: bool,
}

impl OpenRequest {
    /// True when it is one that stays open: a stream, or open for so long that it must be a long poll.
    #[must_use]
    pub fn stays_open(&self, now: Instant) -> bool {
        self.stream || now.saturating_duration_since(self.since) >= LONG_POLL
    }
}

/// Which requests matter to a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Traffic {
    /// All of them.
    All,
    /// Those that bring content: documents, scripts, XHR and fetch. Pictures, fonts and media come and go with adverts.
    Data,
}

impl Traffic {
    fn includes(self, kind: &str) -> bool {
        self == Self::All || matches!(kind, "Document" | "Script" | "XHR" | "Fetch")
    }

    const fn slot(self) -> usize {
        match self {
            Self::All => 0,
            Self::Data => 1,
        }
    }
}

/// The requests of one tab that are not finished.
#[derive(Debug, Default)]
pub struct InFlight {
    open: HashMap<String, OpenRequest>,
    /// When a request that counts last began or ended, by [`Traffic::slot`].
    active: [Option<Instant>; 2],
    polls: HashMap<String, Instant>,
    lost: u64,
}

impl InFlight {
    /// A request was sent, or sent on to another address.
    pub fn sent(&mut self, id: &str, mut request: OpenRequest) {
        // Answered out of the address itself; nothing is under way.
        if request.kind == "Ping" || request.url.starts_with("data:") {
            return;
        }
        if let Some(known) = self.open.get_mut(id) {
            known.url = request.url;
            known.session = request.session;
            known.loader = request.loader;
            return;
        }
        if self.open.len() >= LIMIT {
            self.lost += 1;
            return;
        }
        let polled = self
            .polls
            .get(place(&request.url))
            .is_some_and(|at| at.elapsed() < AGAIN);
        request.stream |= polled || matches!(request.kind.as_str(), "EventSource" | "WebSocket");
        if !request.stream {
            self.note(&request.kind);
        }
        self.open.insert(id.to_owned(), request);
    }

    /// A request ended, well or badly.
    pub fn finished(&mut self, id: &str) {
        let Some(request) = self.open.remove(id) else { return };
        if !request.stays_open(Instant::now()) {
            self.note(&request.kind);
        } else if matches!(request.kind.as_str(), "XHR" | "Fetch") {
            if self.polls.len() >= POLLS {
                self.polls.retain(|_, at| at.elapsed() < AGAIN);
            }
            self.polls.insert(place(&request.url).to_owned(), Instant::now());
        }
    }

    /// The requests of a session that ended: nothing of it will be heard again.
    pub fn forget(&mut self, session: &str) {
        self.open.retain(|_, request| request.session != session);
    }

    /// A document was committed in a frame: what the one before it asked for is over. For the main frame (`all`) that
    /// goes for every frame.
    pub fn replaced(&mut self, frame: &str, loader: &str, all: bool) {
        self.open
            .retain(|_, request| request.loader == loader || (request.frame != frame && !all));
    }

    /// A frame is gone, and with it what it asked for.
    pub fn frame_gone(&mut self, frame: &str) {
        self.open.retain(|_, request| request.frame != frame);
    }

    /// A response turned out to be one that does not end: an event stream, media that plays while it loads.
    pub fn is_stream(&mut self, id: &str) {
        if let Some(request) = self.open.get_mut(id) {
            request.stream = true;
        }
    }

    fn note(&mut self, kind: &str) {
        let now = Instant::now();
        for traffic in [Traffic::All, Traffic::Data] {
            if traffic.includes(kind) {
                self.active[traffic.slot()] = Some(now);
            }
        }
    }

    fn counted(&self, traffic: Traffic, now: Instant) -> impl Iterator<Item = &OpenRequest> {
        self.open
            .values()
            .filter(move |request| traffic.includes(&request.kind) && !request.stays_open(now))
    }

    /// When the last of the requests that count now would be taken for a long poll; `None` when none counts.
    #[must_use]
    pub fn busy_until(&self, traffic: Traffic, now: Instant) -> Option<Instant> {
        self.counted(traffic, now)
            .map(|request| request.since + LONG_POLL)
            .max()
    }

    /// When a request that counts last began or ended.
    #[must_use]
    pub const fn last_active(&self, traffic: Traffic) -> Option<Instant> {
        self.active[traffic.slot()]
    }

    /// The requests that count, oldest first.
    #[must_use]
    pub fn list(&self, traffic: Traffic) -> Vec<OpenRequest> {
        sorted(self.counted(traffic, Instant::now()).cloned().collect())
    }

    /// The connections that stay open and are left out, oldest first.
    #[must_use]
    pub fn left_out(&self) -> Vec<OpenRequest> {
        let now = Instant::now();
        sorted(
            self.open
                .values()
                .filter(|request| request.stays_open(now))
                .cloned()
                .collect(),
        )
    }

    /// Requests that were not followed because there were too many at once.
    #[must_use]
    pub const fn lost(&self) -> u64 {
        self.lost
    }
}

/// An address without its query and fragment.
fn place(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or_default()
}

fn sorted(mut all: Vec<OpenRequest>) -> Vec<OpenRequest> {
    all.sort_by_key(|request| request.since);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(url: &str, kind: &str, frame: &str) -> OpenRequest {
        OpenRequest {
            url: url.into(),
            kind: kind.into(),
            since: Instant::now(),
            session: frame.into(),
            frame: frame.into(),
            loader: format!("{frame}-loader"),
            stream: false,
        }
    }

    fn urls(all: &[OpenRequest]) -> Vec<&str> {
        all.iter().map(|one| one.url.as_str()).collect()
    }

    #[test]
    fn what_is_meant_to_stay_open_is_named_and_does_not_count() {
        let mut set = InFlight::default();
        set.sent("1", request("/events", "EventSource", "f"));
        set.sent("2", request("/socket", "WebSocket", "f"));
        set.sent("3", request("/stream", "Fetch", "f"));
        assert_eq!(urls(&set.list(Traffic::All)), ["/stream"]);
        set.is_stream("3");
        assert!(set.busy_until(Traffic::All, Instant::now()).is_none());
        assert_eq!(set.left_out().len(), 3);
        set.finished("3");
        set.forget("f");
        assert!(set.left_out().is_empty());
    }

    #[test]
    fn an_old_request_is_a_long_poll_and_so_is_the_next_of_its_kind() {
        let mut set = InFlight::default();
        let Some(long_ago) = Instant::now().checked_sub(LONG_POLL) else {
            return;
        };
        let old = OpenRequest {
            since: long_ago,
            ..request("/poll?n=1", "XHR", "f")
        };
        set.sent("1", old);
        assert!(set.busy_until(Traffic::All, Instant::now()).is_none());
        set.finished("1");
        set.sent("2", request("/poll?n=2", "XHR", "f"));
        set.sent("3", request("/other", "XHR", "f"));
        assert_eq!(urls(&set.list(Traffic::Data)), ["/other"]);
        assert_eq!(urls(&set.left_out()), ["/poll?n=2"]);
    }

    #[test]
    fn a_new_document_ends_what_the_old_one_asked_for() {
        let mut set = InFlight::default();
        set.sent("1", request("/main", "XHR", "main"));
        set.sent("2", request("/child", "XHR", "child"));
        set.replaced("child", "new", false);
        assert_eq!(urls(&set.list(Traffic::All)), ["/main"]);
        let document = OpenRequest {
            loader: "next".into(),
            ..request("/next", "Document", "main")
        };
        set.sent("next", document);
        set.replaced("main", "next", true);
        assert_eq!(urls(&set.list(Traffic::All)), ["/next"]);
        set.frame_gone("main");
        assert!(set.list(Traffic::All).is_empty());
    }

    #[test]
    fn pictures_are_no_data_and_a_redirect_is_one_request() {
        let mut set = InFlight::default();
        set.sent("1", request("/a.png", "Image", "f"));
        assert!(set.last_active(Traffic::Data).is_none() && set.last_active(Traffic::All).is_some());
        assert!(set.busy_until(Traffic::Data, Instant::now()).is_none());
        set.sent("2", request("/a", "XHR", "f"));
        set.sent("2", request("/b", "XHR", "f"));
        assert_eq!(urls(&set.list(Traffic::Data)), ["/b"]);
    }

    #[test]
    fn bounded() {
        let mut set = InFlight::default();
        for n in 0..=LIMIT {
            set.sent(&n.to_string(), request("u", "XHR", "f"));
        }
        assert_eq!((set.list(Traffic::All).len(), set.lost()), (LIMIT, 1));
    }
}
