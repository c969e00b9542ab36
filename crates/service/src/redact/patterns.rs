//! Patterns for secrets, contacts and base64, and which member names hold a secret.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// Member, header and form field names that hold a secret, without `-` and `_`, lower case.
const SECRET_NAMES: [&str; 19] = [
    "password",
    "passwd",
    "pwd",
    "passphrase",
    "secret",
    "clientsecret",
    "token",
    "accesstoken",
    "refreshtoken",
    "idtoken",
    "authtoken",
    "apikey",
    "xapikey",
    "xauthtoken",
    "privatekey",
    "authorization",
    "proxyauthorization",
    "cookie",
    "setcookie",
];

/// `name = value`, `"name": "value"`, `name=value&…` and header lines, for text that is not parsed.
const SECRET_PAIR: &str = concat!(
    r#"(?i)(?P<head>\b(?:password|passwd|pwd|passphrase|client[_-]?secret|secret|(?:access|refresh|id|auth)?[_-]?token"#,
    r#"|(?:x-)?api[_-]?key|private[_-]?key|(?:proxy-)?authorization|(?:set-)?cookie)(?:\\?["'])?\s*[:=]\s*)"#,
    r#"(?:(?P<escaped>\\")(?s:\\\\\\"|\\[^"]|[^"\\])*(?:\\"|$)|(?P<double>")(?s:\\.|[^"\\])*(?:"|$)"#,
    r#"|(?P<single>')[^']*(?:'|$)|(?:bearer|basic)\s+[^\s"',;]+|[^\s"'&,;}\]]+)"#,
);
const SCHEME: &str = r"(?i)\b(?P<head>(?:bearer|basic)\s+)[a-z0-9._~+/=-]{16,}";
const USER_INFO: &str = r"(?P<head>[a-zA-Z][a-zA-Z0-9+.-]*://[^/\s:@]*:)[^/\s@]+@";
const MAIL: &str = r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}";
const DATA_URL: &str = r"(?P<head>data:[^,\s]{0,200};base64,)(?P<body>[A-Za-z0-9+/_=-]+)";

/// Shorter texts of nothing but base64 letters may be words and ids; longer ones are payloads.
const BASE64_FROM: usize = 200;

static SECRETS: LazyLock<Vec<Regex>> = LazyLock::new(|| compile(&[SECRET_PAIR, SCHEME, USER_INFO]));
static CONTACTS: LazyLock<Vec<Regex>> = LazyLock::new(|| compile(&[MAIL]));
static DATA_URLS: LazyLock<Vec<Regex>> = LazyLock::new(|| compile(&[DATA_URL]));

fn compile(patterns: &[&str]) -> Vec<Regex> {
    // A test holds the number of compiled patterns against the number written.
    patterns.iter().filter_map(|pattern| Regex::new(pattern).ok()).collect()
}

/// Whether a member or header of this name holds a secret, in any spelling (`X-Api-Key`, `access_token`).
pub(super) fn is_secret_name(name: &str) -> bool {
    let bare: String = name
        .chars()
        .filter(|c| !matches!(c, '-' | '_'))
        .flat_map(char::to_lowercase)
        .collect();
    SECRET_NAMES.contains(&bare.as_str())
}

/// Replaces every match, without copying a text that has none.
pub(super) fn replace<'a>(text: Cow<'a, str>, pattern: &Regex, by: impl Fn(&Captures<'_>) -> String) -> Cow<'a, str> {
    if !pattern.is_match(&text) {
        return text;
    }
    Cow::Owned(
        pattern
            .replace_all(&text, |found: &Captures<'_>| by(found))
            .into_owned(),
    )
}

/// Passwords, tokens and the like, recognised by the name in front of them or by their scheme.
pub(super) fn mask_secrets<'a>(text: Cow<'a, str>, mask: &str) -> Cow<'a, str> {
    SECRETS.iter().fold(text, |text, pattern| {
        replace(text, pattern, |found| masked_tail(found, mask))
    })
}

/// Keeps what names the secret and the quotes around it.
fn masked_tail(found: &Captures<'_>, mask: &str) -> String {
    let part = |name| found.name(name).map_or("", |part| part.as_str());
    let quote = [part("escaped"), part("double"), part("single")].concat();
    let tail = if found[0].ends_with('@') { "@" } else { "" };
    format!("{}{quote}{mask}{quote}{tail}", part("head"))
}

/// E-mail addresses.
pub(super) fn mask_contacts<'a>(text: Cow<'a, str>, mask: &str) -> Cow<'a, str> {
    if !text.contains('@') {
        return text;
    }
    CONTACTS
        .iter()
        .fold(text, |text, pattern| replace(text, pattern, |_| mask.to_owned()))
}

/// Replaces data URLs, and a text that is base64 as a whole, by their length.
pub(super) fn shorten_base64(text: Cow<'_, str>) -> Cow<'_, str> {
    if is_base64(&text) {
        return Cow::Owned(length_note(text.len()));
    }
    DATA_URLS.iter().fold(text, |text, pattern| {
        replace(text, pattern, |found| {
            format!("{}{}", &found["head"], length_note(found["body"].len()))
        })
    })
}

fn is_base64(text: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"+/-_=\r\n".contains(&byte);
    let has = |kind: fn(&u8) -> bool| text.as_bytes().iter().any(kind);
    text.len() >= BASE64_FROM
        && text.bytes().all(letter)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_digit)
}

/// What stands in place of a base64 payload.
pub(super) fn length_note(characters: usize) -> String {
    format!("(base64, {characters} characters)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        assert_eq!((SECRETS.len(), CONTACTS.len(), DATA_URLS.len()), (3, 1, 1));
    }
}
