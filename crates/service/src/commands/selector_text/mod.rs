//! Acting on elements found by a selector.

mod clear_text;
mod click_element_by_selector;
mod input_text_by_label;
mod input_text_by_selector;

pub use clear_text::ClearText;
pub use click_element_by_selector::ClickElementBySelector;
pub use input_text_by_label::InputTextByLabel;
pub use input_text_by_selector::InputTextBySelector;
