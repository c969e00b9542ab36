//! The page script: loaded once per document into an isolated world that the page cannot see or tamper with, and called
//! by name. A world is looked up by frame; a new document of the frame has a new one.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use cdp::Session;
use cdp::protocol::{dom, page, runtime};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::deadline::Deadline;
use crate::error::{EngineError, Result, ScriptError};
use crate::evaluate::plain;
use crate::frames::Frame;
use crate::tab::Tab;

/// Name of the isolated world.
const WORLD: &str = "dsb";

/// The files of the page script in the order in which they are joined.
const SOURCE: &str = concat!(
    include_str!("../page/_head.js"),
    include_str!("../page/dom.js"),
    include_str!("../page/visibility.js"),
    include_str!("../page/areas.js"),
    include_str!("../page/names.js"),
    include_str!("../page/interactive.js"),
    include_str!("../page/attributes.js"),
    include_str!("../page/rows.js"),
    include_str!("../page/snapshot.js"),
    include_str!("../page/repeats.js"),
    include_str!("../page/collapse.js"),
    include_str!("../page/read.js"),
    include_str!("../page/select.js"),
    include_str!("../page/actionable.js"),
    include_str!("../page/canvas.js"),
    include_str!("../page/observe.js"),
    include_str!("../page/delivery.js"),
    include_str!("../page/click.js"),
    include_str!("../page/gestures.js"),
    include_str!("../page/find_text.js"),
    include_str!("../page/drag.js"),
    include_str!("../page/upload.js"),
    include_str!("../page/input.js"),
    include_str!("../page/choose.js"),
    include_str!("../page/label.js"),
    include_str!("../page/keys.js"),
    include_str!("../page/wait.js"),
    include_str!("../page/rest.js"),
    include_str!("../page/extract.js"),
    include_str!("../page/forms.js"),
    include_str!("../page/markdown.js"),
    include_str!("../page/image.js"),
    include_str!("../page/handles.js"),
    include_str!("../page/highlight.js"),
    include_str!("../page/modal_controls.js"),
    include_str!("../page/modals.js"),
    include_str!("../page/_tail.js"),
);

/// Calls an entry point of the page script by name.
pub(crate) const CALL: &str = "(name, args) => __dsb.call(name, args)";
const CALL_ON: &str = "function (name, args) { return __dsb.call(name, { ...args, el: this }); }";

/// Execution contexts by frame id.
#[derive(Debug, Default)]
pub(crate) struct Worlds(Mutex<HashMap<String, World>>);

#[derive(Debug, Clone)]
struct World {
    context_id: i64,
    session: Option<String>,
    loader_id: String,
}

impl World {
    fn is_of(&self, frame: &Frame) -> bool {
        self.session.as_deref() == frame.session.id() && self.loader_id == frame.loader_id
    }
}

impl Worlds {
    fn get(&self, frame: &Frame) -> Option<i64> {
        let worlds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        worlds
            .get(&frame.id)
            .filter(|world| world.is_of(frame))
            .map(|world| world.context_id)
    }

    fn put(&self, frame: &Frame, context_id: i64) {
        let world = World {
            context_id,
            session: frame.session.id().map(str::to_owned),
            loader_id: frame.loader_id.clone(),
        };
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(frame.id.clone(), world);
    }

    /// The frame's document was replaced or the frame is gone.
    pub(crate) fn forget(&self, frame_id: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(frame_id);
    }
}

/// What `call` of the page script answers.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Outcome<R> {
    Ok(R),
    Fail(Fail),
}

#[derive(Deserialize)]
struct Fail {
    code: String,
    reason: String,
    #[serde(flatten)]
    facts: Map<String, Value>,
}

impl Tab {
    /// Calls an entry point of the page script in `frame`.
    ///
    /// # Errors
    /// The script's refusal; [`EngineError::Navigating`] when the document was replaced meanwhile.
    pub(crate) async fn script<R: DeserializeOwned>(
        &self,
        frame: &Frame,
        name: &str,
        args: &(impl Serialize + Sync),
        deadline: Deadline,
    ) -> Result<R> {
        let context_id = self.world(frame, deadline).await?;
        let call = runtime::CallFunctionOn {
            function_declaration: CALL.into(),
            execution_context_id: Some(context_id),
            arguments: Some(vec![argument(&name)?, argument(args)?]),
            await_promise: Some(true),
            return_by_value: Some(true),
            ..Default::default()
        };
        let reply = self.ask_page(&frame.session, call, deadline).await;
        match &reply {
            Err(EngineError::Navigating) => self.worlds.forget(&frame.id),
            // Our own scripts keep their time: whatever does not answer is kept busy by the page's.
            Err(EngineError::Timeout { .. }) => self.state().unresponsive = true,
            _ => {}
        }
        outcome(name, reply?)
    }

    /// Calls an entry point on an element that the protocol has given a handle of, which becomes the argument `el`.
    pub(crate) async fn script_on<R: DeserializeOwned>(
        &self,
        session: &Session,
        object_id: &str,
        name: &str,
        args: &(impl Serialize + Sync),
        deadline: Deadline,
    ) -> Result<R> {
        let call = runtime::CallFunctionOn {
            function_declaration: CALL_ON.into(),
            object_id: Some(object_id.to_owned()),
            arguments: Some(vec![argument(&name)?, argument(args)?]),
            await_promise: Some(true),
            return_by_value: Some(true),
            ..Default::default()
        };
        outcome(name, self.call_on(session, call, deadline).await?)
    }

