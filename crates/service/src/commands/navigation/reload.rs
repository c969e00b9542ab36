//! `reload`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::receipt::{Landed, landed};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// Loads the current page again.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reload {
    /// Allow a page that was made by sending a form, which sends the form again.
    #[serde(default)]
    pub resubmit: bool,
}

impl Command for Reload {
    const NAME: &'static str = "reload";
    const GROUP: Group = Group::Navigation;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    type Output = Landed;

    async fn run(self, cx: &mut Context) -> Result<Landed, Failure> {
        let tab = cx.settled_tab().await?;
        let deadline = cx.until();
        let navigated = tab.reload(self.resubmit, deadline).await;
        let navigated = navigated.map_err(|error| Failure::from_engine(&error, false))?;
        landed(cx, &tab, navigated, deadline).await
    }
}
