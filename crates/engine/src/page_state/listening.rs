//! Elements that only their listeners make controls. The browser is asked before each walk, and the page script is told
//! which elements listen for a pointer. Invariants: nothing is hooked and nothing in the page changes; each element is
//! looked up once a document; not being told costs the reading nothing but those elements, and the reading says so.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use cdp::protocol::dom_debugger::EventListener;
use cdp::protocol::{dom, runtime};
use futures_util::future::join_all;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::evaluate::plain;
use crate::frames::Frame;
use crate::script::argument;
use crate::state::ListenerDetection;
use crate::tab::Tab;

/// Time for the answer of one frame.
const LIMIT: Duration = Duration::from_secs(3);
/// A document whose answer took longer is not asked again.
const SLOW: Duration = Duration::from_secs(1);
/// Elements that one reading looks up at most; later readings look up the others.
const MAX_NEW: usize = 1000;
/// Kinds of events on one element from which it is the root of a framework that handles them for what is inside.
const ROOT_TYPES: usize = 20;
const POINTER_TYPES: &[&str] = &[
    "click",
    "dblclick",
    "mousedown",
    "mouseup",
    "pointerdown",
    "pointerup",
    "touchstart",
    "touchend",
];

/// Finds elements with handlers that a framework calls from a listener of the document or of its root: React (`onClick`
/// among the element's properties), Solid and Svelte (named members). Gives `null` for a document that is too large.
const FRAMEWORKS: &str = r#"function () {
  const all = this.getElementsByTagName("*");
  if (all.length > 10000) return null;
  const props = ["onClick", "onDoubleClick", "onMouseDown", "onMouseUp", "onPointerDown", "onPointerUp", "onTouchStart", "onTouchEnd"];
  const members = ["$$click", "$$mousedown", "$$pointerdown", "__click", "__mousedown", "__pointerdown"];
  const found = [];
  let key;
  for (let at = 0; at < all.length && found.length < 5000; at++) {
    const el = all[at];
    if (!key) key = Object.getOwnPropertyNames(el).find((name) => name.startsWith("__reactProps$"));
    const own = key && el[key];
    if ((own && props.some((name) => typeof own[name] === "function")) || members.some((name) => el[name])) found.push([at, el.localName]);
  }
  return { count: all.length, found };
}"#;

/// Finds the lists that a library lets a person sort, which are known by what the library keeps on the list: the instance
/// that SortableJS stores under a name of its own, and the widget in jQuery's data. Both tell which elements are the items
/// and by which part of one it is taken. Gives `null` for a document that is too large.
const SORTED: &str = r#"function () {
  const all = this.getElementsByTagName("*");
  if (all.length > 30000) return null;
  const found = [];
  const note = (at, options, items) => {
    if (options && !options.disabled && typeof items === "string") found.push([at, all[at].localName, items, String(options.handle || "")]);
  };
  for (let at = 0; at < all.length && found.length < 500; at++) {
    if (!all[at].firstElementChild) continue;
    for (const name of Object.getOwnPropertyNames(all[at])) {
      const own = /^(Sortable|jQuery)\d+$/.test(name) && all[at][name];
      if (!own) continue;
      if (name[0] === "S") note(at, own.options, own.options && own.options.draggable);
      else if (own.uiSortable) note(at, own.uiSortable.options, own.uiSortable.options && own.uiSortable.options.items);
    }
  }
  return { count: all.length, found };
}"#;

/// What is known of each frame's document.
pub(crate) type Listening = HashMap<String, Known>;

/// What is known of one document.
#[derive(Debug)]
pub(crate) struct Known {
    /// The world in which its elements were made known.
    context_id: i64,
    /// Handle of the document in the page's own world.
    document: String,
    /// Number of each element in the page script, by backend id.
    numbers: HashMap<i64, u32>,
    next: u32,
    fresh: bool,
    slow: bool,
    delegates: bool,
}

#[derive(Deserialize, Serialize)]
struct Handled {
    count: u64,
    found: Vec<(u64, String)>,
}

#[derive(Deserialize, Serialize)]
struct Sorted {
    count: u64,
    found: Vec<(u64, String, String, String)>,
}

