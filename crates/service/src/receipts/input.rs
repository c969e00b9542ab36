//! The receipt of entering text.

use engine::{InputMode, InputReceipt, InputRequest, Target};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::choice::Choice;
use crate::context::Context;
use crate::failure::Failure;
use crate::text;

/// Reply of the input family.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InputReply {
    mode: &'static str,
    value: Option<String>,
    committed: bool,
    value_matches: bool,
    late_reverts: Option<bool>,
    element_gone: Option<bool>,
    fallback_from: Option<&'static str>,
    fallback_reason: Option<String>,
    invalid: Option<Value>,
    note: Option<String>,
    #[serde(flatten)]
    choice: Choice,
}

/// The mode of a checked `mode` parameter (aliases are gone by then).
fn mode_of(name: Option<&str>) -> InputMode {
    match name {
        Some("native") => InputMode::Native,
        Some("type") => InputMode::Type,
        Some("js") => InputMode::Js,
        _ => InputMode::Auto,
    }
}

/// Enters text and reports.
pub(crate) async fn input(
    cx: &mut Context,
    target: Target,
    text: String,
    mode: Option<&str>,
    append: bool,
) -> Result<InputReply, Failure> {
    let request = InputRequest {
        target,
        text,
        mode: mode_of(mode),
        append,
        script_allowed: cx.config().action.js_fallback,
    };
    let tab = cx.settled_tab().await?;
    let entered = tab.input(&request, cx.until()).await;
    // A text meant for a password field, or for a field that could not be asked, stays out of the trace.
    if entered.as_ref().map_or(true, |receipt| receipt.secret) {
        cx.conceal(request.text);
    }
    entered
        .map(|receipt| describe(cx, receipt))
        .map_err(|error| Failure::from_engine(&error, false))
}

fn describe(cx: &Context, receipt: InputReceipt) -> InputReply {
    let note = if receipt.mode == "js" {
        Some(text!("input.by_script"))
    } else if receipt.reverted {
        Some(text!("input.reverted"))
    } else if receipt.gone {
        Some(text!("input.gone"))
    } else if !receipt.matches {
        Some(text!("input.differs"))
    } else {
        None
    };
    InputReply {
        mode: receipt.mode,
        value: receipt.value,
        committed: receipt.committed,
        value_matches: receipt.matches,
        late_reverts: receipt.reverted.then_some(true),
        element_gone: receipt.gone.then_some(true),
        fallback_from: receipt.fallback_reason.as_ref().map(|_| "native"),
        fallback_reason: receipt.fallback_reason,
        invalid: receipt.invalid,
        note: note.map(|note| cx.say(&note)),
        choice: Choice::new(cx, receipt.located.as_ref()),
    }
}
