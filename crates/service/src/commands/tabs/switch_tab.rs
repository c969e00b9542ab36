//! `switch_tab`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::facts::{Switched, choose, switch_to};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// Makes a tab current and brings it to the front.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SwitchTab {
    /// Number of the tab, from 0, as `get_tabs` lists them.
    pub page_index: u32,
}

impl Command for SwitchTab {
    const NAME: &'static str = "switch_tab";
    const GROUP: Group = Group::Tabs;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    type Output = Switched;

    async fn run(self, cx: &mut Context) -> Result<Switched, Failure> {
        let tabs = cx.tabs()?;
        let (page_index, tab) = choose(&tabs, self.page_index)?;
        switch_to(cx, &tabs, page_index, &tab).await
    }
}
