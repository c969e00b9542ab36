//! `close_tab`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::facts::choose;
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::text;

/// Closes a tab. When it was current, the most recently used other tab becomes current, or a new blank one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CloseTab {
    /// Number of the tab, from 0, as `get_tabs` lists them.
    pub page_index: u32,
}

/// Reply of `close_tab`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClosedTab {
    closed: usize,
    remaining: usize,
    page_index: usize,
    url: String,
}

impl Command for CloseTab {
    const NAME: &'static str = "close_tab";
    const GROUP: Group = Group::Tabs;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    type Output = ClosedTab;

    async fn run(self, cx: &mut Context) -> Result<ClosedTab, Failure> {
        let tabs = cx.tabs()?;
        let (_, tab) = choose(&tabs, self.page_index)?;
        let deadline = cx.until();
        // A browser without a tab ends: the last one is replaced before it is closed.
        if tabs.list().len() == 1 {
            tabs.open(deadline).await?;
        }
        tab.close(deadline)
            .await
            .map_err(|error| Failure::from_engine(&error, false))?;
        if tab.end().is_none() {
            return Err(Failure::new(
                Code::ActionTimeout,
                text!("tabs.would_not_close", url = tab.url()),
            ));
        }
        let (current, _) = tabs.heal(deadline).await?;
        Ok(ClosedTab {
            closed: 1,
            remaining: tabs.list().len(),
            page_index: tabs.index_of(&current).unwrap_or(0),
            url: current.url(),
        })
    }
}
