//! Reading single elements, by the page script.

use serde::Deserialize;
use serde_json::json;

use crate::act::Target;
use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::frames::Frame;
use crate::tab::Tab;

/// Text of an element.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ElementText {
    /// Rendered text.
    pub text: String,
    /// The element has no text and draws on canvases; only when asked.
    pub canvas_only: Option<bool>,
}

/// Live value of a form control.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ElementValue {
    /// The value; absent for a password.
    pub value: Option<String>,
    /// It is a password, which is never read.
    pub redacted: bool,
}

#[derive(Deserialize)]
struct Attribute {
    value: Option<String>,
}

#[derive(Deserialize)]
struct Count {
    count: u64,
}

impl Tab {
    /// The frame that `wanted` names: an ordinal of the frame list, else a part of an address or a name; the main frame
    /// when absent.
    ///
    /// # Errors
    /// [`EngineError::FrameNotFound`] with the frames that exist.
    pub fn find_frame(&self, wanted: Option<&str>) -> Result<Frame> {
        if wanted.is_none_or(|wanted| wanted.trim().is_empty()) {
            return self.main_frame();
        }
        let state = self.state();
        state.frames.named(wanted).ok_or_else(|| EngineError::FrameNotFound {
            wanted: wanted.unwrap_or_default().trim().to_owned(),
            frames: state
                .frames
                .by_number()
                .iter()
                .map(|(number, frame)| format!("{number}: {} {}", frame.url, frame.name))
                .collect(),
        })
    }

    /// Text of an element.
    ///
    /// # Errors
    /// It is not found or stale.
    pub async fn element_text(&self, target: &Target, canvas_only: bool, deadline: Deadline) -> Result<ElementText> {
        let args = [("canvasOnly", canvas_only.into())];
        self.on_target(target, "text", args, deadline)
            .await
            .map(|(_, found)| found)
    }

    /// Live value of a form control.
    ///
    /// # Errors
    /// It is not found, stale, or no form control.
    pub async fn element_value(&self, target: &Target, deadline: Deadline) -> Result<ElementValue> {
        self.on_target(target, "value", [], deadline)
            .await
            .map(|(_, found)| found)
    }

    /// Markup attribute of an element; `None` when there is none.
    ///
    /// # Errors
    /// The element is not found or stale.
    pub async fn element_attribute(&self, target: &Target, name: &str, deadline: Deadline) -> Result<Option<String>> {
        let args = [("name", name.into())];
        self.on_target::<Attribute>(target, "attribute", args, deadline)
            .await
            .map(|(_, found)| found.value)
    }

    /// How many elements a selector matches.
    ///
    /// # Errors
    /// The selector is not valid, or the frame does not exist.
    pub async fn element_count(&self, selector: &str, frame: Option<&str>, deadline: Deadline) -> Result<u64> {
        let frame = self.find_frame(frame)?;
        self.script::<Count>(&frame, "count", &json!({"selector": selector}), deadline)
            .await
            .map(|found| found.count)
    }
}
