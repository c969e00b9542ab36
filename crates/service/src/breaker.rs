//! The circuit breaker of a task's screenshots: after several failures in a row they are not tried for a while.
//!
//! Invariant: pure; time is an argument. One success closes it, and while it is open nothing lengthens or shortens
//! its pause.

use std::time::Duration;

use tokio::time::Instant;

use crate::config::CaptureConfig;

/// State of one task's breaker.
#[derive(Debug, Default)]
pub struct Breaker {
    failures: u32,
    open_until: Option<Instant>,
}

/// Whether a screenshot may be tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// Yes.
    Closed,
    /// Yes: the pause has just ended, and the count of failures starts again.
    HalfOpen,
    /// No, for this long.
    Open(Duration),
}

impl Breaker {
    /// Asks to try one at `now`.
    pub fn admit(&mut self, now: Instant) -> Admission {
        match self.open_until {
            Some(until) if until > now => Admission::Open(until - now),
            Some(_) => {
                *self = Breaker::default();
                Admission::HalfOpen
            }
            None => Admission::Closed,
        }
    }

    /// A screenshot worked.
    pub fn succeeded(&mut self) {
        *self = Breaker::default();
    }

    /// A screenshot failed. Answers the pause when this failure opened the circuit. `transient` failures (the page
    /// was navigating) cause the shorter one.
    pub fn failed(&mut self, now: Instant, transient: bool, config: &CaptureConfig) -> Option<Duration> {
        if self.open_until.is_some() {
            return None;
        }
        self.failures += 1;
        if self.failures < config.fail_threshold {
            return None;
        }
        let pause = if transient {
            config.spurious_cooldown_ms
        } else {
            config.cooldown_ms
        };
        let pause = Duration::from_millis(pause);
        self.open_until = Some(now + pause);
        Some(pause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    const SECOND: Duration = Duration::from_secs(1);

    fn config() -> CaptureConfig {
        Config::defaults("/", None).capture
    }

    fn opened(now: Instant) -> Breaker {
        let mut breaker = Breaker::default();
        assert_eq!(breaker.failed(now, false, &config()), None);
        assert_eq!(breaker.failed(now, false, &config()), None);
        assert_eq!(breaker.failed(now, false, &config()), Some(120 * SECOND));
        breaker
    }

    #[tokio::test(start_paused = true)]
    async fn it_opens_at_the_threshold_and_half_opens_after_the_pause() {
        let now = Instant::now();
        let mut breaker = opened(now);
        assert_eq!(breaker.admit(now + 20 * SECOND), Admission::Open(100 * SECOND));
        assert_eq!(breaker.admit(now + 120 * SECOND), Admission::HalfOpen);
        assert_eq!(breaker.admit(now + 120 * SECOND), Admission::Closed);
        assert_eq!(
            breaker.failed(now + 121 * SECOND, false, &config()),
            None,
            "a full threshold is needed again"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn one_success_closes_it_and_a_failed_probe_keeps_the_pause() {
        let now = Instant::now();
        let mut breaker = opened(now);
        assert_eq!(breaker.failed(now + 100 * SECOND, false, &config()), None);
        assert_eq!(breaker.admit(now + 100 * SECOND), Admission::Open(20 * SECOND));
        breaker.succeeded();
        assert_eq!(breaker.admit(now + 101 * SECOND), Admission::Closed);
    }

    #[tokio::test(start_paused = true)]
    async fn a_transient_failure_opens_it_for_the_shorter_pause() {
        let now = Instant::now();
        let mut breaker = Breaker::default();
        breaker.failed(now, false, &config());
        breaker.failed(now, false, &config());
        assert_eq!(breaker.failed(now, true, &config()), Some(15 * SECOND));
    }
}
