//! Acting on elements by index, and on whatever has the focus.

mod click_element_by_index;
mod get_dropdown_options;
mod input_text;
mod press_key;
mod select_dropdown_option;
mod send_keys;
mod type_text;

pub use click_element_by_index::ClickElementByIndex;
pub use get_dropdown_options::GetDropdownOptions;
pub use input_text::InputText;
pub use press_key::PressKey;
pub use select_dropdown_option::SelectDropdownOption;
pub use send_keys::SendKeys;
pub use type_text::TypeText;
