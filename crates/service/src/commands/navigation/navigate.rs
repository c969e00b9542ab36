//! `navigate`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::receipt::{Landed, open};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// Opens an address in the current tab and waits until it has loaded.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Navigate {
    /// The address; a missing scheme means https, or http for loopback hosts.
    pub url: String,
}

impl Command for Navigate {
    const NAME: &'static str = "navigate";
    const GROUP: Group = Group::Navigation;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    type Output = Landed;

    async fn run(self, cx: &mut Context) -> Result<Landed, Failure> {
        let tab = cx.tab().await?;
        open(cx, &tab, &self.url).await
    }
}
