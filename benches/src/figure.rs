//! What a figure is, and the table of what was measured.

use std::fmt::{self, Write};
use std::path::Path;

use anyhow::Result;

use crate::world::{Bench, Plan};

/// One figure with its bound; it holds when what was measured is not above it.
#[derive(Debug, Clone, Copy)]
pub struct Figure {
    /// What is measured, in a few words.
    pub name: &'static str,
    /// Unit of the measured value and of the bound.
    pub unit: Unit,
    /// The largest value that is good enough.
    pub bound: f64,
    pub(crate) measure: fn(&mut Bench, &Plan) -> Result<Measured>,
}

/// Unit of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Millions of bytes.
    Megabytes,
    /// Wall clock.
    Milliseconds,
    /// Processor time, in hundredths of one core.
    Percent,
    /// How many times as long as what it is compared with, which is built like it.
    Times,
    /// How many times as long as another program, which is optimised whatever ours is.
    TimesOther,
}

/// What came of measuring a figure.
#[derive(Debug, Clone)]
pub struct Measured {
    /// In the unit of the figure.
    pub value: f64,
    /// The numbers behind it.
    pub basis: String,
}

impl Figure {
    /// Measures once.
    ///
    /// # Errors
    /// When something did not work that has to work before its speed means anything.
    pub fn measure(&self, bench: &mut Bench, plan: &Plan) -> Result<Measured> {
        (self.measure)(bench, plan)
    }

    /// Whether `measured` is good enough. `slack` widens the bound: 1 judges by the bound itself.
    #[must_use]
    pub fn holds(&self, measured: &Measured, slack: f64) -> bool {
        measured.value <= self.bound * slack
    }

    /// Whether only an optimised binary can be judged: by what it weighs and by the clock.
    #[must_use]
    pub fn needs_release(&self) -> bool {
        self.unit != Unit::Times
    }
}

impl Unit {
    /// A value with this unit.
    #[must_use]
    pub fn show(self, value: f64) -> String {
        match self {
            Self::Megabytes => format!("{value:.2} MB"),
            Self::Milliseconds => format!("{value:.1} ms"),
            Self::Percent => format!("{value:.2} %"),
            Self::Times | Self::TimesOther => format!("{value:.2} x"),
        }
    }
}

impl Measured {
    /// The smaller of two.
    #[must_use]
    pub fn better(self, other: Self) -> Self {
        if other.value < self.value { other } else { self }
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.basis)
    }
}

/// The table of a run. Gives also whether every figure holds.
#[must_use]
pub fn table(binary: &Path, rows: &[(Figure, Measured)]) -> (String, bool) {
    let mut out = format!("{}\n\n", binary.display());
    let _ = writeln!(
        out,
        "{:<32} {:>10} {:>10}  {:<7} basis",
        "figure", "measured", "bound", "verdict"
    );
    let mut all = true;
    for (figure, measured) in rows {
        let holds = figure.holds(measured, 1.0);
        all &= holds;
        let _ = writeln!(
            out,
            "{:<32} {:>10} {:>10}  {:<7} {measured}",
            figure.name,
            figure.unit.show(measured.value),
            figure.unit.show(figure.bound),
            if holds { "holds" } else { "MISSED" },
        );
    }
    (out, all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(value: f64) -> (Figure, Measured) {
        let measured = Measured {
            value,
            basis: "because".into(),
        };
        (crate::FIGURES[1], measured)
    }

    #[test]
    fn the_bound_itself_is_good_enough() {
        let (figure, measured) = row(50.0);
        assert!(figure.holds(&measured, 1.0));
        let (_, above) = row(50.1);
        assert!(!figure.holds(&above, 1.0) && figure.holds(&above, 1.5));
    }

    #[test]
    fn one_miss_fails_the_run() {
        let (text, all) = table(Path::new("dsb"), &[row(7.0), row(51.0)]);
        assert!(!all);
        let lines: Vec<_> = text.lines().collect();
        assert!(lines[3].contains("7.0 ms") && lines[3].contains("holds") && lines[3].ends_with("because"));
        assert!(lines[4].contains("MISSED"));
        assert!(table(Path::new("dsb"), &[row(7.0)]).1);
    }
}
