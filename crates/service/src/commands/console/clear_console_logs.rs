//! `clear_console_logs`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::command::{Class, Command, Flags, Group, Nothing};
use crate::context::Context;
use crate::failure::Failure;

/// Forgets the recorded console messages and exceptions. Nothing changes on the pages.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClearConsoleLogs {}

impl Command for ClearConsoleLogs {
    const NAME: &'static str = "clear_console_logs";
    const GROUP: Group = Group::Console;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.without_turn().resend_safe();
    type Output = Nothing;

    async fn run(self, cx: &mut Context) -> Result<Nothing, Failure> {
        cx.tabs()?.console().clear();
        Ok(Nothing::default())
    }
}
