//! The receipt of a drag. Invariant: a drop that the page did not allow is never told as done, and a failure names the
//! end that it concerns.

use std::time::Duration;

use engine::{DragEnd, DragEvent, DragOptions, DragReceipt, Grip, Point, Target};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::seen::{Seen, WINDOW_MS};
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::refusals::named;
use crate::text;

/// A drag between two elements, or within one.
#[derive(Debug)]
pub(crate) struct Drag {
    pub(crate) index: u32,
    pub(crate) source: Option<Point>,
    pub(crate) target_index: Option<u32>,
    pub(crate) target: Option<Point>,
    pub(crate) timeout_ms: Option<u64>,
    pub(crate) snapshot_id: Option<String>,
}

/// Reply of a drag.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DragReply {
    mode: &'static str,
    kind: &'static str,
    moves: u32,
    from: Value,
    to: Value,
    source_events: Vec<String>,
    target_events: Vec<String>,
    drop_accepted: Option<bool>,
    drop_effect: Option<String>,
    effect_allowed: Option<String>,
    released_on: Option<Map<String, Value>>,
    covered_by: Option<Map<String, Value>>,
    action_status: &'static str,
    hint: Option<String>,
    #[serde(flatten)]
    seen: Seen,
}

/// Drags and reports.
pub(crate) async fn drag(cx: &mut Context, drag: Drag) -> Result<DragReply, Failure> {
    let by_index = |index| Target::Index {
        index,
        snapshot_id: drag.snapshot_id.clone(),
    };
    let timeout_ms = drag.timeout_ms.unwrap_or(cx.config().action.timeout_ms);
    let options = DragOptions {
        source: Grip {
            target: by_index(drag.index),
            offset: drag.source,
        },
        over: drag.target_index.filter(|over| *over != drag.index).map(by_index),
        over_offset: drag.target,
        timeout: Duration::from_millis(timeout_ms),
        window_ms: WINDOW_MS,
    };
    let tab = cx.settled_tab().await?;
    let tabs_before = cx.tabs()?.list().len();
    let receipt = tab.drag(&options, cx.until()).await.map_err(|(end, error)| {
        let failure = match &error {
            engine::EngineError::Refused { reason, facts, .. } if reason == "drag-across-sites" => across_sites(facts),
            _ => Failure::from_engine(&error, false),
        };
        at_end(failure, end, &drag)
    })?;
    judge(&receipt)?;
    let mut reply = describe(cx, &receipt);
    reply.seen = Seen::new(cx, &receipt.observed, tabs_before, cx.until()).await?;
    Ok(reply)
}

fn across_sites(facts: &Map<String, Value>) -> Failure {
    let failure = Failure::new(Code::ActionFailed, text!("drag.across_sites"));
    facts
        .iter()
        .fold(failure.with("reason", "drag-across-sites"), |failure, (name, value)| {
            failure.with(name, value.clone())
        })
}

/// Says which of the two ends a failure concerns.
fn at_end(failure: Failure, end: Option<DragEnd>, drag: &Drag) -> Failure {
    let (name, index) = match end {
        Some(DragEnd::Source) => ("source", drag.index),
        Some(DragEnd::Target) => ("target", drag.target_index.unwrap_or(drag.index)),
        None => return failure,
    };
    let reason = failure.text.clone();
    let text = match name {
        "source" => text!("drag.source_failed", index = index, reason = reason),
        _ => text!("drag.target_failed", index = index, reason = reason),
    };
    Failure { text, ..failure }.with("end", name).with("index", index)
}

