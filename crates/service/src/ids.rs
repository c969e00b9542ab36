//! Identifiers: snowflakes that we make, and task ids that callers may also choose.
//!
//! Invariant: ids leave the process as strings, because JavaScript numbers lose their last digits.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// 2010-01-01T00:00:00Z in Unix milliseconds: 41 bits of time from here reach into 2079.
const EPOCH_MS: u64 = 1_262_304_000_000;
const SEQUENCE_BITS: u32 = 12;
const NODE_BITS: u32 = 10;

/// Keeps two services on one machine apart, which start within the same millisecond at worst.
static NODE: LazyLock<u64> = LazyLock::new(|| u64::from(std::process::id()) & ((1 << NODE_BITS) - 1));
/// Milliseconds and sequence of the last id, as one number.
static LAST: AtomicU64 = AtomicU64::new(0);

/// A new snowflake: positive 64-bit, larger than every id made before in this process, whatever the
/// clock does. When a millisecond's 4096 numbers are used up the next one is borrowed.
pub fn next_number() -> i64 {
    let fresh = millis_since_epoch() << SEQUENCE_BITS;
    let step = |last: u64| fresh.max(last + 1);
    let last = LAST.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(step(last)));
    let tick = match last {
        Ok(last) | Err(last) => step(last),
    };
    compose(tick, *NODE)
}

/// [`next_number`] as the string that goes on the wire.
pub fn next() -> String {
    next_number().to_string()
}

fn compose(tick: u64, node: u64) -> i64 {
    let (millis, sequence) = (tick >> SEQUENCE_BITS, tick & ((1 << SEQUENCE_BITS) - 1));
    let bits = millis << (NODE_BITS + SEQUENCE_BITS) | node << SEQUENCE_BITS | sequence;
    (bits & i64::MAX as u64) as i64
}

fn millis_since_epoch() -> u64 {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_millis();
    u64::try_from(now).unwrap_or(u64::MAX).saturating_sub(EPOCH_MS)
}

/// The id of a task: any signed 64-bit number. `"0042"` and `42` name the same task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TaskId(pub i64);

/// The value is neither an integer nor a string of digits in the signed 64-bit range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a task id")]
pub struct NotATaskId;

impl TaskId {
    /// A fresh id from [`next_number`].
    pub fn generate() -> TaskId {
        TaskId(next_number())
    }

    /// Reads the `id` of a request: an integer, or a string of digits with an optional minus sign.
    pub fn from_json(value: &Value) -> Result<TaskId, NotATaskId> {
        match value {
            Value::Number(number) => number.as_i64().map(TaskId).ok_or(NotATaskId),
            Value::String(text) => text.parse(),
            _ => Err(NotATaskId),
        }
    }
}

impl FromStr for TaskId {
    type Err = NotATaskId;

    fn from_str(text: &str) -> Result<Self, NotATaskId> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(NotATaskId);
        }
        text.parse().map(TaskId).map_err(|_| NotATaskId)
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for TaskId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TaskId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        TaskId::from_json(&value).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_rise_within_a_thread_and_never_repeat_across_threads() {
        let threads: Vec<_> = (0..8)
            .map(|_| std::thread::spawn(|| (0..5000).map(|_| next_number()).collect::<Vec<_>>()))
            .collect();
        let mut seen = HashSet::new();
        for thread in threads {
            let numbers = thread.join().unwrap();
            assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]));
            assert!(numbers.iter().all(|number| *number > 0));
            seen.extend(numbers);
        }
        assert_eq!(seen.len(), 8 * 5000);
    }

    #[test]
    fn a_snowflake_carries_its_time() {
        let before = millis_since_epoch();
        let id = next_number() as u64;
        // Ids borrowed by the test above may lie a little in the future.
        assert!(id >> (NODE_BITS + SEQUENCE_BITS) >= before);
    }

    #[test]
    fn only_integers_and_digit_strings_are_task_ids() {
        assert_eq!(TaskId::from_json(&json!(1001)), Ok(TaskId(1001)));
        assert_eq!(TaskId::from_json(&json!("0042")), Ok(TaskId(42)));
        assert_eq!(TaskId::from_json(&json!("-7")), Ok(TaskId(-7)));
        for bad in [
            json!("9223372036854775808"),
            json!(1.5),
            json!("a1"),
            json!(""),
            json!("-"),
            json!("+1"),
            json!(" 1"),
            json!("１"),
            json!(null),
            json!(true),
            json!([1]),
            json!(u64::MAX),
        ] {
            assert_eq!(TaskId::from_json(&bad), Err(NotATaskId), "{bad}");
        }
        assert_eq!(serde_json::to_value(TaskId(1001)).unwrap(), json!("1001"));
    }

    proptest! {
        #[test]
        fn every_number_survives_the_wire(number in any::<i64>()) {
            let sent = serde_json::to_value(TaskId(number)).unwrap();
            prop_assert_eq!(serde_json::from_value::<TaskId>(sent).unwrap(), TaskId(number));
        }

        #[test]
        fn later_ticks_give_larger_ids(tick in 0..(1u64 << 52), more in 1..1000u64, node in 0..1024u64) {
            prop_assert!(compose(tick, node) < compose(tick + more, node));
        }
    }
}
