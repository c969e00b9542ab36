//! JSON as browsers write it. A JavaScript string may hold half of a surrogate pair (a text cut in the middle of an
//! emoji). Recent Chromium mends it in values; where a browser does not, it arrives as a lone `\udXXX` escape, which
//! the grammar of JSON allows (RFC 8259, section 8.2) but strict parsers refuse, and the whole message would be lost.
//! Invariant: no message is refused because of it.

use memchr::memmem;
use serde::de::DeserializeOwned;
use std::borrow::Cow;

/// Parses JSON from the browser; lone surrogates become U+FFFD.
pub(crate) fn parse<T: DeserializeOwned>(json: &[u8]) -> serde_json::Result<T> {
    serde_json::from_slice(&replace_lone_surrogates(json))
}

/// The same JSON with every lone surrogate escape replaced by `\ufffd`. Borrowed, after one fast search, when there is
/// no surrogate escape at all, and when all are paired.
pub(crate) fn replace_lone_surrogates(json: &[u8]) -> Cow<'_, [u8]> {
    if memmem::find(json, b"\\ud").is_none() && memmem::find(json, b"\\uD").is_none() {
        return Cow::Borrowed(json);
    }
    let lone = lone_surrogates(json);
    if lone.is_empty() {
        return Cow::Borrowed(json);
    }
    let mut fixed = json.to_vec();
    for at in lone {
        fixed[at..at + 6].copy_from_slice(b"\\ufffd");
    }
    Cow::Owned(fixed)
}

/// Positions of the backslashes of all surrogate escapes that are not half of a pair.
fn lone_surrogates(json: &[u8]) -> Vec<usize> {
    let mut lone = Vec::new();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', &json[at..]) {
        at += found;
        match surrogate(json, at) {
            Some(Half::High) if surrogate(json, at + 6) == Some(Half::Low) => at += 12,
            Some(_) => {
                lone.push(at);
                at += 6;
            }
            // An escape of two bytes, or a \u escape whose digits hold no backslash: stepping over two bytes is right.
            None => at = json.len().min(at + 2),
        }
    }
    lone
}

#[derive(PartialEq)]
enum Half {
    High,
    Low,
}

/// Which half of a pair the escape at `at` stands for, if it is a complete surrogate escape.
fn surrogate(json: &[u8], at: usize) -> Option<Half> {
    let escape = json.get(at..at + 6)?;
    let is_surrogate = escape.starts_with(b"\\u") && escape[2].eq_ignore_ascii_case(&b'd');
    if !is_surrogate || !escape[3..].iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    match escape[3].to_ascii_lowercase() {
        b'8' | b'9' | b'a' | b'b' => Some(Half::High),
        b'c'..=b'f' => Some(Half::Low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fixed(json: &str) -> String {
        String::from_utf8(replace_lone_surrogates(json.as_bytes()).into_owned()).unwrap()
    }

    #[test]
    fn only_lone_halves_are_replaced() {
        for (json, expected) in [
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\ud83d""#, r#""\ufffd""#),
            (r#""\ude00\ud83d""#, r#""\ufffd\ufffd""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\uD83Dx\u00e9""#, r#""\ufffdx\u00e9""#),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\ud7ff""#, r#""\ud7ff""#),
        ] {
            assert_eq!(fixed(json), expected);
        }
    }

    #[test]
    fn a_message_with_half_an_emoji_is_still_read() {
        let value: serde_json::Value = parse(br#"{"title":"\ud83d cut","n":1}"#).unwrap();
        assert_eq!(value["title"], "\u{fffd} cut");
    }

    proptest! {
        #[test]
        fn any_utf16_string_parses(units: Vec<u16>) {
            let escaped: String = units.iter().map(|unit| format!("\\u{unit:04x}")).collect();
            let text: String = parse(format!("\"{escaped}\"").as_bytes()).unwrap();
            prop_assert_eq!(text, String::from_utf16_lossy(&units));
        }

        #[test]
        fn json_of_real_text_is_untouched(text: String) {
            let json = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(fixed(&json), json);
        }

        #[test]
        fn no_bytes_panic(bytes: Vec<u8>) {
            prop_assert_eq!(replace_lone_surrogates(&bytes).len(), bytes.len());
        }
    }
}
