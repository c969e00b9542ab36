//! What pages write to their consoles: kept per owner of tabs from the moment that it gets a tab. Invariants: recording
//! asks the page nothing and keeps none of its objects alive; what is kept is bounded in number and bytes, and what had
//! to go is counted.

mod render;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cdp::protocol::{log, runtime};
use cdp::{Event, Session};

use crate::tab::Tab;

/// Entries of each kind that are kept.
const MOST: usize = 200;
/// Bytes of text that are kept of each kind.
const BYTES: usize = 256 * 1024;
/// Objects of the page that may be held for a session before they are let go.
const HELD: usize = 100;
/// The group in which the browser keeps the arguments of console calls.
const GROUP: &str = "console";

/// One line of a console.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsoleEntry {
    /// Milliseconds since 1970.
    pub at: u64,
    /// `log`, `info`, `warning`, `error`, `debug`, …; `error` for an uncaught exception.
    pub level: String,
    /// The text, cut.
    pub text: String,
    /// Script or document that wrote it, where known.
    pub url: String,
    /// Line, counted from 1, where known.
    pub line: Option<u64>,
}

impl ConsoleEntry {
    /// `[level] text (url:line)`.
    #[must_use]
    pub fn shown(&self) -> String {
        let Self {
            level, text, url, line, ..
        } = self;
        match line {
            _ if url.is_empty() => format!("[{level}] {text}"),
            Some(line) => format!("[{level}] {text} ({url}:{line})"),
            None => format!("[{level}] {text} ({url})"),
        }
    }

    fn bytes(&self) -> usize {
        self.text.len() + self.url.len() + self.level.len()
    }
}

/// The newest entries of one kind.
#[derive(Debug, Default)]
struct Ring {
    entries: VecDeque<ConsoleEntry>,
    bytes: usize,
    lost: u64,
}

impl Ring {
    fn push(&mut self, entry: ConsoleEntry) {
        self.bytes += entry.bytes();
        self.entries.push_back(entry);
        while self.entries.len() > MOST || self.bytes > BYTES {
            let Some(old) = self.entries.pop_front() else { return };
            self.bytes -= old.bytes();
            self.lost += 1;
        }
    }
}

/// What is kept of the consoles of one owner's tabs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConsoleRecord {
    /// Messages, oldest first.
    pub messages: Vec<ConsoleEntry>,
    /// Uncaught exceptions, oldest first.
    pub exceptions: Vec<ConsoleEntry>,
    /// Messages that had to make room.
    pub lost_messages: u64,
    /// Exceptions that had to make room.
    pub lost_exceptions: u64,
    /// Events of consoles and network that came faster than they could be read and were dropped.
    pub lost_events: u64,
}

/// The consoles of one owner's tabs.
#[derive(Debug, Default)]
pub struct ConsoleLog {
    rings: Mutex<[Ring; 2]>,
    lost_events: AtomicU64,
}

impl ConsoleLog {
    fn rings(&self) -> MutexGuard<'_, [Ring; 2]> {
        self.rings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, exception: bool, entry: ConsoleEntry) {
        self.rings()[usize::from(exception)].push(entry);
    }

    /// What is kept now.
    #[must_use]
    pub fn record(&self) -> ConsoleRecord {
        let [messages, exceptions] = &*self.rings();
        ConsoleRecord {
            messages: messages.entries.iter().cloned().collect(),
            exceptions: exceptions.entries.iter().cloned().collect(),
            lost_messages: messages.lost,
            lost_exceptions: exceptions.lost,
            lost_events: self.lost_events.load(Relaxed),
        }
    }

    /// Forgets everything, the counts of losses too.
    pub fn clear(&self) {
        *self.rings() = Default::default();
        self.lost_events.store(0, Relaxed);
    }
}

/// What recording has to know of one tab.
#[derive(Debug, Default)]
pub(crate) struct ConsoleFeed {
    held: AtomicUsize,
    lost: AtomicU64,
}

impl Tab {
    /// Records a console event of one of the tab's sessions. Tabs that belong to nobody are not recorded.
    pub(crate) fn record_console(&self, session: &Session, event: &Event) {
        let called = parsed::<runtime::ConsoleApiCalled>(event);
        let thrown = parsed::<runtime::ExceptionThrown>(event);
        let exception = thrown
            .as_ref()
            .and_then(|thrown| thrown.exception_details.exception.as_ref());
        let arguments = called.iter().flat_map(|called| &called.args).chain(exception);
        self.free_logged(session, arguments.filter(|value| value.object_id.is_some()).count());
        let Some(log) = self.console_log() else { return };
        let lost = session.lost_events();
        log.lost_events
            .fetch_add(lost.saturating_sub(self.console.lost.swap(lost, Relaxed)), Relaxed);
        if let Some(called) = called {
            log.push(false, render::called(&called));
        } else if let Some(thrown) = thrown {
            log.push(true, render::thrown(&thrown));
        } else if let Some(added) = parsed::<log::EntryAdded>(event) {
            log.push(false, render::added(added.entry));
        }
    }

    /// The browser holds the arguments of every call for us: after some they are let go, or the page could never free
    /// what it has logged.
    fn free_logged(&self, session: &Session, objects: usize) {
        if objects > 0 && self.console.held.fetch_add(objects, Relaxed) + objects >= HELD {
            self.console.held.store(0, Relaxed);
            session.notify(runtime::ReleaseObjectGroup {
                object_group: GROUP.into(),
            });
        }
    }

    fn console_log(&self) -> Option<Arc<ConsoleLog>> {
        let owner = self.owner()?;
        self.browser.upgrade().map(|browser| browser.console(&owner))
    }
}

fn parsed<E: cdp::EventType>(event: &Event) -> Option<E> {
    event.is::<E>().then(|| event.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(text: String) -> ConsoleEntry {
        ConsoleEntry {
            at: 1,
            level: "log".into(),
            text,
            url: String::new(),
            line: None,
        }
    }

    #[test]
    fn number_and_bytes_are_bounded_and_losses_counted() {
        let log = ConsoleLog::default();
        for n in 0..MOST + 3 {
            log.push(false, entry(n.to_string()));
        }
        let record = log.record();
        assert_eq!((record.messages.len(), record.lost_messages), (MOST, 3));
        assert_eq!(record.messages[0].text, "3");
        for _ in 0..3 {
            log.push(true, entry("x".repeat(BYTES / 2)));
        }
        let record = log.record();
        assert_eq!((record.exceptions.len(), record.lost_exceptions), (1, 2));
        log.clear();
        assert_eq!(log.record(), ConsoleRecord::default());
    }
}
