//! Keys and buttons that are down. Dropping a command in the middle of a gesture must not leave a page with a button
//! held: the guard releases what its gesture pressed, however the gesture ends.

/// Placeholder for the tab-wide set of held keys and buttons.
#[derive(Debug, Default)]
pub(crate) struct Held;
