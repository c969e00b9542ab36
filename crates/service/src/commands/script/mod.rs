//! The caller's own JavaScript.

mod execute_js;
mod variables;

pub use execute_js::ExecuteJs;
