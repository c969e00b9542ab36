//! Batches: several commands in one request, run in order under one turn of the task.
//!
//! Invariant: the shape of the whole array is checked before the first step runs; every step goes through the same
//! pipeline as a request of its own; what was executed is reported in full, whether or not the batch succeeded.

mod expect;
mod steps;

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::context::{Context, EXTRA_ATTEMPTS};
use crate::envelope::Reply;
use crate::failure::{Code, Failure};
use crate::late::{self, PendingLook};
use crate::messages::Text;
use crate::pipeline::{admit, run};
use crate::text;

pub use steps::{Step, parse};

/// Extra attempts after transient failures that one batch may make.
const EXTRA_PER_BATCH: u32 = 20;

/// How a batch is run.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// Stop at the first command that fails.
    pub stop_on_error: bool,
    /// Stop at the first expectation that is not met.
    pub stop_on_expect_failure: bool,
    /// Start no further step once this time has passed.
    pub max_duration: Option<Duration>,
}

/// What became of one step.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StepResult {
    /// Position in the array, from 0.
    pub index: usize,
    /// The method.
    pub command: String,
    /// Whether the command succeeded.
    pub ok: bool,
    /// Its reply's `data`.
    pub data: Option<Value>,
    /// Its reply's `note`.
    pub note: Option<String>,
    /// The message of its failure.
    pub msg: Option<String>,
    /// Its failure in short: `code`, `message`, `retryable`, `retryAfterMs`.
    pub error: Option<Value>,
    /// What became of its expectation: `passed`, `actual`, `js`, `matcher`, `expected`, `error`.
    pub expect_result: Option<Value>,
}

/// Reply of a batch.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BatchReply {
    /// Steps that were executed.
    pub count: usize,
    /// Steps whose command succeeded.
    pub succeeded: usize,
    /// Steps whose command failed.
    pub failed: usize,
    /// Expectations that were not met.
    pub expect_failed: usize,
    /// Whether the batch ended before its last step.
    pub stopped: bool,
    /// Why, unless it was the first failed command.
    pub stop_reason: Option<String>,
    /// The executed steps.
    pub results: Vec<StepResult>,
}

/// A batch under way.
struct Batch {
    reply: BatchReply,
    first_failure: Option<(Code, Text)>,
    first_unmet: Option<Text>,
    extra_attempts: u32,
    /// Second looks that are due, with the place of their step among the results.
    looks: Vec<(usize, PendingLook)>,
}

/// Members of a batch's reply that belong to its steps and are not edited as its own.
pub const OPAQUE: &[&str] = &[
    "results.data",
    "results.expectResult.actual",
    "results.expectResult.expected",
];

/// Runs the steps of a batch. A step that failed, or an expectation that was not met, makes the whole a failure that
/// carries the same members as a success.
pub async fn run_steps(cx: &mut Context, steps: Vec<Step>, rules: Rules) -> Result<BatchReply, Failure> {
    let mut batch = Batch {
        reply: BatchReply::default(),
        first_failure: None,
        first_unmet: None,
        extra_attempts: EXTRA_PER_BATCH,
        looks: Vec::new(),
    };
    let (began, total) = (Instant::now(), steps.len());
    for (index, step) in steps.into_iter().enumerate() {
        let over = rules.max_duration.filter(|limit| began.elapsed() >= *limit);
        if let Some(limit) = over.filter(|_| index > 0) {
            batch.reply.stop_reason = Some(format!("maxDurationMs({}ms)", limit.as_millis()));
            break;
        }
        if !shares_look(cx, &step) {
            batch.look_again(cx).await;
        }
        batch.step(cx, index, step).await;
        if batch.must_stop(cx, rules) {
            break;
        }
    }
    batch.look_again(cx).await;
    batch.reply.stopped = batch.reply.count < total || batch.reply.stop_reason.is_some();
    batch.conclude()
}

impl Batch {
    async fn step(&mut self, cx: &mut Context, index: usize, step: Step) {
        let mut own = cx.for_step(self.extra_attempts.min(EXTRA_ATTEMPTS));
        let granted = own.extra_attempts;
        // An expectation is about the page after the look.
        own.looks = (shares_look(cx, &step) && step.expect.is_none()).then(Vec::new);
        let (method, expectation) = (step.method, expect::Expectation::parse(step.expect));
        let reply = match expectation {
            Ok(_) => step_reply(&mut own, &method, step.params).await,
            Err(ref failure) => Reply::refused(Some(method.clone()), failure.clone()),
        };
        self.extra_attempts -= granted - own.extra_attempts;
        let met = match (&reply.result, expectation) {
            (Ok(_), Ok(Some(expectation))) => Some(expectation.evaluate(&own).await),
            _ => None,
        };
        follow(cx, &own).await;
        let looks = own.looks.take().unwrap_or_default().into_iter();
        self.looks.extend(looks.map(|look| (self.reply.results.len(), look)));
        self.record(cx, index, method, reply, met);
    }

