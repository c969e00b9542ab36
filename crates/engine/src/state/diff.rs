//! What differs between two readings of a page, line by line. Invariants: every line of both readings is accounted for
//! exactly once (unchanged, moved, changed, added or removed); the mark of a new element is no difference.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use super::render::RenderedLine;

/// The difference of two readings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineDiff {
    /// `+ line` (added), `- line` (removed), `~ line` (changed: the same index, its new line), in reading order.
    pub lines: Vec<RenderedLine>,
    /// Lines that are the same at the same place.
    pub unchanged: usize,
    /// Lines that are the same at another place.
    pub moved: usize,
    /// Lines added.
    pub added: usize,
    /// Lines removed.
    pub removed: usize,
    /// Indexed lines that read differently.
    pub changed: usize,
}

/// Compares two readings. At `until` the search for the shortest difference is given up for a coarser one.
#[must_use]
pub fn diff_lines(old: &[RenderedLine], new: &[RenderedLine], until: Option<Instant>) -> LineDiff {
    let (old_keys, new_keys) = (keys(old), keys(new));
    let mut out = LineDiff::default();
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    let operations = differing(&old_keys, &new_keys, until);
    for operation in &operations {
        if let DiffOp::Equal { len, .. } = operation {
            out.unchanged += len;
        } else {
            gone.extend(operation.old_range());
            come.extend(operation.new_range());
        }
    }
    let moved = pair(&gone, &come, |at| Some(&old_keys[at]), |at| Some(&new_keys[at]));
    out.moved = moved.len();
    let was_moved: HashSet<usize> = moved.values().copied().collect();
    gone.retain(|at| !was_moved.contains(at));
    come.retain(|at| !moved.contains_key(at));
    let changed = pair(&gone, &come, |at| old[at].index, |at| new[at].index);
    out.changed = changed.len();
    let was_changed: HashSet<usize> = changed.values().copied().collect();
    gone.retain(|at| !was_changed.contains(at));
    (out.removed, out.added) = (gone.len(), come.len() - changed.len());

    let is_gone: HashSet<usize> = gone.into_iter().collect();
    let is_come: HashSet<usize> = come.into_iter().collect();
    for operation in &operations {
        for at in operation.old_range().filter(|at| is_gone.contains(at)) {
            out.lines.push(signed('-', &old_keys[at], None));
        }
        for at in operation.new_range().filter(|at| is_come.contains(at)) {
            let sign = if changed.contains_key(&at) { '~' } else { '+' };
            out.lines.push(signed(sign, &new_keys[at], new[at].index));
        }
    }
    out
}

fn keys(lines: &[RenderedLine]) -> Vec<String> {
    lines.iter().map(RenderedLine::unmarked).collect()
}

/// Numbers stand for lines while they are compared: a page has many, and most are compared often.
fn differing(old: &[String], new: &[String], until: Option<Instant>) -> Vec<DiffOp> {
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let mut number = |line| {
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        *numbers.entry(line).or_insert(next)
    };
    let old: Vec<u32> = old.iter().map(|line| number(line.as_str())).collect();
    let new: Vec<u32> = new.iter().map(|line| number(line.as_str())).collect();
    capture_diff_slices_deadline(Algorithm::Myers, &old, &new, until)
}

/// Pairs of positions `new → old` that agree in what `of_old` and `of_new` say, each position at most once.
fn pair<K: std::hash::Hash + Eq>(
    gone: &[usize],
    come: &[usize],
    of_old: impl Fn(usize) -> Option<K>,
    of_new: impl Fn(usize) -> Option<K>,
) -> HashMap<usize, usize> {
    let mut waiting: HashMap<K, Vec<usize>> = HashMap::new();
    for at in gone.iter().rev() {
        if let Some(key) = of_old(*at) {
            waiting.entry(key).or_default().push(*at);
        }
    }
    let partner = |at: &usize| Some((*at, waiting.get_mut(&of_new(*at)?)?.pop()?));
    come.iter().filter_map(partner).collect()
}

fn signed(sign: char, line: &str, index: Option<u32>) -> RenderedLine {
    RenderedLine {
        text: format!("{sign} {line}"),
        index,
        marked: false,
    }
}

