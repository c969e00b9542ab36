//! Reading a whole page.

mod get_browser_state;
mod reply;

pub use get_browser_state::GetBrowserState;
