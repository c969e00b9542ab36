//! What is told about tabs, and how one is chosen by its number.

use std::sync::Arc;

use engine::Tab;
use schemars::JsonSchema;
use serde::Serialize;

use crate::context::Context;
use crate::failure::Failure;
use crate::tabs::TaskTabs;
use crate::text;

/// One tab.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TabFacts {
    /// Number of the tab, from 0.
    index: usize,
    url: String,
    title: String,
    current: bool,
}

impl TabFacts {
    /// Its line in `browser_state`, which counts from 1; a blank tab has the short form.
    pub(crate) fn line(&self) -> String {
        if self.url == "about:blank" || self.url.is_empty() {
            return format!("Browser tab: {}, ", self.number());
        }
        let clean = |text: &str| text.replace(['\n', '\r', '"'], " ");
        format!(
            "Browser tab: {}, Title: \"{}\", URL: \"{}\".",
            self.number(),
            clean(&shorter(&self.title, TITLE)),
            clean(&shorter(&self.url, ADDRESS))
        )
    }

    /// Its number counted from 1.
    pub(crate) const fn number(&self) -> usize {
        self.index + 1
    }

    /// Whether commands act on it.
    pub(crate) const fn is_current(&self) -> bool {
        self.current
    }
}

/// Characters of a title, and of an address in a line, that are told: a page may make either as long as it likes.
pub(crate) const TITLE: usize = 300;
const ADDRESS: usize = 1000;

pub(crate) fn shorter(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The tabs of a task, from what is known without asking the pages.
pub(crate) fn list(tabs: &TaskTabs) -> Vec<TabFacts> {
    let current = tabs.current();
    let is_current = |tab: &Tab| current.as_ref().is_some_and(|current| current.id() == tab.id());
    tabs.list()
        .iter()
        .enumerate()
        .map(|(index, tab)| TabFacts {
            index,
            url: tab.url(),
            title: shorter(&tab.title(), TITLE),
            current: is_current(tab),
        })
        .collect()
}

/// The tab with that number; the failure lists those that exist.
pub(super) fn choose(tabs: &TaskTabs, page_index: u32) -> Result<(usize, Arc<Tab>), Failure> {
    let all = tabs.list();
    let found = usize::try_from(page_index)
        .ok()
        .and_then(|at| all.get(at).map(|tab| (at, Arc::clone(tab))));
    found.ok_or_else(|| {
        Failure::invalid(text!(
            "tabs.out_of_range",
            given = page_index,
            count = all.len(),
            tabs = named(&all)
        ))
        .with("tabs", serde_json::json!(list(tabs)))
    })
}

/// Numbers and addresses of tabs, for a message.
pub(super) fn named(all: &[Arc<Tab>]) -> String {
    let one = |(at, tab): (usize, &Arc<Tab>)| format!("{at}: {}", tab.url());
    all.iter().enumerate().map(one).collect::<Vec<_>>().join("; ")
}

/// Reply of the commands that switch.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Switched {
    page_index: usize,
    url: String,
    title: String,
}

/// Makes a tab current and brings it to the front.
pub(super) async fn switch_to(
    cx: &Context,
    tabs: &TaskTabs,
    page_index: usize,
    tab: &Arc<Tab>,
) -> Result<Switched, Failure> {
    tabs.make_current(tab);
    let deadline = cx.until();
    tab.bring_to_front(deadline)
        .await
        .map_err(|error| Failure::from_engine(&error, false))?;
    Ok(Switched {
        page_index,
        url: tab.url_now(deadline).await,
        title: tab.title_now(deadline).await,
    })
}
