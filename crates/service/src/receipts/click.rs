//! Clicks, hovers and focus, judged by what was seen of them.

use std::time::Duration;

use engine::{Button, ClickMode, ClickOptions, ClickReceipt, Hit, Ladder, Outline, Point, Target};

use super::effects::{ClickReply, describe, effects};
use super::seen::{Seen, WINDOW_MS};
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::messages::Text;
use crate::refusals::named;
use crate::text;

/// How an element is to be clicked; the defaults are those of a plain click.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted<'a> {
    /// Value of a checked `mode` parameter (aliases are gone by then).
    pub(crate) mode: Option<&'a str>,
    /// The configured time when absent.
    pub(crate) timeout_ms: Option<u64>,
    /// Which button.
    pub(crate) button: Button,
    /// How many clicks.
    pub(crate) times: u32,
}

impl<'a> Wanted<'a> {
    /// One click of the left button.
    pub(crate) fn once(mode: Option<&'a str>) -> Self {
        Self {
            mode,
            timeout_ms: None,
            button: Button::Left,
            times: 1,
        }
    }

    fn options(self, cx: &Context, outline: bool) -> ClickOptions {
        let action = &cx.config().action;
        ClickOptions {
            mode: match self.mode {
                Some("native") => ClickMode::Native,
                Some("mouse") => ClickMode::Mouse,
                Some("js") => ClickMode::Js,
                _ => ClickMode::Auto,
            },
            timeout: Duration::from_millis(self.timeout_ms.unwrap_or(action.timeout_ms)),
            ladder: Ladder {
                mouse: action.mouse_fallback,
                js: action.js_fallback,
            },
            window_ms: WINDOW_MS,
            button: self.button,
            times: self.times,
            outline,
        }
    }
}

/// The button of a checked `button` parameter.
pub(crate) fn button_of(name: Option<&str>) -> Button {
    match name {
        Some("right") => Button::Right,
        Some("middle") => Button::Middle,
        _ => Button::Left,
    }
}

/// Clicks and reports.
pub(crate) async fn click(cx: &mut Context, target: Target, wanted: Wanted<'_>) -> Result<ClickReply, Failure> {
    let (reply, _) = click_outlined(cx, target, wanted, false).await?;
    Ok(reply)
}

/// Clicks and reports, with the element's markup when it is asked for.
pub(crate) async fn click_outlined(
    cx: &mut Context,
    target: Target,
    wanted: Wanted<'_>,
    outline: bool,
) -> Result<(ClickReply, Outline), Failure> {
    let options = wanted.options(cx, outline);
    let tab = cx.settled_tab().await?;
    let tabs_before = cx.tabs()?.list().len();
    let deadline = cx.until();
    let mut receipt = tab
        .click(&target, options, deadline)
        .await
        .map_err(|error| Failure::from_engine(&error, false))?;
    judge(&receipt)?;
    let outline = receipt.outline.take().unwrap_or_default();
    let seen = Seen::new(cx, &receipt.observed, tabs_before, deadline).await?;
    Ok((describe(cx, &tab, &target, &receipt, seen), outline))
}

/// Moves the pointer over an element and reports.
pub(crate) async fn hover(cx: &mut Context, target: Target) -> Result<ClickReply, Failure> {
    let timeout = Duration::from_millis(cx.config().action.timeout_ms);
    let tab = cx.settled_tab().await?;
    let tabs_before = cx.tabs()?.list().len();
    let deadline = cx.until();
    let receipt = tab
        .hover(&target, timeout, WINDOW_MS, deadline)
        .await
        .map_err(|error| Failure::from_engine(&error, false))?;
    let observed = &receipt.observed;
    if observed.complete && observed.navigation.is_none() && observed.came_over() != Some(true) {
        let what = named(&receipt.target);
        let text = match observed.stranger().map(named) {
            Some(hit) => text!("action.came_over_other", what = what, hit = hit),
            None => text!("action.not_seen", what = what),
        };
        return Err(unknown(text, &receipt));
    }
    let seen = Seen::new(cx, observed, tabs_before, deadline).await?;
    Ok(describe(cx, &tab, &target, &receipt, seen))
}

