//! Console events as text. Invariants: what a page passes is cut in number and length; nothing is asked of the page, so
//! no getter of it runs.

use cdp::protocol::log::LogEntry;
use cdp::protocol::runtime::{ConsoleApiCalled, ExceptionThrown, RemoteObject, StackTrace};
use serde::Deserialize;

use super::ConsoleEntry;
use crate::evaluate::plain;

/// Arguments of one call that are shown.
const ARGUMENTS: usize = 20;
/// Characters of one argument.
const ARGUMENT: usize = 500;
/// Characters of one entry.
const ENTRY: usize = 2000;
/// Characters of an address.
const ADDRESS: usize = 300;

/// A call of `console.…`.
pub(super) fn called(event: &ConsoleApiCalled) -> ConsoleEntry {
    let (url, line) = place(event.stack_trace.as_ref());
    ConsoleEntry {
        at: millis(event.timestamp),
        level: event.r#type.clone(),
        text: cut(&joined(&event.args), ENTRY),
        url,
        line,
    }
}

/// An exception that nobody caught.
pub(super) fn thrown(event: &ExceptionThrown) -> ConsoleEntry {
    let details = &event.exception_details;
    let exception = details.exception.as_ref().map(shown).unwrap_or_default();
    let text = format!("{} {exception}", details.text);
    let (url, line) = match details.url.as_deref().filter(|url| !url.is_empty()) {
        Some(url) => (cut(url, ADDRESS), line_of(details.line_number)),
        None => place(details.stack_trace.as_ref()),
    };
    ConsoleEntry {
        at: millis(event.timestamp),
        level: "error".into(),
        text: cut(text.trim(), ENTRY),
        url,
        line,
    }
}

/// What the browser itself wrote: requests that failed, policies that were broken.
pub(super) fn added(entry: LogEntry) -> ConsoleEntry {
    ConsoleEntry {
        at: millis(entry.timestamp),
        text: cut(&entry.text, ENTRY),
        url: cut(&entry.url.unwrap_or_default(), ADDRESS),
        line: entry.line_number.and_then(line_of),
        level: entry.level,
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a time after 1970"
)]
fn millis(timestamp: f64) -> u64 {
    timestamp.max(0.0) as u64
}

/// Lines count from 0 in the protocol and from 1 for people.
fn line_of(line: i64) -> Option<u64> {
    u64::try_from(line).ok().map(|line| line + 1)
}

fn place(stack: Option<&StackTrace>) -> (String, Option<u64>) {
    let frame = stack.and_then(|stack| stack.call_frames.iter().find(|frame| !frame.url.is_empty()));
    frame.map_or_else(Default::default, |frame| {
        (cut(&frame.url, ADDRESS), line_of(frame.line_number))
    })
}

/// The arguments in one line; the placeholders of a format (Console Standard, "Formatter") are filled in.
fn joined(args: &[RemoteObject]) -> String {
    let mut rest = args.iter().take(ARGUMENTS);
    let mut parts = Vec::new();
    let format = args.first().filter(|first| first.r#type == "string");
    if let Some(format) = format
        .and_then(|first| first.value.as_deref())
        .and_then(plain::<String>)
    {
        rest.next();
        parts.push(filled(&cut(&format, ENTRY), &mut rest));
    }
    parts.extend(rest.map(shown));
    if args.len() > ARGUMENTS {
        parts.push(format!("… {} more", args.len() - ARGUMENTS));
    }
    parts.join(" ")
}

fn filled<'a>(format: &str, args: &mut impl Iterator<Item = &'a RemoteObject>) -> String {
    let mut out = String::new();
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('%', Some('%')) => {
                chars.next();
                out.push('%');
            }
            ('%', Some('s' | 'd' | 'i' | 'f' | 'o' | 'O' | 'c')) => {
                let style = chars.next() == Some('c');
                match args.next() {
                    Some(_) if style => {}
                    Some(value) => out.push_str(&shown(value)),
                    None => {}
                }
            }
            _ => out.push(c),
        }
    }
    out
}

#[derive(Deserialize)]
struct Preview {
    subtype: Option<String>,
    #[serde(default)]
    overflow: bool,
    #[serde(default)]
    properties: Vec<Property>,
}

#[derive(Deserialize)]
struct Property {
    name: String,
    #[serde(rename = "type", default)]
    kind: String,
    value: Option<String>,
}

