//! What was seen of an action on an element, as members of its reply.

use std::sync::Arc;

use engine::{Blank, ClickReceipt, Dialog, Download, Hit, Observed, Tab, Target};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::choice::Choice;
use super::click::WINDOW_MS;
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
    changed: Option<bool>,
    changes: Option<Vec<String>>,
    change_status: &'static str,
    observation_complete: bool,
    observation_error: Option<String>,
    observation_window_ms: u64,
    effective: Option<bool>,
    url_before: String,
    url_after: String,
    pub(super) tab_count_before: usize,
    pub(super) tab_count_after: usize,
    text_length_before: Option<u64>,
    text_length_after: Option<u64>,
    action_status: &'static str,
    navigation: Option<Value>,
    #[schemars(with = "Option<Value>")]
    dialog: Option<Dialog>,
    file_chooser: Option<Value>,
    pub(super) new_tab: Option<Value>,
    downloads_started: Option<usize>,
    #[schemars(with = "Option<Value>")]
    downloads: Option<Vec<Download>>,
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
        let tabs = cx.tabs().map_or(0, |tabs| tabs.list().len());
        Self {
            mode: "none",
            changed: Some(false),
            change_status: "not_observed",
            observation_complete: true,
            observation_window_ms: WINDOW_MS,
            url_before: tab.url(),
            url_after: tab.url(),
            tab_count_before: tabs,
            tab_count_after: tabs,
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

/// The reply for an action on an element.
pub(super) fn describe(cx: &Context, tab: &Arc<Tab>, target: Option<&Target>, receipt: &ClickReceipt) -> ClickReply {
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
        ..effects(cx, observed)
    };
    if let Some(Target::Selector { frame: Some(frame), .. }) = target {
        reply.probed_frame_url = tab.find_frame(Some(frame)).ok().map(|frame| frame.url);
    }
    reply
}

/// The members that tell what changed.
pub(super) fn effects(cx: &Context, observed: &Observed) -> ClickReply {
    let changed = observed.is_changed();
    let trusted = observed.blank != Some(Blank::Lasting);
    let complete = observed.complete && trusted;
    let hint = match (trusted, complete && !changed) {
        _ if observed.file_chooser.is_some() => Some(text!("action.file_chooser")),
        (false, _) => Some(text!("action.not_trustworthy")),
        (true, true) => Some(text!("action.no_change")),
        _ => None,
    };
    ClickReply {
        changed: (observed.complete || changed).then_some(changed),
        changes: (!observed.changed.is_empty()).then(|| observed.changed.clone()),
        change_status: match (changed, complete) {
            (true, _) => "observed",
            (false, true) => "not_observed",
            (false, false) => "unknown",
        },
        observation_complete: complete,
        observation_error: observed.error.clone(),
        observation_window_ms: WINDOW_MS,
        effective: complete.then_some(observed.is_effective()),
        url_before: observed.url_before.clone(),
        url_after: observed.url_after.clone(),
        text_length_before: observed.text_before,
        text_length_after: observed.text_after,
        action_status: "completed",
        navigation: observed
            .navigation
            .as_ref()
            .map(|seen| json!({"url": seen.url, "state": if seen.committed { "committed" } else { "started" }})),
        dialog: observed.dialog.clone(),
        file_chooser: observed
            .file_chooser
            .map(|multiple| json!({"multiple": multiple, "cancelled": true})),
        downloads_started: (!observed.downloads.is_empty()).then_some(observed.downloads.len()),
        downloads: (!observed.downloads.is_empty()).then(|| observed.downloads.clone()),
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
