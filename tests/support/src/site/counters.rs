//! Named counters that a test can wait for.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

#[derive(Default)]
pub struct Counters {
    counts: Mutex<HashMap<String, u64>>,
    changed: Condvar,
}

impl Counters {
    /// Adds one; gives the new count.
    pub fn add(&self, key: &str) -> u64 {
        let mut counts = self.lock();
        let count = counts.entry(key.to_owned()).or_default();
        *count += 1;
        self.changed.notify_all();
        *count
    }

    pub fn get(&self, key: &str) -> u64 {
        self.lock().get(key).copied().unwrap_or(0)
    }

    /// Waits for `least`; gives the count at that moment, or the smaller one at `limit`.
    pub fn wait(&self, key: &str, least: u64, limit: Duration) -> u64 {
        let below = |counts: &mut HashMap<String, u64>| counts.get(key).copied().unwrap_or(0) < least;
        let waited = self.changed.wait_timeout_while(self.lock(), limit, below);
        let (counts, _) = waited.unwrap_or_else(PoisonError::into_inner);
        counts.get(key).copied().unwrap_or(0)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, u64>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
