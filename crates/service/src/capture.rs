//! The automatic screenshot after a successful command, and the facts that every picture is reported with.
//!
//! Invariant: a picture that fails never turns a successful command into a failure, costs at most its own limit, and
//! is always explained: taken, failed, or skipped and why.

use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::time::Instant;

use crate::breaker::{Admission, Breaker};
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::page::{Page, PageFacts};
use crate::tasks::Task;
use crate::text;

/// How far an attempt came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stage {
    /// Nothing was tried.
    #[default]
    Preflight,
    /// Not tried, because the circuit is open.
    CircuitOpen,
    /// The browser was asked for the picture.
    Screenshot,
    /// The picture was there and was being written.
    Write,
    /// Written.
    Complete,
}

impl Stage {
    const fn as_str(self) -> &'static str {
        match self {
            Stage::Preflight => "preflight",
            Stage::CircuitOpen => "circuit-open",
            Stage::Screenshot => "screenshot",
            Stage::Write => "write",
            Stage::Complete => "complete",
        }
    }
}

/// What is reported of a picture in the member `capture`.
#[derive(Debug, Clone)]
pub struct Report {
    /// What was asked for: `viewport`, `fullPage`, `element`, `clip`.
    pub requested_mode: &'static str,
    /// What was taken.
    pub actual_mode: &'static str,
    /// How often the browser was asked.
    pub attempts: u32,
    /// When it began.
    pub began: Instant,
    /// Limit of an attempt.
    pub limit: Duration,
    /// How far it came.
    pub stage: Stage,
    /// The code of the last failure.
    pub error_code: Option<&'static str>,
    /// The breaker had just half opened.
    pub half_open: bool,
}

impl Report {
    /// A report for a picture that has not been tried yet.
    pub fn new(mode: &'static str, limit: Duration) -> Self {
        Report {
            requested_mode: mode,
            actual_mode: mode,
            attempts: 0,
            began: Instant::now(),
            limit,
            stage: Stage::Preflight,
            error_code: None,
            half_open: false,
        }
    }

    /// Attempts beyond the first.
    pub fn retries(&self) -> u32 {
        self.attempts.saturating_sub(1)
    }

