//! Finding text: literally or by a regular expression, with places and context. Pure.
//!
//! Invariant: offsets and lengths count characters (Unicode scalar values), and every match that is told stands at the
//! place that it names.

use regex::{Regex, RegexBuilder};
use schemars::JsonSchema;
use serde::Serialize;

/// What is looked for.
#[derive(Debug)]
pub(super) enum Pattern {
    /// These very characters.
    Literal(String),
    /// A regular expression in multi-line mode: `^` and `$` match at lines.
    Regex(Regex),
}

impl Pattern {
    /// A regular expression.
    ///
    /// # Errors
    /// What is wrong with it, in one line.
    pub(super) fn regex(source: &str) -> Result<Self, String> {
        let compiled = RegexBuilder::new(source).multi_line(true).build();
        compiled.map(Self::Regex).map_err(|error| reason(&error))
    }

    /// Byte ranges of the matches, none overlapping another.
    fn ranges<'a>(&'a self, text: &'a str) -> Box<dyn Iterator<Item = (usize, usize)> + 'a> {
        match self {
            Self::Literal(needle) => Box::new(
                text.match_indices(needle.as_str())
                    .map(|(at, found)| (at, at + found.len())),
            ),
            Self::Regex(regex) => Box::new(regex.find_iter(text).map(|found| (found.start(), found.end()))),
        }
    }
}

/// The last line of the compiler's report says what is wrong; those before it show where.
fn reason(error: &regex::Error) -> String {
    let report = error.to_string();
    let last = report.lines().rev().find(|line| !line.trim().is_empty());
    last.unwrap_or_default().trim().trim_start_matches("error: ").to_owned()
}

/// One match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Match {
    /// Characters of the text before it.
    index: usize,
    /// Line that it begins on, from 1.
    line: usize,
    /// What matched.
    r#match: String,
    /// The characters before it.
    before: String,
    /// The characters after it.
    after: String,
}

/// All matches, the first of them told.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub count: usize,
    pub matches: Vec<Match>,
}

/// Looks through `text`; tells at most `max` matches, each with at most `context` characters on either side.
pub(super) fn search(text: &str, pattern: &Pattern, context: usize, max: usize) -> Found {
    let mut matches = Vec::new();
    let mut count = 0;
    let (mut seen, mut index, mut line) = (0, 0, 1);
    for (start, end) in pattern.ranges(text) {
        count += 1;
        if matches.len() == max {
            continue;
        }
        let passed = &text[seen..start];
        index += passed.chars().count();
        line += passed.matches('\n').count();
        seen = start;
        matches.push(Match {
            index,
            line,
            r#match: text[start..end].to_owned(),
            before: last_characters(&text[..start], context).to_owned(),
            after: first_characters(&text[end..], context).to_owned(),
        });
    }
    Found { count, matches }
}

fn last_characters(text: &str, count: usize) -> &str {
    let Some(back) = count.checked_sub(1) else { return "" };
    text.char_indices().nth_back(back).map_or(text, |(at, _)| &text[at..])
}

fn first_characters(text: &str, count: usize) -> &str {
    text.char_indices().nth(count).map_or(text, |(at, _)| &text[..at])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn literal(text: &str, needle: &str) -> Found {
        search(text, &Pattern::Literal(needle.into()), 3, 10)
    }

    fn regex(text: &str, source: &str) -> Found {
        search(text, &Pattern::regex(source).unwrap(), 3, 10)
    }

    #[test]
    fn a_match_has_its_place_and_its_surroundings() {
        let found = literal("größe\nund größer", "größ");
        assert_eq!(found.count, 2);
        let second = &found.matches[1];
        assert_eq!((second.index, second.line), (10, 2));
        assert_eq!((second.before.as_str(), second.after.as_str()), ("nd ", "er"));
        assert_eq!(found.matches[0].before, "");
    }

    #[test]
    fn literal_search_minds_case_and_takes_no_pattern() {
        assert_eq!(literal("a.c abc A.C", "a.c").count, 1);
        assert_eq!(literal("aaaa", "aa").count, 2, "matches do not overlap");
    }

    #[test]
    fn expressions_know_lines() {
        assert_eq!(regex("one\ntwo\nthree", r"^t\w+$").count, 2);
        assert_eq!(
            regex("Total: 5\ntotal: 7", r"(?i)^total: (\d)").matches[1].r#match,
            "total: 7"
        );
        assert_eq!(regex("ab", "x*").count, 3, "an empty match advances by one");
        assert!(Pattern::regex("(").unwrap_err().contains("unclosed group"));
        assert!(Pattern::regex(r"(?=x)").unwrap_err().contains("look-around"));
    }

    #[test]
    fn all_are_counted_and_the_first_are_told() {
        let found = search("x x x x", &Pattern::Literal("x".into()), 0, 2);
        assert_eq!((found.count, found.matches.len()), (4, 2));
        assert_eq!(found.matches[1].before, "");
    }

    proptest! {
        #[test]
        fn what_is_told_stands_there(text in "[ab\nä中]{0,60}", needle in "[abä中]{1,3}", context in 0_usize..5) {
            let found = search(&text, &Pattern::Literal(needle.clone()), context, 100);
            prop_assert_eq!(found.count, text.matches(&needle).count());
            let characters: Vec<char> = text.chars().collect();
            for one in &found.matches {
                let length = needle.chars().count();
                let there: String = characters[one.index..one.index + length].iter().collect();
                prop_assert_eq!(&there, &needle);
                let lines = characters[..one.index].iter().filter(|c| **c == '\n').count();
                prop_assert_eq!(one.line, lines + 1);
                let around = format!("{}{}{}", one.before, one.r#match, one.after);
                let from = one.index - one.before.chars().count();
                let slice: String = characters[from..from + around.chars().count()].iter().collect();
                prop_assert_eq!(slice, around);
                prop_assert_eq!(one.before.chars().count(), context.min(one.index));
            }
        }

        #[test]
        fn a_quoted_expression_finds_what_the_literal_finds(text in "[a.*\n(]{0,60}", needle in "[a.*(]{1,3}") {
            let quoted = Pattern::regex(&regex::escape(&needle)).unwrap();
            prop_assert_eq!(search(&text, &quoted, 2, 50), search(&text, &Pattern::Literal(needle), 2, 50));
        }
    }
}