impl Tab {
    /// Tells the page script who listens in a frame.
    pub(super) async fn learn_listeners(&self, frame: &Frame, deadline: Deadline) -> ListenerDetection {
        let deadline = deadline.within(LIMIT);
        let Ok(mut known) = self.known_listeners(frame, deadline).await else {
            return ListenerDetection::Skipped;
        };
        let learned = self.learn(frame, &mut known, deadline).await;
        let told = learned.unwrap_or(ListenerDetection::Skipped);
        // What was asked in vain may have been done all the same: then the document is known from scratch next time.
        known.fresh |= told == ListenerDetection::Skipped && !known.slow;
        self.listening().insert(frame.id.clone(), known);
        told
    }

    /// The frame is gone.
    pub(crate) fn forget_listeners(&self, frame_id: &str) {
        self.listening().remove(frame_id);
    }

    fn listening(&self) -> std::sync::MutexGuard<'_, Listening> {
        self.listening.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    async fn known_listeners(&self, frame: &Frame, deadline: Deadline) -> Result<Known> {
        let context_id = self.world(frame, deadline).await?;
        let known = self.listening().remove(&frame.id);
        if let Some(known) = known.filter(|known| known.context_id == context_id) {
            return Ok(known);
        }
        let look = runtime::Evaluate {
            expression: "document".into(),
            context_id: Some(context_id),
            ..Default::default()
        };
        let ours = self.call_on(&frame.session, look, deadline).await?.result.object_id;
        let ours = ours.ok_or(EngineError::Navigating)?;
        let document = self.in_main_world(frame, &ours, deadline).await;
        self.release(&frame.session, &ours);
        Ok(Known {
            context_id,
            document: document?,
            numbers: HashMap::new(),
            next: 0,
            fresh: true,
            slow: false,
            delegates: false,
        })
    }

    async fn learn(&self, frame: &Frame, known: &mut Known, deadline: Deadline) -> Result<ListenerDetection> {
        if known.slow {
            return Ok(ListenerDetection::Skipped);
        }
        let asked = Instant::now();
        let listeners = self.listeners_of(frame, &known.document, -1, deadline).await;
        known.slow = asked.elapsed() > SLOW;
        let (listening, root) = for_a_pointer(&listeners?);
        known.delegates |= root;
        if std::mem::take(&mut known.fresh) {
            known.numbers.clear();
            known.next = 0;
        }
        let before = (known.numbers.len(), known.next);
        let mut told = self.tell(frame, known, &listening, deadline).await?;
        // A list begins to be sorted with a listener of its own.
        if before != (known.numbers.len(), known.next) {
            told = told.max(self.learn_sorted(frame, known, deadline).await?);
        }
        if !known.delegates {
            return Ok(told);
        }
        let handled = self.learn_frameworks(frame, known, deadline).await?;
        Ok(told.max(handled))
    }

    /// Makes new elements known to the page script and those that do not listen any more unknown.
    async fn tell(
        &self,
        frame: &Frame,
        known: &mut Known,
        listening: &[i64],
        deadline: Deadline,
    ) -> Result<ListenerDetection> {
        let now: HashSet<i64> = listening.iter().copied().collect();
        let reset = known.numbers.is_empty();
        let gone: Vec<u32> = known
            .numbers
            .extract_if(|node, _| !now.contains(node))
            .map(|(_, number)| number)
            .collect();
        let new: Vec<i64> = listening
            .iter()
            .copied()
            .filter(|node| !known.numbers.contains_key(node))
            .collect();
        let cut = new.len() > MAX_NEW;
        let new = &new[..new.len().min(MAX_NEW)];
        if !new.is_empty() || !gone.is_empty() || reset {
            let first = json!({"reset": reset, "gone": gone, "first": known.next});
            known.delegates |= self
                .adopt_listening(frame, known.context_id, &first, new, deadline)
                .await?;
            for node in new {
                known.numbers.insert(*node, known.next);
                known.next += 1;
            }
        }
        Ok(if cut {
            ListenerDetection::Partial
        } else {
            ListenerDetection::Complete
        })
    }

