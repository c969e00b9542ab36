//! Dragging one element onto another, or to a point: HTML5 drag and drop where the browser begins one, else the mouse
//! held down over a path. Invariant: the receipt tells what both ends really got; a drop that the page did not allow is
//! never told as done.

use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::dragging::{Dragging, path};
use super::observe::Observed;
use super::target::Target;
use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::frames::Frame;
use crate::geometry::Point;
use crate::tab::Tab;

/// Moves from the source to the target beside those that begin the drag.
const STEPS: u32 = 8;
/// Frames that the pointer rests over the target before it is let go, twice. Lists that are sorted by dragging look where
/// the pointer is at intervals of their own, and are deaf for a moment after each exchange.
const REST_FRAMES: usize = 4;
/// How long the browser may take to hand over the data of a drag that has begun.
const HAND_OVER: Duration = Duration::from_secs(2);

/// Which end of a drag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DragEnd {
    /// Where it is grabbed.
    Source,
    /// Where it is let go.
    Target,
}

/// One end of a drag: an element, and a point of it.
#[derive(Debug, Clone)]
pub struct Grip {
    /// The element.
    pub target: Target,
    /// CSS pixels from the upper left corner of its box; `None` takes the best point of what is visible.
    pub offset: Option<Point>,
}

/// A drag asked for.
#[derive(Debug, Clone)]
pub struct DragOptions {
    /// Where it is grabbed.
    pub source: Grip,
    /// Where it is let go; `None` is the source's own element, from where it stood at the beginning.
    pub over: Option<Target>,
    /// Offset of the point where it is let go.
    pub over_offset: Option<Point>,
    /// Time for the source to become ready.
    pub timeout: Duration,
    /// How long changes are looked for after the release, in milliseconds.
    pub window_ms: u64,
}

/// An event that one of the two ends, or something between them, got.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DragEvent {
    /// Type of the event.
    #[serde(rename = "type")]
    pub kind: String,
    /// `source`, `over` (the target) or `both`; `None` for another element.
    pub on: Option<String>,
    /// How many came in a row.
    pub count: u64,
    /// Buttons held, for mouse and pointer events.
    pub buttons: Option<u64>,
    /// What got it, when that was neither end.
    pub node: Option<Map<String, Value>>,
}

/// What a frame saw of a drag.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DragSeen {
    /// The browser began a drag of its own.
    pub started: bool,
    /// The page called that off.
    pub prevented: bool,
    /// `effectAllowed` as the source set it.
    pub effect_allowed: Option<String>,
    /// The last `dragover` was accepted.
    pub accepts: bool,
    /// The `drop` was handled.
    pub drop_prevented: bool,
    /// The last `dropEffect` that was seen.
    pub drop_effect: Option<String>,
    /// Events in their order.
    pub events: Vec<DragEvent>,
}

impl DragSeen {
    /// The first event of a type.
    #[must_use]
    pub fn event(&self, kind: &str) -> Option<&DragEvent> {
        self.events.iter().find(|event| event.kind == kind)
    }
}

/// What a drag came to.
#[derive(Debug, Clone)]
pub struct DragReceipt {
    /// HTML5 drag and drop; else the mouse alone.
    pub native: bool,
    /// Moves with the button held.
    pub moves: u32,
    /// Where it was grabbed, in the tab's viewport.
    pub from: Point,
    /// Where it was let go.
    pub to: Point,
    /// The element that was grabbed.
    pub source: Map<String, Value>,
    /// The element that it was let go over.
    pub over: Map<String, Value>,
    /// Something lay over the target.
    pub covered_by: Option<Map<String, Value>>,
    /// What the source's frame saw.
    pub at_source: DragSeen,
    /// What the target's frame saw; the same as `at_source` where there is one frame.
    pub at_target: DragSeen,
    /// What changed.
    pub observed: Observed,
}

/// Reply of the page script's `dragPoint`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Held {
    r#ref: u64,
    point: Point,
    target: Map<String, Value>,
    covered_by: Option<Map<String, Value>>,
}

#[derive(Deserialize)]
struct Recorded {
    record: u64,
    watch: Option<u64>,
}

/// An end of a drag that has been found.
struct End {
    frame: Frame,
    held: Held,
    /// In the tab's viewport.
    point: Point,
}

