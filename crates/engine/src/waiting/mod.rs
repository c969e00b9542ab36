//! Waiting for something to be true of a page. Invariants: a wait asks the protocol once per document and is answered by
//! the page's own observers or the browser's events; it goes on in the next document when the one below it is replaced;
//! it ends at once when the tab goes or a native dialog stays open; and when it fails it says what was still missing.

mod conditions;
mod function;
mod load;
mod quiet;

use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use cdp::Session;
use cdp::protocol::runtime;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::frames::Frame;
use crate::script::{CALL, argument};
use crate::tab::Tab;

pub use conditions::{Condition, Met, Visibility};
pub use load::LoadState;
pub use quiet::{IdleWanted, Quieted, Stable, StableWanted};

/// Room for the answer of a wait that ran out of its own time in a page that is busy.
const ANSWER: Duration = Duration::from_secs(1);
/// Room for the answer when the caller wants one look only.
const ONE_LOOK: Duration = Duration::from_secs(2);
/// How long a page that is being replaced is given before it is asked again.
const NEXT_DOCUMENT: Duration = Duration::from_millis(250);

/// Where and how long a wait looks.
#[derive(Debug, Clone)]
pub struct Within {
    frame: Option<String>,
    began: Instant,
    limit: Duration,
    deadline: Deadline,
}

impl Within {
    /// At most `limit` from now; zero looks once. `frame` as [`Tab::find_frame`] takes it.
    #[must_use]
    pub fn new(frame: Option<&str>, limit: Duration, deadline: Deadline) -> Self {
        Self {
            frame: frame.map(str::to_owned),
            began: Instant::now(),
            limit,
            deadline,
        }
    }

    fn left(&self) -> Duration {
        self.limit.saturating_sub(self.began.elapsed())
    }

    /// Milliseconds since it began.
    #[must_use]
    pub fn waited_ms(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// By when a page has to have answered.
    fn answer(&self) -> Deadline {
        let room = if self.limit.is_zero() { ONE_LOOK } else { ANSWER };
        Deadline::after((self.left() + room).min(self.deadline.remaining()))
    }

    /// How much of `rest`, the time since something last happened, counts. A wait trusts only what it has seen itself:
    /// what an action caused may be about to begin. One look has nothing else than the past.
    fn window(&self, rest: Duration) -> Duration {
        if self.limit.is_zero() {
            rest
        } else {
            rest.min(self.began.elapsed())
        }
    }

    fn over(&self) -> bool {
        self.answer().over() || (self.left().is_zero() && self.began.elapsed() > self.limit + ONE_LOOK)
    }

    /// The failure of a wait that has run out of its time.
    fn late(&self, reason: &str, mut facts: Value) -> EngineError {
        if let Some(facts) = facts.as_object_mut() {
            facts.insert("waitedMs".into(), self.waited_ms().into());
        }
        EngineError::refused("ACTION_TIMEOUT", reason, facts)
    }
}

/// Takes a wait out of the page when nobody waits for it any more.
struct Withdraw<'a> {
    session: &'a Session,
    context_id: i64,
    wait: u64,
    answered: bool,
}

impl Drop for Withdraw<'_> {
    fn drop(&mut self) {
        let (Ok(name), Ok(args)) = (argument("endWait"), argument(&json!({"wait": self.wait}))) else {
            return;
        };
        if !self.answered {
            self.session.notify(runtime::CallFunctionOn {
                function_declaration: CALL.into(),
                execution_context_id: Some(self.context_id),
                arguments: Some(vec![name, args]),
                ..Default::default()
            });
        }
    }
}

impl Tab {
    /// Runs a wait until it ends by itself or cannot go on.
    async fn unless_cut_short<T>(&self, wait: impl Future<Output = Result<T>> + Send) -> Result<T> {
        tokio::select! {
            biased;
            result = wait => result,
            error = self.cut_short() => Err(error),
        }
    }

