//! The envelope of requests and replies: what is read before a command is known, and what is written last.
//!
//! Invariant: reading it never fails with anything but an argument error, and a reply carries `data`, `code`, `ok` and,
//! when it failed, `msg`, and nothing else.

use serde_json::{Map, Value, json};

use crate::command::Declaration;
use crate::failure::Failure;
use crate::ids::TaskId;
use crate::messages::{Language, Text};
use crate::projection;
use crate::text;

/// Longest `requestKey`, in characters.
const KEY_LIMIT: usize = 128;

/// A request as it came through a door, with what the door knows of the caller.
#[derive(Debug, Clone)]
pub struct Incoming {
    /// The body of the request.
    pub body: Vec<u8>,
    /// The language for messages.
    pub language: Language,
}

/// A reply as it leaves: bytes of JSON, and the HTTP status for doors that have one.
#[derive(Debug, Clone)]
pub struct Outgoing {
    /// HTTP status.
    pub status: u16,
    /// The envelope, UTF-8 JSON.
    pub body: Vec<u8>,
}

/// How much of a successful reply is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ResponseMode {
    /// Everything.
    #[default]
    Full,
    /// Without what a caller rarely needs.
    Compact,
}

/// How a reply is to be written.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// How much of it.
    pub mode: ResponseMode,
    /// Nothing is trimmed, whatever the mode.
    pub diagnostics: bool,
    /// Members without a value are left out.
    pub skip_null: bool,
    /// The language of its messages.
    pub language: Language,
}

/// A parsed request.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The task.
    pub id: Option<TaskId>,
    /// The command.
    pub method: String,
    /// Its parameters.
    pub params: Map<String, Value>,
    /// How much of the reply is wanted.
    pub mode: ResponseMode,
    /// No trimming at all.
    pub diagnostics: bool,
    /// Names this request so that it is acted on once, however often it is sent.
    pub request_key: Option<String>,
}

/// A request that could not be read: the failure, and the method if it was legible.
#[derive(Debug)]
pub struct Illegible {
    /// What is wrong.
    pub failure: Failure,
    /// The method, for the message.
    pub method: Option<String>,
}

impl Request {
    /// A request for a command without parameters, from inside the service.
    pub fn for_method(method: &str) -> Self {
        Request {
            method: method.to_owned(),
            ..Request::default()
        }
    }

    /// Reads the body of a request.
    pub fn parse(body: &[u8]) -> Result<Request, Box<Illegible>> {
        let mut members = top_level(body).map_err(|failure| Illegible { failure, method: None })?;
        let method = match members.shift_remove("method") {
            Some(Value::String(method)) if !method.trim().is_empty() => method.trim().to_owned(),
            None | Some(Value::Null | Value::String(_)) => return Err(illegible(text!("envelope.no_method"), None)),
            Some(other) => {
                return Err(illegible(
                    text!("envelope.method_not_string", given = type_of(&other)),
                    None,
                ));
            }
        };
        Request::of(method.clone(), members).map_err(|text| illegible(text, Some(method)))
    }

    fn of(method: String, mut members: Map<String, Value>) -> Result<Request, Text> {
        let mut take = |name: &str| members.shift_remove(name).filter(|value| !value.is_null());
        let id = match take("id") {
            None => None,
            Some(id) => Some(TaskId::from_json(&id).map_err(|_| text!("envelope.bad_id", given = shown(&id)))?),
        };
        let params = match take("params") {
            None => Map::new(),
            Some(Value::Object(params)) => params,
            Some(other) => return Err(text!("envelope.params_not_object", given = type_of(&other))),
        };
        Ok(Request {
            id,
            method,
            params,
            mode: take("responseMode").map_or(Ok(ResponseMode::Full), |value| response_mode(&value))?,
            diagnostics: take("diagnostics").map_or(Ok(false), |value| diagnostics(&value))?,
            request_key: take("requestKey").map(request_key).transpose()?,
        })
    }

    /// How the reply is to be written.
    pub fn style(&self, skip_null: bool, language: Language) -> Style {
        Style {
            mode: self.mode,
            diagnostics: self.diagnostics,
            skip_null,
            language,
        }
    }
}

fn illegible(text: Text, method: Option<String>) -> Box<Illegible> {
    Box::new(Illegible {
        failure: Failure::invalid(text),
        method,
    })
}

fn top_level(body: &[u8]) -> Result<Map<String, Value>, Failure> {
    if body.iter().all(u8::is_ascii_whitespace) {
        return Err(Failure::invalid(text!("envelope.empty")));
    }
    let parsed: Value = serde_json::from_slice(body).map_err(|error| {
        let failure = Failure::invalid(text!(
            "envelope.malformed",
            line = error.line(),
            column = error.column()
        ));
        failure.with("line", error.line()).with("column", error.column())
    })?;
    match parsed {
        Value::Object(members) => Ok(members),
        other => Err(Failure::invalid(text!("envelope.not_object", given = type_of(&other)))),
    }
}

