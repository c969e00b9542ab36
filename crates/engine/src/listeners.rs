//! Which listeners an element has. The browser's own list is the authority; what frameworks leave on elements is looked
//! at beside it, by a function that the engine stops before it could change anything.

use std::collections::HashSet;

use cdp::protocol::dom_debugger::{EventListener, GetEventListeners};
use cdp::protocol::{dom, runtime};
use futures_util::future::join_all;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::act::Target;
use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::evaluate::plain;
use crate::frames::Frame;
use crate::tab::Tab;

/// Delegated listeners that are told at most.
const MAX_DELEGATED: usize = 100;

/// Traces of frameworks on an element (`this`): expandos of Vue 2 and 3, React and jQuery, and `on…` attributes.
const TRACES: &str = r#"function () {
  const own = Object.getOwnPropertyNames(this);
  const types = [];
  const add = (name) => types.push(name.replace(/^on:?/i, "").toLowerCase());
  const reactKey = own.find((key) => key.startsWith("__reactProps$"));
  const props = reactKey && this[reactKey];
  if (props) for (const key of Object.keys(props)) if (/^on[A-Z]/.test(key) && typeof props[key] === "function") add(key);
  const symbols = Object.getOwnPropertySymbols(this).filter((symbol) => symbol.description === "_vei");
  for (const invokers of [this._vei, ...symbols.map((symbol) => this[symbol])]) {
    if (invokers) for (const key of Object.keys(invokers)) if (invokers[key]) add(key);
  }
  const jqueryKey = own.find((key) => /^jQuery\d+/.test(key));
  const events = jqueryKey && this[jqueryKey] && this[jqueryKey].events;
  if (events) for (const key of Object.keys(events)) add(key);
  const inline = Array.from(this.attributes || [], (attribute) => attribute.name).filter((name) => /^on[a-z]/.test(name));
  inline.forEach(add);
  return {
    vue2: "__vue__" in this, vue3: "__vueParentComponent" in this || symbols.length > 0,
    react: Boolean(reactKey) || own.some((key) => key.startsWith("__reactFiber$")),
    jquery: Boolean(jqueryKey), inline: inline.length > 0, types,
  };
}"#;

/// Who told about the listeners.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detection {
    /// The browser.
    Protocol,
    /// Only traces of frameworks.
    Heuristic,
}

impl Detection {
    /// Name in replies.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Protocol => "cdp",
            Self::Heuristic => "heuristic",
        }
    }
}

/// What frameworks have left on an element.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Traces {
    /// Vue 2.
    pub vue2: bool,
    /// Vue 3.
    pub vue3: bool,
    /// React.
    pub react: bool,
    /// jQuery.
    pub jquery: bool,
    /// An `on…` attribute.
    pub inline: bool,
    /// Types of the handlers found, without `on`.
    pub types: Vec<String>,
}

/// A listener on something that the element's events pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delegated {
    /// Type of event.
    pub kind: String,
    /// What it is on: `tag#id`, `tag.class`, `document` or `window`.
    pub on: String,
}

/// The listeners of one element.
#[derive(Debug, Clone)]
pub struct ElementListeners {
    /// Facts of the element: `tag`, `id`, `className`, `text`.
    pub target: Map<String, Value>,
    /// Types of its own listeners, framework handlers included, each once.
    pub own: Vec<String>,
    /// Listeners of its ancestors.
    pub delegated: Vec<Delegated>,
    /// Traces of frameworks.
    pub traces: Traces,
    /// Who told.
    pub detection: Detection,
}

#[derive(Deserialize)]
struct Found {
    r#ref: u32,
    target: Map<String, Value>,
}

