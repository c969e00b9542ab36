//! `set_dialog_behavior`.

use engine::{Dialog, EngineError, Policy};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::open::{OpenOne, meant, none_open, several};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::tabs::TaskTabs;
use crate::text;

/// Chooses what happens to later native dialogs (accepted at first), or answers one that is open.
///
/// With `mode:"ask"` a dialog is left open and holds its page: the action that opened it returns at once with it, other
/// commands on the page fail with DIALOG_OPEN, and `answer` ends it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetDialogBehavior {
    /// true = dismiss later dialogs; the same as mode "dismiss".
    #[serde(default)]
    pub dismiss: bool,
    /// What is done with later dialogs: `accept`, `dismiss`, or `ask` (leave them open). With `answer` and without this nothing changes for later ones.
    #[schemars(extend("enum" = ["accept", "dismiss", "ask"]))]
    pub mode: Option<String>,
    /// Answers the dialog that is open now.
    #[schemars(extend("enum" = ["accept", "dismiss"]))]
    pub answer: Option<String>,
    /// Which open dialog is answered, by the `seq` that receipts and get_dialog tell; needed only when several tabs have one open. Absent: that of the current tab, else the newest.
    pub seq: Option<u64>,
    /// Text for a prompt that is accepted; the one that it proposes when absent.
    pub prompt_text: Option<String>,
}

/// Reply of `set_dialog_behavior`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Behavior {
    dismiss: bool,
    mode: &'static str,
    #[schemars(with = "Option<Value>")]
    answered: Option<Dialog>,
    #[schemars(with = "Option<Value>")]
    dialog: Option<Dialog>,
    #[schemars(with = "Option<Value>")]
    open_dialogs: Option<Vec<OpenOne>>,
    hint: Option<String>,
}

impl SetDialogBehavior {
    fn policy(&self) -> Option<Policy> {
        match self.mode.as_deref() {
            Some("accept") => Some(Policy::Accept),
            Some("dismiss") => Some(Policy::Dismiss),
            Some(_) => Some(Policy::Ask),
            None if self.dismiss => Some(Policy::Dismiss),
            None => self.answer.is_none().then_some(Policy::Accept),
        }
    }
}

impl Command for SetDialogBehavior {
    const NAME: &'static str = "set_dialog_behavior";
    const GROUP: Group = Group::DialogsModals;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.resend_safe().without_turn();
    const OPAQUE: &'static [&'static str] = &["answered", "dialog", "openDialogs"];
    type Output = Behavior;

    fn check(&self) -> Result<(), Failure> {
        if self.dismiss && self.mode.as_deref().is_some_and(|mode| mode != "dismiss") {
            return Err(Failure::invalid(text!("dialog.contradiction")));
        }
        if self.prompt_text.is_some() && self.answer.as_deref() != Some("accept") {
            return Err(Failure::invalid(text!("dialog.text_without_answer")));
        }
        if self.seq.is_some() && self.answer.is_none() {
            return Err(Failure::invalid(text!("dialog.seq_without_answer")));
        }
        Ok(())
    }

    async fn run(self, cx: &mut Context) -> Result<Behavior, Failure> {
        let tabs = cx.tabs()?;
        if let Some(policy) = self.policy() {
            tabs.dialogs().set_policy(policy);
        }
        let answered = match self.answer.as_deref() {
            Some(answer) => Some(reply_to(cx, &tabs, self.seq, answer == "accept", self.prompt_text).await?),
            None => None,
        };
        let policy = tabs.dialogs().policy();
        let dialog = tabs.asking().and_then(|tab| tab.open_dialog());
        Ok(Behavior {
            dismiss: policy == Policy::Dismiss,
            mode: policy.as_str(),
            answered,
            hint: dialog.as_ref().map(|_| cx.say(&text!("dialog.how_to_answer"))),
            dialog,
            open_dialogs: several(&tabs),
        })
    }
}

async fn reply_to(
    cx: &Context,
    tabs: &TaskTabs,
    seq: Option<u64>,
    accept: bool,
    text: Option<String>,
) -> Result<Dialog, Failure> {
    let (tab, asked) = meant(tabs, seq)?;
    if text.is_some() && asked.kind != "prompt" {
        return Err(
            Failure::new(Code::ActionFailed, text!("dialog.takes_no_text", kind = &asked.kind))
                .with("started", false)
                .with("dialog", json!(asked)),
        );
    }
    tab.answer_dialog(accept, text, cx.until())
        .await
        .map_err(|error| match error {
            EngineError::NoDialog => none_open(tabs),
            other => Failure::from_engine(&other, true),
        })
}
