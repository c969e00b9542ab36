//! `bring_to_front`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::facts::choose;
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// Shows a tab to a person who looks at the browser. With `pageIndex` that tab becomes current too.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BringToFront {
    /// Number of the tab, from 0; the current one when absent.
    pub page_index: Option<u32>,
}

/// Reply of `bring_to_front`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    page_index: usize,
    url: String,
}

impl Command for BringToFront {
    const NAME: &'static str = "bring_to_front";
    const GROUP: Group = Group::Tabs;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture().resend_safe();
    type Output = Shown;

    async fn run(self, cx: &mut Context) -> Result<Shown, Failure> {
        let tabs = cx.tabs()?;
        let tab = match self.page_index {
            Some(page_index) => {
                let (_, tab) = choose(&tabs, page_index)?;
                tabs.make_current(&tab);
                tab
            }
            None => cx.tab().await?,
        };
        tab.bring_to_front(cx.until())
            .await
            .map_err(|error| Failure::from_engine(&error, false))?;
        Ok(Shown {
            page_index: tabs.index_of(&tab).unwrap_or(0),
            url: tab.url(),
        })
    }
}
