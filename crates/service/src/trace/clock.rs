//! Time as people and files write it: ISO 8601 in UTC, and local time for folder names and log lines.
//!
//! The offset of local time is read once. Reading it needs a process with a single thread, because
//! the C library's environment may change under it otherwise; call [`init`] first thing in `main`.

use std::sync::OnceLock;
use std::time::SystemTime;

use time::format_description::BorrowedFormatItem;
use time::macros::format_description;
use time::{OffsetDateTime, UtcOffset};

type Format = &'static [BorrowedFormatItem<'static>];

const ISO_UTC: Format = format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");
const ISO_LOCAL: Format = format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]");
const LINE: Format = format_description!("[year]-[month]-[day] [hour]:[minute]:[second]");
const DAY: Format = format_description!("[year][month][day]");

static OFFSET: OnceLock<UtcOffset> = OnceLock::new();

/// Reads the offset of local time, once for the life of the process. Later calls change nothing.
pub fn init() {
    offset();
}

/// The offset read by [`init`]; UTC when it could not be read or other threads ran already.
pub fn offset() -> UtcOffset {
    *OFFSET.get_or_init(|| UtcOffset::current_local_offset().unwrap_or(UtcOffset::UTC))
}

/// `2026-01-31T08:15:00.250Z`
pub fn iso_utc(at: SystemTime) -> String {
    formatted(OffsetDateTime::from(at).to_offset(UtcOffset::UTC), ISO_UTC)
}

/// Local date and time without an offset, `2026-01-31T16:15:00.250`.
pub fn iso_local(at: SystemTime) -> String {
    formatted(local(at), ISO_LOCAL)
}

/// Local date and time of a log line, `2026-01-31 16:15:00`.
pub(super) fn line(at: SystemTime) -> String {
    formatted(local(at), LINE)
}

/// Local day as a folder name, `20260131`.
pub(crate) fn day(at: SystemTime) -> String {
    formatted(local(at), DAY)
}

fn local(at: SystemTime) -> OffsetDateTime {
    let at = OffsetDateTime::from(at);
    at.checked_to_offset(offset()).unwrap_or(at)
}

fn formatted(at: OffsetDateTime, format: Format) -> String {
    // Every component of the formats above exists in an OffsetDateTime; formatting into memory does not fail.
    at.format(format).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    #[test]
    fn times_are_written_as_the_formats_say() {
        let at = UNIX_EPOCH + Duration::from_millis(1_700_000_000_250);
        assert_eq!(iso_utc(at), "2023-11-14T22:13:20.250Z");
        let there = at + Duration::from_secs(offset().whole_seconds().max(0).unsigned_abs().into())
            - Duration::from_secs(offset().whole_seconds().min(0).unsigned_abs().into());
        assert_eq!(iso_local(at), iso_utc(there).trim_end_matches('Z'));
        assert_eq!(line(at), iso_local(at).replace('T', " ").split('.').next().unwrap());
        assert_eq!(day(at), iso_local(at)[..10].replace('-', ""));
    }
}
