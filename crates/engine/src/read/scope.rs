//! A scope of a page (a document or one element of it) as text, as Markdown, and its tables.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::clean::clean;
use super::markdown::{Event, render};
use crate::deadline::Deadline;
use crate::error::Result;
use crate::frames::Frame;
use crate::tab::Tab;

/// What is read.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// CSS selector, `css >> nth=N` accepted; the whole document when absent.
    pub selector: Option<String>,
    /// Which match, from 0.
    pub nth: Option<u32>,
    /// Which frame; the main frame when absent.
    pub frame: Option<String>,
}

/// Which match of a scope's selector was taken.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Chosen {
    /// The selector without `>> nth=N`.
    pub css: String,
    /// Number of the match, from 0.
    pub index: u64,
    /// How many there are.
    pub matched: u64,
    /// The caller named the match.
    pub explicit: bool,
}

/// A link.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Its text, at most 80 characters.
    pub text: String,
    /// Absolute address.
    pub href: String,
}

/// A scope as text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ScopeText {
    /// Rendered text.
    pub text: String,
    /// Links, when asked for.
    pub links: Option<Vec<Link>>,
    /// There are more links.
    pub links_truncated: Option<bool>,
    /// Which match of the selector was taken.
    pub chosen: Option<Chosen>,
}

/// A scope as Markdown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct MarkdownPage {
    /// Address of the document.
    pub url: String,
    /// Title of the document.
    pub title: String,
    /// GitHub-flavoured Markdown.
    #[serde(skip)]
    pub markdown: String,
    events: Vec<Event>,
    /// Links, when asked for.
    pub links: Option<Vec<Link>>,
    /// There are more links.
    pub links_truncated: Option<bool>,
    /// Which match of the selector was taken.
    pub chosen: Option<Chosen>,
}

/// The tables of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Tables {
    /// Address of the document.
    pub url: String,
    /// Title of the document.
    pub title: String,
    /// How many there are.
    pub count: usize,
    /// The first of them.
    pub tables: Vec<Table>,
}

/// One table in a few facts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Table {
    /// N of `table >> nth=N`.
    pub index: u64,
    /// Rows, those of the head included.
    pub rows: u64,
    /// Columns of the widest row.
    pub cols: u64,
    /// `class` attribute.
    pub class_name: String,
    /// `id` attribute.
    pub id: String,
    /// It is rendered.
    pub visible: bool,
    /// Its caption.
    pub caption: String,
    /// Characters of its text.
    pub text_length: u64,
    /// Pictures in it.
    pub image_count: u64,
    /// Its first words.
    pub preview: String,
}

impl Tab {
    /// Calls an entry point of the page script on a scope.
    pub(super) async fn in_scope<R: DeserializeOwned>(
        &self,
        scope: &Scope,
        name: &str,
        more: impl IntoIterator<Item = (&'static str, Value)>,
        deadline: Deadline,
    ) -> Result<(Frame, R)> {
        let frame = self.find_frame(scope.frame.as_deref())?;
        let mut args = Map::new();
        if let Some(selector) = &scope.selector {
            args.insert("selector".into(), selector.clone().into());
        }
        if let Some(nth) = scope.nth {
            args.insert("nth".into(), nth.into());
        }
        args.extend(more.into_iter().map(|(name, value)| (name.to_owned(), value)));
        let reply = self.script(&frame, name, &args, deadline).await?;
        Ok((frame, reply))
    }

    /// Rendered text of a scope, with its links when `links` is set.
    ///
    /// # Errors
    /// The scope or its frame is not found.
    pub async fn scope_text(&self, scope: &Scope, links: bool, deadline: Deadline) -> Result<ScopeText> {
        let (_, mut found): (_, ScopeText) = self
            .in_scope(scope, "scopeText", [("links", links.into())], deadline)
            .await?;
        found.text = clean(&found.text).into_owned();
        clean_links(&mut found.links);
        Ok(found)
    }

    /// A scope as GitHub-flavoured Markdown. Link targets stand in it only when `links` is set.
    ///
    /// # Errors
    /// The scope or its frame is not found.
    pub async fn scope_markdown(&self, scope: &Scope, links: bool, deadline: Deadline) -> Result<MarkdownPage> {
        let (_, mut found): (_, MarkdownPage) = self
            .in_scope(scope, "markdown", [("links", links.into())], deadline)
            .await?;
        found.markdown = render(std::mem::take(&mut found.events));
        clean_links(&mut found.links);
        Ok(found)
    }

    /// The tables of a frame's document.
    ///
    /// # Errors
    /// The frame is not found.
    pub async fn tables(&self, frame: Option<&str>, deadline: Deadline) -> Result<Tables> {
        let frame = self.find_frame(frame)?;
        let mut found: Tables = self.script(&frame, "tables", &json!({}), deadline).await?;
        for table in &mut found.tables {
            table.preview = clean(&table.preview).into_owned();
            table.caption = clean(&table.caption).into_owned();
        }
        Ok(found)
    }
}

fn clean_links(links: &mut Option<Vec<Link>>) {
    for link in links.iter_mut().flatten() {
        link.text = clean(&link.text).into_owned();
    }
}
