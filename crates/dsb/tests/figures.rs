//! A sample of what `./bench` measures, so that a slow-down is seen where it is made. Few turns on a machine that may be
//! busy with other tests: the best of some rounds has to stay within a widened bound. `./bench` judges by the bound.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

use benches::{Bench, FIGURES, Figure, Measured, Plan};

/// How much more than its bound a figure may be here.
const SLACK: f64 = 1.5;
/// Rounds of which the best counts.
const ROUNDS: usize = 3;

/// Figures that miss their bound, which `./bench` says, with what they may not get worse than here.
const KNOWN: [(&str, f64); 1] = [("form of ten / playwright-core fill", 0.75)];

/// `None` when the figure holds; else what came of its best round.
fn missed(bench: &mut Bench, figure: &Figure) -> Option<String> {
    let mut best: Option<Measured> = None;
    let known = KNOWN.iter().find(|(name, _)| *name == figure.name);
    let slack = known.map_or(SLACK, |(_, worst)| worst / figure.bound);
    for _ in 0..ROUNDS {
        let measured = figure.measure(bench, &Plan::SAMPLE).expect(figure.name);
        if figure.holds(&measured, slack) {
            return None;
        }
        best = Some(best.map_or(measured.clone(), |best| best.better(measured)));
    }
    let best = best.expect("there is at least one round");
    let (unit, bound) = (figure.unit, figure.bound);
    Some(format!(
        "{}: {} where {:.2} x {} is allowed ({best})",
        figure.name,
        unit.show(best.value),
        slack,
        unit.show(bound)
    ))
}

// One test: figures that are measured at the same time would measure each other.
#[test]
fn figures_hold() {
    let mut bench = Bench::new(env!("CARGO_BIN_EXE_dsb"));
    let judged = FIGURES
        .iter()
        // What is weighed is what is shipped, and that is not what tests build.
        .filter(|figure| figure.name != benches::SIZE)
        .filter(|figure| !cfg!(debug_assertions) || !figure.needs_release());
    let missed: Vec<_> = judged.filter_map(|figure| missed(&mut bench, figure)).collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
