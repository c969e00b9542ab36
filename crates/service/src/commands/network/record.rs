//! One recorded request as callers see it, secrets masked.

use std::collections::BTreeMap;

use engine::{Exchange, Message};
use serde_json::{Map, Value, json};

use crate::config::TraceConfig;
use crate::redact::Redactor;

/// How exchanges are shown.
pub(crate) struct Shown {
    redactor: Redactor,
    headers: bool,
}

impl Shown {
    /// With the header fields, or without.
    pub(crate) fn new(config: &TraceConfig, headers: bool) -> Self {
        Self {
            redactor: Redactor::secrets_only(config),
            headers,
        }
    }

    /// A text without the secrets in it, and whether there were any.
    pub(crate) fn text(&self, text: &str) -> (String, bool) {
        let masked = self.redactor.mask_secrets(text);
        let changed = masked != text;
        (masked.into_owned(), changed)
    }

    /// Header fields without the secrets in them.
    pub(crate) fn fields(&self, headers: &BTreeMap<String, String>) -> Value {
        let mut fields = json!(headers);
        self.redactor.redact_value(&mut fields);
        fields
    }

    /// The record of a request.
    pub(crate) fn record(&self, one: &Exchange) -> Value {
        let mut out = Map::new();
        let mut put = |name: &str, value: Value| {
            if !value.is_null() {
                out.insert(name.to_owned(), value);
            }
        };
        put("requestId", json!(one.id));
        put("requestedAt", json!(one.requested_at));
        put("method", json!(one.method));
        put("url", json!(self.text(&one.url).0));
        put("resourceType", json!(one.kind));
        if let Some(post) = &one.post {
            put("postData", json!(self.text(&post.text).0));
            put("postDataLength", json!(post.length));
            put("postDataTruncated", json!(post.truncated));
        }
        put("status", json!(one.answer.as_ref().map(|answer| answer.status)));
        put("respondedAt", json!(one.answer.as_ref().map(|answer| answer.at)));
        put("finishedAt", json!(one.finished_at));
        put("failure", json!(one.failure));
        put("redirectedFrom", json!(one.redirected_from));
        put(
            "redirectedTo",
            json!(one.redirected_to.as_ref().map(|url| self.text(url).0)),
        );
        put("routed", json!(one.ruled));
        let from_worker = one.answer.as_ref().is_some_and(|answer| answer.from_service_worker);
        put("fromServiceWorker", if from_worker { json!(true) } else { Value::Null });
        if one.sent + one.received > 0 {
            put("messages", json!({"sent": one.sent, "received": one.received}));
        }
        put("correlatedBy", json!(if one.missed { "none" } else { "identity" }));
        if one.missed {
            put("correlationMissed", json!(true));
        }
        if self.headers {
            put("requestHeaders", self.fields(&one.headers));
            put(
                "responseHeaders",
                one.answer
                    .as_ref()
                    .map_or(Value::Null, |answer| self.fields(&answer.headers)),
            );
            put("initiator", json!(one.initiator.as_ref().map(|by| self.text(by).0)));
        }
        Value::Object(out)
    }

    /// The messages of a socket or an event stream.
    pub(crate) fn messages(&self, one: &Exchange) -> Vec<Value> {
        let shown = |message: &Message| {
            let text = match message.binary {
                true => message.text.clone(),
                false => self.text(&message.text).0,
            };
            let mut out = json!({"at": message.at, "sent": message.sent, "text": text, "length": message.length});
            if message.binary {
                out["base64"] = json!(true);
            }
            if let Some(event) = &message.event {
                out["event"] = json!(event);
            }
            out
        };
        one.messages.iter().map(shown).collect()
    }
}
