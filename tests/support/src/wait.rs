//! Waiting for a condition that nobody announces.

use std::time::{Duration, Instant};

/// How often a condition is looked at; it bounds how late a test goes on, never whether it passes.
const LOOK_EVERY: Duration = Duration::from_millis(15);

/// Looks until `condition` gives a value; panics naming `what` when `limit` has passed without one.
///
/// For conditions of other processes (a file appears, a process is gone). Where an event can be waited for, wait for it.
pub fn eventually<T>(what: &str, limit: Duration, mut condition: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(value) = condition() {
            return value;
        }
        assert!(start.elapsed() < limit, "after {limit:?} there is still not: {what}");
        std::thread::sleep(LOOK_EVERY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_the_first_value() {
        let mut looks = 0;
        let value = eventually("three looks", Duration::from_secs(5), || {
            looks += 1;
            (looks == 3).then_some(looks)
        });
        assert_eq!(value, 3);
    }

    #[test]
    #[should_panic(expected = "there is still not: the impossible")]
    fn panics_at_the_limit() {
        eventually("the impossible", Duration::from_millis(30), || None::<()>);
    }
}
