//! The record of every call, written off the path of the call.
//!
//! Invariants: recording never waits and never fails a call (a full queue drops the record and
//! counts it); nothing reaches the disk before [`crate::redact`] has seen it.

pub mod clock;
mod lines;
mod record;
#[cfg(test)]
mod tests;
mod writer;

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub use clock::{iso_local, iso_utc};
pub use record::{Payload, TraceRecord};

use self::writer::Writer;
use crate::config::TraceConfig;

/// Records that may wait to be written.
const QUEUE: usize = 10_000;
/// How long a shutdown waits for a disk that does not take the rest.
const FLUSH_LIMIT: Duration = Duration::from_secs(5);

/// One upload, for `uploads.log`. Never its content.
#[derive(Debug, Clone)]
pub struct UploadRecord {
    /// The name that it was stored under.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// SHA-256 in hexadecimal digits.
    pub sha256: String,
    /// Where it was stored.
    pub path: PathBuf,
}

enum Item {
    Call(Box<TraceRecord>),
    Upload(UploadRecord),
}

/// The trace of one service. Clones share one queue and one writer; when the last one is dropped
/// the writer finishes the queue and ends.
#[derive(Clone)]
pub struct Trace {
    /// `None` when the trace is off.
    handle: Option<Arc<Handle>>,
}

struct Handle {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    /// Something was queued, or the end was announced.
    queued: Condvar,
    /// Something was written.
    written: Condvar,
}

#[derive(Default)]
struct Queue {
    items: VecDeque<Item>,
    /// Items ever accepted, and of those the ones that are done.
    accepted: u64,
    done: u64,
    dropped: u64,
    closing: bool,
}

impl Trace {
    /// Starts the writer with a thread of its own; a disabled trace takes records and forgets them.
    /// So does one whose thread cannot be started, after a warning in the log.
    pub fn start(config: &TraceConfig) -> Trace {
        if !config.enabled {
            return Trace { handle: None };
        }
        let shared = Arc::new(Shared::default());
        let (theirs, config) = (Arc::clone(&shared), config.clone());
        let thread = std::thread::Builder::new().name("trace".to_owned());
        match thread.spawn(move || run(&theirs, &mut Writer::new(&config))) {
            Ok(_) => Trace {
                handle: Some(Arc::new(Handle { shared })),
            },
            Err(error) => {
                tracing::warn!(%error, "no thread for the trace; calls go on without it");
                Trace { handle: None }
            }
        }
    }

    /// Hands a call over. Returns at once.
    pub fn record(&self, record: TraceRecord) {
        self.push(Item::Call(Box::new(record)));
    }

    /// Hands an upload over. Returns at once.
    pub fn record_upload(&self, upload: UploadRecord) {
        self.push(Item::Upload(upload));
    }

    /// Records lost to a full queue since the start.
    pub fn dropped(&self) -> u64 {
        self.handle.as_ref().map_or(0, |handle| handle.shared.lock().dropped)
    }

    /// Waits until everything recorded before the call is written, at most 5 seconds. Blocks the
    /// thread: from asynchronous code call it on a blocking one. `false` when time ran out.
    pub fn flush(&self) -> bool {
        self.handle
            .as_ref()
            .is_none_or(|handle| handle.shared.flush(FLUSH_LIMIT))
    }

    fn push(&self, item: Item) {
        if let Some(handle) = &self.handle {
            handle.shared.push(item, QUEUE);
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.shared.lock().closing = true;
        self.shared.queued.notify_all();
    }
}

impl Shared {
    /// A panic of the writer leaves the queue as it was, so a poisoned lock is as good as another.
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, item: Item, limit: usize) {
        let mut queue = self.lock();
        if queue.items.len() < limit {
            queue.items.push_back(item);
            queue.accepted += 1;
            drop(queue);
            self.queued.notify_one();
            return;
        }
        queue.dropped += 1;
        let dropped = queue.dropped;
        drop(queue);
        // A full queue drops by the thousand; the log gets the first and then every doubling.
        if dropped.is_power_of_two() {
            tracing::warn!(dropped, "the trace cannot keep up; records are dropped");
        }
    }

    /// The next item; `None` at the end, when the queue is empty and nobody can fill it any more.
    fn pop(&self) -> Option<Item> {
        let mut queue = self.lock();
        loop {
            if let Some(item) = queue.items.pop_front() {
                return Some(item);
            }
            if queue.closing {
                return None;
            }
            queue = self.queued.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn done(&self) {
        self.lock().done += 1;
        self.written.notify_all();
    }

    fn flush(&self, limit: Duration) -> bool {
        let until = Instant::now() + limit;
        let mut queue = self.lock();
        let target = queue.accepted;
        while queue.done < target {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            queue = self
                .written
                .wait_timeout(queue, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        true
    }
}

/// The life of the writer's thread. A panic costs the one record that caused it.
fn run(shared: &Shared, writer: &mut Writer) {
    while let Some(item) = shared.pop() {
        if catch_unwind(AssertUnwindSafe(|| writer.write(item))).is_err() {
            tracing::error!("a trace record could not be written because of a defect");
        }
        shared.done();
    }
}
