//! The way back from an index to its element, and what a refusal is explained with.

use std::time::Instant;

use serde_json::{Map, Value};

use crate::error::{EngineError, Result};
use crate::frames::Frame;
use crate::state::IndexTable;
use crate::tab::Tab;

impl Tab {
    pub(crate) fn indices(&self) -> std::sync::MutexGuard<'_, IndexTable> {
        self.indices.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The frame of an index, and the arguments by which the page script finds the element there.
    pub(crate) fn resolve_index(&self, index: u32, snapshot_id: Option<&str>) -> Result<(Frame, Map<String, Value>)> {
        let table = self.indices();
        let place = table
            .resolve(index, snapshot_id, Instant::now())
            .map_err(|stale| EngineError::StaleIndex {
                index,
                reason: stale.reason.to_owned(),
                facts: stale.facts,
            })?;
        let Some(frame) = self.state().frames.get(&place.frame).cloned() else {
            let facts = table.facts(index, Instant::now());
            return Err(EngineError::StaleIndex {
                index,
                reason: "frame-gone".into(),
                facts,
            });
        };
        let args = Map::from_iter([
            ("ref".to_owned(), place.local.into()),
            ("doc".to_owned(), place.doc.clone().into()),
        ]);
        Ok((frame, args))
    }

    /// A refusal of the page script for an index, with what the table knows of it. A replacement that the page offers
    /// is named by an index of its own.
    pub(crate) fn explain_stale(&self, index: u32, frame: &Frame, error: EngineError) -> EngineError {
        match error {
            EngineError::Refused { code, reason, facts } if code == "STALE_ELEMENT" => {
                let mut table = self.indices();
                let mut told = table.facts(index, Instant::now());
                for name in ["mutations", "replacedBy", "tag", "text", "id"] {
                    if let Some(value) = facts.get(name) {
                        told.insert(name.to_owned(), value.clone());
                    }
                }
                let doc = facts.get("doc").and_then(Value::as_str);
                let candidate = facts
                    .get("candidate")
                    .and_then(Value::as_u64)
                    .and_then(|local| u32::try_from(local).ok());
                if let (Some(doc), Some(local)) = (doc, candidate) {
                    let word = |name: &str| facts.get(name).and_then(Value::as_str).unwrap_or_default();
                    let place = crate::state::Place {
                        frame: frame.id.clone(),
                        doc: doc.to_owned(),
                        local,
                    };
                    told.insert(
                        "candidate".into(),
                        table.assign(place, word("tag"), word("text")).into(),
                    );
                }
                EngineError::StaleIndex {
                    index,
                    reason,
                    facts: told,
                }
            }
            other => other,
        }
    }
}
