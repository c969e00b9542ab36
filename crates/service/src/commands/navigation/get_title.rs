//! `get_title`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// Title of the current tab.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetTitle {}

/// Reply of `get_title`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Title {
    title: String,
}

impl Command for GetTitle {
    const NAME: &'static str = "get_title";
    const GROUP: Group = Group::Navigation;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe();
    type Output = Title;

    async fn run(self, cx: &mut Context) -> Result<Title, Failure> {
        let tab = cx.settled_tab().await?;
        Ok(Title {
            title: tab.title_now(cx.until()).await,
        })
    }
}
