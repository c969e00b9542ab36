//! `extract_markdown`.

use engine::Link;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::scope::{cut, scope, source};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::text;

/// The page or an element as GitHub-flavoured Markdown: what can be seen of it, with headings, lists, code and tables.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExtractMarkdown {
    /// CSS selector of the element; `css >> nth=N` takes a certain match. The whole page when absent.
    pub selector: Option<String>,
    /// Frame by ordinal, or by a part of its address or name; the main frame when absent.
    pub frame: Option<String>,
    /// Keep the targets of links, and list them in `links`.
    #[serde(default)]
    pub include_links: bool,
    /// Characters after which the text is cut, 0 for no cut; `browser.extract.maxChars` when absent.
    pub max_chars: Option<u32>,
    /// Which match of the selector, from 0, instead of the first that can be seen.
    pub nth: Option<u32>,
}

/// Reply of `extract_markdown`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MarkdownReply {
    markdown: String,
    /// Characters of the whole text.
    length: usize,
    truncated: bool,
    truncated_hint: Option<String>,
    source: String,
    url: String,
    title: String,
    /// Of objects (`text`, `href`).
    #[schemars(with = "Option<Vec<Value>>")]
    links: Option<Vec<Link>>,
    /// There are more links than are listed.
    links_truncated: Option<bool>,
}

impl Command for ExtractMarkdown {
    const NAME: &'static str = "extract_markdown";
    const GROUP: Group = Group::PageReading;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe();
    const OPAQUE: &'static [&'static str] = &["markdown", "title", "links"];
    type Output = MarkdownReply;

    fn check(&self) -> Result<(), Failure> {
        let whole = self.selector.as_ref().is_none_or(|selector| selector.trim().is_empty());
        if whole && self.nth.is_some_and(|nth| nth > 0) {
            return Err(Failure::invalid(text!("reading.nth_without_selector")));
        }
        Ok(())
    }

    async fn run(self, cx: &mut Context) -> Result<MarkdownReply, Failure> {
        let limit = self
            .max_chars
            .map_or(cx.config().extract.max_chars, |chars| chars as usize);
        let scope = scope(self.selector, self.nth, self.frame);
        let tab = cx.settled_tab().await?;
        let page = tab.scope_markdown(&scope, self.include_links, cx.until()).await;
        let page = page.map_err(|error| Failure::from_engine(&error, false))?;
        let text = cut(page.markdown, limit);
        let hint = text
            .truncated
            .then(|| text!("reading.markdown_cut", limit = limit, length = text.length));
        Ok(MarkdownReply {
            markdown: text.text,
            length: text.length,
            truncated: text.truncated,
            truncated_hint: hint.map(|hint| cx.say(&hint)),
            source: source("body", page.chosen.as_ref()),
            url: page.url,
            title: page.title,
            links: page.links,
            links_truncated: page.links_truncated,
        })
    }
}
