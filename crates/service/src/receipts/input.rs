//! The receipt of entering text.

use std::sync::Arc;

use engine::{InputMode, InputReceipt, InputRequest, Suggesting, Tab, Target};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::choice::Choice;
use crate::context::Context;
use crate::failure::Failure;
use crate::late::{self, PendingLook};
use crate::text;

/// What is to be entered, and how.
#[derive(Debug)]
pub(crate) struct Wish {
    text: String,
    mode: InputMode,
    append: bool,
    choose: bool,
}

impl Wish {
    /// In place of what the field holds; the mode as its checked parameter names it.
    pub(crate) fn replace(text: String, mode: Option<&str>) -> Self {
        Self {
            text,
            mode: mode_of(mode),
            append: false,
            choose: false,
        }
    }

    /// The suggestion that equals the text is to be picked.
    pub(crate) fn choosing(self, choose: bool) -> Self {
        Self { choose, ..self }
    }

    /// Key by key, after what the field holds.
    pub(crate) fn append(text: String) -> Self {
        Self {
            append: true,
            ..Self::replace(text, Some("type"))
        }
    }
}

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
    /// What each box holds, where the page spread the text over a row of boxes.
    spread: Option<Vec<Option<String>>>,
    /// The field shows the text with separators of its own.
    formatted: Option<bool>,
    /// Label of the suggestion that was picked.
    chosen: Option<String>,
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
pub(crate) async fn input(cx: &mut Context, target: Target, wish: Wish) -> Result<InputReply, Failure> {
    let tab = cx.settled_tab().await?;
    let failed = |error| Failure::from_engine(&error, false);
    let list = if wish.choose {
        let list = tab.expect_suggestions(&target, cx.until()).await.map_err(failed)?;
        let Some(list) = list else {
            return choose_instead(cx, &tab, &target, wish.text).await;
        };
        Some(list)
    } else {
        None
    };
    let label = wish.text.clone();
    let mut receipt = enter(cx, &tab, target, wish).await?;
    if let Some(list) = list {
        return pick(cx, &tab, &list, label, receipt).await;
    }
    if let Some(look) = receipt.later.take() {
        let pending = PendingLook::new(Arc::clone(&tab), look);
        match cx.defer_look(pending) {
            None => {}
            Some(pending) => {
                if let Some(state) = late::look(&[&pending], cx.until()).await.pop().flatten() {
                    receipt.settle(state);
                }
            }
        }
    }
    Ok(describe(cx, receipt))
}

async fn enter(cx: &mut Context, tab: &Tab, target: Target, wish: Wish) -> Result<InputReceipt, Failure> {
    let request = InputRequest {
        target,
        text: wish.text,
        mode: wish.mode,
        append: wish.append,
        script_allowed: cx.config().action.js_fallback,
    };
    let entered = tab.input(&request, cx.until()).await;
    // A text meant for a password field, or for a field that could not be asked, stays out of the trace.
    if entered.as_ref().map_or(true, |receipt| receipt.secret) {
        cx.conceal(request.text);
    }
    entered.map_err(|error| Failure::from_engine(&error, false))
}

/// Picks the suggestion that equals the text; what the field holds then is what the choice made of it.
async fn pick(
    cx: &mut Context,
    tab: &Tab,
    list: &Suggesting,
    label: String,
    receipt: InputReceipt,
) -> Result<InputReply, Failure> {
    let chosen = tab.pick_suggestion(list, &label, cx.until()).await;
    let chosen = chosen.map_err(|error| {
        let failure = Failure::from_engine(&error, false);
        match &receipt.value {
            Some(value) => failure.with("value", value.as_str()).with("typed", true),
            None => failure,
        }
    })?;
    let value = chosen.shown.join(", ");
    let mut reply = describe(cx, receipt);
    reply.value_matches = value == label;
    reply.note = (!reply.value_matches).then(|| cx.say(&text!("input.chosen_differs", value = &value)));
    reply.value = Some(value);
    reply.chosen = Some(label);
    reply.element_gone = chosen.gone.then_some(true);
    Ok(reply)
}

/// The field searches a built select: the option is chosen there.
async fn choose_instead(cx: &mut Context, tab: &Tab, target: &Target, label: String) -> Result<InputReply, Failure> {
    let wanted = [engine::Wanted::Label(label.clone())];
    let chosen = tab.choose(target, &wanted, engine::Choosing::Add, cx.until()).await;
    let chosen = chosen.map_err(|error| Failure::from_engine(&error, false))?;
    Ok(InputReply {
        mode: "choose",
        value: Some(chosen.shown.join(", ")),
        committed: true,
        value_matches: chosen.shown.contains(&label),
        chosen: Some(label),
        element_gone: chosen.gone.then_some(true),
        ..InputReply::default()
    })
}

fn describe(cx: &Context, receipt: InputReceipt) -> InputReply {
    InputReply {
        note: note(&receipt).map(|note| cx.say(&note)),
        mode: receipt.mode,
        value: receipt.value,
        committed: receipt.committed,
        value_matches: receipt.matches,
        late_reverts: receipt.reverted.then_some(true),
        element_gone: receipt.gone.then_some(true),
        spread: receipt.spread,
        formatted: receipt.formatted.then_some(true),
        chosen: None,
        fallback_from: receipt.fallback_reason.as_ref().map(|_| "native"),
        fallback_reason: receipt.fallback_reason,
        invalid: receipt.invalid,
        choice: Choice::new(cx, receipt.located.as_ref()),
    }
}

fn note(receipt: &InputReceipt) -> Option<crate::messages::Text> {
    if receipt.mode == "js" {
        return Some(text!("input.by_script"));
    }
    if receipt.reverted {
        return Some(text!("input.reverted"));
    }
    if receipt.gone {
        return Some(text!("input.gone"));
    }
    if let Some(boxes) = &receipt.spread {
        return Some(text!("input.spread", count = boxes.len()));
    }
    if receipt.matches {
        return receipt
            .partly_seen
            .map(|lines| text!("input.partly_seen", lines = lines));
    }
    Some(match receipt.cut_at {
        Some(limit) => text!("input.cut", limit = limit),
        None if receipt.formatted => text!("input.formatted"),
        None => text!("input.differs"),
    })
}
