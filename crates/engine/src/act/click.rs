//! Clicking. `auto` is real input on a target that passed every check; where the page never stood still it falls back
//! to the real mouse and then to script events, but only while nothing has been sent, and never onto a covered target.

use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::observe::{Hit, Observed};
use super::pointer::Button;
use super::target::{Located, Target};
use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::frames::Frame;
use crate::geometry::Point;
use crate::network::Traffic;
use crate::tab::Tab;

/// How long a frame must have been covered by a dialog of a page at rest for that to be told.
const QUIET: Duration = Duration::from_millis(1200);
/// How long the page script may take to forget a watch.
const LET_GO: Duration = Duration::from_millis(250);

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
    /// Which button of the mouse; script events are always those of the left one.
    pub button: Button,
    /// How many clicks: 2 for a double click.
    pub times: u32,
    /// Tell the element's markup too.
    pub outline: bool,
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
    /// Tag, text and markup of the element, where they were asked for.
    pub outline: Option<Outline>,
    /// How a selector's element was chosen.
    pub located: Option<Located>,
    /// Something lay over the middle of the element.
    pub covered_by: Option<Map<String, Value>>,
    /// The point in the tab's viewport.
    pub point: Point,
    /// What was seen afterwards.
    pub observed: Observed,
}

/// An element as a receipt shows it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Outline {
    /// Tag.
    pub tag: String,
    /// Text, cut at 200 characters.
    pub text: String,
    /// Markup, cut at 300 characters.
    pub outer_html: String,
}

