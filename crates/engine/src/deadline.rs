//! A point in time by which an operation must have ended. Passed down instead of durations, so that nested steps share
//! one budget.

use std::future::Future;
use std::time::{Duration, Instant};

use crate::error::{EngineError, Result};

/// When an operation must be over.
#[derive(Debug, Clone, Copy)]
pub struct Deadline {
    start: Instant,
    limit: Duration,
}

impl Deadline {
    /// Ends `limit` from now.
    #[must_use]
    pub fn after(limit: Duration) -> Self {
        Self {
            start: Instant::now(),
            limit,
        }
    }

    /// Ends `limit` from now, or with `self` when that is earlier.
    #[must_use]
    pub fn within(self, limit: Duration) -> Self {
        Self::after(limit.min(self.remaining()))
    }

    /// Time left; zero once over.
    #[must_use]
    pub fn remaining(self) -> Duration {
        self.limit.saturating_sub(self.start.elapsed())
    }

    /// True once over.
    #[must_use]
    pub fn over(self) -> bool {
        self.remaining().is_zero()
    }

    /// Runs `work` until the deadline.
    ///
    /// # Errors
    /// [`EngineError::Timeout`] naming `what`.
    pub async fn bound<T>(self, what: &str, work: impl Future<Output = Result<T>> + Send) -> Result<T> {
        match tokio::time::timeout(self.remaining(), work).await {
            Ok(result) => result,
            Err(_) => Err(EngineError::Timeout {
                what: what.to_owned(),
                after: self.limit,
            }),
        }
    }
}
