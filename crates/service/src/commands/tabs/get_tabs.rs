//! `get_tabs`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::facts::{self, TabFacts};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// Lists the task's tabs. Answers from what is known, so a page that hangs cannot hold it up.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetTabs {}

/// Reply of `get_tabs`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Tabs {
    tabs: Vec<TabFacts>,
}

impl Command for GetTabs {
    const NAME: &'static str = "get_tabs";
    const GROUP: Group = Group::Tabs;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.without_turn().resend_safe();
    type Output = Tabs;

    async fn run(self, cx: &mut Context) -> Result<Tabs, Failure> {
        Ok(Tabs {
            tabs: facts::list(&*cx.tabs()?),
        })
    }
}
