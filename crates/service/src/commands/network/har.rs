//! The record as a file of the format HAR 1.2. What is not known is told as the format wants it: -1, or empty. Members
//! with an underscore are ours, as the format allows.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use engine::{Answer, Body, Exchange};
use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::record::Shown;

/// The file for these exchanges.
pub(super) fn file(shown: &Shown, all: &[Exchange]) -> Value {
    json!({"log": {
        "version": "1.2",
        "creator": {"name": "dsb", "version": env!("CARGO_PKG_VERSION")},
        "pages": [],
        "entries": all.iter().map(|one| entry(shown, one)).collect::<Vec<_>>(),
    }})
}

fn entry(shown: &Shown, one: &Exchange) -> Value {
    let answered = one.answer.as_ref().map(|answer| answer.at);
    let wait = answered.map_or(0, |at| at.saturating_sub(one.requested_at));
    let receive = match (answered, one.finished_at) {
        (Some(answered), Some(finished)) => finished.saturating_sub(answered),
        _ => 0,
    };
    let mut entry = json!({
        "startedDateTime": moment(one.requested_at),
        "time": wait + receive,
        "request": request(shown, one),
        "response": response(shown, one),
        "cache": {},
        "timings": {"send": 0, "wait": wait, "receive": receive},
        "_requestId": one.id,
        "_resourceType": one.kind,
    });
    if let Some(remote) = one.answer.as_ref().and_then(|answer| answer.remote.as_ref()) {
        entry["serverIPAddress"] = json!(remote.trim_matches(['[', ']']));
    }
    if let Some(failure) = &one.failure {
        entry["_error"] = json!(failure);
    }
    if !one.messages.is_empty() {
        entry["_webSocketMessages"] = json!(shown.messages(one));
    }
    entry
}

fn moment(millis: u64) -> String {
    let at: SystemTime = UNIX_EPOCH + Duration::from_millis(millis);
    // Four-digit years have a form in RFC 3339; the clock of this machine gives no other.
    OffsetDateTime::from(at).format(&Rfc3339).unwrap_or_default()
}

fn pairs(shown: &Shown, headers: &BTreeMap<String, String>) -> Vec<Value> {
    let masked = shown.fields(headers);
    let members = masked.as_object().into_iter().flatten();
    members
        .flat_map(|(name, value)| {
            // Several values of one name are joined by a line feed.
            let values = value.as_str().unwrap_or_default().split('\n');
            values
                .map(|value| json!({"name": name, "value": value}))
                .collect::<Vec<_>>()
        })
        .collect()
}

fn version(answer: Option<&Answer>) -> &str {
    match answer.map(|answer| answer.protocol.as_str()) {
        None | Some("") => "unknown",
        Some("h2") => "HTTP/2.0",
        Some("h3") => "HTTP/3.0",
        Some(other) => other,
    }
}

fn request(shown: &Shown, one: &Exchange) -> Value {
    let address = shown.text(&one.url).0;
    let query: Vec<Value> = url::Url::parse(&address).map_or_else(
        |_| Vec::new(),
        |url| {
            let pairs = url.query_pairs();
            pairs
                .map(|(name, value)| json!({"name": name, "value": value}))
                .collect()
        },
    );
    let mut request = json!({
        "method": one.method,
        "url": address,
        "httpVersion": version(one.answer.as_ref()),
        "cookies": [],
        "headers": pairs(shown, &one.headers),
        "queryString": query,
        "headersSize": -1,
        "bodySize": one.post.as_ref().map_or(0, |post| post.length.map_or(-1, |length| length as i64)),
    });
    if let Some(post) = &one.post {
        let kind = one
            .headers
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
        request["postData"] = json!({
            "mimeType": kind.map_or("", |(_, value)| value),
            "text": shown.text(&post.text).0,
        });
        if post.truncated {
            request["postData"]["comment"] = json!("cut");
        }
    }
    request
}

fn response(shown: &Shown, one: &Exchange) -> Value {
    let unanswered = Answer::default();
    let answer = one.answer.as_ref().unwrap_or(&unanswered);
    let mut content = json!({"size": 0, "mimeType": answer.mime});
    match &one.body {
        Body::Text { text, chars, .. } => {
            content["size"] = json!(text.len());
            content["text"] = json!(shown.text(text).0);
            if text.chars().count() < *chars {
                content["comment"] = json!("cut");
            }
        }
        Body::Binary { bytes } => content["size"] = json!(bytes),
        _ => {}
    }
    json!({
        "status": answer.status,
        "statusText": answer.status_text,
        "httpVersion": version(one.answer.as_ref()),
        "cookies": [],
        "headers": pairs(shown, &answer.headers),
        "content": content,
        "redirectURL": one.redirected_to.as_ref().map_or_else(String::new, |url| shown.text(url).0),
        "headersSize": -1,
        "bodySize": if one.finished_at.is_some() { one.encoded_bytes as i64 } else { -1 },
    })
}
