//! The receipt of a click.

use std::sync::Arc;
use std::time::Duration;

use engine::{ClickMode, ClickOptions, ClickReceipt, Deadline, Dialog, Download, Hit, Ladder, Observed, Tab, Target};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::choice::Choice;
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::refusals::named;
use crate::text;

/// How long changes are looked for.
const WINDOW_MS: u64 = 500;
/// How long a tab that a click opened may take to have a document.
const NEW_TAB_LIMIT: Duration = Duration::from_secs(5);

/// The mode of a checked `mode` parameter (aliases are gone by then).
fn mode_of(name: Option<&str>) -> ClickMode {
    match name {
        Some("native") => ClickMode::Native,
        Some("mouse") => ClickMode::Mouse,
        Some("js") => ClickMode::Js,
        _ => ClickMode::Auto,
    }
}

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
    changed: Option<bool>,
    changes: Option<Vec<String>>,
    change_status: &'static str,
    observation_complete: bool,
    observation_error: Option<String>,
    observation_window_ms: u64,
    effective: Option<bool>,
    url_before: String,
    url_after: String,
    tab_count_before: usize,
    tab_count_after: usize,
    text_length_before: Option<u64>,
    text_length_after: Option<u64>,
    action_status: &'static str,
    navigation: Option<Value>,
    #[schemars(with = "Option<Value>")]
    dialog: Option<Dialog>,
    file_chooser: Option<Value>,
    new_tab: Option<Value>,
    downloads_started: Option<usize>,
    #[schemars(with = "Option<Value>")]
    downloads: Option<Vec<Download>>,
    hint: Option<String>,
    #[serde(flatten)]
    choice: Choice,
    probed_frame_url: Option<String>,
}

/// Clicks and reports.
pub(crate) async fn click(
    cx: &mut Context,
    target: Target,
    mode: Option<&str>,
    timeout_ms: Option<u64>,
) -> Result<ClickReply, Failure> {
    let action = &cx.config().action;
    let options = ClickOptions {
        mode: mode_of(mode),
        timeout: Duration::from_millis(timeout_ms.unwrap_or(action.timeout_ms)),
        ladder: Ladder {
            mouse: action.mouse_fallback,
            js: action.js_fallback,
        },
        window_ms: WINDOW_MS,
    };
    let tab = cx.settled_tab().await?;
    let tabs_before = cx.tabs()?.list().len();
    let deadline = cx.until();
    let receipt = tab
        .click(&target, options, deadline)
        .await
        .map_err(|error| Failure::from_engine(&error, false))?;
    judge(&receipt)?;
    let new_tab = follow_new_tab(cx, &receipt.observed, deadline).await?;
    let mut reply = describe(cx, &tab, &target, receipt);
    reply.tab_count_before = tabs_before;
    reply.tab_count_after = cx.tabs()?.list().len();
    reply.new_tab = new_tab;
    Ok(reply)
}

/// Refuses to call a click done that went elsewhere, or that nobody saw arrive and that changed nothing.
fn judge(receipt: &ClickReceipt) -> Result<(), Failure> {
    let observed = &receipt.observed;
    let what = named(&receipt.target);
    let text = match observed.hit() {
        Hit::Target | Hit::TargetWithoutClick => return Ok(()),
        Hit::Split | Hit::Elsewhere => {
            let hit = observed.stranger().map(named).unwrap_or_default();
            match receipt.covered_by {
                Some(_) => text!("action.cover_was_hit", what = what, hit = hit),
                None => text!("action.went_elsewhere", what = what, hit = hit),
            }
        }
        Hit::Unseen if receipt.mode == ClickMode::Js || observed.is_changed() || !observed.complete => return Ok(()),
        Hit::Unseen => text!("action.not_seen", what = what),
    };
    let failure = match &receipt.covered_by {
        Some(cover) => Failure::new(Code::ActionUncertain, text).with("coveredBy", cover.clone()),
        None => Failure::new(Code::ActionUncertain, text),
    };
    Err(failure
        .with("actionStatus", "unknown")
        .with("retrySafe", false)
        .with("hit", observed.stranger().cloned().unwrap_or_default())
        .with("target", receipt.target.clone())
        .with("pressedOnTarget", observed.hit() == Hit::Split)
        .with("changed", observed.is_changed())
        .with_text("note", text!("engine.note_uncertain")))
}

/// A tab that the click opened becomes current once it has a document.
async fn follow_new_tab(cx: &Context, observed: &Observed, deadline: Deadline) -> Result<Option<Value>, Failure> {
    let tabs = cx.tabs()?;
    let Some(opened) = observed.new_tabs.last() else {
        return Ok(None);
    };
    let Some(tab) = tabs.list().into_iter().find(|tab| tab.id() == opened) else {
        return Ok(Some(json!({"closed": true, "current": false})));
    };
    let patience = deadline.within(NEW_TAB_LIMIT);
    let _ = tab
        .until("the new tab's document", patience, |state| {
            ((!state.navigating() && state.life.dom_ready) || state.asking.is_some()).then_some(())
        })
        .await;
    tabs.make_current(&tab);
    Ok(Some(
        json!({"pageIndex": tabs.index_of(&tab), "url": tab.url(), "current": true}),
    ))
}

fn describe(cx: &Context, tab: &Arc<Tab>, target: &Target, receipt: ClickReceipt) -> ClickReply {
    let observed = &receipt.observed;
    let changed = observed.is_changed();
    let no_change = (observed.complete && !changed).then(|| cx.say(&text!("action.no_change")));
    let chooser = observed.file_chooser.map(|_| cx.say(&text!("action.file_chooser")));
    let mut reply = ClickReply {
        mode: receipt.mode.as_str(),
        fallback_from: receipt.fallback_reason.as_ref().map(|_| "native"),
        fallback_reason: receipt.fallback_reason.clone(),
        covered_hint: receipt
            .covered_by
            .as_ref()
            .map(|_| cx.say(&text!("refused.obscured_hint"))),
        covered_by: receipt.covered_by.clone(),
        hit: matches!(observed.hit(), Hit::Target | Hit::TargetWithoutClick).then(|| receipt.target.clone()),
        changed: (observed.complete || changed).then_some(changed),
        changes: (!observed.changed.is_empty()).then(|| observed.changed.clone()),
        change_status: match (changed, observed.complete) {
            (true, _) => "observed",
            (false, true) => "not_observed",
            (false, false) => "unknown",
        },
        observation_complete: observed.complete,
        observation_error: observed.error.clone(),
        observation_window_ms: WINDOW_MS,
        effective: observed.complete.then_some(observed.is_effective()),
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
        hint: chooser.or(no_change),
        choice: Choice::new(cx, receipt.located.as_ref()),
        ..ClickReply::default()
    };
    if let Target::Selector { frame: Some(frame), .. } = target {
        reply.probed_frame_url = tab.find_frame(Some(frame)).ok().map(|frame| frame.url);
    }
    reply
}
