//! Acting on elements found by a selector.

mod clear_text;
mod click_element_by_role;
mod click_element_by_selector;
mod click_element_by_text;
mod hover_and_click;
mod input_text_by_label;
mod input_text_by_selector;
mod outlined;
mod roles;

pub use clear_text::ClearText;
pub use click_element_by_role::ClickElementByRole;
pub use click_element_by_selector::ClickElementBySelector;
pub use click_element_by_text::ClickElementByText;
pub use hover_and_click::HoverAndClick;
pub use input_text_by_label::InputTextByLabel;
pub use input_text_by_selector::InputTextBySelector;
