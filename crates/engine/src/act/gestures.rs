//! Gestures beside the click on an element: coming over it, focusing it, clicking at a point, scrolling, waiting for a
//! mark.

use std::time::Duration;

use futures_util::future::join_all;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::click::{ClickMode, ClickReceipt, Prepared, receipt};
use super::observe::{Observed, Watched};
use super::pointer::Button;
use super::target::Target;
use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::frames::Frame;
use crate::geometry::Point;
use crate::read::ElementState;
use crate::tab::Tab;

/// Frames of a tab that are watched when nobody knows which of them lies under the pointer.
const WATCHED: usize = 24;

/// A control's mark after it was waited for.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Mark {
    /// The control as it is now.
    #[serde(flatten)]
    pub state: ElementState,
    /// It has left the document.
    #[serde(default)]
    pub gone: bool,
}

/// How far something was scrolled.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Scrolled {
    /// Pixels that it moved; negative upwards.
    pub scrolled_by: i64,
    /// Where it is now, from its upper end.
    pub top: i64,
    /// Where its lower end is.
    pub max: i64,
    /// What scrolled; `None` when nothing can.
    pub scroller: Option<Map<String, Value>>,
}

/// Reply of the page script's `arm`.
#[derive(Deserialize)]
struct Armed {
    watch: u64,
}

impl Tab {
    /// Moves the pointer over an element that passed every check, and stays there.
    ///
    /// # Errors
    /// As for a click.
    pub async fn hover(
        &self,
        target: &Target,
        timeout: Duration,
        window_ms: u64,
        deadline: Deadline,
    ) -> Result<ClickReceipt> {
        let args = [
            ("mode", json!("native")),
            ("intent", json!("hover")),
            ("outer", json!(false)),
        ];
        let until = deadline.within(timeout);
        let (frame, prepared, point) = self.aim_pointer(target, &args, true, until, deadline).await?;
        let point = point.unwrap_or_else(|| self.pointer());
        let around = self.watch_around(&frame, deadline).await;
        let limit = deadline.within(timeout.max(Duration::from_secs(1)));
        let input = async {
            // A pointer that is there already has to come again to be seen.
            if self.pointer() == point {
                let beside = Point {
                    x: point.x + 1.0,
                    y: point.y,
                };
                self.mouse_move(beside, limit).await?;
            }
            self.mouse_move(point, limit).await
        };
        let mut observed = self.observe(&frame, prepared.watch, window_ms, input, deadline).await?;
        self.add_around(around, &mut observed, deadline).await;
        Ok(receipt(ClickMode::Native, prepared, point, observed))
    }

    /// Focuses an element by script.
    ///
    /// # Errors
    /// It is hidden or disabled, or does not take the focus.
    pub async fn focus_element(&self, target: &Target, window_ms: u64, deadline: Deadline) -> Result<ClickReceipt> {
        let (frame, prepared): (Frame, Prepared) = self.on_target(target, "focusElement", [], deadline).await?;
        let observed = self
            .observe(&frame, prepared.watch, window_ms, async { Ok(()) }, deadline)
            .await?;
        Ok(receipt(ClickMode::Js, prepared, self.pointer(), observed))
    }

    /// Clicks at a point of the tab's viewport, whatever is there.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a point outside the viewport; [`EngineError::Uncertain`] once input may have been sent.
    pub async fn click_at(
        &self,
        point: Point,
        button: Button,
        times: u32,
        window_ms: u64,
        deadline: Deadline,
    ) -> Result<Observed> {
        let main = self.main_frame()?;
        self.refuse_outside(&main, point, deadline).await?;
        let frames: Vec<Frame> = self
            .state()
            .frames
            .ordered()
            .into_iter()
            .skip(1)
            .take(WATCHED)
            .map(|(frame, _)| frame)
            .collect();
        let armed = frames.iter().map(|frame| async move {
            let watch = self.arm_click(frame, times, None, deadline).await.ok()?;
            Some((frame.clone(), watch))
        });
        let (watch, inner) = tokio::join!(self.arm_click(&main, times, Some(point), deadline), join_all(armed));
        let watch = watch?;
        let input = self.mouse_clicks(point, button, times, deadline);
        let mut observed = self.observe(&main, watch, window_ms, input, deadline).await?;
        // What a frame has seen by now is all it will see; one that does not answer has no say.
        let looks = inner.iter().flatten().map(|(frame, watch)| async move {
            let look = json!({"watch": watch, "windowMs": 0});
            let limit = deadline.within(Duration::from_millis(250));
            self.script::<Watched>(frame, "observe", &look, limit).await
        });
        for seen in join_all(looks).await.into_iter().flatten() {
            observed.add_inner(seen);
        }
        Ok(observed)
    }

