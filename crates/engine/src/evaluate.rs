//! Running a caller's own JavaScript in the page's main world.

use std::time::Duration;

use cdp::protocol::runtime;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::deadline::Deadline;
use crate::error::{EngineError, Result, ScriptError};
use crate::frames::Frame;
use crate::script::thrown_error;
use crate::tab::Tab;

/// Bytes that a result may have as JSON.
const RESULT_LIMIT: usize = 10 * 1024 * 1024;

/// Turns the value of the caller's expression into JSON text inside the page, where DOM nodes and functions can still be
/// named, and where a cycle can be told from depth. Runs in the main world because that is where the value lives.
const DESCRIBE: &str = r#"function () {
  "use strict";
  const value = this;
  const ref = (v) => typeof Node === "function" && v instanceof Node
    ? "ref: <" + (v.nodeType === 1 ? v.localName : v.nodeName) + ">"
    : "ref: <" + (typeof v === "function" ? "function" : "Window") + ">";
  const special = (v) => typeof v === "function" || (typeof Node === "function" && v instanceof Node) || v === window;
  if (value === undefined || value === null) return undefined;
  if (typeof value === "symbol") return JSON.stringify(String(value));
  if (special(value)) return JSON.stringify(ref(value));
  const text = JSON.stringify(value, (key, v) => {
    if (typeof v === "bigint") return v.toString();
    if (typeof v === "function") return undefined;
    return v !== null && typeof v === "object" && special(v) ? ref(v) : v;
  });
  return text === "null" ? undefined : text;
}"#;

/// What a script gave back.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluated {
    /// The JSON value; `None` for `undefined`, `null`, `NaN` and the infinities.
    pub value: Option<Value>,
}

impl Tab {
    /// Runs `source` in the page's main world of `frame`. The text is evaluated first; when its value is a function,
    /// that is called; when it is no expression because of a top-level `return`, it becomes the body of an async
    /// function. Promises are awaited.
    ///
    /// # Errors
    /// [`EngineError::ScriptTimeout`] after `limit` (a loop is stopped, so that the page stays usable);
    /// [`EngineError::Script`] for what the script threw; [`EngineError::Navigating`] when the page navigated under it.
    pub async fn evaluate(
        &self,
        frame: &Frame,
        source: &str,
        limit: Option<Duration>,
        deadline: Deadline,
    ) -> Result<Evaluated> {
        let limit_ms = limit.map_or(0, |limit| u64::try_from(limit.as_millis()).unwrap_or(u64::MAX));
        let own = limit.map_or(deadline, |limit| deadline.within(limit));
        match self.evaluate_forms(frame, source, own).await {
            Err(EngineError::Timeout { .. }) => {
                self.stop_loop(frame).await;
                Err(EngineError::ScriptTimeout { limit_ms })
            }
            other => other,
        }
    }

