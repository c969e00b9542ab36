//! `clear_dialog` and its other name, `clear_js_dialog`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// Forgets the recorded native dialog. Closes nothing: a dialog that is open is answered by set_dialog_behavior.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClearDialog {}

/// Another name of `clear_dialog`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClearJsDialog {}

/// Reply of `clear_dialog`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cleared {
    cleared: bool,
}

fn forget(cx: &Context) -> Result<Cleared, Failure> {
    Ok(Cleared {
        cleared: cx.tabs()?.dialogs().forget(),
    })
}

impl Command for ClearDialog {
    const NAME: &'static str = "clear_dialog";
    const GROUP: Group = Group::DialogsModals;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe().without_turn();
    type Output = Cleared;

    async fn run(self, cx: &mut Context) -> Result<Cleared, Failure> {
        forget(cx)
    }
}

impl Command for ClearJsDialog {
    const NAME: &'static str = "clear_js_dialog";
    const GROUP: Group = Group::DialogsModals;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe().without_turn();
    type Output = Cleared;

    async fn run(self, cx: &mut Context) -> Result<Cleared, Failure> {
        forget(cx)
    }
}
