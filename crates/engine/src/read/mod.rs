//! Reading what a page says beyond its indexed text: scopes as text or Markdown, forms, tables, and the boxes, states and
//! markup of single elements. Invariant: a page's own characters come out harmless (see [`clean`]), and a secret field's
//! value never leaves the page script.

mod clean;
mod element;
mod form;
mod markdown;
mod scope;

pub use clean::clean;
pub use element::{ElementBox, ElementState, SelectOption, SelectOptions};
pub use form::{FieldError, FormField, FormState};
pub use markdown::markdown_of_stream;
pub use scope::{Chosen, Link, MarkdownPage, Scope, ScopeText, Table, Tables};
