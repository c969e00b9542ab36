//! A stranger's text of many lines, made harmless: what is invisible is dropped or written out, while line breaks, blanks
//! and tabs stay where they were. Invariant: text without such characters comes out unchanged.

use std::borrow::Cow;

use crate::state::visible_text;

/// The text without invisible characters (zero-width, bidirectional controls, control characters). CRLF, CR and the
/// Unicode line separators become LF, other blanks a space.
#[must_use]
pub fn clean(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b'\t' | b'\n' | b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let blank = first.is_whitespace();
        let end = rest
            .find(|character: char| character.is_whitespace() != blank)
            .unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        if blank {
            push_blanks(&mut out, piece);
        } else if piece.is_ascii() && !piece.bytes().any(|byte| byte.is_ascii_control()) {
            out.push_str(piece);
        } else {
            out.push_str(&visible_text(piece));
        }
        rest = after;
    }
    Cow::Owned(out)
}

fn push_blanks(out: &mut String, blanks: &str) {
    let mut before = ' ';
    for blank in blanks.chars() {
        match blank {
            '\n' if before == '\r' => {}
            '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => out.push('\n'),
            '\t' => out.push('\t'),
            _ => out.push(' '),
        }
        before = blank;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::clean;

    #[test]
    fn keeps_lines_and_drops_what_cannot_be_seen() {
        assert_eq!(clean("a\r\nb\rc\u{2028}d"), "a\nb\nc\nd");
        assert_eq!(clean("pass\u{200b}word\tx  y\u{a0}z"), "password\tx  y z");
        assert_eq!(clean("x\u{202e}y"), "x\\u{202e}y");
        assert_eq!(clean("\u{feff}"), "");
        assert_eq!(clean("价格 12 €"), "价格 12 €");
    }

    proptest! {
        #[test]
        fn plain_text_is_left_alone(text in "[ -~\n\t]{0,200}") {
            let cleaned = clean(&text).into_owned();
            prop_assert_eq!(cleaned, text);
        }

        #[test]
        fn cleaning_twice_changes_nothing(text in any::<String>()) {
            let once = clean(&text).into_owned();
            prop_assert_eq!(clean(&once).into_owned(), once.as_str());
            prop_assert!(!once.chars().any(|c| c.is_control() && c != '\n' && c != '\t'));
        }
    }
}
