//! The field that a label names, in whatever frame it is. Invariant: a label that names no field for sure names none.

use serde::Deserialize;
use serde_json::json;

use super::target::{Named, Target};
use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::frames::Frame;
use crate::tab::Tab;

/// A field found by its label.
#[derive(Debug, Clone)]
pub struct Labelled {
    /// The field.
    pub target: Target,
    /// Fields that bear exactly this label; 0 when it is only a part of the field's label.
    pub exact: usize,
    /// The field's whole label, where the one asked for is a part of it.
    pub whole: Option<String>,
}

/// Reply of the page script's `findLabel`.
#[derive(Deserialize)]
struct Found {
    doc: String,
    exact: Vec<u64>,
    partial: Vec<Partial>,
    names: Vec<String>,
}

#[derive(Deserialize)]
struct Partial {
    r#ref: u64,
    label: String,
}

impl Tab {
    /// Finds the field with that label: an exact fit in the first frame that has one, else the only partial fit of all.
    ///
    /// # Errors
    /// `ELEMENT_NOT_FOUND` (`no-label`, or `ambiguous-label` when several fit in part); frames that cannot be asked
    /// are passed over, the main one excepted.
    pub async fn find_label(&self, label: &str, deadline: Deadline) -> Result<Labelled> {
        let frames: Vec<Frame> = self
            .state()
            .frames
            .ordered()
            .into_iter()
            .map(|(frame, _)| frame)
            .collect();
        let main = self.main_frame()?.id;
        let (mut partial, mut labels) = (Vec::new(), Vec::new());
        for frame in frames {
            let found: Found = match self
                .script(&frame, "findLabel", &json!({"label": label}), deadline)
                .await
            {
                Ok(found) => found,
                Err(error) if frame.id == main => return Err(error),
                Err(_) => continue,
            };
            if let Some(first) = found.exact.first() {
                return Ok(Labelled {
                    target: element(&frame, &found.doc, *first),
                    exact: found.exact.len(),
                    whole: None,
                });
            }
            labels.extend(found.names);
            partial.extend(
                found
                    .partial
                    .into_iter()
                    .map(|fit| (element(&frame, &found.doc, fit.r#ref), fit.label)),
            );
        }
        match <[_; 1]>::try_from(partial) {
            Ok([(target, whole)]) => Ok(Labelled {
                target,
                exact: 0,
                whole: Some(whole),
            }),
            Err(several) => Err(no_label(label, &several, labels)),
        }
    }
}

fn element(frame: &Frame, doc: &str, local: u64) -> Target {
    Target::Element(Named {
        frame: frame.id.clone(),
        doc: doc.to_owned(),
        local,
    })
}

fn no_label(label: &str, several: &[(Target, String)], labels: Vec<String>) -> EngineError {
    let fits: Vec<&String> = several.iter().map(|(_, label)| label).collect();
    let (reason, shown) = if several.is_empty() {
        ("no-label", json!(labels))
    } else {
        ("ambiguous-label", json!(fits))
    };
    EngineError::refused("ELEMENT_NOT_FOUND", reason, json!({"label": label, "labels": shown}))
}
