//! Running one command: a place among those in execution, a deadline, attempts, panic isolation, the picture, the
//! receipt. The same for a request of its own and for a step of a batch.
//!
//! Invariant: the future of a command is dropped at its deadline and a panic in it ends nothing but itself; the task
//! stays usable after both.

use std::any::Any;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;

use super::admit::Call;
use super::attempts::Attempts;
use super::limits;
use super::receipt::{self, Unknown};
use crate::capture;
use crate::command::{Class, Declaration, Running};
use crate::context::Context;
use crate::envelope::Reply;
use crate::failure::{Code, Failure};
use crate::ids;
use crate::return_state::{self, ReturnState};
use crate::text;

/// Runs a command whose turn it is. `arrived` is when its request came in.
pub(crate) async fn run(cx: &mut Context, mut call: Call, arrived: Instant) -> Reply {
    let declaration = call.declaration;
    let limit = limits::limit_of(declaration, cx.config());
    let _place = match enter(cx, declaration, limit).await {
        Ok(place) => place,
        Err(failure) => return Reply::refused(Some(declaration.name.to_owned()), failure),
    };
    if call.run_async && !declaration.holds_steps {
        cx.note(text!("params.async_ignored"));
    }
    let (began, started, outer) = (SystemTime::now(), Instant::now(), cx.deadline());
    cx.set_deadline(earlier(outer, limit.map(|limit| started + limit)));
    let unknown = Unknown::of(&mut call);
    let mut attempts = Attempts::new(cx.config().command.spurious_max_attempts);
    let return_state = call.return_state;
    let dialogs = cx.dialogs_seen();
    let mut result = attempt(cx, call, &mut attempts, limit).await;
    receipt::add(&mut result, receipt::new_dialog(declaration, cx, dialogs));
    finish(cx, declaration, &mut result, &attempts).await;
    add_state(cx, return_state, &mut result).await;
    if !matches!(&result, Err(failure) if failure.never_started()) {
        let execution = receipt::execution(&result, began, started.elapsed(), started - arrived);
        receipt::add(&mut result, [("execution".to_owned(), execution)]);
    }
    receipt::add(&mut result, receipt::unknown_params(&unknown, cx));
    cx.set_deadline(outer);
    Reply {
        method: Some(declaration.name.to_owned()),
        declaration: Some(declaration),
        result,
        notes: cx.take_notes(),
        replayed: false,
        secrets: cx.take_secrets(),
    }
}

/// What must be true before a command starts: its task is there, and there is a place among those in execution.
async fn enter(
    cx: &Context,
    declaration: &Declaration,
    limit: Option<Duration>,
) -> Result<Option<OwnedSemaphorePermit>, Failure> {
    // A task may have ended while the command waited for its turn.
    if declaration.flags.needs_task && cx.task()?.is_closed() {
        return Err(cx.service().no_such_task(cx.task_id()));
    }
    match counts(declaration) {
        true => cx.service().gate().enter(limit).await.map(Some),
        false => Ok(None),
    }
}

/// Commands that work on a page under its task's turn are limited in number. What holds steps is not counted: its
/// steps are.
fn counts(declaration: &Declaration) -> bool {
    declaration.flags.takes_turn && !declaration.holds_steps && matches!(declaration.class, Class::Read | Class::Action)
}

fn earlier(left: Option<Instant>, right: Option<Instant>) -> Option<Instant> {
    match (left, right) {
        (Some(left), Some(right)) => Some(left.min(right)),
        (left, right) => left.or(right),
    }
}

/// The attempts of a command under its deadline.
async fn attempt(
    cx: &mut Context,
    call: Call,
    attempts: &mut Attempts,
    limit: Option<Duration>,
) -> Result<Value, Failure> {
    let deadline = cx.deadline();
    let (declaration, mut ready, again) = (call.declaration, call.ready, call.again);
    loop {
        attempts.begin();
        let result = match bounded(ready.run(cx), deadline).await {
            Ended::Finished(result) => result,
            Ended::Panicked(payload) => Err(internal_error(declaration.class, declaration.name, &words(&*payload))),
            Ended::Late => Err(limits::timeout(limit.unwrap_or_default())),
        };
        let Err(failure) = result else { return result };
        let Some(params) = again.clone().filter(|_| attempts.grant(cx, failure.code)) else {
            return Err(settle(failure, again.is_some()));
        };
        attempts.pause(cx, failure.code).await;
        ready = (declaration.accept)(params)?;
    }
}

