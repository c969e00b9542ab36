//! `get_element_listeners`.

use engine::{Detection, ElementListeners, EngineError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::target::{either, needs_one};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::text;

/// Event listeners of an element: its own, with the handlers of frameworks, and those of its ancestors.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetElementListeners {
    /// Index of the element in the page text.
    pub index: Option<u32>,
    /// CSS selector; `css >> nth=N` takes a certain match.
    pub selector: Option<String>,
    /// Frame by ordinal, or by a part of its address or name; the main frame when absent. An index needs none.
    pub frame: Option<String>,
    /// Snapshot that the index was read in; an index of another document is refused.
    pub snapshot_id: Option<String>,
}

/// A listener on something around the element.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DelegatedListener {
    #[serde(rename = "type")]
    kind: String,
    on: String,
}

/// Reply of `get_element_listeners`.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Listeners {
    found: bool,
    target: String,
    tag: Option<String>,
    class_name: Option<String>,
    vue2: Option<bool>,
    vue3: Option<bool>,
    react: Option<bool>,
    inline: Option<bool>,
    jquery: Option<bool>,
    listeners: Option<Vec<String>>,
    /// Listeners of its ancestors, the document and the window; not counted as its own.
    delegated: Option<Vec<DelegatedListener>>,
    has_listeners: Option<bool>,
    detection: Option<&'static str>,
    note: Option<String>,
}

impl Command for GetElementListeners {
    const NAME: &'static str = "get_element_listeners";
    const GROUP: Group = Group::ElementReading;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe();
    const OPAQUE: &'static [&'static str] = &["listeners", "delegated"];
    type Output = Listeners;

    fn check(&self) -> Result<(), Failure> {
        needs_one(self.index, self.selector.as_ref())
    }

    async fn run(self, cx: &mut Context) -> Result<Listeners, Failure> {
        let (target, named) = either(self.index, self.snapshot_id, self.selector, self.frame);
        let tab = cx.settled_tab().await?;
        match tab.element_listeners(&target, cx.until()).await {
            Ok(listeners) => Ok(told(cx, named, listeners)),
            Err(error) if is_missing(&error) => Ok(Listeners {
                target: named,
                note: Some(cx.say(&text!("element.listeners_not_found"))),
                ..Listeners::default()
            }),
            Err(error) => Err(Failure::from_engine(&error, false)),
        }
    }
}

/// A selector without a match is an answer here; an index that has gone stale is a failure as everywhere.
fn is_missing(error: &EngineError) -> bool {
    matches!(error, EngineError::Refused { code, .. } if code == "ELEMENT_NOT_FOUND")
}

fn told(cx: &Context, target: String, found: ElementListeners) -> Listeners {
    let word = |name: &str| {
        found
            .target
            .get(name)
            .and_then(|value| value.as_str())
            .map(str::to_owned)
    };
    let has = match (found.own.is_empty(), found.detection) {
        (false, _) => Some(true),
        (true, Detection::Protocol) => Some(false),
        (true, Detection::Heuristic) => None,
    };
    let note = match has {
        Some(true) => None,
        Some(false) if found.delegated.is_empty() => Some(text!("element.listeners_none")),
        Some(false) => Some(text!("element.listeners_delegated_only")),
        None => Some(text!("element.listeners_unknown")),
    };
    let (tag, class_name) = (word("tag"), word("className"));
    let delegated = found.delegated.into_iter().map(|listener| DelegatedListener {
        kind: listener.kind,
        on: listener.on,
    });
    Listeners {
        found: true,
        target,
        tag,
        class_name,
        vue2: Some(found.traces.vue2),
        vue3: Some(found.traces.vue3),
        react: Some(found.traces.react),
        inline: Some(found.traces.inline),
        jquery: Some(found.traces.jquery),
        listeners: Some(found.own),
        delegated: Some(delegated.collect()),
        has_listeners: has,
        detection: Some(found.detection.as_str()),
        note: note.map(|note| cx.say(&note)),
    }
}