    async fn adopt_listening(
        &self,
        frame: &Frame,
        context_id: i64,
        first: &serde_json::Value,
        nodes: &[i64],
        deadline: Deadline,
    ) -> Result<bool> {
        let group = format!("dsb-listening-{}", frame.id);
        let resolved = join_all(nodes.iter().map(|node| {
            let resolve = dom::ResolveNode {
                backend_node_id: Some(*node),
                object_group: Some(group.clone()),
                execution_context_id: Some(context_id),
                ..Default::default()
            };
            self.call_on(&frame.session, resolve, deadline)
        }))
        .await;
        let mut arguments = vec![argument(first)?];
        for node in resolved {
            // Elements of frames inside this one belong to their own reading.
            let object_id = node.ok().and_then(|reply| reply.object.object_id);
            arguments.push(match object_id {
                Some(_) => runtime::CallArgument {
                    object_id,
                    ..Default::default()
                },
                None => argument(&())?,
            });
        }
        let adopt = runtime::CallFunctionOn {
            function_declaration: "(first, ...nodes) => __dsb.adoptListening(first, ...nodes)".into(),
            execution_context_id: Some(context_id),
            arguments: Some(arguments),
            return_by_value: Some(true),
            ..Default::default()
        };
        let reply = self.call_on(&frame.session, adopt, deadline).await;
        frame
            .session
            .notify(runtime::ReleaseObjectGroup { object_group: group });
        Ok(reply?.result.value.as_deref().and_then(plain).unwrap_or(false))
    }

    /// Finds the elements that a framework handles.
    async fn learn_frameworks(&self, frame: &Frame, known: &Known, deadline: Deadline) -> Result<ListenerDetection> {
        let handled = self.look_at_all::<Handled>(frame, known, FRAMEWORKS, deadline).await?;
        let Some(handled) = handled else {
            return Ok(ListenerDetection::Partial);
        };
        let _: Option<()> = self.script(frame, "frameworkListeners", &handled, deadline).await?;
        Ok(ListenerDetection::Complete)
    }

    /// Finds the lists that a library sorts.
    async fn learn_sorted(&self, frame: &Frame, known: &Known, deadline: Deadline) -> Result<ListenerDetection> {
        let sorted = self.look_at_all::<Sorted>(frame, known, SORTED, deadline).await?;
        let Some(sorted) = sorted else {
            return Ok(ListenerDetection::Partial);
        };
        let _: Option<()> = self.script(frame, "frameworkSorted", &sorted, deadline).await?;
        Ok(ListenerDetection::Complete)
    }

    /// Looks at every element in the page's own world, where libraries keep what they know of them.
    async fn look_at_all<R: serde::de::DeserializeOwned>(
        &self,
        frame: &Frame,
        known: &Known,
        function: &str,
        deadline: Deadline,
    ) -> Result<Option<R>> {
        let look = runtime::CallFunctionOn {
            function_declaration: function.into(),
            object_id: Some(known.document.clone()),
            return_by_value: Some(true),
            // A page that answers our questions with code of its own that changes something is stopped.
            throw_on_side_effect: Some(true),
            ..Default::default()
        };
        let reply = self.call_on(&frame.session, look, deadline).await?;
        Ok(reply.result.value.as_deref().and_then(plain))
    }
}

/// The nodes that listen for a pointer, in document order, and whether one of them is the root of a framework.
fn for_a_pointer(listeners: &[EventListener]) -> (Vec<i64>, bool) {
    let mut listening = Vec::new();
    let mut seen = HashSet::new();
    let mut types: HashMap<i64, HashSet<&str>> = HashMap::new();
    for listener in listeners {
        let Some(node) = listener.backend_node_id else { continue };
        types.entry(node).or_default().insert(&listener.r#type);
        if POINTER_TYPES.contains(&listener.r#type.as_str()) && seen.insert(node) {
            listening.push(node);
        }
    }
    let root = types.values().any(|types| types.len() >= ROOT_TYPES);
    (listening, root)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listener(node: i64, kind: &str) -> EventListener {
        EventListener {
            r#type: kind.into(),
            backend_node_id: Some(node),
            ..Default::default()
        }
    }

    #[test]
    fn only_what_listens_for_a_pointer_counts_and_each_once() {
        let listeners = [
            listener(4, "keydown"),
            listener(7, "click"),
            listener(7, "mousedown"),
            listener(5, "click"),
        ];
        assert_eq!(for_a_pointer(&listeners), (vec![7, 5], false));
    }

    #[test]
    fn the_root_of_a_framework_is_known_by_the_number_of_its_events() {
        let listeners: Vec<_> = (0..ROOT_TYPES).map(|at| listener(1, &format!("e{at}"))).collect();
        assert!(for_a_pointer(&listeners).1);
        assert!(!for_a_pointer(&listeners[1..]).1);
    }

    #[test]
    fn the_least_that_is_known_of_a_frame_is_told() {
        assert!(ListenerDetection::Skipped > ListenerDetection::Partial);
        assert_eq!(ListenerDetection::Complete.as_str(), None);
    }
}
