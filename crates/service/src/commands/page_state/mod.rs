//! Reading a whole page.

mod get_browser_state;
mod list_frames;
mod reply;

pub use get_browser_state::GetBrowserState;
pub(crate) use get_browser_state::has_window;
pub use list_frames::ListFrames;
