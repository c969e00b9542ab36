//! What was seen of an action on an element, as members of its reply.

use std::sync::Arc;

use engine::{Blank, ClickReceipt, Hit, Observed, Tab, Target};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::choice::Choice;
use super::seen::{Seen, is_trusted};
use crate::context::Context;
use crate::messages::Text;
use crate::refusals::named;
use crate::text;

/// Reply of the click family.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClickReply {
    mode: &'static str,
    fallback_from: Option<&'static str>,
    fallback_reason: Option<String>,
    covered_by: Option<Map<String, Value>>,
    covered_hint: Option<String>,
    hit: Option<Map<String, Value>>,
    /// What got the release, where the press alone had taken effect.
    released_on: Option<Map<String, Value>>,
    #[serde(flatten)]
    seen: Seen,
    text_length_before: Option<u64>,
    text_length_after: Option<u64>,
    action_status: &'static str,
    file_chooser: Option<Value>,
    #[serde(rename = "page_appears_blank")]
    page_appears_blank: Option<bool>,
    probe_recovered: Option<bool>,
    probe_trustworthy: Option<bool>,
    probe_note: Option<String>,
    warning: Option<String>,
    hint: Option<String>,
    #[serde(flatten)]
    choice: Choice,
    probed_frame_url: Option<String>,
}

impl ClickReply {
    /// The reply for an action that turned out not to be needed.
    pub(super) fn untouched(cx: &Context, tab: &Tab) -> Self {
        Self {
            mode: "none",
            seen: Seen::nothing(cx, tab),
            action_status: "completed",
            ..Self::default()
        }
    }

    /// How it was done.
    pub(super) fn by(self, mode: &'static str) -> Self {
        Self { mode, ..self }
    }

    /// What a click at a point hit takes the place of an element that was meant.
    pub(super) fn hitting(self, node: Option<Map<String, Value>>) -> Self {
        Self { hit: node, ..self }
    }
}

/// The reply for an action on an element; `seen` is what was seen after it.
pub(super) fn describe(
    cx: &Context,
    tab: &Arc<Tab>,
    target: &Target,
    receipt: &ClickReceipt,
    seen: Seen,
) -> ClickReply {
    let observed = &receipt.observed;
    let hit = observed.hit();
    let on_target =
        matches!(hit, Hit::Target | Hit::TargetWithoutClick | Hit::Pressed) || observed.came_over() == Some(true);
    let mut reply = ClickReply {
        mode: receipt.mode.as_str(),
        fallback_from: receipt.fallback_reason.as_ref().map(|_| "native"),
        fallback_reason: receipt.fallback_reason.clone(),
        covered_hint: receipt
            .covered_by
            .as_ref()
            .map(|_| cx.say(&text!("refused.obscured_hint"))),
        covered_by: receipt.covered_by.clone(),
        hit: on_target.then(|| receipt.target.clone()),
        released_on: observed.released_on().filter(|_| hit == Hit::Pressed).cloned(),
        warning: warning(observed).map(|text| cx.say(&text)),
        choice: Choice::new(cx, receipt.located.as_ref()),
        ..effects(cx, observed, seen)
    };
    if let Target::Selector { frame: Some(frame), .. } = target {
        reply.probed_frame_url = tab.find_frame(Some(frame)).ok().map(|frame| frame.url);
    }
    reply
}

/// The members that tell what changed.
pub(super) fn effects(cx: &Context, observed: &Observed, seen: Seen) -> ClickReply {
    let trusted = is_trusted(observed);
    let hint = match (trusted, observed.complete && !observed.is_changed()) {
        _ if observed.file_chooser.is_some() => Some(text!("action.file_chooser")),
        (false, _) => Some(text!("action.not_trustworthy")),
        (true, true) => Some(text!("action.no_change")),
        _ => None,
    };
    ClickReply {
        seen,
        text_length_before: observed.text_before,
        text_length_after: observed.text_after,
        action_status: "completed",
        file_chooser: observed
            .file_chooser
            .map(|multiple| json!({"multiple": multiple, "cancelled": true})),
        page_appears_blank: observed.blank.map(|_| true),
        probe_recovered: observed.blank.map(|blank| blank == Blank::Recovered),
        probe_trustworthy: observed.blank.map(|_| trusted),
        probe_note: observed.blank.map(|blank| match blank {
            Blank::Recovered => cx.say(&text!("action.blank_recovered")),
            Blank::Lasting => cx.say(&text!("action.blank_lasting")),
        }),
        hint: hint.map(|hint| cx.say(&hint)),
        ..ClickReply::default()
    }
}

fn warning(observed: &Observed) -> Option<Text> {
    if observed.hit() == Hit::Pressed {
        let hit = observed.released_on().map(named).unwrap_or_default();
        return Some(text!("action.press_took_effect", hit = hit));
    }
    observed.twin.then(|| text!("action.replaced"))
}
