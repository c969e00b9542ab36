//! What one call leaves behind, and what of it is worth a line.

use std::time::{Duration, SystemTime};

use serde_json::{Map, Value, json};

/// A request or a reply, as whoever has it holds it: nothing is converted on the caller's path.
#[derive(Debug, Clone)]
pub enum Payload {
    /// A tree.
    Json(Value),
    /// The bytes that went over the wire. Parsed by the writer; text that is not JSON stays text.
    Bytes(Vec<u8>),
}

impl From<Value> for Payload {
    fn from(value: Value) -> Self {
        Payload::Json(value)
    }
}

impl From<String> for Payload {
    fn from(text: String) -> Self {
        Payload::Bytes(text.into_bytes())
    }
}

impl From<&str> for Payload {
    fn from(text: &str) -> Self {
        Payload::Bytes(text.as_bytes().to_vec())
    }
}

impl From<Vec<u8>> for Payload {
    fn from(bytes: Vec<u8>) -> Self {
        Payload::Bytes(bytes)
    }
}

impl Payload {
    /// The tree; what is not JSON becomes one string.
    pub(super) fn into_value(self) -> Value {
        match self {
            Payload::Json(value) => value,
            Payload::Bytes(bytes) => serde_json::from_slice(&bytes)
                .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&bytes).into_owned())),
        }
    }
}

/// One call, from its arrival to its reply.
#[derive(Debug, Clone)]
pub struct TraceRecord {
    /// When the request was read.
    pub started_at: SystemTime,
    /// When the reply was ready.
    pub finished_at: SystemTime,
    /// The task, if the call named one or made one.
    pub task_id: Option<String>,
    /// The method, also when it does not exist; empty when the request had none.
    pub method: String,
    /// The request as received.
    pub request: Payload,
    /// The reply as sent, whole envelope.
    pub response: Payload,
    /// `ok` of the envelope.
    pub ok: bool,
    /// `code` of the envelope.
    pub code: i64,
    /// `msg` of the envelope.
    pub msg: Option<String>,
    /// Texts that must not be written wherever they turn up: what was typed into password fields,
    /// values of named secrets.
    pub secrets: Vec<String>,
}

impl TraceRecord {
    /// From reading the request to the ready reply; zero when the clock was set back meanwhile.
    pub(super) fn duration(&self) -> Duration {
        self.finished_at.duration_since(self.started_at).unwrap_or_default()
    }
}

/// Members of a reply's `data` that tell what a call did.
const HIGHLIGHTS: [&str; 28] = [
    "url",
    "title",
    "seq",
    "screenshot",
    "screenshot_path",
    "state_file",
    "changed",
    "changeStatus",
    "status",
    "errorCode",
    "id",
    "engine",
    "browser",
    "pageIndex",
    "count",
    "succeeded",
    "failed",
    "closed",
    "remaining",
    "visible",
    "enabled",
    "checked",
    "value",
    "path",
    "requestId",
    "urlAfter",
    "textLength",
    "steps",
];
/// Characters of one value on a line.
pub(super) const VALUE_CHARS: usize = 300;

/// The highlights of a reply, and for a batch its steps as `results`.
pub(super) fn highlights(response: &Value) -> Map<String, Value> {
    let Some(data) = response.get("data").and_then(Value::as_object) else {
        return Map::new();
    };
    let mut found = Map::new();
    for name in HIGHLIGHTS {
        if let Some(value) = data.get(name).filter(|value| !value.is_null()) {
            found.insert(name.to_owned(), shortened(value));
        }
    }
    let steps: Vec<Value> = steps(data).map(|step| step.to_json()).collect();
    if !steps.is_empty() {
        found.insert("results".to_owned(), Value::Array(steps));
    }
    found
}

/// Texts are cut; structures become their text when they are long.
fn shortened(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(cut(text, VALUE_CHARS)),
        Value::Array(_) | Value::Object(_) => {
            let text = value.to_string();
            if text.chars().nth(VALUE_CHARS).is_some() {
                Value::String(cut(&text, VALUE_CHARS))
            } else {
                value.clone()
            }
        }
        _ => value.clone(),
    }
}

/// One step of a batch.
pub(super) struct Step<'a> {
    pub(super) index: u64,
    pub(super) command: &'a str,
    pub(super) ok: bool,
    pub(super) msg: Option<&'a str>,
}

impl Step<'_> {
    fn to_json(&self) -> Value {
        let mut step = json!({ "index": self.index, "command": self.command, "ok": self.ok });
        if let (Some(msg), Value::Object(members)) = (self.msg, &mut step) {
            members.insert("msg".to_owned(), Value::String(cut(msg, VALUE_CHARS)));
        }
        step
    }
}

/// The steps of a batch reply; none for other replies, whose `results` have no `ok`.
pub(super) fn steps(data: &Map<String, Value>) -> impl Iterator<Item = Step<'_>> {
    let results = data
        .get("results")
        .and_then(Value::as_array)
        .map_or(&[][..], Vec::as_slice);
    results.iter().enumerate().filter_map(|(position, result)| {
        let text = |name: &str| result.get(name).and_then(Value::as_str);
        Some(Step {
            index: result.get("index").and_then(Value::as_u64).unwrap_or(position as u64),
            command: text("command").or_else(|| text("method"))?,
            ok: result.get("ok").and_then(Value::as_bool)?,
            msg: text("msg"),
        })
    })
}

/// The first `limit` characters, with a mark when there were more.
pub(super) fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