    async fn evaluate_forms(&self, frame: &Frame, source: &str, deadline: Deadline) -> Result<Evaluated> {
        let context_id = self.main_context(frame, deadline).await?;
        let form = self.form_of(frame, source, context_id, deadline).await?;
        let evaluate = runtime::Evaluate {
            expression: form.text,
            context_id,
            await_promise: Some(true),
            user_gesture: Some(true),
            repl_mode: Some(form.statements),
            ..Default::default()
        };
        let reply = self.ask_page(&frame.session, evaluate, deadline).await?;
        if let Some(thrown) = reply.exception_details {
            return Err(EngineError::Script(thrown_error(&thrown)));
        }
        let mut result = reply.result;
        if result.r#type == "function" {
            result = self
                .on_object(frame, &result, "function () { return this(); }", false, deadline)
                .await?;
        }
        let value = self.value_of(frame, result, deadline).await?;
        Ok(Evaluated { value })
    }

    /// The form in which the text is to be run, found by parsing alone: what a script throws while it runs says nothing
    /// about its form, and a script is never run a second time. A text that is no form at all is returned as it is, for
    /// the browser's own words about it.
    pub(crate) async fn form_of(
        &self,
        frame: &Frame,
        source: &str,
        context_id: Option<i64>,
        deadline: Deadline,
    ) -> Result<Form> {
        let trimmed = source.trim_end().trim_end_matches(';');
        let parses = async |text: String, repl: bool| {
            let parse = runtime::Evaluate {
                expression: text,
                context_id,
                repl_mode: Some(repl),
                ..Default::default()
            };
            let reply = self.ask_page(&frame.session, parse, deadline).await?;
            if let Some(object_id) = reply.result.object_id {
                frame.session.notify(runtime::ReleaseObject { object_id });
            }
            Ok::<bool, EngineError>(reply.exception_details.is_none())
        };
        if parses(format!("(function () {{ return (\n{trimmed}\n) }})"), false).await? {
            return Ok(Form {
                text: format!("({trimmed}\n)"),
                statements: false,
            });
        }
        if parses(format!("if (0) {{\n{source}\n}}"), true).await? {
            return Ok(Form {
                text: source.to_owned(),
                statements: true,
            });
        }
        if parses(format!("(async function () {{\n{source}\n}})"), false).await? {
            return Ok(Form {
                text: format!("(async () => {{\n{source}\n}})()"),
                statements: false,
            });
        }
        Ok(Form {
            text: source.to_owned(),
            statements: false,
        })
    }

    async fn value_of(
        &self,
        frame: &Frame,
        object: runtime::RemoteObject,
        deadline: Deadline,
    ) -> Result<Option<Value>> {
        match object.r#type.as_str() {
            "undefined" => return Ok(None),
            "bigint" => {
                let digits = object.unserializable_value.unwrap_or_default();
                return Ok(Some(Value::String(digits.trim_end_matches('n').to_owned())));
            }
            _ => {}
        }
        if object.object_id.is_none() {
            refuse_large(object.value.as_deref().map_or(0, |value| value.get().len()))?;
            return Ok(object
                .value
                .as_deref()
                .and_then(plain)
                .filter(|value: &Value| !value.is_null()));
        }
        let described = self.on_object(frame, &object, DESCRIBE, true, deadline).await?;
        let Some(text) = described.value.as_deref().and_then(plain::<String>) else {
            return Ok(None);
        };
        refuse_large(text.len())?;
        // Nested deeper than JSON readers go, or made by a page that has its own JSON.stringify.
        let value = serde_json::from_str(&text).map_err(|error| {
            let message = format!("the result cannot be passed as JSON: {error}");
            EngineError::Script(ScriptError {
                name: "RangeError".into(),
                message,
                stack: Vec::new(),
            })
        })?;
        Ok(Some(value))
    }

    /// Calls `function` with the object as `this`, then lets the object go.
    async fn on_object(
        &self,
        frame: &Frame,
        object: &runtime::RemoteObject,
        function: &str,
        by_value: bool,
        deadline: Deadline,
    ) -> Result<runtime::RemoteObject> {
        let object_id = object.object_id.clone();
        let call = runtime::CallFunctionOn {
            function_declaration: function.into(),
            object_id: object_id.clone(),
            await_promise: Some(true),
            user_gesture: Some(true),
            return_by_value: Some(by_value),
            ..Default::default()
        };
        let reply = self.ask_page(&frame.session, call, deadline).await?;
        if let Some(object_id) = object_id {
            frame.session.notify(runtime::ReleaseObject { object_id });
        }
        match reply.exception_details {
            Some(thrown) => Err(EngineError::Script(thrown_error(&thrown))),
            None => Ok(reply.result),
        }
    }

    /// After a time-out: a loop is stopped, a page that merely has not resolved a promise is left alone (a termination
    /// without a running script would hit the page's next one).
    async fn stop_loop(&self, frame: &Frame) {
        let ping = runtime::Evaluate {
            expression: "0".into(),
            ..Default::default()
        };
        if frame
            .session
            .call_within(ping, Duration::from_millis(250))
            .await
            .is_err()
        {
            let _ = frame
                .session
                .call_within(runtime::TerminateExecution {}, Duration::from_secs(1))
                .await;
        }
    }
}

/// A value that the protocol passed as JSON.
pub(crate) fn plain<T: serde::de::DeserializeOwned>(raw: &RawValue) -> Option<T> {
    serde_json::from_str(raw.get()).ok()
}

fn refuse_large(bytes: usize) -> Result<()> {
    if bytes <= RESULT_LIMIT {
        return Ok(());
    }
    let message = format!("the result has {bytes} bytes as JSON; at most {RESULT_LIMIT} are passed");
    Err(EngineError::Script(ScriptError {
        name: "RangeError".into(),
        message,
        stack: Vec::new(),
    }))
}

/// A script in a form that can be evaluated.
pub(crate) struct Form {
    /// The text to evaluate.
    pub(crate) text: String,
    /// It is a list of statements and not an expression.
    pub(crate) statements: bool,
}