/// Reply of the page script's `prepareClick` and `jsClick`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Prepared {
    pub(super) watch: u64,
    #[serde(default)]
    pub(super) point: Option<Point>,
    #[serde(default)]
    pub(super) target: Map<String, Value>,
    pub(super) selection: Option<Located>,
    pub(super) covered_by: Option<Map<String, Value>>,
    /// The page script has already done it (an `<option>` has no place to click at).
    #[serde(default)]
    pub(super) done: bool,
    outer: Option<Outline>,
    /// The page likes to move such an element when it is pressed.
    #[serde(default)]
    shifty: bool,
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
        let until = deadline.within(options.timeout);
        let receipt = self.click_once(mode, target, options, until, deadline).await?;
        if is_worth_another(&receipt) && !until.over() {
            return self.click_once(mode, target, options, until, deadline).await;
        }
        Ok(receipt)
    }

    async fn click_once(
        &self,
        mode: ClickMode,
        target: &Target,
        options: ClickOptions,
        until: Deadline,
        deadline: Deadline,
    ) -> Result<ClickReceipt> {
        let args = [
            ("mode", json!(mode.as_str())),
            ("times", json!(options.times)),
            ("outer", json!(options.outline)),
        ];
        let check = mode == ClickMode::Native;
        let (frame, prepared, point) = self.aim_pointer(target, &args, check, until, deadline).await?;
        let Some(point) = point else {
            return self.already_done(mode, &frame, prepared, options, deadline).await;
        };
        let around = self.watch_around(&frame, deadline).await;
        let limit = deadline.within(options.timeout.max(Duration::from_secs(1)));
        let following = prepared.shifty && check && options.times == 1;
        let input = async {
            match following {
                true => {
                    self.mouse_click_following(&frame, prepared.watch, point, options.button, limit)
                        .await
                }
                false => self.mouse_clicks(point, options.button, options.times, limit).await,
            }
        };
        let mut observed = self
            .observe(&frame, prepared.watch, options.window_ms, input, deadline)
            .await?;
        self.add_around(around, &mut observed, deadline).await;
        Ok(receipt(mode, prepared, point, observed))
    }

    /// Makes an element ready for the pointer: its frame, what the page script said, the point in the tab's viewport. What
    /// lies over it in a frame above is waited for like what lies over it in its own. No point: it is done already.
    pub(super) async fn aim_pointer(
        &self,
        target: &Target,
        args: &[(&'static str, Value)],
        check: bool,
        until: Deadline,
        deadline: Deadline,
    ) -> Result<(Frame, Prepared, Option<Point>)> {
        let started = Instant::now();
        loop {
            let (frame, prepared) = self.prepare(target, args, until, deadline).await?;
            let (Some(point), false) = (prepared.point, prepared.done) else {
                return Ok((frame, prepared, None));
            };
            match self.to_viewport(&frame, point, check, deadline).await {
                Ok(point) => return Ok((frame, prepared, Some(point))),
                Err(error) => {
                    let end = json!({"watch": prepared.watch, "end": true});
                    let _ = self
                        .script::<Value>(&frame, "delivered", &end, deadline.within(LET_GO))
                        .await;
                    let lasting = started.elapsed() > QUIET && is_lasting(&error) && !self.expects_answers();
                    if until.over() || lasting || !matches!(error, EngineError::Refused { .. }) {
                        return Err(with_patience(error, started, &prepared));
                    }
                    let main = self.main_frame()?;
                    self.script::<()>(&main, "nextFrame", &json!({}), deadline).await?;
                }
            }
        }
    }

    /// One call of `prepareClick`. A refusal that looks lasting is told early, unless answers of servers are still to come.
    async fn prepare(
        &self,
        target: &Target,
        args: &[(&'static str, Value)],
        until: Deadline,
        deadline: Deadline,
    ) -> Result<(Frame, Prepared)> {
        loop {
            let left = until.remaining();
            let timeout_ms = u64::try_from(left.as_millis()).unwrap_or(u64::MAX);
            let own = [("timeoutMs", json!(timeout_ms)), ("impatient", json!(true))];
            let limit = deadline.within(left + Duration::from_secs(2));
            let asked = args.iter().cloned().chain(own);
            match self.on_target(target, "prepareClick", asked, limit).await {
                Err(EngineError::Refused { facts, .. })
                    if facts.get("quiet") == Some(&Value::Bool(true)) && !until.over() && self.expects_answers() => {}
                other => return other,
            }
        }
    }

    fn expects_answers(&self) -> bool {
        self.state()
            .in_flight
            .busy_until(Traffic::All, Instant::now())
            .is_some()
    }

    async fn click_by_script(
        &self,
        target: &Target,
        options: ClickOptions,
        deadline: Deadline,
    ) -> Result<ClickReceipt> {
        let args = [("times", json!(options.times)), ("outer", json!(options.outline))];
        let (frame, prepared) = self
            .on_target::<Prepared>(target, "jsClick", args, deadline)
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

pub(super) fn receipt(mode: ClickMode, prepared: Prepared, point: Point, observed: Observed) -> ClickReceipt {
    ClickReceipt {
        mode,
        fallback_reason: None,
        target: prepared.target,
        outline: prepared.outer,
        located: prepared.selection,
        covered_by: prepared.covered_by,
        point,
        observed,
    }
}

/// True when nothing has come of a click and no other element got any of it: the browser confirmed an input that no
/// document saw, or the page drew its target anew between press and release.
fn is_worth_another(receipt: &ClickReceipt) -> bool {
    let observed = &receipt.observed;
    let lost = (observed.delivered.is_empty() && !observed.arrived) || (observed.again && observed.hit() == Hit::Split);
    lost && observed.complete && !observed.is_changed()
}

/// True when the page above is at rest and what covers the frame waits for a person itself.
fn is_lasting(error: &EngineError) -> bool {
    let EngineError::Refused { facts, .. } = error else {
        return false;
    };
    let hint = facts.get("closeHint");
    let asks = hint.is_some_and(|hint| {
        hint["looksModal"] == true && hint["buttons"].as_array().is_some_and(|all| !all.is_empty())
    });
    asks && facts.get("quiet") == Some(&Value::Bool(true))
}

/// Names the target and the time in a refusal of a frame above.
fn with_patience(mut error: EngineError, started: Instant, prepared: &Prepared) -> EngineError {
    if let EngineError::Refused { facts, .. } = &mut error {
        let waited_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        facts.insert("waitedMs".into(), waited_ms.into());
        facts.insert("target".into(), Value::Object(prepared.target.clone()));
    }
    error
}

/// True for a failure before any input, without an obstruction: the page did not stand still or did not answer in time.
fn may_fall_back(error: &EngineError) -> bool {
    match error {
        EngineError::Refused { code, facts, .. } => code == "ACTION_TIMEOUT" && !facts.contains_key("coveredBy"),
        _ => false,
    }
}
