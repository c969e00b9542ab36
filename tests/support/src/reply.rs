//! A reply of the service, with the accessors that nearly every test needs.

use serde_json::Value;

/// Status and envelope of one HTTP reply (`spec` §3: `{"data":…,"code":1,"ok":true}`).
#[derive(Debug, Clone)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// The whole envelope.
    pub body: Value,
}

impl Reply {
    /// Whether the envelope says success.
    pub fn is_ok(&self) -> bool {
        self.body["ok"] == true
    }

    /// The `data` member; `Null` when there is none.
    pub fn data(&self) -> &Value {
        &self.body["data"]
    }

    /// The failure's text; empty on success.
    pub fn msg(&self) -> &str {
        self.body["msg"].as_str().unwrap_or_default()
    }

    /// The failure's `errorCode`; empty when there is none.
    pub fn error_code(&self) -> &str {
        self.data()["errorCode"].as_str().unwrap_or_default()
    }

    /// The data of a success; panics with the whole reply on a failure.
    #[track_caller]
    pub fn expect_ok(self) -> Value {
        assert!(
            self.is_ok(),
            "expected success, got HTTP {} {:#}",
            self.status,
            self.body
        );
        let Self { mut body, .. } = self;
        body["data"].take()
    }

    /// The data of a failure with exactly this code; panics with the whole reply otherwise.
    #[track_caller]
    pub fn expect_code(self, code: &str) -> Value {
        assert!(
            !self.is_ok() && self.error_code() == code,
            "expected a failure {code}, got HTTP {} {:#}",
            self.status,
            self.body
        );
        let Self { mut body, .. } = self;
        body["data"].take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn reads_both_kinds() {
        let ok = Reply {
            status: 200,
            body: json!({"data": {"title": "x"}, "code": 1, "ok": true}),
        };
        assert_eq!(ok.expect_ok()["title"], "x");
        let failure = Reply {
            status: 200,
            body: json!({"data": {"errorCode": "STALE_ELEMENT"}, "code": 0, "msg": "gone", "ok": false}),
        };
        assert_eq!(failure.msg(), "gone");
        assert_eq!(failure.expect_code("STALE_ELEMENT")["errorCode"], "STALE_ELEMENT");
    }

    #[test]
    #[should_panic(expected = "expected a failure ACTION_FAILED")]
    fn another_code_is_a_failed_test() {
        Reply {
            status: 200,
            body: json!({"data": {"errorCode": "STALE_ELEMENT"}, "ok": false}),
        }
        .expect_code("ACTION_FAILED");
    }
}
