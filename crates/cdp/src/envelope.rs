//! The outer layer of a protocol message. Parsing borrows: `params` and `result` stay raw JSON, so that a message costs
//! one scan whatever its size, and its content is parsed only where it is used.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Every member that the client reads. Unknown members are ignored.
#[derive(Debug, Deserialize)]
pub(crate) struct Envelope<'a> {
    pub id: Option<i64>,
    #[serde(borrow)]
    pub method: Option<&'a str>,
    #[serde(borrow, rename = "sessionId")]
    pub session_id: Option<&'a str>,
    #[serde(borrow)]
    pub params: Option<&'a RawValue>,
    #[serde(borrow)]
    pub result: Option<&'a RawValue>,
    #[serde(borrow)]
    pub error: Option<&'a RawValue>,
}

/// The error member of an answer (JSON-RPC 2.0, section 5.1).
#[derive(Debug, Deserialize)]
pub(crate) struct ErrorBody {
    #[serde(default)]
    pub code: i64,
    #[serde(default)]
    pub message: String,
    pub data: Option<serde_json::Value>,
}

impl ErrorBody {
    /// The message, with `data` behind it where the browser says more there (which parameter was wrong, and why).
    pub fn text(self) -> String {
        match self.data {
            Some(serde_json::Value::String(data)) => format!("{}: {data}", self.message),
            Some(data) => format!("{}: {data}", self.message),
            None => self.message,
        }
    }
}

#[derive(Serialize)]
struct Outgoing<'a, P> {
    id: i64,
    method: &'a str,
    params: &'a P,
    #[serde(rename = "sessionId", skip_serializing_if = "Option::is_none")]
    session_id: Option<&'a str>,
}

/// The message for one command.
pub(crate) fn encode<P: Serialize>(
    id: i64,
    method: &str,
    params: &P,
    session_id: Option<&str>,
) -> serde_json::Result<Vec<u8>> {
    serde_json::to_vec(&Outgoing {
        id,
        method,
        params,
        session_id,
    })
}

/// The part of `message` that `raw` was parsed from, without copying.
pub(crate) fn slice_of(message: &Bytes, raw: Option<&RawValue>) -> Bytes {
    match raw {
        Some(raw) => message.slice_ref(raw.get().as_bytes()),
        None => Bytes::from_static(b"{}"),
    }
}

/// The id of an answer of which only the beginning is at hand. Chromium writes `id` as the first member of an answer;
/// `None` when the message begins otherwise, so that no other call is ever failed by mistake.
pub(crate) fn leading_id(head: &[u8]) -> Option<i64> {
    let digits = head.strip_prefix(b"{\"id\":")?;
    let end = digits.iter().position(|byte| !byte.is_ascii_digit())?;
    std::str::from_utf8(&digits[..end]).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn answers_and_events_are_told_apart_without_parsing_their_content() {
        let message = Bytes::from_static(br#"{"id":7,"result":{"a":[1,{"b":"\ud800"}]},"sessionId":"S","new":1}"#);
        let envelope: Envelope = serde_json::from_slice(&message).unwrap();
        assert_eq!(
            (envelope.id, envelope.session_id, envelope.method),
            (Some(7), Some("S"), None)
        );
        assert_eq!(&slice_of(&message, envelope.result)[..], br#"{"a":[1,{"b":"\ud800"}]}"#);
        assert_eq!(&slice_of(&message, envelope.params)[..], b"{}");
    }

    #[test]
    fn the_session_is_left_out_for_the_browser_itself() {
        let bytes = encode(1, "Browser.close", &json!({}), None).unwrap();
        assert_eq!(bytes, br#"{"id":1,"method":"Browser.close","params":{}}"#);
    }

    #[test]
    fn error_data_is_part_of_the_text() {
        let body: ErrorBody =
            serde_json::from_str(r#"{"code":-32602,"message":"Invalid","data":"url: string"}"#).unwrap();
        assert_eq!((body.code, body.text()), (-32602, "Invalid: url: string".to_owned()));
    }

    #[test]
    fn an_id_is_read_only_from_the_very_beginning() {
        assert_eq!(leading_id(br#"{"id":42,"result":{"#), Some(42));
        assert_eq!(leading_id(br#"{"id":42"#), None, "the number may go on");
        assert_eq!(leading_id(br#"{"method":"x","id":42,"#), None);
    }

    proptest! {
        #[test]
        fn what_is_encoded_is_read_back(id in 1i64.., session in proptest::option::of("[A-F0-9]{1,32}"), text: String) {
            let bytes = encode(id, "Page.navigate", &json!({ "url": text }), session.as_deref()).unwrap();
            prop_assert!(!bytes.contains(&0), "NUL ends a message on the pipe");
            let envelope: Envelope = serde_json::from_slice(&bytes).unwrap();
            prop_assert_eq!(envelope.id, Some(id));
            prop_assert_eq!(envelope.session_id, session.as_deref());
            let params: serde_json::Value = serde_json::from_str(envelope.params.unwrap().get()).unwrap();
            prop_assert_eq!(params, json!({ "url": text }));
            prop_assert_eq!(leading_id(&bytes), Some(id));
        }
    }
}
