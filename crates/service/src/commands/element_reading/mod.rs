//! Reading single elements.

mod get_element_attribute;
mod get_element_box;
mod get_element_count;
mod get_element_html;
mod get_element_listeners;
mod get_element_text;
mod get_element_value;
mod is_checked;
mod is_enabled;
mod is_visible;
pub(crate) mod target;

pub use get_element_attribute::GetElementAttribute;
pub use get_element_box::GetElementBox;
pub use get_element_count::GetElementCount;
pub use get_element_html::GetElementHtml;
pub use get_element_listeners::GetElementListeners;
pub use get_element_text::GetElementText;
pub use get_element_value::GetElementValue;
pub use is_checked::IsChecked;
pub use is_enabled::IsEnabled;
pub use is_visible::IsVisible;
