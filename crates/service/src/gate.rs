//! Admission: how many commands may work on pages at once, and how many may wait for that.
//!
//! Invariant: whoever is refused or gives up has started nothing, and the reply says so.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::failure::{Code, Failure};
use crate::text;

/// The places for commands in execution and the queue before them.
#[derive(Debug)]
pub(crate) struct Gate {
    places: Arc<Semaphore>,
    queued: AtomicUsize,
    queue_limit: usize,
}

struct Queued<'a>(&'a AtomicUsize);

impl Drop for Queued<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Gate {
    /// `places` commands at once, and a queue of the same length (at least 8).
    pub(crate) fn new(places: usize) -> Self {
        Gate {
            places: Arc::new(Semaphore::new(places)),
            queued: AtomicUsize::new(0),
            queue_limit: places.max(8),
        }
    }

    /// Waits for a place, first come first served, at most `limit` when there is one.
    pub(crate) async fn enter(&self, limit: Option<Duration>) -> Result<OwnedSemaphorePermit, Failure> {
        if let Ok(permit) = Arc::clone(&self.places).try_acquire_owned() {
            return Ok(permit);
        }
        if self.queued.fetch_add(1, Ordering::Relaxed) >= self.queue_limit {
            self.queued.fetch_sub(1, Ordering::Relaxed);
            return Err(refusal(text!("command.queue_full"), 500, limit));
        }
        let _queued = Queued(&self.queued);
        let place = Arc::clone(&self.places).acquire_owned();
        let entered = match limit {
            Some(limit) => tokio::time::timeout(limit, place).await.ok(),
            None => Some(place.await),
        };
        entered
            .and_then(Result::ok)
            .ok_or_else(|| refusal(text!("command.queue_timeout"), 2000, limit))
    }
}

fn refusal(text: crate::messages::Text, after_ms: u64, limit: Option<Duration>) -> Failure {
    let failure = Failure::new(Code::CommandTimeout, text)
        .retryable_after(after_ms)
        .with("started", false)
        .with_text("note", text!("command.note_resend_safe"));
    match limit {
        Some(limit) => failure.with("commandTimeoutMs", limit.as_millis() as u64),
        None => failure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_full_queue_refuses_and_a_queued_command_gives_up_without_having_started() {
        let gate = Arc::new(Gate::new(1));
        let held = gate.enter(None).await.unwrap();
        let waiting: Vec<_> = (0..8)
            .map(|_| {
                let gate = Arc::clone(&gate);
                tokio::spawn(async move { gate.enter(Some(Duration::from_secs(90))).await.map(drop) })
            })
            .collect();
        while gate.queued.load(Ordering::Relaxed) < 8 {
            tokio::task::yield_now().await;
        }
        let refused = gate.enter(Some(Duration::from_secs(90))).await.unwrap_err();
        assert_eq!((refused.retry_after_ms(), refused.never_started()), (Some(500), true));
        for late in waiting {
            let late = late.await.unwrap().unwrap_err();
            assert_eq!(
                (late.retry_after_ms(), late.data["commandTimeoutMs"].as_u64()),
                (Some(2000), Some(90_000))
            );
        }
        drop(held);
        assert!(gate.enter(None).await.is_ok());
        assert_eq!(gate.queued.load(Ordering::Relaxed), 0);
    }
}
