//! Page text is data from a stranger. What it may not do on the way to a reader: move the cursor, reorder or hide text,
//! start a line of its own, or look like an index or a frame header of ours.
//!
//! Sources of the sets: Unicode `Default_Ignorable_Code_Point`, `Bidi_Control`, general categories `Cc` and `Zl`/`Zp`.

/// What becomes of a character.
enum Fate {
    Keep,
    /// White space and line breaks of every kind.
    Space,
    /// Invisible and without effect on the words.
    Drop,
    /// Invisible with an effect: written out as `\u{…}`.
    Show,
}

fn fate(character: char, before: Option<char>) -> Fate {
    match character {
        '\t'
        | '\n'
        | '\u{b}'
        | '\u{c}'
        | '\r'
        | ' '
        | '\u{85}'
        | '\u{a0}'
        | '\u{1680}'
        | '\u{2000}'..='\u{200a}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{202f}'
        | '\u{205f}'
        | '\u{3000}' => Fate::Space,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{202d}' | '\u{202e}' => Fate::Show,
        '\u{200c}' | '\u{200d}' if before.is_some_and(joins) => Fate::Keep,
        '\u{fe0e}' | '\u{fe0f}' if before.is_some_and(|c| !matches!(c, '\u{fe00}'..='\u{fe0f}')) => Fate::Keep,
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202c}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' => Fate::Drop,
        _ => Fate::Keep,
    }
}

/// Characters after which a joiner changes how a word or a picture reads: Arabic to Indic scripts, and emoji.
fn joins(before: char) -> bool {
    matches!(before, '\u{600}'..='\u{dff}' | '\u{2190}'..='\u{2bff}' | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}')
}

/// Text as one line: white space folded to single spaces and trimmed, invisible characters dropped or written out.
#[must_use]
pub fn visible_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    for character in text.chars() {
        match fate(character, out.chars().next_back()) {
            Fate::Space => gap = !out.is_empty(),
            Fate::Drop => {}
            kept => {
                if std::mem::take(&mut gap) {
                    out.push(' ');
                }
                if matches!(kept, Fate::Show) {
                    push_shown(&mut out, character)
                } else {
                    out.push(character)
                }
            }
        }
    }
    out
}

fn push_shown(out: &mut String, character: char) {
    out.extend(character.escape_unicode());
}

/// Value of an attribute: `& ' < >` as entities, CR, LF and TAB as two-character escapes, other invisible characters
/// dropped or written out. Spaces stay as they are: a live value is data.
#[must_use]
pub fn escape_attribute(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for character in value.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '\'' => out.push_str("&#39;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\r' => out.push_str("\\r"),
            '\n' | '\u{85}' | '\u{2028}' | '\u{2029}' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\u{b}' | '\u{c}' => push_shown(&mut out, character),
            _ => match fate(character, out.chars().next_back()) {
                Fate::Drop => {}
                Fate::Show => push_shown(&mut out, character),
                Fate::Keep | Fate::Space => out.push(character),
            },
        }
    }
    out
}

/// Puts a backslash before what would read as a line of ours: `[5]`, `*[5]`, `<tag` or `---` at the start of a line, and
/// `[5]<` anywhere. `starts_line` is false for text that follows an element's tag.
#[must_use]
pub fn guard_text(text: &str, starts_line: bool) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    if starts_line && imitates_start(text) {
        out.push('\\');
    }
    for (at, character) in text.char_indices() {
        if character == '['
            && (at > 0 || !starts_line)
            && index_length(&text[at..]).is_some_and(|end| text[at + end..].trim_start().starts_with('<'))
        {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

fn imitates_start(text: &str) -> bool {
    let bare = text.trim_start_matches(['*', ' ']);
    let mut characters = text.chars();
    index_length(bare).is_some()
        || text.starts_with("---")
        || (characters.next() == Some('<') && characters.next().is_some_and(|c| c.is_alphabetic()))
}

/// The longest `[digits]`, in bytes, that is still taken for an index.
const INDEX_LENGTH: usize = 64;

/// Length of `[digits]` at the start, digits of any script, blanks inside allowed.
fn index_length(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('[')?;
    // Looked for nearby only: a text of opening brackets would be gone through again from each of them.
    let close = inner.bytes().take(INDEX_LENGTH).position(|byte| byte == b']')?;
    let number = inner[..close].trim();
    (!number.is_empty() && number.chars().all(char::is_numeric)).then_some(close + 2)
}

/// A tag name as printed: a page may name its elements almost anything.
pub(super) fn tag_name(tag: &str) -> String {
    tag.chars()
        .map(|c| {
            if c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':') {
                c
            } else {
                '?'
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn folds_breaks_and_drops_the_invisible() {
        assert_eq!(visible_text("  a\r\n\tb\u{2028}c  "), "a b c");
        assert_eq!(visible_text("pass\u{200b}word\u{feff}"), "password");
        assert_eq!(visible_text("a\u{e0041}\u{e0042}b"), "ab");
        assert_eq!(visible_text("x\u{202e}y\u{0}"), "x\\u{202e}y\\u{0}");
    }

    #[test]
    fn keeps_joiners_where_they_carry_meaning() {
        let family = "\u{1f468}\u{200d}\u{1f469}";
        assert_eq!(visible_text(family), family);
        assert_eq!(visible_text("می\u{200c}خواهم"), "می\u{200c}خواهم");
        assert_eq!(visible_text("a\u{200d}b"), "ab");
    }

    #[test]
    fn escapes_attribute_values() {
        assert_eq!(escape_attribute("a&b'<c>\r\n\t"), "a&amp;b&#39;&lt;c&gt;\\r\\n\\t");
        assert_eq!(escape_attribute("  two  "), "  two  ");
    }

    #[test]
    fn guards_what_looks_like_ours() {
        assert_eq!(guard_text("[5]<button >Pay/>", true), "\\[5]<button >Pay/>");
        assert_eq!(guard_text("* [5] Pay", true), "\\* [5] Pay");
        assert_eq!(
            guard_text("--- frame[1] http://x ---", true),
            "\\--- frame[1] http://x ---"
        );
        assert_eq!(guard_text("<a >x/>", true), "\\<a >x/>");
        assert_eq!(guard_text("x/> [6]<a >y", false), "x/> \\[6]<a >y");
        assert_eq!(
            guard_text("a < b, [draft] and [6] fine", true),
            "a < b, [draft] and [6] fine"
        );
    }

    #[test]
    fn a_text_of_brackets_is_gone_through_once() {
        let brackets = "[".repeat(3_000_000);
        assert_eq!(guard_text(&brackets, true), brackets);
    }

    proptest! {
        #[test]
        fn text_never_breaks_or_reorders_a_line(text in any::<String>()) {
            let seen = visible_text(&text);
            let moves = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            prop_assert!(!seen.chars().any(moves));
            prop_assert_eq!(visible_text(&seen), seen);
        }

        #[test]
        fn an_attribute_value_never_ends_early(value in any::<String>()) {
            let escaped = escape_attribute(&value);
            prop_assert!(!escaped.contains(['\'', '<', '>', '\n', '\r', '\t']));
        }

        #[test]
        fn a_text_line_never_starts_like_ours(mark in r"\*?[ ]?\[[ ]?[0-9]{1,4}\]", rest in any::<String>()) {
            let line = guard_text(&visible_text(&(mark + &rest)), true);
            prop_assert!(line.starts_with('\\'));
        }
    }
}
