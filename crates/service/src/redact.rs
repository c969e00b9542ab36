//! What must not be written down: secrets always, personal data in traces and logs.
//!
//! Invariant: every output path that writes a request or a reply to a file asks this one predicate.
//! Only string values change, never keys, and never the ids that the product itself hands out.

mod numbers;
mod patterns;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use regex::Regex;
use serde_json::{Map, Value};

use self::patterns::{is_secret_name, mask_contacts, mask_secrets, shorten_base64};
use crate::config::TraceConfig;

/// The rules of one service, compiled once.
#[derive(Debug, Clone)]
pub struct Redactor {
    mask: String,
    personal: bool,
    extra: Vec<Regex>,
}

/// What is known about one record beyond its text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known<'a> {
    /// Ids that stay readable wherever they stand, such as the task's own.
    pub ids: &'a [&'a str],
    /// Texts that were typed into password fields or came from a secret store; masked wherever they stand.
    pub secrets: &'a [String],
}

impl Redactor {
    /// The rules of `browser.trace.redact.*`. Patterns that do not compile are left out: loading the
    /// configuration has warned about them.
    pub fn new(config: &TraceConfig) -> Redactor {
        Redactor {
            mask: config.redact_mask.clone(),
            personal: config.redact_enabled,
            extra: config
                .redact_extra
                .iter()
                .filter_map(|pattern| Regex::new(pattern).ok())
                .collect(),
        }
    }

    /// Masks secrets only: for files that keep personal data as the page showed it.
    pub fn secrets_only(config: &TraceConfig) -> Redactor {
        Redactor {
            mask: config.redact_mask.clone(),
            personal: false,
            extra: Vec::new(),
        }
    }

    /// Masks the string values of a request or a reply in place.
    pub fn redact_value(&self, value: &mut Value) {
        self.redact_known(value, Known::default());
    }

    /// Like [`Redactor::redact_value`], with what is known about the record.
    pub fn redact_known(&self, value: &mut Value, known: Known<'_>) {
        Walk { rules: self, known }.value(value, true);
    }

    /// Masks the secrets in a text and leaves everything else of it, payloads included.
    pub fn mask_secrets<'a>(&self, text: &'a str) -> Cow<'a, str> {
        mask_secrets(Cow::Borrowed(text), &self.mask)
    }

    /// Masks a text that is not JSON, or no longer.
    pub fn redact_text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.redact_text_known(text, Known::default())
    }

    /// Like [`Redactor::redact_text`], with what is known about the record.
    pub fn redact_text_known<'a>(&self, text: &'a str, known: Known<'_>) -> Cow<'a, str> {
        let mut text = shorten_base64(Cow::Borrowed(text));
        for secret in known.secrets {
            text = mask_known(text, secret, &self.mask);
        }
        text = mask_secrets(text, &self.mask);
        if self.personal {
            text = mask_contacts(text, &self.mask);
            text = numbers::mask(text, &self.mask, known.ids);
            for pattern in &self.extra {
                text = patterns::replace(text, pattern, |_| self.mask.clone());
            }
        }
        text
    }
}

/// A known secret is masked inside other text only from four characters on: shorter ones would eat
/// unrelated letters, and are masked where they are the whole value.
fn mask_known<'a>(text: Cow<'a, str>, secret: &str, mask: &str) -> Cow<'a, str> {
    let inside = secret.chars().count() >= 4 && text.contains(secret);
    if inside {
        Cow::Owned(text.replace(secret, mask))
    } else if !secret.is_empty() && text == secret {
        Cow::Owned(mask.to_owned())
    } else {
        text
    }
}

/// Containers of the product's own structures, inside which a member `id` is an id of ours. Inside
/// anything else it came from a page and may be anybody's identity number.
const OWN_CONTAINERS: [&str; 8] = [
    "data", "params", "tasks", "jobs", "requests", "commands", "results", "browser",
];

/// One pass over one value.
struct Walk<'a> {
    rules: &'a Redactor,
    known: Known<'a>,
}

impl Walk<'_> {
    /// `own`: every container above is one of ours.
    fn value(&self, value: &mut Value, own: bool) {
        match value {
            Value::String(text) => self.text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item, own)),
            Value::Object(members) => self.members(members, own),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn members(&self, members: &mut Map<String, Value>, own: bool) {
        let value_is_secret = describes_a_secret(members);
        let body_is_base64 = members.get("base64Encoded") == Some(&Value::Bool(true));
        let sets_cookie = ["method", "command"]
            .iter()
            .any(|name| members.get(*name) == Some(&"set_cookie".into()));
        for (name, value) in members.iter_mut() {
            if is_secret_name(name) || (value_is_secret && name == "value") {
                self.hide(value);
            } else if name == "cookies" {
                self.cookies(value);
            } else if sets_cookie && name == "params" {
                self.cookie(value);
            } else if (body_is_base64 && name == "body") || name.to_ascii_lowercase().ends_with("base64") {
                replace_by_length(value);
            } else if !is_own_id(name, value, own) {
                self.value(value, own && OWN_CONTAINERS.contains(&name.as_str()));
            }
        }
    }

    fn text(&self, text: &mut String) {
        if let Cow::Owned(masked) = self.rules.redact_text_known(text, self.known) {
            *text = masked;
        }
    }

    /// Masks every text below, whatever it looks like.
    fn hide(&self, value: &mut Value) {
        match value {
            Value::String(text) => text.clone_from(&self.rules.mask),
            Value::Number(_) => *value = Value::String(self.rules.mask.clone()),
            Value::Array(items) => items.iter_mut().for_each(|item| self.hide(item)),
            Value::Object(members) => members.values_mut().for_each(|member| self.hide(member)),
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// `cookies[]`: of each cookie the value, the rest as usual. A map from name to value loses its values.
    fn cookies(&self, value: &mut Value) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.cookie(item)),
            other => self.hide(other),
        }
    }

    fn cookie(&self, cookie: &mut Value) {
        if let Value::Object(members) = cookie {
            for (name, value) in members.iter_mut() {
                if name == "value" {
                    self.hide(value)
                } else {
                    self.value(value, false)
                }
            }
        } else {
            self.hide(cookie);
        }
    }
}

/// `{name:"Authorization", value:…}` (headers, storage items, form fields) and `{type:"password", value:…}`.
fn describes_a_secret(members: &Map<String, Value>) -> bool {
    let text = |name: &str| members.get(name).and_then(Value::as_str);
    ["name", "key", "header"]
        .into_iter()
        .filter_map(text)
        .any(is_secret_name)
        || ["type", "inputType"]
            .into_iter()
            .filter_map(text)
            .any(|kind| kind.eq_ignore_ascii_case("password"))
}

fn replace_by_length(value: &mut Value) {
    if let Value::String(text) = value {
        *text = patterns::length_note(text.chars().count());
    }
}

/// A member that holds an id of the product, and looks like one.
fn is_own_id(name: &str, value: &Value, own: bool) -> bool {
    let by_name = matches!(name, "taskId" | "requestId" | "jobId") || (own && name == "id");
    let id_shaped =
        |text: &str| text.len() <= 64 && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
    by_name && value.as_str().is_some_and(id_shaped)
}