/// A failure and the end that it concerns.
pub type DragError = (Option<DragEnd>, EngineError);

impl Tab {
    /// Drags.
    ///
    /// # Errors
    /// A refusal, with the end that it concerns, before anything was pressed; [`EngineError::Uncertain`] after.
    pub async fn drag(&self, options: &DragOptions, deadline: Deadline) -> Result<DragReceipt, DragError> {
        let ready = deadline.within(options.timeout + Duration::from_secs(2));
        let target = |error| (Some(DragEnd::Target), error);
        let source = |error| (Some(DragEnd::Source), error);
        // What cannot be found is told before anything on the page is moved.
        if let Some(over) = &options.over {
            self.on_target::<Value>(over, "find", [], ready).await.map_err(target)?;
        }
        let mut from = self.source_end(options, ready).await.map_err(source)?;
        let over = match &options.over {
            Some(over) => self.over_end(over, options.over_offset, ready).await.map_err(target)?,
            None => self.own_end(&from, options, ready).await.map_err(target)?,
        };
        self.one_process(&from.frame, &over.frame).map_err(target)?;
        // Showing the target may have moved the source away: then it is grabbed first and the target shown after.
        from = self.regrip(from, options, ready).await.map_err(source)?;
        self.drag_between(from, over, options, deadline)
            .await
            .map_err(|error| (None, error))
    }

    async fn source_end(&self, options: &DragOptions, deadline: Deadline) -> Result<End> {
        let timeout = u64::try_from(options.timeout.as_millis()).unwrap_or(u64::MAX);
        let args = [
            ("strict", json!(true)),
            ("timeoutMs", json!(timeout)),
            ("offset", offset(options.source.offset)),
        ];
        let (frame, held): (Frame, Held) = self
            .on_target(&options.source.target, "dragPoint", args, deadline)
            .await?;
        let point = self.to_viewport(&frame, held.point, true, deadline).await?;
        Ok(End { frame, held, point })
    }

    async fn over_end(&self, over: &Target, at: Option<Point>, deadline: Deadline) -> Result<End> {
        let (frame, held): (Frame, Held) = self
            .on_target(over, "dragPoint", [("offset", offset(at))], deadline)
            .await?;
        let point = self.to_viewport(&frame, held.point, true, deadline).await?;
        Ok(End { frame, held, point })
    }

