//! The life of a request: parse, find the command, check its parameters, take the task's turn, run it, take the
//! picture, write the receipt, project, reply, and leave a trace.
//!
//! Invariant: every request gets exactly one reply, whatever happens inside; what can be refused is refused before
//! anything is started; and what can be done after the reply is not done before it.

pub(crate) mod admit;
mod attempts;
mod limits;
mod receipt;
pub(crate) mod run;

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde_json::Value;
use tokio::task::AbortHandle;
use tokio::time::Instant;

use crate::command::Class;
use crate::context::Context;
use crate::envelope::{Incoming, Outgoing, Reply, Request, Style};
use crate::failure::Failure;
use crate::ids::TaskId;
use crate::messages::Language;
use crate::pipeline::admit::Call;
use crate::replay::{Claim, fingerprint};
use crate::service::Service;
use crate::tasks::Finished;
use crate::text;
use crate::trace::{Payload, TraceRecord};
use crate::turn::Place;

/// How long a request waits for its task's turn.
const TURN_LIMIT: Duration = Duration::from_millis(5000);
/// Characters of one text that the history of a task keeps.
const REMEMBERED_CHARS: usize = 2000;

/// When and how a request came in.
#[derive(Debug)]
struct Arrival {
    at: SystemTime,
    clock: Instant,
    /// The request as received, for the trace.
    body: Vec<u8>,
    style: Style,
}

impl Arrival {
    fn now(body: Vec<u8>, style: Style) -> Self {
        Arrival {
            at: SystemTime::now(),
            clock: Instant::now(),
            body,
            style,
        }
    }
}

impl Service {
    /// Runs one request to its reply.
    ///
    /// The place in the task's queue is taken when this future is first polled. Dropping the future drops commands of
    /// class read and wait; every other command, and every one with a `requestKey`, runs to its end.
    pub async fn handle(self: &Arc<Self>, incoming: Incoming) -> Outgoing {
        let Incoming { body, language } = incoming;
        match Request::parse(&body) {
            Ok(request) => self.submit(request, body, language).await,
            Err(illegible) => {
                let arrival = Arrival::now(body, Request::default().style(self.config().json.skip_null, language));
                self.reply(arrival, None, &Reply::refused(illegible.method, illegible.failure))
            }
        }
    }

    /// Runs a command without task and parameters, for the routes that answer the same as a command.
    pub async fn run_admin(self: &Arc<Self>, method: &str, language: Language) -> Outgoing {
        self.submit(Request::for_method(method), Vec::new(), language).await
    }

    async fn submit(self: &Arc<Self>, request: Request, body: Vec<u8>, language: Language) -> Outgoing {
        let style = request.style(self.config().json.skip_null, language);
        let arrival = Arrival::now(body, style);
        let key = request
            .request_key
            .map(|key| (key, fingerprint(&request.method, &request.params)));
        let call = match admit::admit(self.registry(), &request.method, request.params) {
            Ok(call) => call,
            Err(failure) => {
                return self.reply(arrival, request.id, &Reply::refused(Some(request.method), failure));
            }
        };
        let abandonable = key.is_none() && matches!(call.declaration.class, Class::Read | Class::Wait);
        let entry = Entry::of(self, request.id, &call, key);
        let work = tokio::spawn(Arc::clone(self).process(arrival, request.id, call, entry));
        let _abandoned = AbortOnDrop(abandonable.then(|| work.abort_handle()));
        match work.await {
            Ok(outgoing) => outgoing,
            Err(error) => {
                let failure = run::internal_error(Class::Action, &request.method, &error);
                self.failure(500, failure, language)
            }
        }
    }

    async fn process(self: Arc<Self>, arrival: Arrival, id: Option<TaskId>, call: Call, entry: Entry) -> Outgoing {
        let unanswered = Unanswered {
            service: Arc::clone(&self),
            id,
            method: call.declaration.name,
            at: arrival.at,
        };
        let mut cx = Context::new(Arc::clone(&self), id, arrival.style.language);
        let reply = match entry {
            Entry::Plain(place) => self.take_turn_and_run(&mut cx, call, place, arrival.clock).await,
            Entry::Keyed(keyed) => self.run_once(&mut cx, call, keyed, arrival.clock).await,
        };
        let outgoing = self.reply(arrival, cx.task_id(), &reply);
        unanswered.answered();
        outgoing
    }

    /// Runs a request with a key, or answers it with what the first request of that key came to.
    async fn run_once(&self, cx: &mut Context, call: Call, keyed: Keyed, arrived: Instant) -> Reply {
        let Keyed {
            key,
            fingerprint,
            mut claim,
            mut place,
        } = keyed;
        let scope = cx.task_id();
        loop {
            match claim {
                Claim::First(claimed) => {
                    let place = place.or_else(|| place_in_queue(self, scope, &call));
                    let reply = self.take_turn_and_run(cx, call, place, arrived).await;
                    claimed.answer(&reply);
                    return reply;
                }
                Claim::Answered(reply) => {
                    return Reply {
                        replayed: true,
                        ..(*reply).clone()
                    };
                }
                Claim::Running(mut ended) => {
                    // The sender goes away when the first request is over: that is the news waited for.
                    let _ = ended.changed().await;
                }
                Claim::Taken => {
                    let failure = Failure::invalid(text!("envelope.key_taken")).with("requestKey", key);
                    return Reply::refused(Some(call.declaration.name.to_owned()), failure);
                }
            }
            (claim, place) = (self.replays().claim(scope, &key, fingerprint), None);
        }
    }

