//! `new_tab`.

use std::sync::Arc;

use engine::{EngineError, Tab};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::command::{Class, Command, Flags, Group};
use crate::commands::navigation::address::usable;
use crate::commands::navigation::receipt::not_at_the_service;
use crate::context::Context;
use crate::failure::Failure;
use crate::tabs::TaskTabs;
use crate::text;

/// Opens a tab, makes it current and brings it to the front.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewTab {
    /// The address to open; blank when absent.
    pub url: Option<String>,
}

/// Reply of `new_tab`.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Opened {
    page_index: usize,
    url: String,
    status: Option<u16>,
    action_status: Option<&'static str>,
    tab_count_before: Option<usize>,
    tab_count_after: Option<usize>,
    current_index: Option<usize>,
    switched_to_new_tab: Option<bool>,
    warning: Option<String>,
}

impl Command for NewTab {
    const NAME: &'static str = "new_tab";
    const GROUP: Group = Group::Tabs;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    type Output = Opened;

    async fn run(self, cx: &mut Context) -> Result<Opened, Failure> {
        let url = self.url.filter(|url| !url.trim().is_empty());
        let url = url.map(|url| usable(&url, cx.config())).transpose()?;
        let tabs = cx.tabs()?;
        let before = tabs.list().len();
        let deadline = cx.until();
        let tab = tabs.open(deadline).await?;
        let _ = tab.bring_to_front(deadline).await;
        let mut opened = Opened {
            page_index: tabs.index_of(&tab).unwrap_or(before),
            ..Opened::default()
        };
        if let Some(url) = url {
            match tab.navigate(&url, deadline).await {
                Ok(navigated) => {
                    not_at_the_service(cx, &tab, &navigated.url).await?;
                    opened.status = Some(navigated.status);
                }
                // The tab is there and current: that must not be lost with the error.
                Err(error) => opened.uncertain(cx, &tabs, &tab, before, &error),
            }
        }
        opened.url = tab.url();
        Ok(opened)
    }
}

impl Opened {
    fn uncertain(&mut self, cx: &Context, tabs: &TaskTabs, tab: &Arc<Tab>, before: usize, error: &EngineError) {
        self.action_status = Some("unknown");
        self.tab_count_before = Some(before);
        self.tab_count_after = Some(tabs.list().len());
        self.current_index = tabs.current().and_then(|current| tabs.index_of(&current));
        self.switched_to_new_tab = Some(tabs.current().is_some_and(|current| current.id() == tab.id()));
        self.warning = Some(cx.say(&text!("tabs.opened_but", error = error)));
    }
}
