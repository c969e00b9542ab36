//! Two ways to do the same work, timed turn by turn.

use std::time::Duration;

use anyhow::Result;

use crate::figure::Measured;

/// Turns that are run and not counted: caches and lazily made worlds belong to nobody's cost.
const WARM_UP: usize = 5;

/// Runs `ours` and `bare` `turns` times each, in alternating order so that neither always meets a machine that the other
/// has just warmed, and compares the medians.
pub(crate) fn compare(
    turns: usize,
    ours: impl FnMut() -> Result<Duration>,
    bare: impl FnMut() -> Result<Duration>,
) -> Result<Measured> {
    let Pair { left, right } = medians(turns, WARM_UP, ours, bare)?;
    Ok(Measured {
        value: left / right,
        basis: format!("{left:.2} ms / {right:.2} ms, medians of {turns}"),
    })
}

/// Medians of the two sides, in ms.
pub(crate) struct Pair {
    pub(crate) left: f64,
    pub(crate) right: f64,
}

/// As [`compare`], with `warm_up` turns that are not counted, giving both medians.
pub(crate) fn medians(
    turns: usize,
    warm_up: usize,
    mut ours: impl FnMut() -> Result<Duration>,
    mut bare: impl FnMut() -> Result<Duration>,
) -> Result<Pair> {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for turn in 0..turns + warm_up {
        let (a, b) = if turn.is_multiple_of(2) {
            let a = ours()?;
            (a, bare()?)
        } else {
            let b = bare()?;
            (ours()?, b)
        };
        if turn >= warm_up {
            left.push(millis(a));
            right.push(millis(b));
        }
    }
    Ok(Pair {
        left: median(left),
        right: median(right),
    })
}

pub(crate) fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

/// The middle value, or the mean of the middle two.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len().is_multiple_of(2) && middle > 0 {
        f64::midpoint(values[middle - 1], values[middle])
    } else {
        values[middle]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    #[allow(clippy::float_cmp, reason = "these are exact")]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(vec![9.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 100.0]), 3.0);
    }

    #[test]
    fn both_sides_take_turns_and_the_warm_up_is_not_counted() {
        let order = Cell::new(String::new());
        let note = |side: char, slow: u64| {
            let mut text = order.take();
            let counted = text.matches(side).count() >= WARM_UP;
            text.push(side);
            order.set(text);
            Ok(Duration::from_millis(if counted { slow } else { 1000 }))
        };
        let measured = compare(3, || note('a', 6), || note('b', 2)).unwrap();
        assert!((measured.value - 3.0).abs() < 1e-9, "{measured}");
        assert_eq!(order.take(), "abbaabbaabbaabba");
    }
}
