//! Reading pages beyond their indexed text: forms, text, Markdown, tables.

mod diff_dom_text;
mod download_image;
mod extract_markdown;
mod extract_structured_data;
mod find_text;
mod get_form_state;
mod get_interactive_map;
mod get_page_snapshot;
mod image_kind;
mod list_tables;
mod scope;
mod search;

pub use diff_dom_text::DiffDomText;
pub use download_image::DownloadImage;
pub use extract_markdown::ExtractMarkdown;
pub use extract_structured_data::ExtractStructuredData;
pub use find_text::FindText;
pub use get_form_state::GetFormState;
pub use get_interactive_map::GetInteractiveMap;
pub use get_page_snapshot::GetPageSnapshot;
pub use list_tables::ListTables;