    async fn arm_click(&self, frame: &Frame, times: u32, at: Option<Point>, deadline: Deadline) -> Result<u64> {
        let point = at.map(|at| json!({"x": at.x, "y": at.y}));
        let args = json!({"expect": "click", "times": times, "point": point});
        let armed: Armed = self.script(frame, "arm", &args, deadline).await?;
        Ok(armed.watch)
    }

    /// Refuses a point that lies outside the tab's viewport: nothing would get the input.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` with the size of the viewport.
    pub async fn refuse_outside(&self, main: &Frame, point: Point, deadline: Deadline) -> Result<()> {
        let size: crate::state::Viewport = self.script(main, "frameSize", &json!({}), deadline).await?;
        if point.x >= 0.0 && point.y >= 0.0 && point.x < size.width && point.y < size.height {
            return Ok(());
        }
        let facts = json!({"x": point.x, "y": point.y, "width": size.width, "height": size.height});
        Err(EngineError::refused("INVALID_ARGUMENT", "outside-viewport", facts))
    }

    /// Waits until a control is (not) ticked, with `decided` until it is one of both, at most `limit`; says how it is then.
    ///
    /// # Errors
    /// The control is not found or stale.
    pub async fn mark_becomes(
        &self,
        target: &Target,
        checked: bool,
        decided: bool,
        limit: Duration,
        deadline: Deadline,
    ) -> Result<Mark> {
        let limit_ms = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
        let args = [
            ("checked", json!(checked)),
            ("decided", json!(decided)),
            ("timeoutMs", json!(limit_ms)),
        ];
        self.on_target(target, "markBecomes", args, deadline)
            .await
            .map(|(_, mark)| mark)
    }

    /// Scrolls the page, or what scrolls around an element, by so many of its own heights; negative upwards.
    ///
    /// # Errors
    /// `no-scroller` when nothing around the element scrolls; the element is not found or stale.
    pub async fn scroll_pages(&self, target: Option<&Target>, pages: i64, deadline: Deadline) -> Result<Scrolled> {
        let args = [("pages", json!(pages))];
        match target {
            Some(target) => self
                .on_target(target, "scrollPages", args, deadline)
                .await
                .map(|(_, done)| done),
            None => {
                let main = self.main_frame()?;
                self.script(&main, "scrollPages", &json!({"pages": pages}), deadline)
                    .await
            }
        }
    }
}

impl Tab {
    /// Turns the wheel over the middle of the page, for pages that scroll by a script of their own; says what changed.
    ///
    /// # Errors
    /// [`EngineError::Uncertain`] once the wheel may have been turned.
    pub async fn scroll_by_wheel(&self, pages: i64, window_ms: u64, deadline: Deadline) -> Result<Observed> {
        let main = self.main_frame()?;
        let size: crate::state::Viewport = self.script(&main, "frameSize", &json!({}), deadline).await?;
        let middle = Point {
            x: size.width / 2.0,
            y: size.height / 2.0,
        };
        // Coming over something may change it by itself.
        self.mouse_move(middle, deadline).await?;
        let armed: Armed = self.script(&main, "arm", &json!({"expect": "wheel"}), deadline).await?;
        // Scripts that take a turn of the wheel for a page take the first event of it.
        let delta = if pages < 0 { -size.height } else { size.height };
        let input = self.mouse_wheel(delta, deadline);
        self.observe(&main, armed.watch, window_ms, input, deadline).await
    }
}

impl Observed {
    /// Adds what the document of a frame inside saw of the same gesture.
    fn add_inner(&mut self, seen: Watched) {
        self.arrived |= seen.arrived;
        for kind in seen.changed {
            if kind != "focus" && !self.changed.contains(&kind) {
                self.changed.push(kind);
            }
        }
        for (kind, delivery) in seen.delivered {
            self.delivered.entry(kind).or_insert(delivery);
        }
    }
}