/// Refuses to call a drag done that took hold of something else, or whose drop was not allowed.
fn judge(receipt: &DragReceipt) -> Result<(), Failure> {
    let observed = &receipt.observed;
    let (source, over) = (named(&receipt.source), named(&receipt.over));
    let press = ["pointerdown", "mousedown"]
        .iter()
        .find_map(|kind| receipt.at_source.event(kind));
    if let Some(node) = press.and_then(|press| press.node.as_ref()) {
        return Err(uncertain(
            text!("drag.grabbed_other", what = source, hit = named(node)),
            receipt,
        ));
    }
    if observed.navigation.is_some() {
        return Ok(());
    }
    if press.is_none() && !observed.is_changed() {
        return Err(uncertain(text!("drag.not_seen", what = source), receipt));
    }
    if !receipt.native {
        return Ok(());
    }
    match receipt.at_target.event("drop") {
        Some(DragEvent { on: None, node, .. }) => {
            let hit = node.as_ref().map(named).unwrap_or_default();
            Err(uncertain(text!("drag.dropped_elsewhere", what = over, hit = hit), receipt).with("dropAccepted", true))
        }
        Some(_) => Ok(()),
        // Some pages do their work while the drag is over them; what they did is not ours to call done or not done.
        None if is_moved(receipt) => Err(uncertain(text!("drag.refused_but_changed", what = over), receipt)),
        None => Err(with_facts(
            Failure::new(Code::ActionFailed, text!("drag.not_accepted", what = over)),
            receipt,
        )
        .with("actionStatus", "not_done")),
    }
}

/// Something more than looks changed.
fn is_moved(receipt: &DragReceipt) -> bool {
    let observed = &receipt.observed;
    let strong = [
        "url",
        "text",
        "form",
        "structure",
        "navigation",
        "tab",
        "download",
        "dialog",
    ];
    observed
        .changed
        .iter()
        .any(|kind| strong.contains(&kind.as_str()) && !observed.ambient.contains(kind))
}

fn uncertain(text: crate::messages::Text, receipt: &DragReceipt) -> Failure {
    with_facts(Failure::new(Code::ActionUncertain, text), receipt)
        .with("actionStatus", "unknown")
        .with("retrySafe", false)
        .with_text("note", text!("engine.note_uncertain"))
}

fn with_facts(failure: Failure, receipt: &DragReceipt) -> Failure {
    let failure = failure
        .with("kind", kind(receipt))
        .with("sourceEvents", events_of(receipt, true))
        .with("targetEvents", events_of(receipt, false))
        .with("changed", receipt.observed.is_changed())
        .with("target", receipt.over.clone());
    match receipt.native {
        true => failure
            .with("dropAccepted", false)
            .with("dropEffect", drop_effect(receipt)),
        false => failure,
    }
}

fn kind(receipt: &DragReceipt) -> &'static str {
    if receipt.native { "html5" } else { "pointer" }
}

fn drop_effect(receipt: &DragReceipt) -> Value {
    let ended = receipt
        .at_source
        .event("dragend")
        .and(receipt.at_source.drop_effect.clone());
    json!(ended.or_else(|| receipt.at_target.drop_effect.clone()))
}

/// Types of the events that an end got, in their order.
fn events_of(receipt: &DragReceipt, source: bool) -> Vec<String> {
    let (seen, ends) = match source {
        true => (&receipt.at_source, ["source", "both"]),
        false => (&receipt.at_target, ["over", "both"]),
    };
    let mut out: Vec<String> = Vec::new();
    for event in &seen.events {
        let here = event.on.as_deref().is_some_and(|on| ends.contains(&on));
        if here && out.last() != Some(&event.kind) {
            out.push(event.kind.clone());
        }
    }
    out.truncate(40);
    out
}

fn describe(cx: &Context, receipt: &DragReceipt) -> DragReply {
    let observed = &receipt.observed;
    let release = ["pointerup", "mouseup"]
        .iter()
        .find_map(|kind| receipt.at_target.event(kind).or(receipt.at_source.event(kind)));
    DragReply {
        mode: "mouse",
        kind: kind(receipt),
        moves: receipt.moves,
        from: json!({"x": receipt.from.x, "y": receipt.from.y}),
        to: json!({"x": receipt.to.x, "y": receipt.to.y}),
        source_events: events_of(receipt, true),
        target_events: events_of(receipt, false),
        drop_accepted: receipt.native.then(|| receipt.at_target.event("drop").is_some()),
        drop_effect: drop_effect(receipt)
            .as_str()
            .filter(|_| receipt.native)
            .map(str::to_owned),
        effect_allowed: receipt.at_source.effect_allowed.clone().filter(|_| receipt.native),
        released_on: release.and_then(|release| release.node.clone()),
        covered_by: receipt.covered_by.clone(),
        action_status: "completed",
        hint: (observed.complete && !observed.is_changed()).then(|| cx.say(&text!("drag.no_change"))),
        seen: Seen::default(),
    }
}
