//! What the reading commands share: their scope, its name in the reply, and the cut of a long text.

use engine::{Chosen, Scope};

/// The scope of a command; a blank selector is none.
pub(super) fn scope(selector: Option<String>, nth: Option<u32>, frame: Option<String>) -> Scope {
    Scope {
        selector: selector.filter(|selector| !selector.trim().is_empty()),
        nth,
        frame,
    }
}

/// How a reply names what was read: `whole`, the selector, or `css >> nth=N` where the match was not the only one.
pub(super) fn source(whole: &str, chosen: Option<&Chosen>) -> String {
    match chosen {
        None => whole.to_owned(),
        Some(chosen) if chosen.explicit || chosen.matched > 1 => format!("{} >> nth={}", chosen.css, chosen.index),
        Some(chosen) => chosen.css.clone(),
    }
}

/// A text within a limit.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cut {
    pub text: String,
    /// Characters of the whole text.
    pub length: usize,
    pub truncated: bool,
}

/// The first `limit` characters (Unicode scalar values), 0 meaning all; the cut goes back to the end of a line when that
/// keeps at least half.
pub(super) fn cut(mut text: String, limit: usize) -> Cut {
    let length = text.chars().count();
    if limit == 0 || length <= limit {
        return Cut {
            text,
            length,
            truncated: false,
        };
    }
    let end = text.char_indices().nth(limit).map_or(text.len(), |(at, _)| at);
    let line = if text[end..].starts_with('\n') {
        Some(end)
    } else {
        text[..end].rfind('\n')
    };
    text.truncate(line.filter(|line| *line >= end / 2).unwrap_or(end));
    Cut {
        text,
        length,
        truncated: true,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_cut_keeps_whole_lines_where_it_can() {
        let cut_at = |limit| cut("one two\nthree four\nfive".into(), limit).text;
        assert_eq!(cut_at(0), "one two\nthree four\nfive");
        assert_eq!(cut_at(20), "one two\nthree four");
        assert_eq!(cut_at(18), "one two\nthree four");
        assert_eq!(cut_at(5), "one t");
        assert_eq!(cut("日本語です".into(), 2).text, "日本");
    }

    #[test]
    fn a_source_says_which_match_was_read() {
        let chosen = |matched, explicit| Chosen {
            css: "p".into(),
            index: 2,
            matched,
            explicit,
        };
        assert_eq!(source("body", None), "body");
        assert_eq!(source("body", Some(&chosen(1, false))), "p");
        assert_eq!(source("body", Some(&chosen(3, false))), "p >> nth=2");
        assert_eq!(source("body", Some(&chosen(1, true))), "p >> nth=2");
    }

    proptest! {
        #[test]
        fn a_cut_is_a_beginning_within_the_limit(text in any::<String>(), limit in 0_usize..40) {
            let whole = cut(text.clone(), limit);
            prop_assert!(text.starts_with(&whole.text));
            prop_assert_eq!(whole.length, text.chars().count());
            prop_assert_eq!(whole.truncated, limit > 0 && whole.length > limit);
            prop_assert!(!whole.truncated || whole.text.chars().count() <= limit);
            prop_assert!(whole.truncated || whole.text == text);
        }
    }
}
