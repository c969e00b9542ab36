//! "Did you mean": distances between names, and the best candidates for a method that does not exist.
//!
//! Invariant: pure and deterministic; ties keep the order of the list given, and nonsense has no candidates.

use std::collections::HashSet;

/// How many candidates are offered at most.
const OFFERED: usize = 3;

/// The methods that `name` most likely stands for, best first, at most three.
///
/// The score is the case-insensitive edit distance, lowered when everything after the first `_` agrees
/// (`list_tabs`, `get_tabs`) or when the words of one name are among the words of the other (`click`).
pub fn candidates<'a>(name: &str, methods: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted = name.to_lowercase();
    let limit = (wanted.chars().count() / 2).max(2);
    let mut scored: Vec<(usize, &str)> = methods
        .into_iter()
        .map(|method| (score(&wanted, &method.to_lowercase()), method))
        .filter(|(score, _)| *score <= limit)
        .collect();
    scored.sort_by_key(|(score, _)| *score);
    scored.into_iter().take(OFFERED).map(|(_, method)| method).collect()
}

fn score(wanted: &str, method: &str) -> usize {
    let distance = levenshtein(wanted, method);
    let mut score = distance;
    if let (Some((_, left)), Some((_, right))) = (wanted.split_once('_'), method.split_once('_'))
        && left == right
    {
        score = score.min(distance.saturating_sub(3).max(1));
    }
    let (left, right) = (words(wanted), words(method));
    if left.is_subset(&right) || right.is_subset(&left) {
        score = score.min(1);
    }
    score
}

fn words(name: &str) -> HashSet<&str> {
    name.split('_').collect()
}

/// Number of insertions, deletions and replacements of characters that turn `left` into `right`.
pub fn levenshtein(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut previous: Vec<usize> = (0..=right.len()).collect();
    for (row, from) in left.chars().enumerate() {
        let mut current = Vec::with_capacity(previous.len());
        current.push(row + 1);
        for (column, to) in right.iter().enumerate() {
            let replace = previous[column] + usize::from(from != *to);
            current.push(replace.min(previous[column + 1] + 1).min(current[column] + 1));
        }
        previous = current;
    }
    previous[right.len()]
}

/// Whether a parameter called `sent` is probably a slip for `wanted`: a known confusion, or at most two edits of a
/// name long enough for that to mean something.
pub fn confusable(wanted: &str, sent: &str) -> bool {
    const PAIRS: [(&str, &str); 1] = [("pageIndex", "index")];
    if PAIRS
        .iter()
        .any(|(a, b)| (wanted, sent) == (*a, *b) || (wanted, sent) == (*b, *a))
    {
        return true;
    }
    let (wanted, sent) = (wanted.to_lowercase(), sent.to_lowercase());
    let distance = levenshtein(&wanted, &sent);
    distance <= 2 && distance < wanted.chars().count().min(sent.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NAMES: [&str; 7] = [
        "click_element_by_index",
        "double_click_element_by_index",
        "click_element_by_selector",
        "get_tabs",
        "new_tab",
        "list_frames",
        "diff_dom_text",
    ];

    #[test]
    fn names_of_other_products_find_ours() {
        assert_eq!(candidates("list_tabs", NAMES).first(), Some(&"get_tabs"));
        assert_eq!(candidates("get_dom_text", NAMES).first(), Some(&"diff_dom_text"));
        assert_eq!(candidates("GET_TABS ", NAMES).first(), Some(&"get_tabs"));
        let clicks = candidates("click", NAMES);
        assert_eq!(clicks, &NAMES[..3]);
    }

    #[test]
    fn nonsense_finds_nothing() {
        assert!(candidates("zzzzzzzzzzzz", NAMES).is_empty());
    }

    #[test]
    fn confusions_are_recognised_and_short_names_are_not_confused() {
        assert!(confusable("pageIndex", "index") && confusable("index", "pageIndex"));
        assert!(confusable("selector", "Selectr"));
        assert!(!confusable("x", "y"));
        assert!(!confusable("text", "url"));
    }

    proptest! {
        #[test]
        fn the_distance_is_a_metric(a in "[a-c_]{0,8}", b in "[a-c_]{0,8}", c in "[a-c_]{0,8}") {
            prop_assert_eq!(levenshtein(&a, &b), levenshtein(&b, &a));
            prop_assert_eq!(levenshtein(&a, &b) == 0, a == b);
            prop_assert!(levenshtein(&a, &c) <= levenshtein(&a, &b) + levenshtein(&b, &c));
        }

        #[test]
        fn a_real_name_is_its_own_best_candidate(at in 0..NAMES.len()) {
            prop_assert!(candidates(NAMES[at], NAMES).contains(&NAMES[at]));
        }
    }
}