    async fn take_turn_and_run(&self, cx: &mut Context, call: Call, place: Option<Place>, arrived: Instant) -> Reply {
        if let Some(place) = place {
            match place.wait(Some(TURN_LIMIT)).await {
                Some(permit) => cx.turn = Some(permit),
                None => return Reply::refused(Some(call.declaration.name.to_owned()), limits::turn_timeout()),
            }
        }
        let task = cx.task().ok().cloned();
        let _in_flight = task.as_ref().map(|task| task.enter());
        run::run(cx, call, arrived).await
    }

    /// Writes a reply for its caller, and hands what is left to do to the trace.
    fn reply(&self, arrival: Arrival, id: Option<TaskId>, reply: &Reply) -> Outgoing {
        let envelope = reply.envelope(arrival.style, &|name| self.registry().get(name));
        let body = serde_json::to_vec(&envelope).unwrap_or_default();
        let (ok, msg) = (
            reply.result.is_ok(),
            envelope.get("msg").and_then(Value::as_str).map(str::to_owned),
        );
        let method = reply.method.clone().unwrap_or_default();
        if let Some(task) = id.and_then(|id| self.tasks().get(id)) {
            task.remember(Finished {
                seq: 0,
                at: arrival.at,
                method: method.clone(),
                ok,
                msg: msg.clone(),
                data: remembered(envelope.get("data").unwrap_or(&Value::Null)),
                duration_ms: u64::try_from(arrival.clock.elapsed().as_millis()).unwrap_or(u64::MAX),
            });
        }
        self.trace().record(TraceRecord {
            started_at: arrival.at,
            finished_at: SystemTime::now(),
            task_id: id.map(|id| id.to_string()),
            method,
            request: Payload::Bytes(arrival.body),
            response: Payload::Json(envelope),
            ok,
            code: i64::from(ok),
            msg,
            secrets: reply.secrets.clone(),
        });
        Outgoing {
            status: reply.status(),
            body,
        }
    }
}

/// How a request enters: with its place in the queue, or by way of its key.
enum Entry {
    Plain(Option<Place>),
    Keyed(Keyed),
}

/// A request with a key, and what its key came to. The first of a key has its place in the queue at once.
struct Keyed {
    key: String,
    fingerprint: u64,
    claim: Claim,
    place: Option<Place>,
}

impl Entry {
    fn of(service: &Service, id: Option<TaskId>, call: &Call, key: Option<(String, u64)>) -> Self {
        let Some((key, fingerprint)) = key else {
            return Entry::Plain(place_in_queue(service, id, call));
        };
        let claim = service.replays().claim(id, &key, fingerprint);
        let first = matches!(claim, Claim::First(_));
        let place = if first { place_in_queue(service, id, call) } else { None };
        Entry::Keyed(Keyed {
            key,
            fingerprint,
            claim,
            place,
        })
    }
}

fn place_in_queue(service: &Service, id: Option<TaskId>, call: &Call) -> Option<Place> {
    let task = id
        .and_then(|id| service.tasks().get(id))
        .filter(|_| call.declaration.flags.takes_turn)?;
    Some(task.turn.enqueue())
}

/// Ends the work when the one who waits for it goes away.
struct AbortOnDrop(Option<AbortHandle>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        if let Some(work) = &self.0 {
            work.abort();
        }
    }
}

/// Leaves a line in the log for a request that ended without a reply, because its client left.
struct Unanswered {
    service: Arc<Service>,
    id: Option<TaskId>,
    method: &'static str,
    at: SystemTime,
}

impl Unanswered {
    fn answered(mut self) {
        self.method = "";
    }
}

impl Drop for Unanswered {
    fn drop(&mut self) {
        if self.method.is_empty() || std::thread::panicking() {
            return;
        }
        let msg = text!("command.client_left").render(Language::En);
        self.service.trace().record(TraceRecord {
            started_at: self.at,
            finished_at: SystemTime::now(),
            task_id: self.id.map(|id| id.to_string()),
            method: self.method.to_owned(),
            request: Payload::Bytes(Vec::new()),
            response: Payload::Json(Value::Null),
            ok: false,
            code: 0,
            msg: Some(msg),
            secrets: Vec::new(),
        });
    }
}

/// A copy of a reply's `data` with long texts cut, so that a task's history stays small.
fn remembered(data: &Value) -> Value {
    match data {
        Value::String(text) => match text.char_indices().nth(REMEMBERED_CHARS) {
            Some((end, _)) => Value::String(format!("{}…", &text[..end])),
            None => data.clone(),
        },
        Value::Array(items) => items.iter().map(remembered).collect(),
        Value::Object(members) => Value::Object(
            members
                .iter()
                .map(|(name, member)| (name.clone(), remembered(member)))
                .collect(),
        ),
        _ => data.clone(),
    }
}
