//! Text into fields: through the editing pipeline (focus, select, insert), so that frameworks and rich editors take it
//! as a person's. Read back at once and once more a frame later: a page that reverts what was typed is found out.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::target::{Located, Target};
use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::frames::Frame;
use crate::tab::Tab;

/// How text is entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputMode {
    /// Native, then keys when the field reads differently; script for a field that cannot be seen.
    Auto,
    /// Inserted as a whole through the editing pipeline.
    Native,
    /// Key by key.
    Type,
    /// Value set by script; frameworks may not notice.
    Js,
}

/// Text to be entered.
#[derive(Debug, Clone)]
pub struct InputRequest {
    /// The field.
    pub target: Target,
    /// The text; empty clears.
    pub text: String,
    /// How.
    pub mode: InputMode,
    /// At the end of what is there, instead of replacing it.
    pub append: bool,
    /// Whether `auto` may set a field by script that cannot be seen.
    pub script_allowed: bool,
}

/// What entering text came to.
#[derive(Debug, Clone, Default)]
pub struct InputReceipt {
    /// `fill`, `type` or `js`.
    pub mode: &'static str,
    /// Value read back; absent for a password.
    pub value: Option<String>,
    /// The value read back is what was meant.
    pub matches: bool,
    /// It went through real input, and the page kept it.
    pub committed: bool,
    /// The field holds a secret.
    pub secret: bool,
    /// The page put something else in the field within a frame.
    pub reverted: bool,
    /// The field left the page after taking the text.
    pub gone: bool,
    /// Why the first way did not work.
    pub fallback_reason: Option<String>,
    /// The field's own complaint: `{message, reasons}`.
    pub invalid: Option<Value>,
    /// How a selector's element was chosen.
    pub located: Option<Located>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Prepared {
    target: u64,
    selection: Option<Located>,
    #[serde(default)]
    empty: bool,
    #[serde(default)]
    done: bool,
    #[serde(default)]
    multiline: bool,
    #[serde(default)]
    secret: bool,
    /// What is to be sent: the text as a field of this kind takes it.
    text: Option<String>,
    #[serde(flatten)]
    state: FieldState,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct FieldState {
    value: Option<String>,
    matches: Option<bool>,
    invalid: Option<Value>,
    gone: bool,
    /// It still holds what it held before.
    unchanged: bool,
    /// Input events that the field got.
    received: Option<u64>,
    /// Another element that got one.
    stray: Option<Map<String, Value>>,
}

impl Tab {
    /// Enters text.
    ///
    /// # Errors
    /// A refusal before anything was touched; [`EngineError::Uncertain`] once text may have been entered.
    pub async fn input(&self, request: &InputRequest, deadline: Deadline) -> Result<InputReceipt> {
        let first = match request.mode {
            InputMode::Type => "type",
            InputMode::Js => "js",
            InputMode::Auto | InputMode::Native => "native",
        };
        let entered = self.enter(first, request, deadline).await;
        if request.mode != InputMode::Auto {
            return entered;
        }
        match entered {
            Ok(receipt) if receipt.mode == "fill" && !receipt.matches && !receipt.gone && !request.append => {
                let reason = "the field reads differently after the text was inserted";
                let typed = self.enter("type", request, deadline).await?;
                Ok(InputReceipt {
                    fallback_reason: Some(reason.into()),
                    ..typed
                })
            }
            Err(EngineError::Refused { code, reason, .. }) if request.script_allowed && code == "ELEMENT_HIDDEN" => {
                let set = self.enter("js", request, deadline).await?;
                Ok(InputReceipt {
                    fallback_reason: Some(reason),
                    ..set
                })
            }
            other => other,
        }
    }

    async fn enter(&self, mode: &'static str, request: &InputRequest, deadline: Deadline) -> Result<InputReceipt> {
        let args = [
            ("mode", json!(mode)),
            ("text", json!(request.text)),
            ("append", json!(request.append)),
        ];
        let (frame, prepared): (Frame, Prepared) =
            self.on_target(&request.target, "prepareInput", args, deadline).await?;
        let name = match (mode, prepared.done) {
            ("js", _) => "js",
            ("type", false) => "type",
            _ => "fill",
        };
        let now = if prepared.done {
            prepared.state.clone()
        } else {
            let text = prepared.text.as_deref().unwrap_or(&request.text);
            let sent = self.send_text(mode, text, &prepared, request.append, deadline).await?;
            let read = json!({"ref": prepared.target, "text": text, "events": mode == "native"});
            let state: FieldState = self
                .script(&frame, "readBack", &read, deadline)
                .await
                .map_err(uncertain)?;
            refuse_stray(state, sent)?
        };
        let later = self.a_frame_later(&frame, prepared.target, &now, deadline).await;
        let mut receipt = receipt(name, prepared.selection, &now, later);
        receipt.secret = prepared.secret;
        receipt.value = receipt.value.filter(|_| !prepared.secret);
        Ok(receipt)
    }

    /// Sends the text; false when there was nothing to send.
    async fn send_text(
        &self,
        mode: &str,
        text: &str,
        prepared: &Prepared,
        append: bool,
        deadline: Deadline,
    ) -> Result<bool> {
        let sent = if text.is_empty() {
            if prepared.empty || append {
                return Ok(false);
            }
            self.press_named("Backspace", deadline).await
        } else if mode == "type" {
            self.type_at_focus(text, prepared.multiline, deadline).await
        } else {
            self.insert_text(text, deadline).await
        };
        sent.map(|()| true).map_err(uncertain)
    }

    /// The same field one frame later; `None` when nobody can tell any more (the page went on).
    async fn a_frame_later(
        &self,
        frame: &Frame,
        field: u64,
        now: &FieldState,
        deadline: Deadline,
    ) -> Option<FieldState> {
        if now.gone {
            return None;
        }
        let patience = deadline.within(Duration::from_secs(1));
        self.script(frame, "afterFrame", &json!({"ref": field}), patience)
            .await
            .ok()
    }
}

/// A text that another element took, or that nobody saw arrive, is never entered a second time.
fn refuse_stray(state: FieldState, sent: bool) -> Result<FieldState> {
    if let Some(hit) = state.stray {
        return Err(EngineError::Strayed { hit });
    }
    if sent && state.received == Some(0) && state.matches == Some(false) {
        return Err(EngineError::Uncertain {
            reason: "the field received no input".into(),
        });
    }
    Ok(state)
}

fn receipt(mode: &'static str, located: Option<Located>, now: &FieldState, later: Option<FieldState>) -> InputReceipt {
    let matched_at_once = now.matches.unwrap_or(true);
    let reverted = later
        .as_ref()
        .is_some_and(|later| matched_at_once && later.matches == Some(false) && !later.gone);
    let gone = now.gone || later.as_ref().is_some_and(|later| later.gone);
    let last = later.filter(|later| !later.gone).unwrap_or_else(|| now.clone());
    let matches = last.matches.unwrap_or(true) && !now.gone;
    InputReceipt {
        mode,
        value: last.value,
        matches,
        committed: mode != "js" && !reverted && !last.unchanged,
        secret: false,
        reverted,
        gone,
        fallback_reason: None,
        invalid: last.invalid,
        located,
    }
}

/// Text may have been entered when a later step fails.
fn uncertain(error: EngineError) -> EngineError {
    match error {
        EngineError::BrowserGone { .. } | EngineError::Uncertain { .. } => error,
        other => EngineError::Uncertain {
            reason: other.to_string(),
        },
    }
}
