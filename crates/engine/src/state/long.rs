//! Texts that are too long to be printed whole. Invariants: what is cut says so, keeps the grammar of its line, and never
//! ends within what a person reads as one character.

/// A line may be cut inside when it is longer than this: shorter ones are left out as a whole.
const LONG_LINE: usize = 1000;
/// Less than this of a line is not worth printing.
const LEAST_PART: usize = 20;

/// The part of a line that was kept.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) text: String,
    /// Characters of it that were not.
    pub(super) left_out: usize,
}

/// A very long line cut to at most `room` characters; `None` when it is to be kept or left out as a whole. Of an element's
/// line only its text is cut.
pub(super) fn cut_inside(line: &str, room: usize) -> Option<Part> {
    let length = line.chars().count();
    if length <= LONG_LINE || length <= room || room < LEAST_PART {
        return None;
    }
    let end = if is_element(line) { "/>" } else { "" };
    let cut = end_of(line, room - 1 - end.len());
    // Attribute values hold no `>`: the first one ends them.
    if !end.is_empty() && line.find('>').is_none_or(|text| cut <= text + 1) {
        return None;
    }
    let left_out = line[cut..].chars().count() - end.len();
    Some(Part {
        text: format!("{}…{end}", &line[..cut]),
        left_out,
    })
}

/// A page cannot begin a line like this: its own words are guarded.
fn is_element(line: &str) -> bool {
    let bare = line.trim_start_matches(['+', '~', '-', ' ', '\t', '*']);
    line.ends_with("/>") && (bare.starts_with('<') || bare.starts_with('['))
}

/// A text of at most `max` characters, and what is left out of a longer one.
pub(super) fn shortened(text: &str, max: usize) -> std::borrow::Cow<'_, str> {
    // Most texts are short in bytes already.
    if text.len() <= max || text.chars().nth(max).is_none() {
        return text.into();
    }
    let cut = end_of(text, max);
    format!("{}… ({} more characters)", &text[..cut], text[cut..].chars().count()).into()
}

/// Byte at which the first `max` characters end, or fewer where the cut would fall into one that a person reads as one.
fn end_of(text: &str, max: usize) -> usize {
    let at = text.char_indices().nth(max).map_or(text.len(), |(at, _)| at);
    let mut end = at;
    // What is longer than this is nothing that anyone reads.
    for _ in 0..32 {
        if !is_joined(&text[..end], &text[end..]) {
            return end;
        }
        end = text[..end].char_indices().next_back().map_or(0, |(before, _)| before);
    }
    at
}

/// Whether two texts that follow each other meet within one character as a person sees it (Unicode, grapheme clusters).
fn is_joined(before: &str, after: &str) -> bool {
    let (Some(last), Some(next)) = (before.chars().next_back(), after.chars().next()) else {
        return false;
    };
    if is_flag(next) && is_flag(last) {
        return before.chars().rev().take_while(|letter| is_flag(*letter)).count() % 2 == 1;
    }
    last == '\u{200d}' || extends(next)
}

const fn is_flag(letter: char) -> bool {
    matches!(letter, '\u{1f1e6}'..='\u{1f1ff}')
}

/// Marks of the scripts in common use, joiners, variation selectors, skin tones, tags.
const fn extends(letter: char) -> bool {
    matches!(
        letter,
        '\u{300}'..='\u{36f}'
            | '\u{483}'..='\u{489}'
            | '\u{591}'..='\u{5bd}'
            | '\u{610}'..='\u{61a}'
            | '\u{64b}'..='\u{65f}'
            | '\u{900}'..='\u{903}'
            | '\u{93a}'..='\u{94f}'
            | '\u{e31}'
            | '\u{e34}'..='\u{e3a}'
            | '\u{e47}'..='\u{e4e}'
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{200c}'
            | '\u{200d}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{302a}'..='\u{302f}'
            | '\u{3099}'
            | '\u{309a}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{fe20}'..='\u{fe2f}'
            | '\u{1f3fb}'..='\u{1f3ff}'
            | '\u{e0020}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_long_line_keeps_its_grammar() {
        let text = "x".repeat(5000);
        let part = cut_inside(&text, 100).unwrap();
        assert_eq!((part.text.chars().count(), part.left_out), (100, 4901));
        let part = cut_inside(&format!("\t[7]<div label='a'>{text}/>"), 100).unwrap();
        assert!(
            part.text.starts_with("\t[7]<div label='a'>xx") && part.text.ends_with("xx…/>"),
            "{}",
            part.text
        );
        assert_eq!(part.text.chars().count(), 100);
        assert_eq!(part.text.matches('x').count() + part.left_out, 5000);
    }

    #[test]
    fn what_is_short_or_has_no_text_to_cut_is_not_cut() {
        assert_eq!(cut_inside(&"x".repeat(900), 100), None);
        assert_eq!(cut_inside(&"x".repeat(5000), 10), None);
        assert_eq!(
            cut_inside(&format!("[1]<input value='{}'/>", "x".repeat(5000)), 100),
            None
        );
    }

    #[test]
    fn a_character_of_several_code_points_stays_whole() {
        for one in ["e\u{301}", "👩\u{200d}👩\u{200d}👧", "👍🏽", "🇩🇪", "❤\u{fe0f}"] {
            let text = one.repeat(40);
            for max in 1..20 {
                let kept = &text[..end_of(&text, max)];
                assert_eq!(kept.len() % one.len(), 0, "{kept:?} of {one:?}");
            }
        }
    }

    #[test]
    fn what_is_shortened_says_so() {
        assert_eq!(shortened("short", 5), "short");
        assert_eq!(shortened("longer", 4), "long… (2 more characters)");
    }

    proptest! {
        #[test]
        fn a_part_is_never_longer_than_its_room(text in "\\PC{1001,1400}", room in 0usize..1500) {
            if let Some(part) = cut_inside(&text, room) {
                prop_assert!(part.text.chars().count() <= room);
            }
        }
    }
}