    /// A node, known by its backend id, as an object of the frame's isolated world.
    pub(crate) async fn node_in_world(
        &self,
        frame: &Frame,
        backend_node_id: i64,
        deadline: Deadline,
    ) -> Result<String> {
        let resolve = dom::ResolveNode {
            backend_node_id: Some(backend_node_id),
            execution_context_id: Some(self.world(frame, deadline).await?),
            ..Default::default()
        };
        let object = self.call_on(&frame.session, resolve, deadline).await?.object;
        object.object_id.ok_or(EngineError::Navigating)
    }

    /// The isolated world of the frame's document, made and filled on first use.
    pub(crate) async fn world(&self, frame: &Frame, deadline: Deadline) -> Result<i64> {
        if let Some(context_id) = self.worlds.get(frame) {
            return Ok(context_id);
        }
        let create = page::CreateIsolatedWorld {
            frame_id: frame.id.clone(),
            world_name: Some(WORLD.into()),
            ..Default::default()
        };
        let context_id = self
            .ask_page(&frame.session, create, deadline)
            .await?
            .execution_context_id;
        let load = runtime::Evaluate {
            expression: SOURCE.into(),
            context_id: Some(context_id),
            return_by_value: Some(true),
            ..Default::default()
        };
        if let Some(thrown) = self.ask_page(&frame.session, load, deadline).await?.exception_details {
            return Err(EngineError::Script(own_error(&thrown)));
        }
        self.worlds.put(frame, context_id);
        Ok(context_id)
    }
}

/// What the door of the page script answered.
fn outcome<R: DeserializeOwned>(name: &str, reply: runtime::CallFunctionOnReply) -> Result<R> {
    if let Some(thrown) = reply.exception_details {
        return Err(EngineError::Script(own_error(&thrown)));
    }
    let text = reply
        .result
        .value
        .as_deref()
        .and_then(plain::<String>)
        .unwrap_or_default();
    match serde_json::from_str(&text) {
        Ok(Outcome::Ok(value)) => Ok(value),
        Ok(Outcome::Fail(Fail { code, reason, facts })) => Err(EngineError::Refused { code, reason, facts }),
        Err(error) => Err(EngineError::Protocol {
            method: name.to_owned(),
            message: error.to_string(),
        }),
    }
}

/// What our own script threw: where in it says nothing to a caller.
fn own_error(thrown: &runtime::ExceptionDetails) -> ScriptError {
    ScriptError {
        stack: Vec::new(),
        ..thrown_error(thrown)
    }
}

/// A value as a call argument.
pub(crate) fn argument(value: &(impl Serialize + ?Sized)) -> Result<runtime::CallArgument> {
    let value = serde_json::value::to_raw_value(value).map_err(|error| EngineError::Protocol {
        method: "arguments".into(),
        message: error.to_string(),
    })?;
    Ok(runtime::CallArgument {
        value: Some(value),
        ..Default::default()
    })
}

/// What was thrown, in the shape that callers get: class, first line, frames of the page's code.
pub(crate) fn thrown_error(thrown: &runtime::ExceptionDetails) -> ScriptError {
    let description = thrown
        .exception
        .as_ref()
        .and_then(|exception| exception.description.clone());
    let value = thrown.exception.as_ref().and_then(|exception| exception.value.clone());
    let full =
        description.or_else(|| value.map(|value| plain::<String>(&value).unwrap_or_else(|| value.get().to_owned())));
    let full = full.unwrap_or_else(|| thrown.text.clone());
    let first = full.lines().next().unwrap_or_default();
    let (name, message) = match first.split_once(": ") {
        Some((name, message)) if name.ends_with("Error") || name == "DOMException" => (name, message),
        _ => (
            thrown
                .exception
                .as_ref()
                .and_then(|e| e.class_name.as_deref())
                .unwrap_or("Error"),
            first,
        ),
    };
    // Without `Runtime.enable` the structured stack is missing; the description always carries it as text.
    let stack = full
        .lines()
        .skip(1)
        .filter_map(|line| line.trim().strip_prefix("at "))
        .take(12)
        .map(str::to_owned)
        .collect();
    ScriptError {
        name: name.to_owned(),
        message: message.to_owned(),
        stack,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    /// The files share one scope: a second declaration of a name would silently replace the first.
    #[test]
    fn no_name_is_declared_twice_in_the_page_script() {
        let mut seen = HashSet::new();
        for line in super::SOURCE.lines() {
            let line = line.strip_prefix("async ").unwrap_or(line);
            let declared = ["function ", "const ", "let ", "class "]
                .iter()
                .find_map(|word| line.strip_prefix(word));
            let Some(rest) = declared else { continue };
            let name: String = rest
                .chars()
                .take_while(|c| c.is_alphanumeric() || "_$".contains(*c))
                .collect();
            assert!(name.is_empty() || seen.insert(name.clone()), "{name} is declared twice");
        }
        assert!(seen.len() > 100, "the declarations were found");
    }
}
