//! Numbers that name a person or a firm: mobile, resident id, unified social credit code, bank card.
//!
//! Works on runs of ASCII letters and digits, because the rules are about what stands next to a
//! number and the regular expressions in use have no look-around.

use std::borrow::Cow;
use std::ops::Range;

/// Masks every such number. `ids`, and a number that is a folder below `data/`, stay.
pub(super) fn mask<'a>(text: Cow<'a, str>, mask: &str, ids: &[&str]) -> Cow<'a, str> {
    let hits: Vec<Range<usize>> = runs(&text, |byte| byte.is_ascii_alphanumeric())
        .filter(|run| run.len() >= 11)
        .flat_map(|run| hits_in(&text, run, ids))
        .collect();
    if hits.is_empty() {
        return text;
    }
    let (mut out, mut from) = (String::with_capacity(text.len()), 0);
    for hit in hits {
        out.push_str(&text[from..hit.start]);
        out.push_str(mask);
        from = hit.end;
    }
    out.push_str(&text[from..]);
    Cow::Owned(out)
}

/// Maximal runs of bytes that belong together.
fn runs(text: &str, belongs: impl Fn(u8) -> bool) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + bytes[at..].iter().position(|byte| belongs(*byte))?;
        let length = bytes[start..]
            .iter()
            .position(|byte| !belongs(*byte))
            .unwrap_or(bytes.len() - start);
        at = start + length;
        Some(start..at)
    })
}

fn hits_in(text: &str, run: Range<usize>, ids: &[&str]) -> Vec<Range<usize>> {
    let word = &text[run.clone()];
    if ids.contains(&word) || is_data_folder(text, run.start) {
        return Vec::new();
    }
    if is_resident_id(word) || is_credit_code(word) {
        return vec![run];
    }
    let found = runs(word, |byte| byte.is_ascii_digit()).filter_map(|digits| {
        let number = &word[digits.clone()];
        let check_letter = number.len() == 17 && word[digits.end..].starts_with(['X', 'x']);
        let hit = !ids.contains(&number) && (is_mobile(number) || (16..=19).contains(&number.len()));
        hit.then(|| run.start + digits.start..run.start + digits.end + usize::from(check_letter))
    });
    found.collect()
}

/// Task folders are named by task ids, and evidence is found through them.
fn is_data_folder(text: &str, start: usize) -> bool {
    text[..start].ends_with("data/") || text[..start].ends_with("data\\")
}

/// Eleven digits from 13 to 19, alone or behind the country code.
fn is_mobile(digits: &str) -> bool {
    let local = match digits.len() {
        13 => digits.strip_prefix("86"),
        15 => digits.strip_prefix("0086"),
        _ => Some(digits),
    };
    local.is_some_and(|local| {
        let bytes = local.as_bytes();
        bytes.len() == 11 && bytes[0] == b'1' && (b'3'..=b'9').contains(&bytes[1])
    })
}

/// GB 11643: 17 digits and a check character.
fn is_resident_id(word: &str) -> bool {
    word.len() == 18
        && word[..17].bytes().all(|byte| byte.is_ascii_digit())
        && word.ends_with(|last: char| last.is_ascii_digit() || last.eq_ignore_ascii_case(&'x'))
}

/// GB 32100: two characters, six digits of the region, ten characters, from an alphabet without I, O, S, V, Z.
fn is_credit_code(word: &str) -> bool {
    let in_alphabet = |byte: u8| byte.is_ascii_digit() || (byte.is_ascii_uppercase() && !b"IOSVZ".contains(&byte));
    word.len() == 18 && word.bytes().all(in_alphabet) && word[2..8].bytes().all(|byte| byte.is_ascii_digit())
}