/// Focuses an element and reports.
pub(crate) async fn focus(cx: &mut Context, target: Target) -> Result<ClickReply, Failure> {
    let tab = cx.settled_tab().await?;
    let tabs_before = cx.tabs()?.list().len();
    let deadline = cx.until();
    let receipt = tab
        .focus_element(&target, WINDOW_MS, deadline)
        .await
        .map_err(|error| Failure::from_engine(&error, false))?;
    let seen = Seen::new(cx, &receipt.observed, tabs_before, deadline).await?;
    Ok(describe(cx, &tab, &target, &receipt, seen).hitting(Some(receipt.target.clone())))
}

/// Clicks at a point of the viewport and reports.
pub(crate) async fn click_at(
    cx: &mut Context,
    point: Point,
    button: Button,
    times: u32,
) -> Result<ClickReply, Failure> {
    let tab = cx.settled_tab().await?;
    let tabs_before = cx.tabs()?.list().len();
    let deadline = cx.until();
    let observed = tab
        .click_at(point, button, times, WINDOW_MS, deadline)
        .await
        .map_err(|error| Failure::from_engine(&error, false))?;
    let hit = observed.stranger().cloned();
    if hit.is_none() && observed.complete && !observed.is_changed() {
        let what = format!("({}, {})", point.x, point.y);
        let text = match observed.arrived {
            true => text!("action.kept_from_us", what = what),
            false => text!("action.not_seen", what = what),
        };
        return Err(Failure::new(Code::ActionUncertain, text)
            .with("actionStatus", "unknown")
            .with("retrySafe", false)
            .with_text("note", text!("engine.note_uncertain")));
    }
    let seen = Seen::new(cx, &observed, tabs_before, deadline).await?;
    Ok(effects(cx, &observed, seen).by(ClickMode::Mouse.as_str()).hitting(hit))
}

/// Refuses to call a click done that went elsewhere, or that nobody saw arrive and that changed nothing.
fn judge(receipt: &ClickReceipt) -> Result<(), Failure> {
    let observed = &receipt.observed;
    let what = named(&receipt.target);
    let text = match observed.hit() {
        Hit::TargetWithoutClick if !observed.was_released() && observed.complete && !observed.is_changed() => {
            text!("action.release_not_seen", what = what)
        }
        Hit::Target | Hit::TargetWithoutClick | Hit::Pressed => return Ok(()),
        Hit::Split | Hit::Elsewhere => {
            let hit = observed.stranger().map(named).unwrap_or_default();
            match receipt.covered_by {
                Some(_) => text!("action.cover_was_hit", what = what, hit = hit),
                None => text!("action.went_elsewhere", what = what, hit = hit),
            }
        }
        Hit::Unseen if receipt.mode == ClickMode::Js || observed.is_changed() || !observed.complete => return Ok(()),
        Hit::Unseen if observed.arrived => text!("action.kept_from_us", what = what),
        Hit::Unseen => text!("action.not_seen", what = what),
    };
    Err(unknown(text, receipt))
}

fn unknown(text: Text, receipt: &ClickReceipt) -> Failure {
    let observed = &receipt.observed;
    let failure = match &receipt.covered_by {
        Some(cover) => Failure::new(Code::ActionUncertain, text).with("coveredBy", cover.clone()),
        None => Failure::new(Code::ActionUncertain, text),
    };
    failure
        .with("actionStatus", "unknown")
        .with("retrySafe", false)
        .with("hit", observed.stranger().cloned().unwrap_or_default())
        .with("target", receipt.target.clone())
        .with("pressedOnTarget", observed.hit() == Hit::Split)
        .with("changed", observed.is_changed())
        .with_text("note", text!("engine.note_uncertain"))
}
