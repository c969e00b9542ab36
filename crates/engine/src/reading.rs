//! Reading single elements and waiting for them, by the page script.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::act::Target;
use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::frames::Frame;
use crate::tab::Tab;

/// Room for the answer of a wait that ran out of its own time in the page.
const ANSWER: Duration = Duration::from_secs(2);

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

/// A condition that came true.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Met {
    /// How long it took, in milliseconds.
    pub waited_ms: u64,
}

/// What to wait for.
#[derive(Debug, Clone)]
pub enum Condition {
    /// The selector's first match can be seen.
    Visible {
        /// CSS selector.
        selector: String,
    },
    /// An element whose text contains this can be seen.
    Text {
        /// The text, compared without regard to case.
        text: String,
    },
}

impl Tab {
    /// The frame that `wanted` names: an ordinal of the frame list, else a part of an address or a name; the main frame
    /// when absent.
    ///
    /// # Errors
    /// [`EngineError::FrameNotFound`] with the frames that exist.
    pub fn find_frame(&self, wanted: Option<&str>) -> Result<Frame> {
        let Some(wanted) = wanted.map(str::trim).filter(|wanted| !wanted.is_empty()) else {
            return self.main_frame();
        };
        let frames = self.state().frames.by_number();
        let ordinal = wanted.parse::<usize>().ok();
        let found = frames.iter().find(|(number, frame)| match ordinal {
            Some(ordinal) => *number == ordinal,
            None => frame.url.contains(wanted) || frame.name.contains(wanted),
        });
        found
            .map(|(_, frame)| frame.clone())
            .ok_or_else(|| EngineError::FrameNotFound {
                wanted: wanted.to_owned(),
                frames: frames
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

    /// Waits for a condition of the page, over as many documents as come meanwhile.
    ///
    /// # Errors
    /// `ACTION_TIMEOUT` with what was still missing; the tab's end.
    pub async fn wait_for(
        &self,
        condition: &Condition,
        frame: Option<&str>,
        limit: Duration,
        deadline: Deadline,
    ) -> Result<Met> {
        let started = std::time::Instant::now();
        loop {
            let left = limit.saturating_sub(started.elapsed()).min(deadline.remaining());
            let (name, mut args) = condition.call();
            args.insert(
                "timeoutMs".into(),
                json!(u64::try_from(left.as_millis()).unwrap_or(u64::MAX)),
            );
            let attempt = async {
                let frame = self.find_frame(frame)?;
                self.script::<Met>(&frame, name, &args, Deadline::after(left + ANSWER))
                    .await
            };
            match attempt.await {
                // A document that is replaced while we wait is not the end of waiting.
                Err(EngineError::Navigating) if started.elapsed() < limit && !deadline.over() => {
                    let next = deadline.within(limit.saturating_sub(started.elapsed()));
                    let before = self.marks().committed;
                    let _ = self
                        .until("the next document", next.within(Duration::from_millis(250)), |state| {
                            (state.marks.committed > before).then_some(())
                        })
                        .await;
                }
                Ok(met) => {
                    let waited = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
                    return Ok(Met {
                        waited_ms: met.waited_ms.max(waited),
                    });
                }
                Err(error) => return Err(error),
            }
        }
    }
}

impl Condition {
    fn call(&self) -> (&'static str, Map<String, Value>) {
        let (name, args) = match self {
            Self::Visible { selector } => ("waitFor", json!({"selector": selector, "state": "visible"})),
            Self::Text { text } => ("waitForText", json!({"text": text})),
        };
        let Value::Object(args) = args else {
            return (name, Map::new());
        };
        (name, args)
    }
}
