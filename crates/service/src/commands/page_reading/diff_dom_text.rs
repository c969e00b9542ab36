//! `diff_dom_text`.

use engine::{DomDiff, StateOptions};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::page_state::has_window;
use super::super::tabs::facts::{self, TabFacts};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// Lines of each kind that are told at most.
const MOST: usize = 200;

/// Reads the page again and tells which lines of its text are new and which are gone since it was last read.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiffDomText {
    /// Draw index boxes on the page for a person who watches; default true in a browser with a window.
    pub highlight: Option<bool>,
    /// Pixels above and below the viewport that are read too; -1 reads the whole page.
    #[serde(default)]
    #[schemars(range(min = -1, max = 1_000_000))]
    pub viewport_expansion: i64,
}

/// Reply of `diff_dom_text`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    url: String,
    title: String,
    tabs: Vec<TabFacts>,
    first: bool,
    changed: bool,
    added: Vec<String>,
    removed: Vec<String>,
    /// Lines added in all, when not all are listed.
    added_count: Option<usize>,
    /// Lines removed in all, when not all are listed.
    removed_count: Option<usize>,
    snapshot_id: String,
}

impl Command for DiffDomText {
    const NAME: &'static str = "diff_dom_text";
    const GROUP: Group = Group::PageReading;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe();
    const OPAQUE: &'static [&'static str] = &["added", "removed"];
    type Output = Difference;

    async fn run(self, cx: &mut Context) -> Result<Difference, Failure> {
        let tab = cx.tab().await?;
        let options = StateOptions {
            expansion: self.viewport_expansion,
            ..StateOptions::default()
        };
        let (mut state, diff) = tab
            .diff_text(&options, cx.until())
            .await
            .map_err(|error| Failure::from_engine(&error, false))?;
        let tabs = facts::list(&*cx.tabs()?);
        if self.highlight.unwrap_or_else(|| has_window(cx)) {
            tab.highlight(state.take_marks(), cx.until()).await;
        }
        let DomDiff {
            first,
            mut added,
            mut removed,
        } = diff;
        Ok(Difference {
            url: state.url,
            title: state.title,
            tabs,
            first,
            changed: first || !added.is_empty() || !removed.is_empty(),
            added_count: cut(&mut added),
            removed_count: cut(&mut removed),
            added,
            removed,
            snapshot_id: state.snapshot_id,
        })
    }
}

/// Cuts the list; gives its length before when that was longer.
fn cut(lines: &mut Vec<String>) -> Option<usize> {
    let count = lines.len();
    lines.truncate(MOST);
    (count > MOST).then_some(count)
}
