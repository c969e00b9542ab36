//! Parameters as they are typed in a shell.
//!
//! Invariant: a value is sent as JSON only when its text is exactly what that JSON would be printed as, so that `007`,
//! `1.50` and a number with thirty digits arrive as they were typed.

use std::io::Read as _;

use serde_json::{Map, Value};

/// Reads `-p` arguments in order; later ones win.
///
/// # Errors
/// The sentence for the user, naming the argument.
pub fn pairs(arguments: &[String]) -> Result<Map<String, Value>, String> {
    arguments.iter().map(|argument| pair(argument)).collect()
}

fn pair(argument: &str) -> Result<(String, Value), String> {
    let Some((name, text)) = argument.split_once('=') else {
        return Err(format!("{argument}: a parameter is written name=value"));
    };
    let (name, value) = match name.strip_suffix(':') {
        Some(name) => (name, json(text).map_err(|why| format!("{argument}: {why}"))?),
        None => (name, plain_or_file(text)?),
    };
    if name.is_empty() {
        Err(format!("{argument}: the parameter has no name"))
    } else {
        Ok((name.to_owned(), value))
    }
}

fn plain_or_file(text: &str) -> Result<Value, String> {
    match text.strip_prefix('@') {
        Some(path) if !path.is_empty() => file(path).map(Value::String),
        _ => Ok(guess(text)),
    }
}

/// JSON where the text is JSON and nothing is lost, else the text.
fn guess(text: &str) -> Value {
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Number(number)) if number.to_string() == text => Value::Number(number),
        Ok(value @ (Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_))) => value,
        _ => Value::String(text.to_owned()),
    }
}

/// Reads JSON given on the command line, in a file (`@path`), or on standard input (`-`).
///
/// # Errors
/// The sentence for the user.
pub fn document(argument: &str) -> Result<Value, String> {
    json(&text(argument)?)
}

/// Text given on the command line, in a file (`@path`), or on standard input (`-`).
///
/// # Errors
/// The sentence for the user.
pub fn text(argument: &str) -> Result<String, String> {
    match argument.strip_prefix('@') {
        Some(path) if !path.is_empty() => file(path),
        _ if argument == "-" => standard_input(),
        _ => Ok(argument.to_owned()),
    }
}

/// A whole file as UTF-8, with or without a byte order mark.
///
/// # Errors
/// The sentence for the user.
pub fn file(path: &str) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    utf8(bytes).map_err(|why| format!("{path}: {why}"))
}

/// All of standard input as UTF-8.
///
/// # Errors
/// The sentence for the user.
pub fn standard_input() -> Result<String, String> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .read_to_end(&mut bytes)
        .map_err(|error| format!("standard input: {error}"))?;
    utf8(bytes).map_err(|why| format!("standard input: {why}"))
}

/// Parses JSON; the error says where.
///
/// # Errors
/// The sentence for the user.
pub fn json(text: &str) -> Result<Value, String> {
    serde_json::from_str(text)
        .map_err(|error| format!("not valid JSON (line {}, column {})", error.line(), error.column()))
}

fn utf8(bytes: Vec<u8>) -> Result<String, String> {
    let text = String::from_utf8(bytes).map_err(|_| "not UTF-8".to_owned())?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn json_is_recognised_and_text_is_kept() {
        let cases = [
            ("3", json!(3)),
            ("-1.5", json!(-1.5)),
            ("true", json!(true)),
            ("null", json!(null)),
            ("[1,\"a\"]", json!([1, "a"])),
            ("{\"a\":1}", json!({"a": 1})),
            ("007", json!("007")),
            ("1.50", json!("1.50")),
            (
                "123456789012345678901234567890",
                json!("123456789012345678901234567890"),
            ),
            ("9007199254740993", json!(9_007_199_254_740_993_i64)),
            ("\"quoted\"", json!("\"quoted\"")),
            ("", json!("")),
            ("a=b", json!("a=b")),
            ("@", json!("@")),
        ];
        for (typed, expected) in cases {
            assert_eq!(pairs(&[format!("k={typed}")]).unwrap()["k"], expected, "{typed}");
        }
    }

    #[test]
    fn forced_json_must_be_json() {
        assert_eq!(pairs(&["k:=\"3\"".into()]).unwrap()["k"], json!("3"));
        assert!(pairs(&["k:=x".into()]).unwrap_err().contains("not valid JSON"));
    }

    #[test]
    fn the_last_value_wins_and_a_name_is_needed() {
        assert_eq!(pairs(&["k=1".into(), "k=2".into()]).unwrap()["k"], json!(2));
        assert!(pairs(&["=1".into()]).is_err());
        assert!(pairs(&["k".into()]).is_err());
    }

    #[test]
    fn files_may_begin_with_a_byte_order_mark() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("value.txt");
        std::fs::write(&path, "\u{feff}字").unwrap();
        assert_eq!(pairs(&[format!("k=@{}", path.display())]).unwrap()["k"], json!("字"));
        std::fs::write(&path, [0xff]).unwrap();
        assert!(text(&format!("@{}", path.display())).unwrap_err().contains("not UTF-8"));
        assert!(text("@/nowhere/at/all").is_err());
    }

    proptest! {
        #[test]
        fn a_value_survives_as_text_or_as_the_same_json(typed in "[^@].{0,20}") {
            match guess(&typed) {
                Value::String(text) => prop_assert_eq!(text, typed),
                value => prop_assert_eq!(serde_json::from_str::<Value>(&typed).unwrap(), value),
            }
        }
    }
}
