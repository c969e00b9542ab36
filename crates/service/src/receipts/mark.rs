//! Ticking and unticking, judged by the control's own state afterwards.

use std::time::Duration;

use engine::{Mark, Target};
use schemars::JsonSchema;
use serde::Serialize;

use super::click::{Wanted, click};
use super::effects::ClickReply;
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::text;

/// How long a control may take to show its new state.
const SETTLES: Duration = Duration::from_millis(1000);

/// Reply of `check_element_by_index` and `uncheck_element_by_index`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MarkReply {
    checked: bool,
    /// It was in the wanted state before; nothing was clicked.
    already_set: Option<bool>,
    #[serde(flatten)]
    click: ClickReply,
}

/// Brings a control into the wanted state and reports.
pub(crate) async fn mark(
    cx: &mut Context,
    target: Target,
    wanted: bool,
    mode: Option<&str>,
) -> Result<MarkReply, Failure> {
    let tab = cx.settled_tab().await?;
    let before = tab.element_state(&target, cx.until()).await;
    let before = before.map_err(|error| Failure::from_engine(&error, false))?;
    if !before.checkable {
        let text = text!("element.not_checkable", target = name(&target));
        return Err(Failure::new(Code::ActionFailed, text).with("started", false));
    }
    let mixed = before.indeterminate == Some(true);
    if before.checked == Some(wanted) && !mixed {
        return Ok(MarkReply {
            checked: wanted,
            already_set: Some(true),
            click: ClickReply::untouched(cx, &tab),
        });
    }
    if !wanted && before.single == Some(true) {
        let text = text!("element.single_choice", target = name(&target));
        return Err(Failure::new(Code::ActionFailed, text)
            .with("checked", true)
            .with("started", false));
    }
    let mut reply = click(cx, target.clone(), Wanted::once(mode)).await?;
    let mut after = read_back(cx, &target, wanted, mixed).await?;
    // A control of three states may go through the other one first.
    if mixed && !is_set(&after, wanted) && !after.gone && after.state.indeterminate != Some(true) {
        reply = click(cx, target.clone(), Wanted::once(mode)).await?;
        after = read_back(cx, &target, wanted, false).await?;
    }
    verify(&after, &target, wanted)?;
    Ok(MarkReply {
        checked: wanted,
        already_set: None,
        click: reply,
    })
}

async fn read_back(cx: &mut Context, target: &Target, wanted: bool, decided: bool) -> Result<Mark, Failure> {
    let tab = cx.tab().await?;
    let limit = cx.within_deadline(SETTLES);
    let mark = tab.mark_becomes(target, wanted, decided, limit, cx.until()).await;
    mark.map_err(|_| unreadable(target))
}

fn is_set(mark: &Mark, wanted: bool) -> bool {
    mark.state.checkable && mark.state.checked == Some(wanted) && mark.state.indeterminate != Some(true)
}

fn verify(mark: &Mark, target: &Target, wanted: bool) -> Result<(), Failure> {
    if is_set(mark, wanted) {
        return Ok(());
    }
    if mark.gone || !mark.state.checkable {
        return Err(unreadable(target));
    }
    let text = text!("element.mark_did_not_change", target = name(target));
    let mut failure = Failure::new(Code::ActionFailed, text)
        .with("checked", mark.state.checked == Some(true))
        .with("actionStatus", "completed")
        .with("retrySafe", true);
    if mark.state.indeterminate == Some(true) {
        failure = failure.with("indeterminate", true);
    }
    Err(failure)
}

/// The control was clicked and has left the page, so that nobody can say what became of it.
fn unreadable(target: &Target) -> Failure {
    Failure::new(
        Code::ActionUncertain,
        text!("element.mark_unreadable", target = name(target)),
    )
    .with("actionStatus", "unknown")
    .with("retrySafe", false)
    .with_text("note", text!("engine.note_uncertain"))
}

fn name(target: &Target) -> String {
    match target {
        Target::Index { index, .. } => format!("index={index}"),
        Target::Selector { selector, .. } => format!("selector {selector}"),
        Target::Element(_) => String::from("the element"),
    }
}
