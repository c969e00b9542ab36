//! Acting on elements by index, and on whatever has the focus.

mod check_element_by_index;
mod click_element_by_index;
mod double_click_element_by_index;
mod focus_element_by_index;
mod get_dropdown_options;
mod hover_element_by_index;
mod input_text;
mod key_down;
mod key_up;
mod press_key;
mod select_dropdown_option;
mod scroll;
mod scroll_to_text;
mod send_keys;
mod single_key;
mod type_text;
mod uncheck_element_by_index;

pub use check_element_by_index::CheckElementByIndex;
pub use click_element_by_index::ClickElementByIndex;
pub use double_click_element_by_index::DoubleClickElementByIndex;
pub use focus_element_by_index::FocusElementByIndex;
pub use get_dropdown_options::GetDropdownOptions;
pub use hover_element_by_index::HoverElementByIndex;
pub use input_text::InputText;
pub use key_down::KeyDown;
pub use key_up::KeyUp;
pub use press_key::PressKey;
pub use select_dropdown_option::SelectDropdownOption;
pub use scroll::Scroll;
pub use scroll_to_text::ScrollToText;
pub use send_keys::SendKeys;
pub use type_text::TypeText;
pub use uncheck_element_by_index::UncheckElementByIndex;
