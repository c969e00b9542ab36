//! Whether the task's requests are recorded, and how that is told.

use std::sync::Arc;

use engine::{NetworkBook, Traffic};

use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::messages::Text;
use crate::text;

/// The sentence for a task whose requests are not recorded; `None` when they are.
pub(crate) fn off_note(book: &NetworkBook) -> Option<Text> {
    (!book.is_recording()).then(|| text!("network.off"))
}

/// The task's record. Where the first question begins recording, this is one.
pub(super) fn awake(cx: &mut Context) -> Result<Arc<NetworkBook>, Failure> {
    let book = cx.tabs()?.network();
    if book.wake() {
        cx.note(text!("network.begun"));
    }
    Ok(book)
}

/// The task's record, or the failure of a command that is nothing without one.
pub(super) fn recorded(cx: &mut Context) -> Result<Arc<NetworkBook>, Failure> {
    let book = awake(cx)?;
    match off_note(&book) {
        Some(note) => Err(Failure::new(Code::ActionFailed, note)
            .with("networkRecorded", false)
            .not_retryable()),
        None => Ok(book),
    }
}

/// Requests of the task's tabs that are under way; streams do not count.
pub(super) fn in_flight(cx: &Context) -> usize {
    let tabs = cx.tabs().map(|tabs| tabs.list()).unwrap_or_default();
    tabs.iter()
        .map(|tab| tab.state().in_flight.list(Traffic::All).len())
        .sum()
}

/// Milliseconds since 1970.
pub(super) fn now_ms() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    u64::try_from(now.unwrap_or_default().as_millis()).unwrap_or(u64::MAX)
}
