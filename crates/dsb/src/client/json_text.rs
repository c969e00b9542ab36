//! JSON as text: what was received is shown, cut out or laid out without being parsed into numbers and maps, so that
//! key order, duplicate keys and large numbers stay as the service sent them.
//!
//! Invariant: every function takes valid JSON and returns valid JSON of the same meaning.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::value::RawValue;

use crate::terminal::acts;

/// Escapes the characters that a terminal would act on. In valid JSON they stand in strings only.
pub fn inert(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    for c in json.chars() {
        // A carriage return can only stand between values; all other C0 controls are escaped already.
        if !acts(c) {
            shown.push(c);
        } else if c != '\r' {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                // Writing to a string cannot fail.
                let _ = write!(shown, "\\u{unit:04x}");
            }
        }
    }
    shown
}

/// The part at a path of keys and array positions, as it stands in the text.
pub fn select<'a>(json: &'a str, path: &str) -> Option<&'a str> {
    path.split('.').try_fold(json.trim(), |part, step| {
        if part.starts_with('[') {
            let position: usize = step.parse().ok()?;
            serde_json::from_str::<Vec<&RawValue>>(part)
                .ok()?
                .get(position)
                .map(|raw| raw.get())
        } else {
            serde_json::from_str::<HashMap<String, &RawValue>>(part)
                .ok()?
                .get(step)
                .map(|raw| raw.get())
        }
    })
}

/// Lays the text out over lines, two spaces a level.
pub fn pretty(json: &str) -> String {
    let mut layout = Layout {
        out: String::with_capacity(json.len() * 2),
        depth: 0,
    };
    let mut rest = json.chars().peekable();
    let (mut in_string, mut escaped) = (false, false);
    while let Some(c) = rest.next() {
        if in_string {
            layout.out.push(c);
            in_string = escaped || c != '"';
            escaped = !escaped && c == '\\';
            continue;
        }
        match c {
            '"' => {
                in_string = true;
                layout.out.push(c);
            }
            '{' | '[' => {
                while rest.next_if(|next| next.is_whitespace()).is_some() {}
                match rest.next_if(|next| matches!(next, '}' | ']')) {
                    Some(end) => layout.out.extend([c, end]),
                    None => layout.open(c),
                }
            }
            '}' | ']' => layout.close(c),
            ',' => layout.comma(),
            ':' => layout.out.push_str(": "),
            _ if c.is_whitespace() => {}
            _ => layout.out.push(c),
        }
    }
    layout.out
}

struct Layout {
    out: String,
    depth: usize,
}

impl Layout {
    fn open(&mut self, bracket: char) {
        self.out.push(bracket);
        self.depth += 1;
        self.line();
    }

    fn close(&mut self, bracket: char) {
        self.depth = self.depth.saturating_sub(1);
        self.line();
        self.out.push(bracket);
    }

    fn comma(&mut self) {
        self.out.push(',');
        self.line();
    }

    fn line(&mut self) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n("  ", self.depth));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn selects_by_keys_and_positions_without_changing_the_text() {
        let json = r#"{"data":{"n":12345678901234567890123,"list":[{"ok":true},"x"]},"z":1.0}"#;
        assert_eq!(select(json, "data.n"), Some("12345678901234567890123"));
        assert_eq!(select(json, "data.list.0.ok"), Some("true"));
        assert_eq!(select(json, "data.list.1"), Some("\"x\""));
        assert_eq!(select(json, "z"), Some("1.0"));
        for missing in ["x", "data.list.2", "data.list.a", "data.n.x", "z.0", "data.list.-1"] {
            assert_eq!(select(json, missing), None, "{missing}");
        }
    }

    #[test]
    fn lays_out_without_touching_strings() {
        let text = r#"{"a":[1,{"b":"},{\" : \\"}],"c":{},"d":[ ]}"#;
        assert_eq!(
            pretty(text),
            "{\n  \"a\": [\n    1,\n    {\n      \"b\": \"},{\\\" : \\\\\"\n    }\n  ],\n  \"c\": {},\n  \"d\": []\n}"
        );
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::vec((any::<String>(), inner), 0..5)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_meaning_stays(value in any_json()) {
            let text = value.to_string();
            let shown = inert(&text);
            prop_assert!(!shown.chars().any(acts));
            prop_assert_eq!(&serde_json::from_str::<Value>(&shown).unwrap(), &value);
            prop_assert_eq!(&serde_json::from_str::<Value>(&pretty(&text)).unwrap(), &value);
        }
    }

    #[test]
    fn characters_beyond_the_first_plane_are_escaped_in_pairs() {
        let value = json!("a\u{e0041}b");
        assert_eq!(inert(&value.to_string()), r#""a\udb40\udc41b""#);
    }
}
