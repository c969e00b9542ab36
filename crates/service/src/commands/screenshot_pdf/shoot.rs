//! Taking a picture on demand: under the task's breaker, within its limit, written where it was asked for.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use engine::{Clip, Deadline, EngineError, Shot, Tab, Target};
use serde_json::Value;
use tokio::time::Instant;

use crate::breaker::Admission;
use crate::capture::{Report, Stage, breaker};
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::files::write_atomic;
use crate::tasks::Task;
use crate::text;

/// Time below which a fall-back is not begun.
const TOO_LATE: Duration = Duration::from_millis(250);

/// What to take.
#[derive(Debug, Clone)]
pub(super) enum Subject {
    Viewport,
    FullPage,
    Clip(Clip),
    Element(Target),
}

impl Subject {
    const fn mode(&self) -> &'static str {
        match self {
            Self::Viewport => "viewport",
            Self::FullPage => "fullPage",
            Self::Clip(_) => "clip",
            Self::Element(_) => "element",
        }
    }
}

/// How to take it.
pub(super) struct Wanted {
    pub(super) limit: Duration,
    pub(super) force: bool,
    pub(super) fall_back: bool,
    pub(super) path: Option<String>,
}

/// A picture that was taken and written.
pub(super) struct Taken {
    pub(super) png: Vec<u8>,
    pub(super) path: PathBuf,
    pub(super) url: Option<String>,
    pub(super) report: Value,
    pub(super) fallback_reason: Option<String>,
}

/// Takes and writes a picture.
pub(super) async fn shoot(cx: &mut Context, subject: Subject, wanted: &Wanted) -> Result<Taken, Failure> {
    let task = Arc::clone(cx.task()?);
    let limit = cx.within_deadline(wanted.limit);
    let mut report = Report::new(subject.mode(), limit);
    let admission = breaker(&task).admit(Instant::now());
    if let (Admission::Open(pause), false) = (admission, wanted.force) {
        let after = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
        return Err(Failure::new(Code::CaptureCircuitOpen, text!("capture.circuit_open")).retryable_after(after));
    }
    report.half_open = admission == Admission::HalfOpen;
    report.stage = Stage::Screenshot;
    report.attempts = 1;
    let tab = cx.tab().await?;
    let deadline = Deadline::after(limit);
    let (png, fallback_reason) = match take(&tab, subject, wanted, deadline).await {
        Ok(taken) => {
            breaker(&task).succeeded();
            taken
        }
        Err(error) => return Err(failed(cx, &task, &error)),
    };
    if fallback_reason.is_some() {
        report.actual_mode = "viewport";
    }
    report.stage = Stage::Write;
    let (path, png) = write(cx, &task, wanted, png).await?;
    report.stage = Stage::Complete;
    let facts = cx.page().map(|page| page.facts());
    Ok(Taken {
        url: task.files.url_of(&path),
        path,
        png,
        report: report.to_json(facts.as_ref()),
        fallback_reason,
    })
}

async fn take(
    tab: &Arc<Tab>,
    subject: Subject,
    wanted: &Wanted,
    deadline: Deadline,
) -> engine::Result<(Vec<u8>, Option<String>)> {
    let shot = match subject {
        Subject::Viewport => Shot::Viewport,
        Subject::FullPage => Shot::FullPage,
        Subject::Clip(clip) => Shot::Clip(clip),
        Subject::Element(target) => Shot::Clip(tab.element_clip(&target, deadline).await?),
    };
    if !wanted.fall_back {
        return tab.screenshot(shot, deadline).await.map(|png| (png, None));
    }
    match tab.screenshot(shot, deadline.within(deadline.remaining() / 2)).await {
        Ok(png) => Ok((png, None)),
        Err(error) if deadline.remaining() < TOO_LATE => Err(error),
        Err(error) => Ok((tab.screenshot(Shot::Viewport, deadline).await?, Some(error.to_string()))),
    }
}

/// A subject that cannot be found or seen is the caller's affair; anything else counts against the breaker.
fn failed(cx: &Context, task: &Task, error: &EngineError) -> Failure {
    let failure = Failure::from_engine(error, false);
    match error {
        EngineError::Refused { .. }
        | EngineError::StaleIndex { .. }
        | EngineError::Navigating
        | EngineError::DialogOpen(_) => failure,
        _ => {
            let opened = breaker(task).failed(Instant::now(), failure.code.is_transient(), &cx.config().capture);
            let failure = Failure {
                code: Code::CaptureFailed,
                ..failure
            };
            match opened {
                Some(pause) => failure
                    .with("capture_degraded", true)
                    .with_text("capture_note", text!("capture.note_degraded"))
                    .retryable_after(u64::try_from(pause.as_millis()).unwrap_or(u64::MAX)),
                None => failure,
            }
        }
    }
}

async fn write(cx: &Context, task: &Arc<Task>, wanted: &Wanted, png: Vec<u8>) -> Result<(PathBuf, Vec<u8>), Failure> {
    let path = match &wanted.path {
        Some(path) => cx.config().work_dir.join(path),
        None => task.files.next_shot().1,
    };
    let job = tokio::task::spawn_blocking(move || write_atomic(&path, &png).map(|()| (path, png)));
    let not_written = |reason: String| Failure::new(Code::CaptureFailed, text!("capture.not_written", reason = reason));
    match job.await {
        Ok(written) => written.map_err(|error| not_written(error.to_string())),
        Err(error) => Err(not_written(error.to_string())),
    }
}