    /// Resolves with the reason why no wait on this tab can go on.
    async fn cut_short(&self) -> EngineError {
        let mut version = self.version.subscribe();
        loop {
            let end = self.state().end;
            if let Some(end) = end {
                return self.ended(end);
            }
            if let Some(dialog) = self.open_dialog() {
                return EngineError::DialogOpen(Box::new(dialog));
            }
            if version.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// Resolves with a native dialog that is left open in this tab, also one that is open already; never when the tab
    /// goes.
    pub async fn dialog_left_open(&self) -> EngineError {
        self.dialog_other_than(None).await
    }

    /// Resolves with the next native dialog that is left open in this tab; never when the tab goes.
    pub async fn next_dialog_left_open(&self) -> EngineError {
        let known = self.open_dialog().map(|dialog| dialog.seq);
        self.dialog_other_than(known).await
    }

    async fn dialog_other_than(&self, known: Option<u64>) -> EngineError {
        let mut version = self.version.subscribe();
        loop {
            if let Some(dialog) = self.open_dialog().filter(|dialog| Some(dialog.seq) != known) {
                return EngineError::DialogOpen(Box::new(dialog));
            }
            if version.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// Calls a waiting entry point of the page script, in as many documents as come while it waits. `args` are made
    /// anew for each, from the time that is left.
    async fn in_page<R: DeserializeOwned>(
        &self,
        name: &str,
        within: &Within,
        args: impl Fn(Duration) -> Value + Send + Sync,
    ) -> Result<R> {
        loop {
            let attempt = async {
                let frame = self.frame_in_time(within).await?;
                self.one_document(&frame, name, within, args(within.left())).await
            };
            match attempt.await {
                // A document that is replaced while we wait is not the end of waiting.
                Err(EngineError::Navigating | EngineError::NavigationPending { .. }) if !within.over() => {
                    self.next_document(within).await;
                }
                Err(EngineError::Navigating | EngineError::NavigationPending { .. }) => {
                    return Err(within.late("navigating", json!({"url": self.url()})));
                }
                Err(EngineError::Timeout { .. }) => return Err(within.late("page-busy", json!({}))),
                other => return other,
            }
        }
    }

    async fn one_document<R: DeserializeOwned>(
        &self,
        frame: &Frame,
        name: &str,
        within: &Within,
        mut args: Value,
    ) -> Result<R> {
        static WAITS: AtomicU64 = AtomicU64::new(1);
        let deadline = within.answer();
        let wait = WAITS.fetch_add(1, Relaxed);
        args["wait"] = wait.into();
        args["timeoutMs"] = json!(within.left().as_secs_f64() * 1000.0);
        let mut withdraw = Withdraw {
            context_id: self.world(frame, deadline).await?,
            session: &frame.session,
            wait,
            answered: false,
        };
        let result = self.script(frame, name, &args, deadline).await;
        withdraw.answered = !matches!(result, Err(EngineError::Timeout { .. }));
        result
    }

    /// The frame that is looked into; one that is not there yet is waited for.
    async fn frame_in_time(&self, within: &Within) -> Result<Frame> {
        let patience = within.deadline.within(within.left());
        let found = self.until("the frame", patience, |state| {
            state.frames.named(within.frame.as_deref())
        });
        match found.await {
            Ok(frame) => Ok(frame),
            Err(EngineError::Timeout { .. }) => match self.find_frame(within.frame.as_deref()) {
                Ok(frame) => Ok(frame),
                Err(EngineError::FrameNotFound { wanted, frames }) => {
                    Err(within.late("frame-not-found", json!({"frame": wanted, "frames": frames})))
                }
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        }
    }

    /// Waits for another document, or until the navigation under way is over.
    async fn next_document(&self, within: &Within) {
        let before = self.marks();
        let patience = within.deadline.within(NEXT_DOCUMENT);
        let _ = self
            .until("the next document", patience, |state| {
                (state.marks.committed > before.committed || state.marks.subframes > before.subframes).then_some(())
            })
            .await;
        // Nobody answers while the browser holds the page for a navigation.
        let held = within.deadline.within(within.left());
        let _ = self
            .until("the navigation", held, |state| {
                (!state.pending.as_ref().is_some_and(|pending| pending.begun)).then_some(())
            })
            .await;
    }
}

/// A value as JSON, for facts.
fn fact(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}
