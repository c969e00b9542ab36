//! What reading a page costs beside a walk that measures and styles every element, and how many bytes a reading has.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::json;

use crate::figure::Measured;
use crate::pairs::{Pair, compare, medians};
use crate::world::{Bench, Plan, World};

/// Elements of the pages that are read.
const SMALL: usize = 1_000;
const LARGE: usize = 10_000;
const HUGE: usize = 50_000;
/// Turns of larger pages: as many as take the time of the small ones, yet enough for a median.
const FEWEST: usize = 3;

/// `get_browser_state` of what is in view beside a walk over the whole document.
pub(crate) fn view(bench: &mut Bench, plan: &Plan) -> Result<Measured> {
    let world = bench.world()?;
    open(world, SMALL)?;
    let (mut ours, mut bare) = sides(world, SMALL, false);
    compare(plan.reads, &mut ours, &mut bare)
}

/// The whole page of a thousand elements.
pub(crate) fn small(bench: &mut Bench, plan: &Plan) -> Result<Measured> {
    times(bench, plan, SMALL)
}

/// The same with ten thousand.
pub(crate) fn large(bench: &mut Bench, plan: &Plan) -> Result<Measured> {
    times(bench, plan, LARGE)
}

/// The same with fifty thousand.
pub(crate) fn huge(bench: &mut Bench, plan: &Plan) -> Result<Measured> {
    times(bench, plan, HUGE)
}

fn times(bench: &mut Bench, plan: &Plan, elements: usize) -> Result<Measured> {
    let Pair { left, right } = whole(bench, plan, elements)?;
    Ok(Measured {
        value: left / right,
        basis: format!("{left:.2} ms / {right:.2} ms, medians of {}", turns(plan, elements)),
    })
}

/// How much more an element costs on the largest page than on one of a fifth of its size, beside the same figure of the
/// bare walk: above 1 a reading grows faster than what it has to do.
pub(crate) fn growth(bench: &mut Bench, plan: &Plan) -> Result<Measured> {
    let (few, many) = (whole(bench, plan, LARGE)?, whole(bench, plan, HUGE)?);
    let (ours, bare) = (many.left / few.left, many.right / few.right);
    Ok(Measured {
        value: ours / bare.max(HUGE as f64 / LARGE as f64),
        basis: format!(
            "{ours:.1} times as long for {} times the elements; bare {bare:.1}",
            HUGE / LARGE
        ),
    })
}

/// Bytes of a reply without records of elements, beside 1.1 times its text and 2 KB.
pub(crate) fn bytes(bench: &mut Bench, _: &Plan) -> Result<Measured> {
    let world = bench.world()?;
    open(world, LARGE)?;
    let data = world.run(
        "get_browser_state",
        &json!({"includeElements": false, "viewportExpansion": -1}),
    )?;
    let text = data["text"].as_str().context("a reading without a text")?.len();
    let reply = data.to_string().len();
    let allowed = text as f64 * 1.1 + 2000.0;
    Ok(Measured {
        value: reply as f64 / allowed,
        basis: format!("{reply} bytes for {text} bytes of text"),
    })
}

fn whole(bench: &mut Bench, plan: &Plan, elements: usize) -> Result<Pair> {
    let world = bench.world()?;
    open(world, elements)?;
    let (mut ours, mut bare) = sides(world, elements, true);
    let warm_up = if elements > SMALL { 1 } else { FEWEST };
    medians(turns(plan, elements), warm_up, &mut ours, &mut bare)
}

fn turns(plan: &Plan, elements: usize) -> usize {
    (plan.reads * SMALL / elements).max(FEWEST)
}

fn open(world: &mut World, elements: usize) -> Result<()> {
    world.open(&format!("list.html?n={elements}"))
}

type Side<'a> = Box<dyn FnMut() -> Result<Duration> + 'a>;

/// A reading and a walk, each of which proves that it has got to the end of the page.
fn sides(world: &mut World, elements: usize, whole: bool) -> (Side<'_>, Side<'_>) {
    let World { client, task, bare, .. } = world;
    let expansion = if whole { -1 } else { 0 };
    let params = json!({"includeElements": false, "viewportExpansion": expansion});
    let request = client.command(task, "get_browser_state", &params);
    let last = format!("Button {}", if whole { elements / 4 } else { 1 });
    let ours = move || {
        let (took, data) = client.timed(&request)?;
        let text = data["text"].as_str().unwrap_or_default();
        // The text of a very large page is cut; the count of its elements is not.
        let read = if whole {
            data["elementCount"] == elements / 2
        } else {
            text.contains("Button 1/>")
        };
        ensure!(
            read && data["elements"].is_null(),
            "the page was not read: {}",
            data["elementCount"]
        );
        Ok(took)
    };
    let bare = move || {
        let (took, texts) = bare.walk(whole)?;
        ensure!(texts.contains(&last), "{last} was not met");
        Ok(took)
    };
    (Box::new(ours), Box::new(bare))
}
