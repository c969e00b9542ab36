//! What an action is meant for, and how it was found.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::frames::Frame;
use crate::tab::Tab;

/// What an action is meant for.
#[derive(Debug, Clone)]
pub enum Target {
    /// An index of the current page state.
    Index {
        /// The number in the page text.
        index: u32,
        /// The snapshot that the caller read it in, when the caller says so.
        snapshot_id: Option<String>,
    },
    /// A CSS selector, `css >> nth=N` accepted.
    Selector {
        /// The selector.
        selector: String,
        /// Which match, from 0.
        nth: Option<u32>,
        /// Which frame; the main frame when absent.
        frame: Option<String>,
    },
    /// An element that the page script has found and named before.
    Element(Named),
}

/// An element by the page script's own reference.
#[derive(Debug, Clone)]
pub struct Named {
    /// Protocol id of its frame.
    pub(crate) frame: String,
    /// Token of its document.
    pub(crate) doc: String,
    /// The reference.
    pub(crate) local: u64,
}

/// How a selector's element was chosen.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Located {
    /// Elements that the selector matches.
    pub matched: u64,
    /// Which of them was taken, from 0.
    pub chosen_index: i64,
    /// How many were looked at.
    pub scanned: u64,
    /// How many of those can be seen.
    pub visible_matched: Option<u64>,
    /// The caller named the match.
    pub explicit_nth: bool,
}

impl Tab {
    /// The frame of a target and the arguments by which the page script finds it there.
    pub(crate) fn aim(&self, target: &Target) -> Result<(Frame, Map<String, Value>)> {
        match target {
            Target::Index { index, snapshot_id } => self.resolve_index(*index, snapshot_id.as_deref()),
            Target::Selector { selector, nth, frame } => {
                let mut args = Map::from_iter([("selector".to_owned(), selector.clone().into())]);
                if let Some(nth) = nth {
                    args.insert("nth".to_owned(), (*nth).into());
                }
                Ok((self.find_frame(frame.as_deref())?, args))
            }
            Target::Element(named) => {
                let frame = self.state().frames.get(&named.frame).cloned();
                let args = [("ref", named.local.into()), ("doc", named.doc.clone().into())];
                let args = args
                    .into_iter()
                    .map(|(name, value): (&str, Value)| (name.to_owned(), value));
                Ok((frame.ok_or(EngineError::Navigating)?, args.collect()))
            }
        }
    }

    /// Calls an entry point of the page script on a target; a refused index is explained by what is known of it.
    pub(crate) async fn on_target<R: DeserializeOwned>(
        &self,
        target: &Target,
        name: &str,
        more: impl IntoIterator<Item = (&'static str, Value)>,
        deadline: Deadline,
    ) -> Result<(Frame, R)> {
        let (frame, mut args) = self.aim(target)?;
        args.extend(more.into_iter().map(|(name, value)| (name.to_owned(), value)));
        match self.script(&frame, name, &args, deadline).await {
            Ok(reply) => Ok((frame, reply)),
            Err(error) => {
                let error = self.index_close_hint(&frame, error);
                Err(match target {
                    Target::Index { index, .. } => self.explain_stale(*index, &frame, error),
                    Target::Selector { .. } | Target::Element(_) => error,
                })
            }
        }
    }

    /// The controls that close what covers a target, as indices that the caller can click.
    pub(crate) fn index_close_hint(&self, frame: &Frame, mut error: EngineError) -> EngineError {
        if let EngineError::Refused { facts, .. } = &mut error
            && let Some(Value::Object(hint)) = facts.get_mut("closeHint")
        {
            let doc = hint.shift_remove("doc").and_then(|doc| doc.as_str().map(str::to_owned));
            if let (Some(doc), Some(Value::Array(buttons))) = (doc, hint.get_mut("buttons")) {
                for button in buttons.iter_mut().filter_map(Value::as_object_mut) {
                    self.index_button(frame, &doc, button);
                }
            }
        }
        error
    }

    fn index_button(&self, frame: &Frame, doc: &str, button: &mut Map<String, Value>) {
        let local = button
            .shift_remove("ref")
            .and_then(|local| u32::try_from(local.as_u64()?).ok());
        let word = |name: &str| button.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let mut table = self.indices();
        // Before the first reading of a document there are no indices to give.
        if let (Some(local), true) = (local, table.knows(&frame.id, doc)) {
            let place = crate::state::Place {
                frame: frame.id.clone(),
                doc: doc.to_owned(),
                local,
            };
            let index = table.assign(place, &word("tag"), &word("text"));
            button.insert("index".into(), index.into());
        }
    }
}
