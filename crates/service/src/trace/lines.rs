//! The three forms in which a call is written: a line for people, a line for programs, a file.
//!
//! Pure: takes a record that is redacted already, gives text.

use serde_json::{Map, Value, json};

use super::clock;
use super::record::{TraceRecord, VALUE_CHARS, cut, highlights, steps};

/// Characters of the request in `calls.jsonl`; the whole of it stands in the file of the call.
const REQUEST_CHARS: usize = 4000;
const METHOD_CHARS: usize = 80;

/// A record after redaction, with its number.
pub(super) struct Entry {
    pub(super) seq: u64,
    pub(super) record: TraceRecord,
    pub(super) request: String,
    pub(super) response: Value,
    highlights: Map<String, Value>,
}

impl Entry {
    pub(super) fn new(seq: u64, record: TraceRecord, request: String, response: Value) -> Entry {
        let highlights = highlights(&response);
        Entry {
            seq,
            record,
            request,
            response,
            highlights,
        }
    }

    fn millis(&self) -> u64 {
        u64::try_from(self.record.duration().as_millis()).unwrap_or(u64::MAX)
    }

    fn task(&self) -> &str {
        self.record.task_id.as_deref().unwrap_or("-")
    }

    /// `yyyy-MM-dd HH:mm:ss #seq id=… method OK 12ms msg=… key=value… | 0:method=ok | 1:method=FAIL(msg)`
    pub(super) fn step_line(&self) -> String {
        let record = &self.record;
        let mut line = format!(
            "{} #{} id={} {} {} {}ms",
            clock::line(record.started_at),
            self.seq,
            one_line(self.task()),
            one_line(&record.method),
            if record.ok { "OK" } else { "FAIL" },
            self.millis(),
        );
        if let Some(msg) = &record.msg {
            line.push_str(&format!(" msg={}", one_line(msg)));
        }
        for (name, value) in self.highlights.iter().filter(|(name, _)| *name != "results") {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            line.push_str(&format!(" {name}={}", one_line(&text)));
        }
        for step in self
            .response
            .get("data")
            .and_then(Value::as_object)
            .into_iter()
            .flat_map(steps)
        {
            let outcome = match (step.ok, step.msg) {
                (true, _) => "ok".to_owned(),
                (false, msg) => format!("FAIL({})", one_line(msg.unwrap_or_default())),
            };
            line.push_str(&format!(" | {}:{}={outcome}", step.index, one_line(step.command)));
        }
        line
    }

    /// One JSON object on one line.
    pub(super) fn call_line(&self, file_name: &str) -> String {
        let record = &self.record;
        let mut object = json!({
            "seq": self.seq,
            "ts": clock::iso_utc(record.started_at),
            "durationMs": self.millis(),
            "taskId": record.task_id,
            "method": record.method,
            "ok": record.ok,
            "code": record.code,
            "msg": record.msg,
            "record": file_name,
            "request": cut(&self.request, REQUEST_CHARS),
            "result": self.highlights,
        });
        drop_nulls(&mut object);
        object.to_string()
    }

    /// `<seq 6 digits>-<id>-<method>.json`
    pub(super) fn file_name(&self) -> String {
        let safe = |text: &str| -> String {
            let plain = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
            text.chars()
                .take(METHOD_CHARS)
                .map(|c| if plain(c) { c } else { '_' })
                .collect()
        };
        format!(
            "{:06}-{}-{}.json",
            self.seq,
            safe(self.task()),
            safe(&self.record.method)
        )
    }

    /// The whole call as JSON, at most about `limit` characters: what is too long becomes a text
    /// that is cut, and a note says so. Stays valid JSON.
    pub(super) fn file_body(&self, limit: usize) -> String {
        let body = self.body(Value::String(self.request.clone()), self.response.clone(), None);
        let length = body.chars().count();
        if length <= limit {
            return body;
        }
        let note = format!("cut from {length} characters; browser.trace.maxRecordChars is {limit}");
        let request = cut(&self.request, limit / 4);
        let rest = limit.saturating_sub(request.chars().count());
        let response = cut(&self.response.to_string(), rest);
        self.body(Value::String(request), Value::String(response), Some(note))
    }

    fn body(&self, request: Value, response: Value, note: Option<String>) -> String {
        let record = &self.record;
        let mut object = json!({
            "seq": self.seq,
            "startedAt": clock::iso_utc(record.started_at),
            "finishedAt": clock::iso_utc(record.finished_at),
            "durationMs": self.millis(),
            "taskId": record.task_id,
            "method": record.method,
            "note": note,
            "request": request,
            "response": response,
        });
        drop_nulls(&mut object);
        object.to_string()
    }
}