fn response_mode(value: &Value) -> Result<ResponseMode, Text> {
    match value.as_str().map(str::to_ascii_lowercase).as_deref() {
        Some("full") => Ok(ResponseMode::Full),
        Some("compact") => Ok(ResponseMode::Compact),
        _ => Err(text!("envelope.bad_mode", given = shown(value))),
    }
}

fn diagnostics(value: &Value) -> Result<bool, Text> {
    match value {
        Value::Bool(flag) => Ok(*flag),
        Value::String(word) if word.eq_ignore_ascii_case("true") => Ok(true),
        Value::String(word) if word.eq_ignore_ascii_case("false") => Ok(false),
        other => Err(text!("envelope.bad_diagnostics", given = shown(other))),
    }
}

fn request_key(value: Value) -> Result<String, Text> {
    match value {
        Value::String(key) if !key.is_empty() && key.chars().count() <= KEY_LIMIT => Ok(key),
        _ => Err(text!("envelope.bad_key", limit = KEY_LIMIT)),
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// A value in a message: as JSON, cut where it is long.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// What a request came to, before it is written for a particular caller.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The command as it was called; absent when the request named none.
    pub method: Option<String>,
    /// The declaration, for what may be trimmed.
    pub declaration: Option<&'static Declaration>,
    /// `data`, or the failure.
    pub result: Result<Value, Failure>,
    /// Sentences for `data.note`.
    pub notes: Vec<Text>,
    /// Given from memory to a repeated request.
    pub replayed: bool,
    /// Texts that must not be written to any file.
    pub secrets: Vec<String>,
}

impl Reply {
    /// A reply to nothing in particular.
    pub fn bare(result: Result<Value, Failure>) -> Self {
        Reply {
            method: None,
            declaration: None,
            result,
            notes: Vec::new(),
            replayed: false,
            secrets: Vec::new(),
        }
    }

    /// The reply to a request that was refused before its command ran.
    pub fn refused(method: Option<String>, failure: Failure) -> Self {
        Reply {
            method,
            ..Reply::bare(Err(failure))
        }
    }

    /// 400 for argument errors, 200 for everything else.
    pub fn status(&self) -> u16 {
        match &self.result {
            Err(failure) if failure.is_invalid_argument() => 400,
            _ => 200,
        }
    }

    /// The envelope for one caller.
    pub fn envelope(&self, style: Style, lookup: projection::Lookup<'_>) -> Value {
        let mut data = match &self.result {
            Ok(data) => data.clone(),
            Err(failure) => Value::Object(failure.render_data(style.language)),
        };
        if style.skip_null {
            projection::strip_nulls(
                &mut data,
                self.declaration.map_or(&[], |declaration| declaration.opaque),
            );
        }
        if let (Ok(_), ResponseMode::Compact, false, Some(declaration)) =
            (&self.result, style.mode, style.diagnostics, self.declaration)
        {
            projection::compact(&mut data, declaration, lookup);
        }
        self.annotate(&mut data, style.language);
        self.wrap(data, style.language)
    }

    /// What is added after projection, because it is never trimmed.
    fn annotate(&self, data: &mut Value, language: Language) {
        if !self.notes.is_empty() {
            let mut sentences: Vec<String> = self.notes.iter().map(|note| note.render(language)).collect();
            if let Some(own) = data.get("note").and_then(Value::as_str) {
                sentences.insert(0, own.to_owned());
            }
            member(data, "note", Value::String(sentences.join(" ")));
        }
        if self.replayed {
            member(data, "replayed", Value::Bool(true));
        }
    }

    fn wrap(&self, data: Value, language: Language) -> Value {
        let mut envelope = Map::new();
        if !data.is_null() {
            envelope.insert("data".into(), data);
        }
        envelope.insert("code".into(), json!(i32::from(self.result.is_ok())));
        if let Err(failure) = &self.result {
            envelope.insert("msg".into(), Value::String(self.message(failure, language)));
        }
        envelope.insert("ok".into(), json!(self.result.is_ok()));
        Value::Object(envelope)
    }

    fn message(&self, failure: &Failure, language: Language) -> String {
        let text = match &self.method {
            Some(method) => text!("envelope.failed", method = method, reason = failure.text.clone()),
            None => failure.text.clone(),
        };
        text.render(language)
    }
}

/// Sets a member of `data`, making `data` an object when there is none.
pub(crate) fn member(data: &mut Value, name: &str, value: Value) {
    if data.is_null() {
        *data = Value::Object(Map::new());
    }
    if let Value::Object(members) = data {
        members.insert(name.to_owned(), value);
    }
}

#[cfg(test)]
mod tests;