    /// The point where the source's own element is dragged to.
    async fn own_end(&self, from: &End, options: &DragOptions, deadline: Deadline) -> Result<End> {
        let args = json!({"ref": from.held.r#ref, "offset": offset(options.over_offset), "still": true});
        let held: Held = self.script(&from.frame, "dragPoint", &args, deadline).await?;
        let point = self.to_viewport(&from.frame, held.point, false, deadline).await?;
        let frame = from.frame.clone();
        Ok(End { frame, held, point })
    }

    /// The source again, brought back into view when showing the target took it away.
    async fn regrip(&self, from: End, options: &DragOptions, deadline: Deadline) -> Result<End> {
        let args =
            json!({"ref": from.held.r#ref, "offset": offset(options.source.offset), "strict": true, "timeoutMs": 300});
        let held: Held = self.script(&from.frame, "dragPoint", &args, deadline).await?;
        let point = self.to_viewport(&from.frame, held.point, true, deadline).await?;
        Ok(End { held, point, ..from })
    }

    /// The browser routes a drag within the frames of one process; over its border it loses both ends.
    fn one_process(&self, from: &Frame, over: &Frame) -> Result<()> {
        if from.session.id() == over.session.id() {
            return Ok(());
        }
        let facts = json!({"sourceFrame": from.url, "targetFrame": over.url});
        Err(EngineError::refused("ACTION_FAILED", "drag-across-sites", facts))
    }

    async fn drag_between(
        &self,
        from: End,
        mut over: End,
        options: &DragOptions,
        deadline: Deadline,
    ) -> Result<DragReceipt> {
        let (records, armed) = (self.record_ends(&from, &over, deadline).await?, Instant::now());
        let around = self.watch_around(&over.frame, deadline).await;
        let mut drag = Dragging::begin(self, from.point, deadline).await?;
        drag.press(deadline).await?;
        let (nudges, _) = path(from.point, over.point, STEPS);
        for point in nudges {
            self.drag_step(&mut drag, point, &records, deadline).await?;
        }
        // A drag makes places to drop appear and pages scroll: the target is looked for again once it is under way.
        if let Some(target) = options.over.as_ref().filter(|_| over.held.r#ref != from.held.r#ref) {
            let again = self
                .over_end(target, options.over_offset, deadline.within(HAND_OVER))
                .await;
            over = again.unwrap_or(over);
        }
        let (_, rest) = path(from.point, over.point, STEPS);
        for point in rest {
            self.drag_step(&mut drag, point, &records, deadline).await?;
        }
        for _ in 0..2 {
            self.frames_pass(&over.frame, REST_FRAMES, deadline).await;
            drag.move_to(over.point, deadline).await?;
        }
        let native = drag.is_native();
        let spent = u64::try_from(armed.elapsed().as_millis()).unwrap_or(0);
        let watch = records.watch;
        let release = drag.release(deadline);
        let observed = self
            .observe(&over.frame, watch, options.window_ms + spent, release, deadline)
            .await;
        let mut observed = observed?;
        self.add_around(around, &mut observed, deadline).await;
        let at_source = self.seen(&from.frame, records.source, true, deadline).await;
        let at_target = match records.over {
            Some(record) => self.seen(&over.frame, record, true, deadline).await,
            None => at_source.clone(),
        };
        Ok(DragReceipt {
            native,
            moves: drag.moves,
            from: from.point,
            to: over.point,
            source: from.held.target,
            over: over.held.target,
            covered_by: over.held.covered_by,
            at_source: at_source.unwrap_or_default(),
            at_target: at_target.unwrap_or_default(),
            observed,
        })
    }

    /// One move; then, when the browser has begun a drag of its own, its data is taken over.
    async fn drag_step(&self, drag: &mut Dragging<'_>, to: Point, records: &Records, deadline: Deadline) -> Result<()> {
        drag.move_to(to, deadline).await?;
        if drag.is_native() {
            // A mouse move takes a frame by itself; these events do not, and a person is no faster.
            self.frames_pass(&records.source_frame, 1, deadline).await;
            return Ok(());
        }
        let seen = self.seen(&records.source_frame, records.source, false, deadline).await;
        let begun = seen.is_ok_and(|seen| seen.started && !seen.prevented) || self.state().drag_data.is_some();
        if begun {
            drag.take_over(deadline.within(HAND_OVER)).await?;
        }
        Ok(())
    }

    /// Lets the page draw. A page that does not is not waited for.
    async fn frames_pass(&self, frame: &Frame, count: usize, deadline: Deadline) {
        for _ in 0..count {
            let drawn: Result<()> = self
                .script(frame, "nextFrame", &json!({}), deadline.within(HAND_OVER))
                .await;
            if drawn.is_err() {
                return;
            }
        }
    }

    async fn record_ends(&self, from: &End, over: &End, deadline: Deadline) -> Result<Records> {
        let one = from.frame.id == over.frame.id;
        let (source, target) = (from.held.r#ref, over.held.r#ref);
        let args = match one {
            true => json!({"source": source, "over": target, "watch": true}),
            false => json!({"source": source}),
        };
        let first: Recorded = self.script(&from.frame, "recordDrag", &args, deadline).await?;
        let second: Option<Recorded> = match one {
            true => None,
            false => {
                let args = json!({"over": target, "watch": true});
                Some(self.script(&over.frame, "recordDrag", &args, deadline).await?)
            }
        };
        let watch = second.as_ref().unwrap_or(&first).watch.unwrap_or_default();
        Ok(Records {
            source_frame: from.frame.clone(),
            source: first.record,
            over: second.map(|second| second.record),
            watch,
        })
    }

    async fn seen(&self, frame: &Frame, record: u64, end: bool, deadline: Deadline) -> Result<DragSeen> {
        let args = json!({"record": record, "end": end});
        self.script(frame, "dragSeen", &args, deadline.within(HAND_OVER)).await
    }
}

struct Records {
    source_frame: Frame,
    source: u64,
    /// The target's own, where it lives in another frame.
    over: Option<u64>,
    watch: u64,
}

fn offset(at: Option<Point>) -> Value {
    at.map_or(Value::Null, |at| json!({"x": at.x, "y": at.y}))
}