/// Of the outermost object only: what is inside came from elsewhere and is kept as it is.
fn drop_nulls(object: &mut Value) {
    if let Value::Object(members) = object {
        members.retain(|_, value| !value.is_null());
    }
}

/// White space and control characters become single spaces; long values are cut.
pub(super) fn one_line(text: &str) -> String {
    let visible: String = text
        .chars()
        .map(|c| if c.is_control() || is_line_break(c) { ' ' } else { c })
        .collect();
    cut(&visible.split_whitespace().collect::<Vec<_>>().join(" "), VALUE_CHARS)
}

/// Line breaks that are not control characters.
fn is_line_break(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use proptest::prelude::*;

    use super::*;

    fn entry(method: &str, msg: Option<&str>, response: Value) -> Entry {
        let started_at = UNIX_EPOCH + Duration::from_millis(1_700_000_000_250);
        let record = TraceRecord {
            started_at,
            finished_at: started_at + Duration::from_millis(12),
            task_id: Some("1001".into()),
            method: method.into(),
            request: "".into(),
            response: Value::Null.into(),
            ok: msg.is_none(),
            code: i64::from(msg.is_none()),
            msg: msg.map(str::to_owned),
            secrets: Vec::new(),
        };
        Entry::new(7, record, r#"{"method":"x"}"#.into(), response)
    }

    #[test]
    fn a_line_tells_the_call_its_facts_and_its_steps() {
        let response = json!({ "data": { "seq": 3, "url": "http://a/\nb", "ignored": 1, "results": [
            { "index": 0, "command": "click", "ok": true },
            { "index": 1, "command": "input_text", "ok": false, "msg": "no\tsuch" },
        ]}});
        let line = entry("commands", Some("step 1\r\nfailed"), response).step_line();
        let (time, rest) = line.split_once(" #").unwrap();
        assert_eq!(time.len(), "2023-11-14 22:13:20".len());
        assert_eq!(
            rest,
            "7 id=1001 commands FAIL 12ms msg=step 1 failed url=http://a/ b seq=3 | 0:click=ok | 1:input_text=FAIL(no such)"
        );
    }

    #[test]
    fn the_program_line_has_the_documented_members() {
        let response = json!({ "data": { "changed": true, "results": [{ "index": 0, "command": "a", "ok": true }] } });
        let line = entry("a/b", None, response).call_line("f.json");
        let expected = json!({
            "seq": 7, "ts": "2023-11-14T22:13:20.250Z", "durationMs": 12, "taskId": "1001", "method": "a/b", "ok": true,
            "code": 1, "record": "f.json", "request": "{\"method\":\"x\"}",
            "result": { "changed": true, "results": [{ "index": 0, "command": "a", "ok": true }] },
        });
        assert_eq!(serde_json::from_str::<Value>(&line).unwrap(), expected);
    }

    #[test]
    fn long_calls_are_cut_with_a_note_and_stay_json() {
        let entry = entry("a", None, json!({ "data": { "text": "字".repeat(5000) } }));
        let whole: Value = serde_json::from_str(&entry.file_body(100_000)).unwrap();
        assert_eq!(
            whole["response"]["data"]["text"].as_str().unwrap().chars().count(),
            5000
        );
        assert!(whole.get("note").is_none());
        let short = entry.file_body(1000);
        let parsed: Value = serde_json::from_str(&short).unwrap();
        assert!(short.chars().count() < 1400);
        assert!(parsed["note"].as_str().unwrap().contains("1000"));
        assert_eq!(parsed["finishedAt"], "2023-11-14T22:13:20.262Z");
    }

    proptest! {
        #[test]
        fn a_line_is_one_line(method in any::<String>(), msg in any::<String>(), value in any::<String>()) {
            let entry = entry(&method, Some(&msg), json!({ "data": { "value": value } }));
            prop_assert!(!entry.step_line().chars().any(|c| c.is_control() || is_line_break(c)));
            prop_assert_eq!(entry.call_line("f").lines().count(), 1);
        }

        #[test]
        fn a_file_name_is_one_plain_component(method in any::<String>()) {
            let name = entry(&method, None, Value::Null).file_name();
            prop_assert!(name.starts_with("000007-1001-") && name.ends_with(".json") && name.len() < 120);
            prop_assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b)));
        }
    }
}
