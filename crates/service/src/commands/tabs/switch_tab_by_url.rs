//! `switch_tab_by_url`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::facts::{self, Switched};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::text;

/// Makes the first tab whose address contains a text current and brings it to the front.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SwitchTabByUrl {
    /// A part of the address.
    pub url: String,
}

impl Command for SwitchTabByUrl {
    const NAME: &'static str = "switch_tab_by_url";
    const GROUP: Group = Group::Tabs;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    type Output = Switched;

    async fn run(self, cx: &mut Context) -> Result<Switched, Failure> {
        let tabs = cx.tabs()?;
        let all = tabs.list();
        let found = all.iter().enumerate().find(|(_, tab)| tab.url().contains(&self.url));
        match found {
            Some((page_index, tab)) => facts::switch_to(cx, &tabs, page_index, tab).await,
            None => Err(Failure::new(
                Code::ActionFailed,
                text!("tabs.no_such_url", url = self.url, tabs = facts::named(&all)),
            )
            .with("tabs", serde_json::json!(facts::list(&tabs)))),
        }
    }
}
