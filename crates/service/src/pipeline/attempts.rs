//! Another attempt after a transient failure: who may have one, how many, and what is told about it.
//!
//! Invariant: only a command that is safe to run twice, or whose caller said so, is ever run twice; the time window
//! bounds extra attempts, never the first one.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::context::Context;
use crate::failure::Code;
use crate::messages::Language;
use crate::text;

/// Time from the start of a command within which another attempt may begin.
const WINDOW: Duration = Duration::from_secs(30);
/// With less than this left, another attempt is pointless.
const LEAST: Duration = Duration::from_millis(120);
/// How long a navigation is given to settle before the next attempt.
const SETTLE: (Duration, Duration) = (Duration::from_millis(200), Duration::from_millis(1000));

/// The attempts of one command.
#[derive(Debug)]
pub(super) struct Attempts {
    began: Instant,
    made: u32,
    most: u32,
    navigating: u32,
    spurious: u32,
}

impl Attempts {
    pub(super) fn new(most: u32) -> Self {
        Attempts {
            began: Instant::now(),
            made: 0,
            most: most.max(1),
            navigating: 0,
            spurious: 0,
        }
    }

    /// Counts an attempt that begins.
    pub(super) fn begin(&mut self) {
        self.made += 1;
    }

    fn remaining(&self) -> Duration {
        WINDOW.saturating_sub(self.began.elapsed())
    }

    /// Whether another attempt may follow the failure with this code; takes it from the budget.
    pub(super) fn grant(&mut self, cx: &mut Context, code: Code) -> bool {
        let time_left = self.remaining() > LEAST && cx.within_deadline(WINDOW) > LEAST;
        if !code.is_transient() || self.made >= self.most || cx.extra_attempts == 0 || !time_left {
            return false;
        }
        cx.extra_attempts -= 1;
        if code == Code::PageNavigating {
            self.navigating += 1;
        } else {
            self.spurious += 1;
        }
        true
    }

    /// Waits until another attempt makes sense, never past the deadline.
    pub(super) async fn pause(&self, cx: &Context, code: Code) {
        if code != Code::PageNavigating {
            let delay = Duration::from_millis(cx.config().command.spurious_retry_delay_ms);
            tokio::time::sleep(cx.within_deadline(delay)).await;
            return;
        }
        tokio::time::sleep(cx.within_deadline(SETTLE.0)).await;
        if let Some(page) = cx.page() {
            let rest = cx.within_deadline(SETTLE.1 - SETTLE.0).min(self.remaining());
            // When it has not settled by then, the next attempt finds out what is the matter.
            let _ = tokio::time::timeout(rest, page.settled()).await;
        }
    }

    /// The members that tell of the attempts. `capture_retries` are those of the automatic screenshot.
    pub(super) fn facts(&self, capture_retries: u32, language: Language) -> Vec<(&'static str, Value)> {
        let retries = self.made.saturating_sub(1) + capture_retries;
        let mut facts = vec![(
            "retryBudget",
            json!({
                "attempts": retries + 1,
                "retries": retries,
                "commandAttempts": self.made,
                "elapsedMs": u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX),
                "remainingMs": u64::try_from(self.remaining().as_millis()).unwrap_or(u64::MAX),
            }),
        )];
        let kinds = [
            ("pageNavigatingRetry", self.navigating, Code::PageNavigating),
            ("spuriousRetry", self.spurious, Code::SpuriousDispatch),
        ];
        for (name, count, code) in kinds.into_iter().filter(|(_, count, _)| *count > 0) {
            let note = text!("command.retried", count = count).render(language);
            facts.push((
                name,
                json!({"attempts": self.made, "errorCode": code.as_str(), "note": note}),
            ));
        }
        facts
    }
}
