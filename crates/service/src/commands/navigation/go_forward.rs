//! `go_forward`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::receipt::{Landed, landed};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// One page forward in the tab's history.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GoForward {
    /// Allow a page that was made by sending a form, which sends the form again.
    #[serde(default)]
    pub resubmit: bool,
}

impl Command for GoForward {
    const NAME: &'static str = "go_forward";
    const GROUP: Group = Group::Navigation;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    type Output = Landed;

    async fn run(self, cx: &mut Context) -> Result<Landed, Failure> {
        let tab = cx.settled_tab().await?;
        let deadline = cx.until();
        let navigated = tab.forward(self.resubmit, deadline).await;
        let navigated = navigated.map_err(|error| Failure::from_engine(&error, false))?;
        landed(cx, &tab, navigated, deadline).await
    }
}
