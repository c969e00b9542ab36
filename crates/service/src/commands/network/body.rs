//! An answer with its body, as `get_response_body` and `wait_for_response` return it.

use std::time::Duration;

use engine::{Body, Exchange, NetworkBook};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::record::Shown;
use crate::context::Context;
use crate::messages::Text;
use crate::text;

/// How long the browser may take to hand over a body that was not copied.
const ON_DEMAND: Duration = Duration::from_secs(10);

/// Reply of `get_response_body`, and most of that of `wait_for_response`.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResponseBody {
    url: String,
    status: u16,
    mime_type: Option<String>,
    body: Option<String>,
    /// Characters of the whole body; bytes of one that is no text.
    body_length: Option<usize>,
    truncated: Option<bool>,
    body_available: bool,
    /// `binary`, `pending`, `stream`, `none`, `failed`, `evicted`, `dropped`, `browser-freed` or `too-many`.
    body_error: Option<&'static str>,
    body_hint: Option<String>,
    body_from_cache: bool,
    body_captured_at: Option<u64>,
    body_capture_pending: Option<bool>,
    body_cached_chars: Option<usize>,
    /// Secrets in the body were masked.
    redacted: Option<bool>,
    /// The newest messages of a socket or an event stream, oldest first.
    messages: Option<Vec<Value>>,
    age_ms: u64,
    responded_at: u64,
    request_id: String,
    request: Value,
    correlated_by: &'static str,
    correlation_missed: Option<bool>,
}

/// A text that came of a body.
struct Got {
    text: String,
    chars: usize,
    captured_at: Option<u64>,
}

impl ResponseBody {
    /// The reply for an exchange whose body has settled as far as it will.
    pub(super) async fn of(cx: &Context, book: &NetworkBook, one: &Exchange, max_chars: usize) -> Self {
        let shown = Shown::new(&cx.config().trace, false);
        let answer = one.answer.clone().unwrap_or_default();
        let now = super::state::now_ms();
        let messages = shown.messages(one);
        let mut reply = Self {
            url: shown.text(&one.url).0,
            status: answer.status,
            mime_type: Some(answer.mime).filter(|mime| !mime.is_empty()),
            messages: (!messages.is_empty()).then_some(messages),
            age_ms: now.saturating_sub(answer.at),
            responded_at: answer.at,
            request_id: one.id.clone(),
            request: shown.record(one),
            correlated_by: if one.missed { "none" } else { "identity" },
            correlation_missed: one.missed.then_some(true),
            ..Self::default()
        };
        match text_of(cx, book, one, max_chars).await {
            Ok(got) => reply.take(&shown, &got, max_chars),
            Err((reason, length)) => {
                reply.body_error = Some(reason);
                reply.body_length = length;
                reply.body_capture_pending = (reason == "pending").then_some(true);
                reply.body_hint = Some(cx.say(&hint(reason)));
            }
        }
        reply
    }

    fn take(&mut self, shown: &Shown, got: &Got, max_chars: usize) {
        let kept = got.text.chars().count();
        let (text, masked) = shown.text(&got.text);
        let end = text.char_indices().nth(max_chars).map_or(text.len(), |(at, _)| at);
        self.truncated = Some(end < text.len() || kept < got.chars);
        self.body = Some(text[..end].to_owned());
        self.body_length = Some(got.chars);
        self.body_available = true;
        self.body_from_cache = got.captured_at.is_some();
        self.body_captured_at = got.captured_at;
        self.body_cached_chars = (kept < got.chars).then_some(kept);
        self.redacted = masked.then_some(true);
    }
}

async fn text_of(
    cx: &Context,
    book: &NetworkBook,
    one: &Exchange,
    max_chars: usize,
) -> Result<Got, (&'static str, Option<usize>)> {
    let on_demand = || async {
        let limit = cx.within_deadline(ON_DEMAND);
        tokio::time::timeout(limit, book.read_body(one)).await.ok().flatten()
    };
    match &one.body {
        Body::Text { text, chars, at } => {
            let held = text.chars().count();
            if *chars > held
                && max_chars > held
                && let Some((_, Some(whole))) = on_demand().await
            {
                return Ok(Got {
                    chars: *chars,
                    text: whole,
                    captured_at: None,
                });
            }
            Ok(Got {
                text: text.to_string(),
                chars: *chars,
                captured_at: Some(*at),
            })
        }
        Body::Binary { bytes } => Err(("binary", Some(*bytes))),
        Body::Gone(reason) => Err((reason, None)),
        Body::Loading | Body::Copying => Err(("pending", None)),
        Body::Remote if one.kind == "websocket" || one.finished_at.is_none() => Err(("stream", None)),
        Body::Remote => match on_demand().await {
            Some((Body::Text { chars, .. }, Some(text))) => Ok(Got {
                text,
                chars,
                captured_at: None,
            }),
            Some((Body::Binary { bytes }, _)) => Err(("binary", Some(bytes))),
            _ => Err(("browser-freed", None)),
        },
    }
}

fn hint(reason: &str) -> Text {
    match reason {
        "binary" => text!("network.hint_binary"),
        "pending" => text!("network.hint_pending"),
        "stream" => text!("network.hint_stream"),
        "none" => text!("network.hint_none"),
        "failed" => text!("network.hint_failed"),
        "browser-freed" => text!("network.hint_freed"),
        _ => text!("network.hint_evicted"),
    }
}
