//! Waiting for a time or a condition.

mod missing;
mod pause;
mod until;
mod wait_for_count;
mod wait_for_element;
mod wait_for_function;
mod wait_for_idle;
mod wait_for_load;
mod wait_for_stable;
mod wait_for_text;
mod wait_for_url;

pub use pause::Wait;
pub use wait_for_count::WaitForCount;
pub use wait_for_element::WaitForElement;
pub use wait_for_function::WaitForFunction;
pub use wait_for_idle::WaitForIdle;
pub use wait_for_load::WaitForLoad;
pub use wait_for_stable::WaitForStable;
pub use wait_for_text::WaitForText;
pub use wait_for_url::WaitForUrl;
