//! Waits for a caller's own expression. It is asked inside the page, at every animation frame and at least every 100 ms,
//! in the main world, where the page's variables are; each call to the page lasts a while only, so that a page which
//! has replaced its timers is still asked by us.

use std::time::Duration;

use cdp::protocol::runtime;
use serde::Deserialize;
use serde_json::json;

use super::{ANSWER, Within};
use crate::deadline::Deadline;
use crate::error::{EngineError, Result, ScriptError};
use crate::evaluate::plain;
use crate::frames::Frame;
use crate::script::thrown_error;
use crate::tab::Tab;

/// How long one call to the page looks.
const TURN: Duration = Duration::from_secs(5);
/// An expression that does not return within this time beyond its turn is stopped.
const STUCK: Duration = Duration::from_millis(500);
/// How long a page may take to say that it is there.
const SIGN_OF_LIFE: Duration = Duration::from_millis(250);

/// Looks at once, and again until the value is truthy or the time is up. An exception counts as "not yet": what the
/// expression looks for may still be missing.
const LOOK: &str = r#"((probe, limit) => new Promise((done) => {
  const end = performance.now() + limit;
  let frame = 0, timer = 0, error;
  const again = () => {
    if (performance.now() >= end) return done({ met: false, error });
    frame = requestAnimationFrame(look);
    timer = setTimeout(look, Math.max(1, Math.min(100, end - performance.now())));
  };
  const failed = (thrown) => { error = String(thrown).slice(0, 300); again(); };
  const judge = (value) => { error = undefined; if (value) done({ met: true }); else again(); };
  const look = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    try {
      const value = probe();
      if (value && typeof value.then === "function") value.then(judge, failed);
      else judge(value);
    } catch (thrown) {
      failed(thrown);
    }
  };
  look();
}))"#;

#[derive(Deserialize)]
struct Looked {
    met: bool,
    error: Option<String>,
}

impl Tab {
    /// Waits until an expression, or what a function returns, is truthy; promises are awaited. Gives the milliseconds.
    ///
    /// # Errors
    /// `ACTION_TIMEOUT` with the last exception; [`EngineError::Script`] for what is no expression;
    /// [`EngineError::ScriptTimeout`] when the page does not come back; the tab's end; a dialog that stays open.
    pub async fn wait_for_function(&self, source: &str, within: &Within) -> Result<u64> {
        let mut last = None;
        let wait = async {
            loop {
                let attempt = async {
                    let frame = self.frame_in_time(within).await?;
                    self.look_in_turn(&frame, source, within).await
                };
                match attempt.await {
                    Ok(looked) if looked.met => return Ok(within.waited_ms()),
                    Ok(looked) => last = looked.error,
                    Err(EngineError::Navigating | EngineError::NavigationPending { .. }) if !within.over() => {
                        self.next_document(within).await;
                        continue;
                    }
                    Err(EngineError::Navigating | EngineError::NavigationPending { .. }) => {}
                    Err(error) => return Err(error),
                }
                if within.left().is_zero() {
                    let facts = json!({"lastError": last, "url": self.url()});
                    return Err(within.late("not-true", facts));
                }
            }
        };
        self.unless_cut_short(wait).await
    }

    async fn look_in_turn(&self, frame: &Frame, source: &str, within: &Within) -> Result<Looked> {
        let turn = within.left().min(TURN);
        match self.look_once(frame, source, turn, within).await {
            Err(EngineError::Timeout { .. }) => self.silent(frame, within).await,
            // The browser has no other words for an evaluation that it stopped.
            Err(EngineError::Protocol { message, .. }) if message == "Internal error" && !self.state().navigating() => {
                let limit_ms = u64::try_from((turn + STUCK).as_millis()).unwrap_or(u64::MAX);
                Err(EngineError::ScriptTimeout { limit_ms })
            }
            other => other,
        }
    }

    async fn look_once(&self, frame: &Frame, source: &str, turn: Duration, within: &Within) -> Result<Looked> {
        let deadline = Deadline::after((turn + ANSWER).min(within.deadline.remaining()));
        let context_id = self.main_context(frame, deadline).await?;
        let form = self.form_of(frame, source, context_id, deadline).await?;
        if form.statements {
            return Err(EngineError::Script(ScriptError {
                name: "SyntaxError".into(),
                message: "an expression or a function is needed, not statements".into(),
                stack: Vec::new(),
            }));
        }
        let text = form.text;
        let probe =
            format!("() => {{ const value = {text};\nreturn typeof value === \"function\" ? value() : value; }}");
        let evaluate = runtime::Evaluate {
            expression: format!("{LOOK}({probe}, {})", turn.as_millis()),
            context_id,
            await_promise: Some(true),
            return_by_value: Some(true),
            timeout: Some((turn + STUCK).as_secs_f64() * 1000.0),
            ..Default::default()
        };
        let reply = self.ask_page(&frame.session, evaluate, deadline).await?;
        if let Some(thrown) = reply.exception_details {
            return Err(EngineError::Script(thrown_error(&thrown)));
        }
        let looked = reply.result.value.as_deref().and_then(plain);
        looked.ok_or(EngineError::Navigating)
    }

    /// The page did not answer in its turn: its timers are not what they were, or it is kept busy.
    async fn silent(&self, frame: &Frame, within: &Within) -> Result<Looked> {
        let ping = runtime::Evaluate {
            expression: "0".into(),
            ..Default::default()
        };
        if frame.session.call_within(ping, SIGN_OF_LIFE).await.is_ok() {
            return Ok(Looked {
                met: false,
                error: None,
            });
        }
        self.state().unresponsive = true;
        if within.left().is_zero() {
            return Err(within.late("page-busy", json!({})));
        }
        Ok(Looked {
            met: false,
            error: None,
        })
    }
}