/// Lines that are more frequent in `new` than in `old`, each as often as it is more frequent, in the order of `new`.
#[must_use]
pub fn line_counts(old: &[RenderedLine], new: &[RenderedLine]) -> Vec<String> {
    let mut left: HashMap<String, usize> = HashMap::new();
    for line in old {
        *left.entry(line.unmarked()).or_default() += 1;
    }
    let more = |line: &RenderedLine| {
        let line = line.unmarked();
        match left.get_mut(&line) {
            Some(count) if *count > 0 => {
                *count -= 1;
                None
            }
            _ => Some(line),
        }
    };
    new.iter().filter_map(more).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn line(index: Option<u32>, text: &str) -> RenderedLine {
        let text = index.map_or_else(|| text.to_owned(), |index| format!("[{index}]<a >{text}/>"));
        RenderedLine {
            text,
            index,
            marked: false,
        }
    }

    fn printed(diff: &LineDiff) -> Vec<&str> {
        diff.lines.iter().map(|line| line.text.as_str()).collect()
    }

    #[test]
    fn tells_added_removed_changed_and_moved() {
        let old = [
            line(None, "a"),
            line(Some(1), "x"),
            line(Some(2), "y"),
            line(None, "gone"),
            line(None, "z"),
        ];
        let new = [
            line(Some(2), "y"),
            line(None, "a"),
            line(Some(1), "x2"),
            line(Some(3), "n"),
            line(None, "z"),
        ];
        let diff = diff_lines(&old, &new, None);
        let mut lines = printed(&diff);
        lines.sort_unstable();
        assert_eq!(lines, ["+ [3]<a >n/>", "- gone", "~ [1]<a >x2/>"]);
        assert_eq!(
            (diff.unchanged + diff.moved, diff.added, diff.removed, diff.changed),
            (3, 1, 1, 1)
        );
        assert!(diff.moved >= 1);
    }

    #[test]
    fn the_mark_of_a_new_element_is_no_difference() {
        let marked = RenderedLine {
            text: "\t*[1]<a >x/>".into(),
            index: Some(1),
            marked: true,
        };
        let plain = RenderedLine {
            text: "\t[1]<a >x/>".into(),
            index: Some(1),
            marked: false,
        };
        let marked = [marked];
        assert_eq!(diff_lines(&marked, std::slice::from_ref(&plain), None).unchanged, 1);
        assert_eq!(printed(&diff_lines(&[], &marked, None)), ["+ \t[1]<a >x/>"]);
        assert!(line_counts(&marked, &[plain]).is_empty());
    }

    #[test]
    fn counts_repeated_lines() {
        let (old, new) = ([line(None, "a"), line(None, "b")], [line(None, "a"), line(None, "a")]);
        assert_eq!(line_counts(&old, &new), ["a"]);
        assert_eq!(line_counts(&new, &old), ["b"]);
    }

    fn reading() -> impl Strategy<Value = Vec<RenderedLine>> {
        let texts = proptest::collection::vec((0..12u32, "[ab]"), 0..24);
        texts.prop_map(|lines| {
            let mut seen = HashSet::new();
            let own =
                |(number, text): (u32, String)| line((number < 8 && seen.insert(number)).then_some(number), &text);
            lines.into_iter().map(own).collect()
        })
    }

    proptest! {
        #[test]
        fn every_line_is_accounted_for_once(old in reading(), new in reading()) {
            let diff = diff_lines(&old, &new, None);
            let kept = diff.unchanged + diff.moved + diff.changed;
            prop_assert_eq!(kept + diff.added, new.len());
            prop_assert_eq!(kept + diff.removed, old.len());
            prop_assert_eq!(diff.lines.len(), diff.added + diff.removed + diff.changed);
        }

        #[test]
        fn old_lines_with_the_difference_applied_are_the_new_ones(old in reading(), new in reading()) {
            let mut lines: Vec<String> = old.iter().map(|line| line.text.clone()).collect();
            let mut take = |text: &str| {
                let at = lines.iter().position(|line| line == text);
                at.map(|at| lines.swap_remove(at)).is_some()
            };
            let diff = diff_lines(&old, &new, None);
            for told in &diff.lines {
                let (sign, text) = told.text.split_at(2);
                if sign == "- " {
                    prop_assert!(take(text), "{} was not there", text);
                } else if sign == "~ " {
                    let before = old.iter().find(|line| line.index == told.index).unwrap();
                    prop_assert!(take(&before.text));
                }
            }
            lines.extend(diff.lines.iter().filter(|told| !told.text.starts_with("- ")).map(|told| told.text[2..].to_owned()));
            let mut wanted: Vec<String> = new.iter().map(|line| line.text.clone()).collect();
            lines.sort_unstable();
            wanted.sort_unstable();
            prop_assert_eq!(lines, wanted);
        }

        #[test]
        fn nothing_differs_from_itself(lines in reading()) {
            let diff = diff_lines(&lines, &lines, None);
            prop_assert_eq!((diff.unchanged, diff.lines.len()), (lines.len(), 0));
            prop_assert!(line_counts(&lines, &lines).is_empty());
        }
    }
}
