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
    /// What each box holds, where the page spread the text over a row of boxes; no values for secrets.
    pub spread: Option<Vec<Option<String>>>,
    /// The field shows the text with separators of its own.
    pub formatted: bool,
    /// The field takes no more than this many characters, and holds that many of the text.
    pub cut_at: Option<u64>,
    /// Only so many lines of the text are drawn by the code editor, and could be compared.
    pub partly_seen: Option<u64>,
    /// An editing host whose page made something of its own of the text: a second text would come on top of it.
    edited: bool,
    /// The field, for a second look a frame later; absent when nothing is left to look at.
    pub later: Option<LateLook>,
    /// Why the first way did not work.
    pub fallback_reason: Option<String>,
    /// The field's own complaint: `{message, reasons}`.
    pub invalid: Option<Value>,
    /// How a selector's element was chosen.
    pub located: Option<Located>,
}

/// A field that took a text, to be looked at once more a frame later: a page that takes the text back does so by then.
#[derive(Debug, Clone)]
pub struct LateLook {
    frame: Frame,
    field: u64,
    matched: bool,
}

/// What a second look saw.
#[derive(Debug, Clone, Default)]
pub struct LateState {
    /// The field held the text at first and does not any more.
    pub reverted: bool,
    /// The field left the page.
    pub gone: bool,
    /// Its value now; absent for a secret, and when it is gone.
    pub value: Option<String>,
}

impl InputReceipt {
    /// Takes up a second look, which can only lessen what is claimed.
    pub fn settle(&mut self, late: LateState) {
        self.gone |= late.gone;
        self.reverted |= late.reverted;
        if late.reverted {
            self.matches = false;
            self.committed = false;
        }
        if late.value.is_some() && !self.secret {
            self.value = late.value;
        }
    }
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
    /// A field of a date picker: `single` or `range`.
    picker: Option<String>,
    /// `text`, `editable` or `segmented`.
    kind: String,
    /// A code editor, which knows its selection only by its own keys.
    #[serde(default)]
    code: bool,
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
    /// The boxes that the text was spread over.
    spread: Option<Vec<SpreadBox>>,
    formatted: bool,
    cut_at: Option<u64>,
    partly_seen: Option<u64>,
}

#[derive(Debug, Clone, Deserialize)]
struct SpreadBox {
    value: Option<String>,
}

/// Reply of the page script's `afterFrame`.
#[derive(Deserialize)]
struct AfterFrame {
    fields: Vec<LateField>,
}

#[derive(Deserialize)]
struct LateField {
    r#ref: u64,
    #[serde(flatten)]
    state: FieldState,
}

/// Texts longer than this are not entered a second time key by key.
const RETYPE_LIMIT: usize = 4000;

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
            Ok(receipt) if receipt.wants_keys(request) => {
                let reason = "the field reads differently after the text was inserted";
                let typed = self.enter("type", request, deadline).await?;
                Ok(InputReceipt {
                    fallback_reason: Some(reason.into()),
                    // The same result once more is no change, and still what the page made of the text.
                    committed: typed.committed || receipt.committed,
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
            self.send_and_read(&frame, mode, request, &prepared, deadline).await?
        };
        let mut receipt = receipt(name, prepared.selection, &now);
        receipt.later = (!receipt.gone).then_some(LateLook {
            frame,
            field: prepared.target,
            matched: receipt.matches,
        });
        receipt.edited = prepared.kind == "editable" && !now.unchanged;
        receipt.secret = prepared.secret;
        receipt.value = receipt.value.filter(|_| !prepared.secret);
        Ok(receipt)
    }

    async fn send_and_read(
        &self,
        frame: &Frame,
        mode: &str,
        request: &InputRequest,
        prepared: &Prepared,
        deadline: Deadline,
    ) -> Result<FieldState> {
        let text = prepared.text.as_deref().unwrap_or(&request.text);
        let sent = self.send_text(mode, text, prepared, request.append, deadline).await?;
        let picked = prepared.picker.as_deref().filter(|_| sent && !text.is_empty());
        if picked.is_some() {
            // A picker takes a typed date when Enter is pressed, and shows its old one again when it refuses it.
            self.press_named("Enter", deadline).await.map_err(uncertain)?;
        }
        let read = json!({"ref": prepared.target, "text": text, "events": mode == "native" && picked.is_none(),
                          "leave": picked == Some("single")});
        let state: FieldState = self
            .script(frame, "readBack", &read, deadline)
            .await
            .map_err(uncertain)?;
        refuse_stray(state, sent)
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
        if prepared.code {
            let keys = if append { code_end() } else { code_all() };
            self.press_named(keys, deadline).await.map_err(uncertain)?;
        }
        let sent = if text.is_empty() {
            if prepared.empty || append {
                return Ok(false);
            }
            self.press_named("Backspace", deadline).await
        } else if mode == "type" {
            self.type_at_focus(text, prepared.multiline, deadline).await
        } else {
            let length = text.chars().count();
            let told = json!({"unit": "characters", "sent": length, "confirmed": 0, "of": length});
            let inserted = self.insert_text(text, deadline).await;
            inserted.map_err(|error| self.stopped(error, told))
        };
        sent.map(|()| true).map_err(uncertain)
    }

    /// Looks at fields once more, after one frame that they share; in the order of `looks`. `None` where nobody can tell
    /// any more (the page went on).
    pub async fn look_later(&self, looks: &[&LateLook], deadline: Deadline) -> Vec<Option<LateState>> {
        let patience = deadline.within(Duration::from_secs(1));
        let mut frames: Vec<&Frame> = Vec::new();
        for look in looks {
            if !frames
                .iter()
                .any(|frame| frame.id == look.frame.id && frame.loader_id == look.frame.loader_id)
            {
                frames.push(&look.frame);
            }
        }
        let asked = frames.iter().map(|frame| async move {
            let of_frame = looks.iter().filter(|look| look.frame.loader_id == frame.loader_id);
            let refs: Vec<u64> = of_frame.map(|look| look.field).collect();
            let reply: Result<AfterFrame> = self.script(frame, "afterFrame", &json!({"refs": refs}), patience).await;
            (
                frame.loader_id.clone(),
                reply.map(|reply| reply.fields).unwrap_or_default(),
            )
        });
        let told = futures_util::future::join_all(asked).await;
        looks.iter().map(|look| look.state_in(&told)).collect()
    }
}