/// One value as a person would write it.
fn shown(value: &RemoteObject) -> String {
    let text = match value.r#type.as_str() {
        "undefined" => "undefined".to_owned(),
        "string" => value.value.as_deref().and_then(plain::<String>).unwrap_or_default(),
        _ => previewed(value)
            .or_else(|| value.description.clone())
            .or_else(|| value.unserializable_value.clone())
            .or_else(|| value.value.as_deref().map(|raw| raw.get().to_owned()))
            .unwrap_or_else(|| value.subtype.clone().unwrap_or_else(|| value.r#type.clone())),
    };
    cut(&text, ARGUMENT)
}

fn previewed(value: &RemoteObject) -> Option<String> {
    let preview: Preview = plain(value.preview.as_deref()?)?;
    let subtype = preview.subtype.as_deref().unwrap_or_default();
    // What has a description that says more: nodes, errors, dates, expressions.
    if !matches!(subtype, "" | "array") || value.r#type != "object" {
        return None;
    }
    let array = subtype == "array";
    let parts: Vec<String> = preview.properties.iter().map(|one| one.shown(array)).collect();
    let more = if preview.overflow { ", …" } else { "" };
    let (open, close) = if array { ('[', ']') } else { ('{', '}') };
    let class = value
        .class_name
        .as_deref()
        .filter(|class| !matches!(*class, "Object" | "Array"));
    let class = class.map(|class| format!("{class} ")).unwrap_or_default();
    Some(format!("{class}{open}{}{more}{close}", parts.join(", ")))
}

impl Property {
    fn shown(&self, array: bool) -> String {
        let value = self.value.as_deref().unwrap_or("…");
        let value = match self.kind.as_str() {
            "string" => format!("\"{value}\""),
            "accessor" => "…".to_owned(),
            _ => value.to_owned(),
        };
        if array {
            value
        } else {
            format!("{}: {value}", self.name)
        }
    }
}

fn cut(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn call(args: serde_json::Value) -> String {
        let event = json!({"type": "log", "args": args, "timestamp": 5.5, "executionContextId": 1});
        called(&serde_json::from_value(event).unwrap()).text
    }

    #[test]
    fn values_are_written_as_a_person_would() {
        let object = json!({"type": "object", "className": "Object", "description": "Object", "preview": {
            "type": "object", "overflow": true, "properties": [
                {"name": "a", "type": "number", "value": "1"},
                {"name": "b", "type": "string", "value": "x"},
                {"name": "c", "type": "accessor"}]}});
        assert_eq!(
            call(
                json!([{"type": "string", "value": "got"}, object, {"type": "undefined"},
                {"type": "object", "subtype": "null", "value": null}, {"type": "number", "value": 3, "description": "3"}])
            ),
            "got {a: 1, b: \"x\", c: …, …} undefined null 3"
        );
        let list = json!([{"type": "object", "subtype": "array", "className": "Array", "description": "Array(2)",
            "preview": {"type": "object", "subtype": "array", "properties": [
                {"name": "0", "type": "number", "value": "1"}, {"name": "1", "type": "number", "value": "2"}]}}]);
        assert_eq!(call(list), "[1, 2]");
    }

    #[test]
    fn formats_are_filled_and_styles_dropped() {
        let text = |value: &str| json!({"type": "string", "value": value});
        assert_eq!(
            call(
                json!([text("%c%s is 100%% %d%"), text("color: red"), text("it"), {"type": "number", "value": 7}, text("end")])
            ),
            "it is 100% 7% end"
        );
        assert_eq!(call(json!([text("%s and %s"), text("one")])), "one and ");
    }

    #[test]
    fn everything_is_cut() {
        let long = json!({"type": "string", "value": "é".repeat(5000)});
        assert!(call(json!([long])).chars().count() <= ENTRY + 1);
        let many: Vec<_> = (0..50).map(|n| json!({"type": "number", "value": n})).collect();
        assert!(call(json!(many)).ends_with("19 … 30 more"));
    }

    #[test]
    fn an_exception_says_where() {
        let event = json!({"timestamp": 1.0, "exceptionDetails": {"text": "Uncaught", "lineNumber": 4,
            "url": "http://a/x.js", "exception": {"type": "object", "subtype": "error",
            "description": "TypeError: no\n    at x"}}});
        let entry = thrown(&serde_json::from_value(event).unwrap());
        assert_eq!(
            entry.shown(),
            "[error] Uncaught TypeError: no\n    at x (http://a/x.js:5)"
        );
    }
}
