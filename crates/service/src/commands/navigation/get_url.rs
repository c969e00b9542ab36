//! `get_url`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// Address of the current tab.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetUrl {}

/// Reply of `get_url`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Url {
    url: String,
}

impl Command for GetUrl {
    const NAME: &'static str = "get_url";
    const GROUP: Group = Group::Navigation;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe();
    type Output = Url;

    async fn run(self, cx: &mut Context) -> Result<Url, Failure> {
        let tab = cx.settled_tab().await?;
        Ok(Url {
            url: tab.url_now(cx.until()).await,
        })
    }
}
