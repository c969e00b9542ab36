//! Reading single elements.

mod get_element_attribute;
mod get_element_count;
mod get_element_text;
mod get_element_value;

pub use get_element_attribute::GetElementAttribute;
pub use get_element_count::GetElementCount;
pub use get_element_text::GetElementText;
pub use get_element_value::GetElementValue;