/// A transient failure of a command that must not be run twice is not one to resend blindly.
fn settle(failure: Failure, resend_safe: bool) -> Failure {
    if failure.code.is_transient() && !resend_safe {
        return failure
            .not_retryable()
            .with_text("note", text!("command.note_look_first"));
    }
    failure
}

enum Ended {
    Finished(Result<Value, Failure>),
    Panicked(Box<dyn Any + Send>),
    Late,
}

/// Polls a command to its end, its panic or its deadline.
async fn bounded(command: Running<'_>, deadline: Option<Instant>) -> Ended {
    let mut command = command;
    let guarded = pin!(std::future::poll_fn(|task| {
        // A command that panicked is dropped and never polled again, so no broken state of it is seen.
        match catch_unwind(AssertUnwindSafe(|| command.as_mut().poll(task))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(result)) => Poll::Ready(Ended::Finished(result)),
            Err(payload) => Poll::Ready(Ended::Panicked(payload)),
        }
    }));
    match deadline {
        Some(deadline) => tokio::time::timeout_at(deadline, guarded).await.unwrap_or(Ended::Late),
        None => guarded.await,
    }
}

fn words(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "panic".to_owned())
}

/// The failure for a defect of ours: its details go to the log, under an id that the reply carries.
pub(super) fn internal_error(class: Class, method: &str, cause: &impl Display) -> Failure {
    let id = ids::next();
    tracing::error!(error_id = %id, method, %cause, "a command ended in a defect");
    let acted = class == Class::Action;
    let code = if acted {
        Code::ActionUncertain
    } else {
        Code::ActionFailed
    };
    let failure = Failure::new(code, text!("failure.internal", id = &id)).with("errorId", id);
    if !acted {
        return failure;
    }
    failure
        .with("actionStatus", "unknown")
        .with("retrySafe", false)
        .with_text("note", text!("command.note_do_not_resend"))
}

/// The state of the page after the action, or why there is none. It is read under the same care as a command.
async fn add_state(cx: &mut Context, wanted: ReturnState, result: &mut Result<Value, Failure>) {
    if wanted == ReturnState::None || !return_state::is_of_use(result) {
        return;
    }
    let limit = return_state::limit(cx);
    let ended = bounded(Box::pin(return_state::read(cx, wanted)), Some(Instant::now() + limit)).await;
    let failure = match ended {
        Ended::Finished(Ok(state)) => return receipt::add(result, [("state".to_owned(), state)]),
        Ended::Finished(Err(failure)) => failure,
        Ended::Panicked(payload) => internal_error(Class::Read, return_state::NAME, &words(&*payload)),
        Ended::Late => Failure::new(Code::CommandTimeout, text!("state.late", ms = limit.as_millis())),
    };
    let error = json!({"code": failure.code.as_str(), "message": cx.say(&failure.text)});
    receipt::add(result, [("stateError".to_owned(), error)]);
}

/// What is added once the command is over: the automatic screenshot after success, where the page is after a failure,
/// tabs that opened by themselves, and how many attempts it took.
async fn finish(cx: &mut Context, declaration: &Declaration, result: &mut Result<Value, Failure>, attempts: &Attempts) {
    let mut capture_retries = 0;
    match &*result {
        Ok(_) if declaration.flags.capture => {
            let (members, retries) = capture::automatic(cx).await;
            capture_retries = retries;
            receipt::add(result, members);
        }
        Ok(_) => {}
        Err(failure) if failure.never_started() => return,
        Err(failure) => receipt::add(result, receipt::whereabouts(failure, cx)),
    }
    if declaration.flags.needs_task && declaration.flags.takes_turn {
        receipt::add(result, receipt::new_tabs(cx));
    }
    let facts = attempts.facts(capture_retries, cx.language());
    receipt::add(result, facts.into_iter().map(|(name, value)| (name.to_owned(), value)));
}
