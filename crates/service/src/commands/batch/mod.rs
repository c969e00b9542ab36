//! Several commands in one request.

#[allow(clippy::module_inception)] // named after its command, like every other file
mod commands;

pub use commands::Commands;
