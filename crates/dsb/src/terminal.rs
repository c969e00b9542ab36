//! Text of strangers on a terminal.
//!
//! Invariant: no character that a terminal acts on, or that changes the order of what is read, leaves this program
//! as it came from a page; it is shown as what it is.

use std::fmt::Write as _;
use std::io::{self, Write as _};

/// Characters that must not reach a terminal raw: controls (C0 without line feed and tab, DEL, C1), line and paragraph
/// separators, direction marks and overrides (Unicode UAX #9), and invisible tag characters.
pub fn acts(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{061c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}' => true,
        '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}' => true,
        _ => c.is_control(),
    }
}

/// Lines of text, with acting characters written as `\u{1b}`.
pub fn lines(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if acts(c) {
            // Writing to a string cannot fail.
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// The same on one line: line feeds and tabs become spaces.
pub fn one_line(text: &str) -> String {
    lines(&text.replace(['\n', '\t'], " "))
}

/// At most `max` characters of [`one_line`], with `…` when something was cut.
pub fn cut(text: &str, max: usize) -> String {
    let line = one_line(text);
    match line.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Writes to standard output with a line end. A reader that has gone away is not an error of ours.
///
/// # Errors
/// Any other failure to write, for example a full disk behind a redirection.
pub fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out
        .write_all(text.as_bytes())
        .and_then(|()| out.write_all(b"\n"))
        .and_then(|()| out.flush())
    {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn escapes_are_shown_and_text_is_kept() {
        assert_eq!(
            lines("a\x1b[31mb\r\n\tc\u{9b}\u{202e}d 字 é"),
            "a\\u{1b}[31mb\\u{d}\n\tc\\u{9b}\\u{202e}d 字 é"
        );
        assert_eq!(one_line("a\nb\tc"), "a b c");
        assert_eq!(cut("字字字", 2), "字字…");
        assert_eq!(cut("字字", 2), "字字");
    }

    proptest! {
        #[test]
        fn nothing_that_acts_is_left(text in any::<String>()) {
            prop_assert!(!lines(&text).chars().any(acts));
            prop_assert!(!one_line(&text).chars().any(|c| acts(c) || c == '\n' || c == '\t'));
        }
    }
}
