//! `get_dialog` and its other name, `get_js_dialog`.

use engine::Dialog;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::open::{OpenOne, several};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::text;

/// The newest native dialog (alert, confirm, prompt, beforeunload) of the task's pages: what it said and how it was answered, or that it is open. Several that are open at once are all listed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetDialog {
    /// Forget the record after reading it, so that an old dialog is not taken for a new one.
    #[serde(default)]
    pub consume: bool,
}

/// Another name of `get_dialog`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetJsDialog {
    /// Forget the record after reading it, so that an old dialog is not taken for a new one.
    #[serde(default)]
    pub consume: bool,
}

/// Reply of `get_dialog`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Newest {
    #[schemars(with = "Option<Value>")]
    dialog: Option<Dialog>,
    #[schemars(with = "Option<Value>")]
    open_dialogs: Option<Vec<OpenOne>>,
    hint: Option<String>,
}

fn newest(cx: &Context, consume: bool) -> Result<Newest, Failure> {
    let tabs = cx.tabs()?;
    // One that is open is what holds the page, whatever came after it in another tab.
    let open = tabs.asking().and_then(|tab| tab.open_dialog());
    let dialog = open.or_else(|| tabs.dialogs().last());
    if consume && dialog.as_ref().is_none_or(|dialog| !dialog.open) {
        tabs.dialogs().forget();
    }
    let open = dialog.as_ref().is_some_and(|dialog| dialog.open);
    Ok(Newest {
        dialog,
        open_dialogs: several(&tabs),
        hint: open.then(|| cx.say(&text!("dialog.how_to_answer"))),
    })
}

impl Command for GetDialog {
    const NAME: &'static str = "get_dialog";
    const GROUP: Group = Group::DialogsModals;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe().without_turn();
    const OPAQUE: &'static [&'static str] = &["dialog", "openDialogs"];
    type Output = Newest;

    async fn run(self, cx: &mut Context) -> Result<Newest, Failure> {
        newest(cx, self.consume)
    }
}

impl Command for GetJsDialog {
    const NAME: &'static str = "get_js_dialog";
    const GROUP: Group = Group::DialogsModals;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe().without_turn();
    const OPAQUE: &'static [&'static str] = &["dialog", "openDialogs"];
    type Output = Newest;

    async fn run(self, cx: &mut Context) -> Result<Newest, Failure> {
        newest(cx, self.consume)
    }
}