    /// The member `capture`.
    pub fn to_json(&self, facts: Option<&PageFacts>) -> Value {
        json!({
            "requestedMode": self.requested_mode,
            "actualMode": self.actual_mode,
            "attempts": self.attempts,
            "retries": self.retries(),
            "elapsedMs": millis(self.began.elapsed()),
            "timeoutMs": millis(self.limit),
            "stage": self.stage.as_str(),
            "errorCode": self.error_code,
            "halfOpen": self.half_open.then_some(true),
            "viewport": facts.and_then(|facts| facts.viewport).map(|(width, height)| json!({"width": width, "height": height})),
            "pageClosed": facts.map(|facts| facts.closed),
            "browserConnected": facts.map(|facts| facts.browser_connected),
        })
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// The breaker of a task.
pub fn breaker(task: &Task) -> MutexGuard<'_, Breaker> {
    task.breaker.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The members that the automatic screenshot adds to a reply, and the retries it took.
pub(crate) async fn automatic(cx: &mut Context) -> (Map<String, Value>, u32) {
    let Ok(task) = cx.task().cloned() else {
        return (Map::new(), 0);
    };
    let mut out = Map::new();
    let seq = task.files.next_seq();
    out.insert("seq".into(), json!(seq));
    let Some(page) = cx.page().filter(|_| !task.is_closed()) else {
        out.insert("screenshot_skipped".into(), json!(cx.say(&text!("capture.task_ended"))));
        return (out, 0);
    };
    if cx
        .tabs()
        .is_ok_and(|tabs| tabs.current().is_some_and(|tab| tab.open_dialog().is_some()))
    {
        out.insert(
            "screenshot_skipped".into(),
            json!(cx.say(&text!("capture.dialog_open"))),
        );
        return (out, 0);
    }
    if !cx.config().capture.enabled {
        out.insert("screenshot_skipped".into(), json!(cx.say(&text!("capture.disabled"))));
        return (out, 0);
    }
    let limit = cx.within_deadline(Duration::from_millis(cx.config().capture.timeout_ms));
    let mut report = Report::new("viewport", limit);
    let admission = breaker(&task).admit(Instant::now());
    match admission {
        Admission::Open(pause) => skipped(cx, &mut out, &mut report, pause),
        Admission::Closed | Admission::HalfOpen => {
            report.half_open = admission == Admission::HalfOpen;
            let taken = take(cx, &task, &page, seq, &mut report).await;
            record(cx, &task, taken, &mut out, &mut report);
        }
    }
    out.insert("capture".into(), report.to_json(Some(&page.facts())));
    (out, report.retries())
}

fn skipped(cx: &Context, out: &mut Map<String, Value>, report: &mut Report, pause: Duration) {
    report.stage = Stage::CircuitOpen;
    out.insert(
        "screenshot_skipped".into(),
        json!(cx.say(&text!("capture.circuit_open"))),
    );
    out.insert("capture_degraded".into(), json!(true));
    out.insert("retryAfterMs".into(), json!(millis(pause)));
}

/// Takes the picture, again after a transient failure while extra attempts are left, and writes it.
async fn take(
    cx: &mut Context,
    task: &Arc<Task>,
    page: &Arc<dyn Page>,
    seq: u64,
    report: &mut Report,
) -> Result<String, Failure> {
    let most = cx.config().command.spurious_max_attempts;
    let delay = Duration::from_millis(cx.config().command.spurious_retry_delay_ms);
    report.stage = Stage::Screenshot;
    let png = loop {
        report.attempts += 1;
        let left = report.limit.saturating_sub(report.began.elapsed());
        match page.capture(left).await {
            Err(failure) if failure.code.is_transient() && report.attempts < most && cx.extra_attempts > 0 => {
                cx.extra_attempts -= 1;
                tokio::time::sleep(delay.min(left)).await;
            }
            other => break other?,
        }
    };
    report.stage = Stage::Write;
    let written = {
        let task = Arc::clone(task);
        tokio::task::spawn_blocking(move || task.files.write(&format!("{seq}.png"), &png)).await
    };
    let reason = match written {
        Ok(Ok(path)) => {
            report.stage = Stage::Complete;
            return Ok(path.display().to_string());
        }
        Ok(Err(error)) => error.to_string(),
        Err(error) => error.to_string(),
    };
    Err(Failure::new(
        Code::CaptureFailed,
        text!("capture.not_written", reason = reason),
    ))
}

fn record(
    cx: &Context,
    task: &Task,
    taken: Result<String, Failure>,
    out: &mut Map<String, Value>,
    report: &mut Report,
) {
    match taken {
        Ok(path) => {
            breaker(task).succeeded();
            out.insert("screenshot".into(), json!(task.files.url_of(path.as_ref())));
            out.insert("screenshot_path".into(), json!(path));
        }
        // A page that stands still is no fault of the pictures.
        Err(failure) if failure.code == Code::DialogOpen => {
            out.insert(
                "screenshot_skipped".into(),
                json!(cx.say(&text!("capture.dialog_open"))),
            );
        }
        Err(failure) => {
            report.error_code = Some(failure.code.as_str());
            out.insert("screenshot_error".into(), json!(cx.say(&failure.text)));
            let opened = breaker(task).failed(Instant::now(), failure.code.is_transient(), &cx.config().capture);
            if let Some(pause) = opened {
                out.insert("capture_degraded".into(), json!(true));
                out.insert("capture_note".into(), json!(cx.say(&text!("capture.note_degraded"))));
                out.insert("retryAfterMs".into(), json!(millis(pause)));
            }
        }
    }
}
