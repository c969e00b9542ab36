//! Clicking. `auto` is real input on a target that passed every check; where the page never stood still it falls back
//! to the real mouse and then to script events, but only while nothing has been sent, and never onto a covered target.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::observe::Observed;
use super::target::{Located, Target};
use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::frames::Frame;
use crate::geometry::Point;
use crate::tab::Tab;

/// How a click is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClickMode {
    /// Native, then mouse, then script, as long as nothing was sent.
    Auto,
    /// Every check, then real input.
    Native,
    /// Real input at the centre of what can be seen, without the checks.
    Mouse,
    /// Events made by script; the page can tell.
    Js,
}

impl ClickMode {
    /// Name in receipts.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Native => "native",
            Self::Mouse => "mouse",
            Self::Js => "js",
        }
    }
}

/// Which fall-backs `auto` may use.
#[derive(Debug, Clone, Copy)]
pub struct Ladder {
    /// The real mouse without the checks.
    pub mouse: bool,
    /// Script events.
    pub js: bool,
}

/// A click asked for.
#[derive(Debug, Clone, Copy)]
pub struct ClickOptions {
    /// How.
    pub mode: ClickMode,
    /// Time to become actionable.
    pub timeout: Duration,
    /// Fall-backs of `auto`.
    pub ladder: Ladder,
    /// How long changes are looked for after the input, in milliseconds.
    pub window_ms: u64,
}

/// What a click came to.
#[derive(Debug, Clone)]
pub struct ClickReceipt {
    /// How it was made in the end.
    pub mode: ClickMode,
    /// Why an earlier way did not work.
    pub fallback_reason: Option<String>,
    /// The element: tag, id, class, text.
    pub target: Map<String, Value>,
    /// How a selector's element was chosen.
    pub located: Option<Located>,
    /// Something lay over the middle of the element.
    pub covered_by: Option<Map<String, Value>>,
    /// The point in the tab's viewport.
    pub point: Point,
    /// What was seen afterwards.
    pub observed: Observed,
}

/// Reply of the page script's `prepareClick` and `jsClick`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Prepared {
    watch: u64,
    #[serde(default)]
    point: Option<Point>,
    #[serde(default)]
    target: Map<String, Value>,
    selection: Option<Located>,
    covered_by: Option<Map<String, Value>>,
    /// The page script has already done it (an `<option>` has no place to click at).
    #[serde(default)]
    done: bool,
}

impl Tab {
    /// Clicks.
    ///
    /// # Errors
    /// A refusal before anything was sent, or [`EngineError::Uncertain`] after.
    pub async fn click(&self, target: &Target, options: ClickOptions, deadline: Deadline) -> Result<ClickReceipt> {
        match options.mode {
            ClickMode::Auto => self.click_auto(target, options, deadline).await,
            mode => self.click_as(mode, target, options, deadline).await,
        }
    }

    async fn click_auto(&self, target: &Target, options: ClickOptions, deadline: Deadline) -> Result<ClickReceipt> {
        let mut reason = match self.click_as(ClickMode::Native, target, options, deadline).await {
            Err(error) if may_fall_back(&error) => error,
            other => return other,
        };
        for (mode, allowed) in [
            (ClickMode::Mouse, options.ladder.mouse),
            (ClickMode::Js, options.ladder.js),
        ] {
            if !allowed || deadline.over() {
                continue;
            }
            match self.click_as(mode, target, options, deadline).await {
                Ok(receipt) => {
                    return Ok(ClickReceipt {
                        fallback_reason: Some(reason.to_string()),
                        ..receipt
                    });
                }
                Err(error) if may_fall_back(&error) => reason = error,
                Err(error) => return Err(error),
            }
        }
        Err(reason)
    }

    async fn click_as(
        &self,
        mode: ClickMode,
        target: &Target,
        options: ClickOptions,
        deadline: Deadline,
    ) -> Result<ClickReceipt> {
        if mode == ClickMode::Js {
            return self.click_by_script(target, options, deadline).await;
        }
        let timeout_ms = u64::try_from(options.timeout.as_millis()).unwrap_or(u64::MAX);
        let args = [("mode", json!(mode.as_str())), ("timeoutMs", json!(timeout_ms))];
        let limit = deadline.within(options.timeout + Duration::from_secs(2));
        let (frame, prepared): (Frame, Prepared) = self.on_target(target, "prepareClick", args, limit).await?;
        let (Some(point), false) = (prepared.point, prepared.done) else {
            return self.already_done(mode, &frame, prepared, options, deadline).await;
        };
        let point = self
            .to_viewport(&frame, point, mode == ClickMode::Native, deadline)
            .await?;
        let around = self.watch_around(&frame, deadline).await;
        let input = self.mouse_click(point, deadline.within(options.timeout.max(Duration::from_secs(1))));
        let mut observed = self
            .observe(&frame, prepared.watch, options.window_ms, input, deadline)
            .await?;
        self.add_around(around, &mut observed, deadline).await;
        Ok(receipt(mode, prepared, point, observed))
    }

    async fn click_by_script(
        &self,
        target: &Target,
        options: ClickOptions,
        deadline: Deadline,
    ) -> Result<ClickReceipt> {
        let (frame, prepared) = self
            .on_target::<Prepared>(target, "jsClick", [], deadline)
            .await
            .map_err(|error| match error {
                // The events may have been sent before the document went.
                EngineError::Navigating | EngineError::Timeout { .. } => EngineError::Uncertain {
                    reason: error.to_string(),
                },
                other => other,
            })?;
        self.already_done(ClickMode::Js, &frame, prepared, options, deadline)
            .await
    }

    async fn already_done(
        &self,
        mode: ClickMode,
        frame: &Frame,
        prepared: Prepared,
        options: ClickOptions,
        deadline: Deadline,
    ) -> Result<ClickReceipt> {
        let observed = self
            .observe(frame, prepared.watch, options.window_ms, async { Ok(()) }, deadline)
            .await?;
        let point = prepared.point.unwrap_or(Point { x: 0.0, y: 0.0 });
        Ok(receipt(mode, prepared, point, observed))
    }
}

fn receipt(mode: ClickMode, prepared: Prepared, point: Point, observed: Observed) -> ClickReceipt {
    ClickReceipt {
        mode,
        fallback_reason: None,
        target: prepared.target,
        located: prepared.selection,
        covered_by: prepared.covered_by,
        point,
        observed,
    }
}

/// True for a failure before any input, without an obstruction: the page did not stand still or did not answer in time.
fn may_fall_back(error: &EngineError) -> bool {
    match error {
        EngineError::Refused { code, facts, .. } => code == "ACTION_TIMEOUT" && !facts.contains_key("coveredBy"),
        _ => false,
    }
}
