//! `extract_structured_data`.

use engine::{Link, Scope};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::scope::cut;
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::text;

/// The text of the page, and its links on demand, for the caller to extract from; no model is called.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExtractStructuredData {
    /// What the caller is after; comes back as it is.
    pub query: Option<String>,
    /// Also list the links that can be seen.
    #[serde(default)]
    pub extract_links: bool,
    /// Frame by ordinal, or by a part of its address or name; the main frame when absent.
    pub frame: Option<String>,
}

/// Reply of `extract_structured_data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageText {
    query: Option<String>,
    text: String,
    /// Characters of the whole text.
    length: usize,
    truncated: bool,
    limit: usize,
    truncated_hint: Option<String>,
    /// Of objects (`text`, `href`).
    #[schemars(with = "Option<Vec<Value>>")]
    links: Option<Vec<Link>>,
    /// There are more links than are listed.
    links_truncated: Option<bool>,
}

impl Command for ExtractStructuredData {
    const NAME: &'static str = "extract_structured_data";
    const GROUP: Group = Group::PageReading;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe();
    const OPAQUE: &'static [&'static str] = &["query", "text", "links"];
    type Output = PageText;

    async fn run(self, cx: &mut Context) -> Result<PageText, Failure> {
        let limit = cx.config().extract.max_chars;
        let scope = Scope {
            frame: self.frame,
            ..Scope::default()
        };
        let tab = cx.settled_tab().await?;
        let read = tab.scope_text(&scope, self.extract_links, cx.until()).await;
        let read = read.map_err(|error| Failure::from_engine(&error, false))?;
        let text = cut(read.text, limit);
        let hint = text
            .truncated
            .then(|| text!("reading.text_cut", limit = limit, length = text.length));
        Ok(PageText {
            query: self.query,
            text: text.text,
            length: text.length,
            truncated: text.truncated,
            limit,
            truncated_hint: hint.map(|hint| cx.say(&hint)),
            links: read.links,
            links_truncated: read.links_truncated,
        })
    }
}
