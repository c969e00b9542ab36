//! `get_page_snapshot`.

use engine::Dialog;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::network::{Shown, off_note};
use super::super::tabs::facts::{self, TabFacts};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::text;

/// Where the page is and how it is: address, title, tabs, dialog and loading in one call, without its text.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetPageSnapshot {
    /// Add console messages and page errors.
    #[serde(default)]
    pub include_console: bool,
    /// Add the recorded requests.
    #[serde(default)]
    pub include_requests: bool,
    /// Only requests whose address contains this.
    pub request_filter: Option<String>,
}

/// Reply of `get_page_snapshot`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageSnapshot {
    url: String,
    title: String,
    tabs: Vec<TabFacts>,
    #[schemars(with = "Option<Value>")]
    dialog: Option<Dialog>,
    loading: bool,
    console_recorded: Option<bool>,
    console_note: Option<String>,
    requests: Option<Vec<Value>>,
    network_recorded: Option<bool>,
    network_note: Option<String>,
}

impl Command for GetPageSnapshot {
    const NAME: &'static str = "get_page_snapshot";
    const GROUP: Group = Group::PageReading;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe();
    const OPAQUE: &'static [&'static str] = &["dialog", "requests"];
    type Output = PageSnapshot;

    async fn run(self, cx: &mut Context) -> Result<PageSnapshot, Failure> {
        let tab = cx.settled_tab().await?;
        let until = cx.until();
        let (url, title, loading) = tokio::join!(tab.url_now(until), tab.title_now(until), tab.is_loading(until));
        let dialog = cx.tabs()?.dialogs().last();
        let console = self.include_console.then(|| cx.say(&text!("snapshot.no_console")));
        let wanted = self.include_requests || self.request_filter.is_some();
        let book = cx.tabs()?.network();
        if wanted {
            book.wake();
        }
        let network = off_note(&book).filter(|_| wanted).map(|note| cx.say(&note));
        let shown = Shown::new(&cx.config().trace, false);
        let filter = self.request_filter.as_deref().unwrap_or_default();
        let requests = wanted.then(|| {
            book.list(|one| one.url.contains(filter))
                .iter()
                .map(|one| shown.record(one))
                .collect()
        });
        Ok(PageSnapshot {
            url,
            title: facts::shorter(&title, facts::TITLE),
            tabs: facts::list(&*cx.tabs()?),
            dialog,
            loading,
            console_recorded: console.as_ref().map(|_| false),
            console_note: console,
            requests,
            network_recorded: network.as_ref().map(|_| false),
            network_note: network,
        })
    }
}
