//! What the service's process weighs and how soon it answers.

use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use support::Dsb;

use crate::figure::Measured;
use crate::http::Client;
use crate::pairs::{median, millis};
use crate::world::{Bench, Plan};

/// Bytes of the binary.
pub(crate) fn size(bench: &mut Bench, _: &Plan) -> Result<Measured> {
    let bytes = fs::metadata(bench.binary())?.len();
    Ok(Measured {
        value: bytes as f64 / 1e6,
        basis: format!("{bytes} bytes"),
    })
}

/// From before the process is made until the last byte of the answer of `/playwright/health`.
pub(crate) fn start(bench: &mut Bench, plan: &Plan) -> Result<Measured> {
    let mut times = Vec::new();
    for _ in 0..plan.starts {
        let began = Instant::now();
        let dsb = Dsb::start(&bench.options());
        let health = Client::connect(dsb.addr())?.get("/playwright/health")?;
        times.push(millis(began.elapsed()));
        ensure!(health["pid"] == dsb.pid(), "another service answered: {health}");
        ensure!(children(dsb.pid())?.is_empty(), "the service has started a process");
    }
    let slowest = times.iter().copied().fold(0.0, f64::max);
    Ok(Measured {
        value: median(times),
        basis: format!("median of {}, slowest {slowest:.1} ms; no browser started", plan.starts),
    })
}

/// Resident set of the service with one task that shows a page; the browser's processes are not the service's.
pub(crate) fn memory(bench: &mut Bench, _: &Plan) -> Result<Measured> {
    let pid = bench.world()?.dsb.pid();
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let kib = |name: &str| -> Result<u64> {
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .context("no such line")?;
        Ok(line.trim_matches([':', ' ', '\t', 'k', 'B']).parse()?)
    };
    let (all, own) = (kib("VmRSS")? * 1024, kib("RssAnon")? * 1024);
    Ok(Measured {
        value: all as f64 / 1e6,
        basis: format!("VmRSS {all} bytes, of which {own} are not the binary's own pages"),
    })
}

/// Processes that this process has started, by number.
fn children(pid: u32) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for thread in fs::read_dir(Path::new("/proc").join(pid.to_string()).join("task"))? {
        let list = fs::read_to_string(thread?.path().join("children"))?;
        found.extend(list.split_whitespace().map(str::to_owned));
    }
    Ok(found)
}
