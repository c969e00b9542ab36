//! A page's text inside Markdown. Invariant: what a page shows as text reads as that text; only what would be taken for
//! markup gets a backslash, so that ordinary prose stays as it is.
//!
//! Source of the rules: GitHub Flavored Markdown Spec 0.29, sections 2.3, 4.1–4.6, 5.2, 6.1–6.7.

/// Escapes what begins markup inside a line. A boundary of the text counts as a neighbour that is no blank.
pub(super) fn inline(text: &str) -> String {
    escaped(text, false)
}

/// The same between the brackets of a link or picture, where no bracket may stand as it is.
pub(super) fn label(text: &str) -> String {
    escaped(text, true)
}

fn escaped(text: &str, brackets: bool) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut before = None;
    // One tilde alone strikes nothing.
    let paired = text.matches('~').count() > 1;
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        if begins_markup(character, before, rest.as_str(), paired) || (brackets && matches!(character, '[' | ']')) {
            out.push('\\');
        }
        out.push(character);
        before = Some(character);
    }
    out
}

fn begins_markup(character: char, before: Option<char>, after: &str, paired: bool) -> bool {
    let next = after.chars().next();
    let blank = |side: Option<char>| side.is_some_and(char::is_whitespace);
    let word = |side: Option<char>| side.is_some_and(char::is_alphanumeric);
    match character {
        '`' => true,
        '\\' => next.is_none_or(|next| next.is_ascii_punctuation()),
        '*' => !(blank(before) && blank(next)),
        '_' => !((word(before) && word(next)) || (blank(before) && blank(next))),
        '~' => paired && !(blank(before) && blank(next)),
        '[' => after.contains("]("),
        ']' => matches!(next, Some('(' | '[' | ':')),
        '<' => next.is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?')),
        '&' => begins_entity(after),
        '!' => next == Some('['),
        _ => false,
    }
}

/// `&name;`, `&#12;`, `&#x1f;`
fn begins_entity(after: &str) -> bool {
    let Some(end) = after.find(';') else { return false };
    let name = &after[..end];
    !name.is_empty() && name.len() <= 32 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'#')
}

/// Puts a backslash into a line that would otherwise begin a block: heading, list, quotation, rule, underline of a
/// heading, delimiter row of a table.
pub(super) fn line_start(line: &str) -> String {
    match guarded_at(line) {
        Some(at) => format!("{}\\{}", &line[..at], &line[at..]),
        None => line.to_owned(),
    }
}

/// Where the backslash belongs.
fn guarded_at(line: &str) -> Option<usize> {
    let first = line.chars().next()?;
    let ends_word = |rest: &str| rest.is_empty() || rest.starts_with(' ');
    match first {
        '>' => Some(0),
        '#' => {
            let rest = line.trim_start_matches('#');
            (line.len() - rest.len() <= 6 && ends_word(rest)).then_some(0)
        }
        '+' | '-' | '*' if ends_word(&line[1..]) => Some(0),
        '-' | '=' | ':' | '|' | '_' | '*' => is_rule(line).then_some(0),
        '~' => line.starts_with("~~~").then_some(0),
        '0'..='9' => {
            let rest = line.trim_start_matches(|digit: char| digit.is_ascii_digit());
            let digits = line.len() - rest.len();
            (digits <= 9 && rest.starts_with(['.', ')']) && ends_word(&rest[1..])).then_some(digits)
        }
        _ => None,
    }
}

/// Nothing but the characters of rules, underlines and delimiter rows.
fn is_rule(line: &str) -> bool {
    line.contains(['-', '=', '_', '*'])
        && line
            .chars()
            .all(|c| matches!(c, '-' | '=' | ':' | '|' | '_' | '*' | ' '))
}

/// Code inside a line: fences longer than any run of backticks in it.
pub(super) fn code_span(text: &str) -> String {
    let fence = "`".repeat(longest_run(text) + 1);
    let apart = text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']);
    let pad = if apart { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A code block, the fence longer than any run of backticks in it.
pub(super) fn code_block(language: &str, text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}", text.trim_matches('\n'))
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// An address between the parentheses of a link.
pub(super) fn address(address: &str) -> String {
    let mut out = String::with_capacity(address.len());
    for character in address.chars() {
        match character {
            ' ' => out.push_str("%20"),
            '\n' | '\r' | '\t' => {}
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            '|' => out.push_str("%7C"),
            '\\' => out.push_str("%5C"),
            '`' => out.push_str("%60"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_stays_as_it_is() {
        for text in [
            "a < b, 5 * 3 = 15",
            "snake_case, C:\\dir",
            "AT&T [draft] (1)",
            "50% off! #1 ~ 2-3",
        ] {
            assert_eq!(inline(text), text);
        }
    }

    #[test]
    fn markup_is_taken_as_text() {
        assert_eq!(inline("*bold* _it_"), "\\*bold\\* \\_it\\_");
        assert_eq!(inline("[x](http://e)"), "\\[x\\](http://e)");
        assert_eq!(inline("<b> `c` ~~d~~ &amp;"), "\\<b> \\`c\\` \\~\\~d\\~\\~ \\&amp;");
    }

    #[test]
    fn a_line_of_text_begins_no_block() {
        let lines = [
            ("# x", "\\# x"),
            ("#hash", "#hash"),
            ("- x", "\\- x"),
            ("-5", "-5"),
            ("12. x", "12\\. x"),
            ("3.14", "3.14"),
            ("> x", "\\> x"),
            ("---", "\\---"),
            ("| --- |", "\\| --- |"),
            ("===", "\\==="),
        ];
        for (line, wanted) in lines {
            assert_eq!(line_start(line), wanted);
        }
    }

    #[test]
    fn code_outlives_its_backticks() {
        assert_eq!(code_span("a"), "`a`");
        assert_eq!(code_span("a``b"), "```a``b```");
        assert_eq!(code_span("`a"), "`` `a ``");
        assert_eq!(code_block("rust", "let a = 1;\n"), "```rust\nlet a = 1;\n```");
        assert_eq!(code_block("", "```"), "````\n```\n````");
    }
}