impl Tab {
    /// The listeners of an element.
    ///
    /// # Errors
    /// It is not found or stale.
    pub async fn element_listeners(&self, target: &Target, deadline: Deadline) -> Result<ElementListeners> {
        let (frame, found): (Frame, Found) = self.on_target(target, "find", [], deadline).await?;
        self.listeners_by_ref(&frame, found.r#ref, found.target, deadline).await
    }

    /// The listeners of an element that has been found already.
    pub(crate) async fn listeners_by_ref(
        &self,
        frame: &Frame,
        r#ref: u32,
        target: Map<String, Value>,
        deadline: Deadline,
    ) -> Result<ElementListeners> {
        let args = json!({"ref": r#ref});
        let (path, mut names) = tokio::try_join!(
            self.handles(frame, "eventPath", &r#ref, deadline),
            self.script::<Vec<String>>(frame, "pathNames", &args, deadline),
        )?;
        let ours = path.ids.iter().flatten();
        let mut theirs = join_all(ours.map(|object| self.in_main_world(frame, object, deadline))).await;
        self.let_go(frame, path);
        if let Some(Ok(document)) = theirs.last() {
            theirs.push(self.window_of(frame, document, deadline).await);
            names.push("window".into());
        }
        let listed = join_all(theirs.iter().map(|object| async {
            let object = object.as_ref().map_err(Clone::clone)?;
            self.listeners_of(frame, object, 1, deadline).await
        }));
        let traces = async {
            match theirs.first() {
                Some(Ok(element)) => self.traces(frame, element, deadline).await.unwrap_or_default(),
                _ => Traces::default(),
            }
        };
        let (listed, traces) = tokio::join!(listed, traces);
        for object in theirs.iter().flatten() {
            self.release(&frame.session, object);
        }
        Ok(told(target, &names, listed, traces))
    }

    /// A node that we have a handle of, as an object of the page's own world: only there are the page's listeners told,
    /// and not ours.
    pub(crate) async fn in_main_world(&self, frame: &Frame, object: &str, deadline: Deadline) -> Result<String> {
        let resolve = dom::ResolveNode {
            backend_node_id: Some(self.backend_node(frame, object, deadline).await?),
            ..Default::default()
        };
        let object = self.call_on(&frame.session, resolve, deadline).await?.object;
        object.object_id.ok_or(EngineError::Navigating)
    }

    async fn window_of(&self, frame: &Frame, document: &str, deadline: Deadline) -> Result<String> {
        let window = runtime::CallFunctionOn {
            function_declaration: "function () { return globalThis; }".into(),
            object_id: Some(document.to_owned()),
            ..Default::default()
        };
        let window = self.call_on(&frame.session, window, deadline).await?.result;
        window.object_id.ok_or(EngineError::Navigating)
    }

    /// Listeners of an object and, with a depth other than 1, of what is below it (-1: everything). The object is one of
    /// the page's own world: for others the browser reads handlers that may have been collected, and crashes.
    pub(crate) async fn listeners_of(
        &self,
        frame: &Frame,
        object: &str,
        depth: i64,
        deadline: Deadline,
    ) -> Result<Vec<EventListener>> {
        let ask = GetEventListeners {
            object_id: object.to_owned(),
            depth: Some(depth),
            pierce: Some(depth != 1),
        };
        Ok(self.call_on(&frame.session, ask, deadline).await?.listeners)
    }

    /// Backend id of a node that we have a handle of.
    pub(crate) async fn backend_node(&self, frame: &Frame, object: &str, deadline: Deadline) -> Result<i64> {
        let describe = dom::DescribeNode {
            object_id: Some(object.to_owned()),
            depth: Some(0),
            ..Default::default()
        };
        Ok(self
            .call_on(&frame.session, describe, deadline)
            .await?
            .node
            .backend_node_id)
    }

    pub(crate) async fn traces(&self, frame: &Frame, element: &str, deadline: Deadline) -> Result<Traces> {
        let look = runtime::CallFunctionOn {
            function_declaration: TRACES.into(),
            object_id: Some(element.to_owned()),
            return_by_value: Some(true),
            throw_on_side_effect: Some(true),
            ..Default::default()
        };
        let reply = self.call_on(&frame.session, look, deadline).await?;
        Ok(reply.result.value.as_deref().and_then(plain).unwrap_or_default())
    }
}

fn told(
    target: Map<String, Value>,
    names: &[String],
    listed: Vec<Result<Vec<EventListener>>>,
    traces: Traces,
) -> ElementListeners {
    let mut out = ElementListeners {
        target,
        own: Vec::new(),
        delegated: Vec::new(),
        traces,
        detection: Detection::Heuristic,
    };
    for (at, listeners) in listed.into_iter().enumerate() {
        let Ok(listeners) = listeners else { continue };
        let kinds = listeners.into_iter().map(|listener| listener.r#type);
        if at == 0 {
            out.detection = Detection::Protocol;
            out.own.extend(kinds);
            continue;
        }
        let on = names.get(at).cloned().unwrap_or_default();
        for kind in kinds {
            let delegated = Delegated { kind, on: on.clone() };
            if out.delegated.len() < MAX_DELEGATED && !out.delegated.contains(&delegated) {
                out.delegated.push(delegated);
            }
        }
    }
    out.own.extend(out.traces.types.iter().cloned());
    let mut seen = HashSet::new();
    out.own.retain(|kind| seen.insert(kind.clone()));
    out
}