    /// Makes the looks that are due and takes what they saw up into their steps.
    async fn look_again(&mut self, cx: &Context) {
        let due = std::mem::take(&mut self.looks);
        let looks: Vec<&PendingLook> = due.iter().map(|(_, look)| look).collect();
        let states = late::look(&looks, cx.until()).await;
        for ((step, _), state) in due.iter().zip(states) {
            let data = self
                .reply
                .results
                .get_mut(*step)
                .and_then(|result| result.data.as_mut());
            if let (Some(data), Some(state)) = (data, state) {
                late::amend(cx, data, &state);
            }
        }
    }

    fn record(&mut self, cx: &mut Context, index: usize, method: String, reply: Reply, met: Option<expect::Met>) {
        let mut result = StepResult {
            index,
            command: method.clone(),
            ok: reply.result.is_ok(),
            data: None,
            note: joined(cx, &reply.notes),
            msg: None,
            error: None,
            expect_result: met.as_ref().map(|met| met.facts.clone()),
        };
        reply.secrets.into_iter().for_each(|secret| cx.conceal(secret));
        self.reply.count += 1;
        match reply.result {
            Ok(mut data) => {
                self.reply.succeeded += 1;
                strip(cx, &method, &mut data);
                result.data = Some(data);
            }
            Err(failure) => {
                self.reply.failed += 1;
                result.msg = Some(cx.say(&text!(
                    "envelope.failed",
                    method = &method,
                    reason = failure.text.clone()
                )));
                result.error = Some(in_short(cx, &failure));
                result.data = Some(Value::Object(failure.render_data(cx.language())));
                let text = text!(
                    "batch.step_failed",
                    index = index,
                    method = &method,
                    reason = failure.text
                );
                self.first_failure.get_or_insert((failure.code, text));
            }
        }
        if let Some(met) = met.filter(|met| !met.passed) {
            self.reply.expect_failed += 1;
            let text = text!(
                "batch.unmet",
                index = index,
                method = method,
                actual = met.actual,
                wanted = met.wanted
            );
            self.first_unmet.get_or_insert(text);
        }
        self.reply.results.push(result);
    }

    fn must_stop(&mut self, cx: &Context, rules: Rules) -> bool {
        if rules.stop_on_expect_failure && self.reply.expect_failed > 0 {
            self.reply.stop_reason = Some("stopOnExpectFailure".to_owned());
            return true;
        }
        let out_of_time = cx.deadline().is_some_and(|deadline| Instant::now() >= deadline);
        out_of_time || (rules.stop_on_error && self.reply.failed > 0)
    }

    fn conclude(self) -> Result<BatchReply, Failure> {
        let only_unmet = self.reply.failed == 0;
        let (code, text) = match (self.first_failure, self.first_unmet) {
            (Some((code, text)), _) => (code, text),
            (None, Some(text)) => (Code::ActionFailed, text),
            (None, None) => return Ok(self.reply),
        };
        let mut failure = Failure::new(code, text).not_retryable();
        if let Value::Object(members) = json!(self.reply) {
            failure.data.extend(members);
        }
        Err(if only_unmet {
            failure.with_text("note", text!("batch.note_unmet"))
        } else {
            failure
        })
    }
}

fn shares_look(cx: &Context, step: &Step) -> bool {
    let declaration = cx.service().registry().get(&step.method);
    declaration.is_some_and(|declaration| declaration.flags.shares_look)
}

async fn step_reply(cx: &mut Context, method: &str, params: serde_json::Map<String, Value>) -> Reply {
    match admit::admit(cx.service().registry(), method, params) {
        Ok(call) => run::run(cx, call, Instant::now()).await,
        Err(failure) => Reply::refused(Some(method.to_owned()), failure),
    }
}

/// After a step that began a task, the batch goes on with that task and holds its turn.
async fn follow(cx: &mut Context, step: &Context) {
    let (Ok(theirs), ours) = (step.task(), cx.task()) else {
        return;
    };
    if ours.is_ok_and(|ours| std::sync::Arc::ptr_eq(ours, theirs)) {
        return;
    }
    let task = std::sync::Arc::clone(theirs);
    let place = task.turn.enqueue();
    cx.adopt(task);
    cx.turn = place.wait(None).await;
}

fn joined(cx: &Context, notes: &[Text]) -> Option<String> {
    (!notes.is_empty()).then(|| notes.iter().map(|note| cx.say(note)).collect::<Vec<_>>().join(" "))
}

/// Null stripping of a step's own data, by its own declaration.
fn strip(cx: &Context, method: &str, data: &mut Value) {
    if let Some(declaration) = cx
        .service()
        .registry()
        .get(method)
        .filter(|_| cx.config().json.skip_null)
    {
        crate::projection::strip_nulls(data, declaration.opaque);
    }
}

fn in_short(cx: &Context, failure: &Failure) -> Value {
    json!({
        "code": failure.code.as_str(),
        "message": cx.say(&failure.text),
        "retryable": failure.retryable(),
        "retryAfterMs": failure.retry_after_ms(),
    })
}
