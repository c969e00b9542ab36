//! `figures <binary> [part of a name]`: measures the figures of a release build and prints one table. Exit code 1 when a bound is missed,
//! 2 when something does not work.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use benches::{Bench, FIGURES, Plan, table};

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("figures: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<bool> {
    let binary: PathBuf = std::env::args_os()
        .nth(1)
        .context("usage: figures <binary> [part of a name]")?
        .into();
    let part = std::env::args().nth(2).unwrap_or_default();
    // A service is started in a folder of its own, from which a relative path would lead elsewhere.
    let binary = binary
        .canonicalize()
        .with_context(|| format!("{} cannot be measured", binary.display()))?;
    let mut bench = Bench::new(&binary);
    let mut rows = Vec::new();
    for figure in FIGURES.into_iter().filter(|figure| figure.name.contains(&part)) {
        eprintln!("{} …", figure.name);
        let measured = figure.measure(&mut bench, &Plan::FULL).context(figure.name)?;
        rows.push((figure, measured));
    }
    let (text, holds) = table(&binary, &rows);
    print!("{text}");
    Ok(holds)
}
