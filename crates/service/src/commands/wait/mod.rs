//! Waiting for a time or a condition.

mod pause;
mod until;
mod wait_for_element;
mod wait_for_text;

pub use pause::Wait;
pub use wait_for_element::WaitForElement;
pub use wait_for_text::WaitForText;
