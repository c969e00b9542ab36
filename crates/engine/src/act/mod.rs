//! Acting on a page with real input: clicking, typing, pressing keys.

mod held;

pub(crate) use held::Held;
