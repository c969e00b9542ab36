//! `close_other_tabs`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::facts::choose;
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::text;

/// Closes all tabs of the task but one, which becomes current.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CloseOtherTabs {
    /// Number of the tab to keep, from 0; the current one when absent.
    pub page_index: Option<u32>,
}

/// Reply of `close_other_tabs`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClosedOthers {
    closed: usize,
    remaining: usize,
    page_index: usize,
    url: String,
}

impl Command for CloseOtherTabs {
    const NAME: &'static str = "close_other_tabs";
    const GROUP: Group = Group::Tabs;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    type Output = ClosedOthers;

    async fn run(self, cx: &mut Context) -> Result<ClosedOthers, Failure> {
        let tabs = cx.tabs()?;
        let deadline = cx.until();
        let kept = match self.page_index {
            Some(page_index) => choose(&tabs, page_index)?.1,
            None => cx.tab().await?,
        };
        tabs.make_current(&kept);
        let others: Vec<_> = tabs.list().into_iter().filter(|tab| tab.id() != kept.id()).collect();
        let closing: Vec<_> = others
            .iter()
            .cloned()
            .map(|tab| tokio::spawn(async move { tab.close(deadline).await }))
            .collect();
        for one in closing {
            if let Ok(Err(error)) = one.await {
                return Err(Failure::from_engine(&error, false));
            }
        }
        if let Some(open) = others.iter().find(|tab| tab.end().is_none()) {
            return Err(Failure::new(
                Code::ActionTimeout,
                text!("tabs.would_not_close", url = open.url()),
            ));
        }
        Ok(ClosedOthers {
            closed: others.len(),
            remaining: tabs.list().len(),
            page_index: tabs.index_of(&kept).unwrap_or(0),
            url: kept.url(),
        })
    }
}