impl LateLook {
    fn state_in(&self, told: &[(String, Vec<LateField>)]) -> Option<LateState> {
        let (_, fields) = told.iter().find(|(loader, _)| *loader == self.frame.loader_id)?;
        let state = &fields.iter().find(|field| field.r#ref == self.field)?.state;
        Some(LateState {
            reverted: self.matched && !state.gone && state.matches == Some(false),
            gone: state.gone,
            value: state.value.clone(),
        })
    }
}

impl InputReceipt {
    /// True when what was inserted as a whole did not arrive, and single keys may do better.
    fn wants_keys(&self, request: &InputRequest) -> bool {
        let understood = self.matches || self.formatted || self.edited || self.cut_at.is_some();
        self.mode == "fill" && !understood && !self.gone && !request.append && request.text.len() <= RETYPE_LIMIT
    }
}

/// Key that selects the whole document of a code editor.
const fn code_all() -> &'static str {
    if cfg!(target_os = "macos") {
        "Meta+A"
    } else {
        "Control+A"
    }
}

/// Key that puts the caret behind the last character of a code editor.
const fn code_end() -> &'static str {
    if cfg!(target_os = "macos") {
        "Meta+ArrowDown"
    } else {
        "Control+End"
    }
}

/// A text that another element took, or that nobody saw arrive, is never entered a second time.
fn refuse_stray(state: FieldState, sent: bool) -> Result<FieldState> {
    if let Some(mut hit) = state.stray {
        if let Some(value) = state.value {
            hit.insert("leftInField".to_owned(), value.into());
        }
        return Err(EngineError::Strayed { hit });
    }
    if sent && state.received == Some(0) && state.matches == Some(false) {
        return Err(EngineError::Uncertain {
            reason: "the field received no input".into(),
        });
    }
    Ok(state)
}

fn receipt(mode: &'static str, located: Option<Located>, now: &FieldState) -> InputReceipt {
    let spread = now.spread.as_ref();
    InputReceipt {
        mode,
        value: now.value.clone(),
        matches: now.matches.unwrap_or(true) && !now.gone,
        committed: mode != "js" && !now.unchanged,
        gone: now.gone,
        spread: spread.map(|boxes| boxes.iter().map(|one| one.value.clone()).collect()),
        formatted: now.formatted,
        cut_at: now.cut_at,
        partly_seen: now.partly_seen,
        invalid: now.invalid.clone(),
        located,
        ..InputReceipt::default()
    }
}

/// Text may have been entered when a later step fails.
pub(super) fn uncertain(error: EngineError) -> EngineError {
    error.cut_off(Value::Null)
}
