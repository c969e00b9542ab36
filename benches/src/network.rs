//! What recording costs a page: the same 500 requests in a task that records and in one that does not.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::figure::Measured;
use crate::pairs::medians;
use crate::world::{Bench, Plan, World};

/// Requests of one load.
const REQUESTS: usize = 500;
/// Loads that are not counted.
const WARM_UP: usize = 2;
/// Loads the page and everything in it, by its own clock.
const LOAD: &str = "const t = performance.now(); return Promise.all(Array.from({length: 500}, (_, n) => \
    fetch('/xhr?n=5&load=' + n).then((r) => r.text()))).then((all) => ({ms: performance.now() - t, all: all.length}))";

/// How much longer the load takes while it is recorded.
pub(crate) fn recording(bench: &mut Bench, plan: &Plan) -> Result<Measured> {
    let world = bench.world()?;
    let recorded = begin(world, true)?;
    let plain = begin(world, false)?;
    let pair = medians(plan.waits, WARM_UP, || load(world, &recorded), || load(world, &plain))?;
    let kept = world
        .dsb
        .call(recorded.as_str(), "get_requests", json!({"limit": 1}))
        .expect_ok();
    ensure!(kept["total"] == 200, "the record is not full: {}", kept["total"]);
    for task in [&recorded, &plain] {
        world.dsb.call(task.as_str(), "close", json!({}));
    }
    Ok(Measured {
        value: pair.left / pair.right,
        basis: format!("{:.1} ms / {:.1} ms, {REQUESTS} requests", pair.left, pair.right),
    })
}

fn begin(world: &World, record: bool) -> Result<String> {
    let started = world
        .dsb
        .call(None, "start", json!({"networkRecording": record}))
        .expect_ok();
    let id = started["id"].as_str().context("a task without an id")?.to_owned();
    let url = world.site.a("/plain/change.html");
    world
        .dsb
        .call(id.as_str(), "go_to_url", json!({"url": url}))
        .expect_ok();
    Ok(id)
}

fn load(world: &World, task: &str) -> Result<Duration> {
    let begun = Instant::now();
    let reply: Value = world.dsb.call(task, "execute_js", json!({"body": LOAD})).expect_ok();
    ensure!(
        reply["result"]["all"] == REQUESTS,
        "not every request was answered: {reply}"
    );
    let ms = reply["result"]["ms"].as_f64().context("the page's clock")?;
    Ok(Duration::from_secs_f64(ms / 1000.0).min(begun.elapsed()))
}
