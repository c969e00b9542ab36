//! Requests under way in a tab: the base of waits and receipts. Streams that are meant to stay open (WebSocket, event
//! stream) are not counted: a page that keeps one would never be idle.

use std::collections::HashMap;
use std::time::Instant;

/// Requests that one tab may have open at once before further ones are only counted as lost.
const LIMIT: usize = 4096;

/// A request that is not finished.
#[derive(Debug, Clone)]
pub struct OpenRequest {
    /// Address.
    pub url: String,
    /// Protocol resource type, such as `XHR`.
    pub kind: String,
    /// When it was sent.
    pub since: Instant,
}

/// The requests of one tab that are not finished.
#[derive(Debug, Default)]
pub struct InFlight {
    open: HashMap<(String, String), OpenRequest>,
    lost: u64,
}

impl InFlight {
    /// A request was sent. `session` is empty for the page's own session.
    pub fn sent(&mut self, session: &str, id: &str, url: &str, kind: &str) {
        if matches!(kind, "WebSocket" | "EventSource" | "Ping") {
            return;
        }
        if self.open.len() >= LIMIT {
            self.lost += 1;
            return;
        }
        let request = OpenRequest {
            url: url.into(),
            kind: kind.into(),
            since: Instant::now(),
        };
        self.open.insert((session.into(), id.into()), request);
    }

    /// A request ended, well or badly.
    pub fn finished(&mut self, session: &str, id: &str) {
        self.open.remove(&(session.to_owned(), id.to_owned()));
    }

    /// A session ended: nothing of it will be heard again.
    pub fn forget(&mut self, session: &str) {
        self.open.retain(|(of, _), _| of != session);
    }

    /// A response turned out to be an event stream.
    pub fn is_stream(&mut self, session: &str, id: &str) {
        self.finished(session, id);
    }

    /// How many are under way.
    #[must_use]
    pub fn len(&self) -> usize {
        self.open.len()
    }

    /// True when nothing is under way.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Requests that were not followed because there were too many at once.
    #[must_use]
    pub const fn lost(&self) -> u64 {
        self.lost
    }

    /// The requests under way, oldest first.
    #[must_use]
    pub fn list(&self) -> Vec<OpenRequest> {
        let mut all: Vec<OpenRequest> = self.open.values().cloned().collect();
        all.sort_by_key(|request| request.since);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_not_counted() {
        let mut set = InFlight::default();
        set.sent("", "1", "/events", "EventSource");
        set.sent("", "2", "/api", "XHR");
        set.sent("w", "2", "/worker", "Fetch");
        assert_eq!(set.len(), 2);
        set.finished("", "2");
        assert_eq!(set.list()[0].url, "/worker");
        set.forget("w");
        assert!(set.is_empty());
    }

    #[test]
    fn bounded() {
        let mut set = InFlight::default();
        for n in 0..=LIMIT {
            set.sent("", &n.to_string(), "u", "XHR");
        }
        assert_eq!((set.len(), set.lost()), (LIMIT, 1));
    }
}
