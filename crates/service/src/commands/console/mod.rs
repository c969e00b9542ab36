//! What pages write to their consoles.

mod clear_console_logs;
mod get_console_logs;

pub use clear_console_logs::ClearConsoleLogs;
pub use get_console_logs::GetConsoleLogs;
