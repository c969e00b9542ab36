//! The network record and the rules of one owner of tabs. Invariant: readers are woken by a change and look again; no
//! lock is held across an await.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::sync::{Semaphore, watch};

use super::log::{Log, Losses};
use super::record::{Body, Exchange};
use super::rules::Rules;
use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::tab::now_ms;

/// Bodies that are copied at the same time.
const COPIES: usize = 8;

/// When requests are recorded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Recording {
    /// From the first tab on.
    #[default]
    On,
    /// From the first question on.
    Lazy,
    /// Never.
    Off,
}

/// What may be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Requests.
    pub requests: usize,
    /// Answers with a body to be had.
    pub responses: usize,
    /// Bytes of copied bodies.
    pub body_bytes: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            requests: 200,
            responses: 100,
            body_bytes: 16 << 20,
        }
    }
}

/// How an owner's network is recorded.
#[derive(Debug, Clone, Copy)]
pub struct Recorder {
    /// When.
    pub recording: Recording,
    /// How much.
    pub budget: Budget,
    /// Makes the ids that callers are given.
    pub next_id: fn() -> String,
}

/// The network record and the rules of one owner's tabs.
#[derive(Debug)]
pub struct NetworkBook {
    recorder: Recorder,
    /// When recording began, in milliseconds since 1970; 0 while it has not.
    since: AtomicU64,
    log: Mutex<Log>,
    pub(crate) rules: Mutex<Rules>,
    pub(super) changed: watch::Sender<u64>,
    pub(super) copies: Semaphore,
    pub(super) waiting: AtomicUsize,
}

impl NetworkBook {
    /// A book; one that records at once when the recorder says so.
    #[must_use]
    pub fn new(recorder: Recorder) -> Self {
        let since = if recorder.recording == Recording::On {
            now_ms()
        } else {
            0
        };
        Self {
            recorder,
            since: AtomicU64::new(since),
            log: Mutex::new(Log::new(recorder.budget)),
            rules: Mutex::default(),
            changed: watch::Sender::new(0),
            copies: Semaphore::new(COPIES),
            waiting: AtomicUsize::new(0),
        }
    }

    pub(super) fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the record and wakes those who wait for a change.
    pub(super) fn update<T>(&self, change: impl FnOnce(&mut Log) -> T) -> T {
        let out = change(&mut self.log());
        self.changed.send_modify(|version| *version += 1);
        out
    }

    /// A new id for callers.
    pub(super) fn next_id(&self) -> String {
        (self.recorder.next_id)()
    }

    /// When it records.
    #[must_use]
    pub const fn recording(&self) -> Recording {
        self.recorder.recording
    }

    /// True while it records.
    #[must_use]
    pub fn is_recording(&self) -> bool {
        self.since() > 0
    }

    /// When recording began, in milliseconds since 1970; 0 while it has not.
    #[must_use]
    pub fn since(&self) -> u64 {
        self.since.load(Relaxed)
    }

    /// Begins to record where the first question begins it. True when this call did.
    pub fn wake(&self) -> bool {
        self.recorder.recording == Recording::Lazy && self.since.compare_exchange(0, now_ms(), Relaxed, Relaxed).is_ok()
    }

    /// The exchanges that `wanted` takes, oldest first.
    #[must_use]
    pub fn list(&self, wanted: impl Fn(&Exchange) -> bool) -> Vec<Exchange> {
        self.log().entries().filter(|one| wanted(one)).cloned().collect()
    }

    /// How many are kept.
    #[must_use]
    pub fn total(&self) -> usize {
        self.log().len()
    }

    /// What had to go.
    #[must_use]
    pub fn losses(&self) -> Losses {
        self.log().losses
    }

    /// How many answers have come so far: a mark for [`NetworkBook::answer_after`].
    #[must_use]
    pub fn answered(&self) -> u64 {
        self.log().answered()
    }

    /// The newest answer that `wanted` takes.
    #[must_use]
    pub fn newest_answer(&self, wanted: impl Fn(&Exchange) -> bool) -> Option<Exchange> {
        let log = self.log();
        let fitting = log
            .entries()
            .filter(|one| one.answered > 0 && !one.dropped && wanted(one));
        fitting.max_by_key(|one| one.answered).cloned()
    }

    /// The first answer after `mark` that `wanted` takes, as soon as it has come.
    ///
    /// # Errors
    /// The deadline passed.
    pub async fn answer_after(
        &self,
        mark: u64,
        deadline: Deadline,
        wanted: impl Fn(&Exchange) -> bool + Send + Sync,
    ) -> Result<Exchange> {
        self.until(deadline, |log| {
            let fresh = log.entries().filter(|one| one.answered > mark && wanted(one));
            fresh.min_by_key(|one| one.answered).cloned()
        })
        .await
    }

    /// The exchange as it is once its body has settled, or at the deadline. `None` when it is no longer kept.
    pub async fn settled(&self, serial: u64, deadline: Deadline) -> Option<Exchange> {
        let found = |log: &Log| match log.get(serial) {
            None => Some(None),
            Some(one) if one.body.is_settled() => Some(Some(one.clone())),
            Some(_) => None,
        };
        match self.until(deadline, found).await {
            Ok(settled) => settled,
            Err(_) => self.log().get(serial).cloned(),
        }
    }

    async fn until<T: Send>(&self, deadline: Deadline, found: impl Fn(&Log) -> Option<T> + Send + Sync) -> Result<T> {
        let mut changed = self.changed.subscribe();
        let wait = async {
            loop {
                let now = found(&self.log());
                if let Some(value) = now {
                    return Ok(value);
                }
                if changed.changed().await.is_err() {
                    // The sender is part of `self`.
                    return Err(EngineError::Navigating);
                }
            }
        };
        deadline.bound("the answer", wait).await
    }

    pub(super) fn set_body(&self, serial: u64, body: Body) {
        self.update(|log| log.set_body(serial, body));
    }
}

/// The books of a browser's owners, for as long as somebody keeps them.
#[derive(Debug, Default)]
pub(crate) struct NetworkBooks(Mutex<HashMap<String, Weak<NetworkBook>>>);

impl NetworkBooks {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Weak<NetworkBook>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a book for `owner`, in place of one that it had.
    pub(crate) fn open(&self, owner: &str, recorder: Recorder) -> Arc<NetworkBook> {
        let mut books = self.lock();
        books.retain(|_, book| book.strong_count() > 0);
        let book = Arc::new(NetworkBook::new(recorder));
        books.insert(owner.to_owned(), Arc::downgrade(&book));
        book
    }

    /// The book of `owner`.
    pub(crate) fn of(&self, owner: &str) -> Option<Arc<NetworkBook>> {
        self.lock().get(owner).and_then(Weak::upgrade)
    }
}
