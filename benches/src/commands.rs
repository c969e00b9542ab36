//! What commands cost beside the bare calls that do the same work.

use std::thread::sleep;
use std::time::Duration;

use anyhow::{Result, ensure};
use serde_json::json;

use crate::figure::Measured;
use crate::pairs::compare;
use crate::world::{Bench, Plan, World};

/// The button of the page that changes a text at every click.
pub(crate) const BUTTON: &str = "#count";
/// What a page is given before each click where it has time. A part of what is measured, not a wait for something.
pub(crate) const REST: Duration = Duration::from_millis(100);

/// `get_title` over HTTP beside one evaluation of `document.title`.
pub(crate) fn title(bench: &mut Bench, plan: &Plan) -> Result<Measured> {
    let world = bench.world()?;
    world.open("change.html")?;
    let World { client, task, bare, .. } = world;
    let request = client.command(task, "get_title", &json!({}));
    compare(
        plan.titles,
        || {
            let (took, data) = client.timed(&request)?;
            ensure!(data["title"] == "Change", "{data}");
            Ok(took)
        },
        || {
            let (took, title) = bare.evaluate("document.title")?;
            ensure!(title == "Change", "{title}");
            Ok(took)
        },
    )
}

/// `click_element_by_selector` with its receipt beside a click of which nothing is known afterwards, each as soon as
/// the one before it is over.
pub(crate) fn click_again(bench: &mut Bench, plan: &Plan) -> Result<Measured> {
    click(bench, plan, Duration::ZERO)
}

/// The same on a page that has had time to settle, as between the steps of an agent that thinks.
pub(crate) fn click_at_rest(bench: &mut Bench, plan: &Plan) -> Result<Measured> {
    click(bench, plan, REST)
}

fn click(bench: &mut Bench, plan: &Plan, rest: Duration) -> Result<Measured> {
    let world = bench.world()?;
    world.open("change.html")?;
    let World { client, task, bare, .. } = world;
    let request = client.command(task, "click_element_by_selector", &json!({"selector": BUTTON}));
    let (mut ours, mut theirs) = (0u64, 0u64);
    let measured = compare(
        plan.clicks,
        || {
            sleep(rest);
            let (took, data) = client.timed(&request)?;
            ensure!(data["changed"] == true && data["changeStatus"] == "observed", "{data}");
            ours += 1;
            Ok(took)
        },
        || {
            sleep(rest);
            theirs += 1;
            bare.click(BUTTON)
        },
    )?;
    let counted = "Number(document.getElementById('counted').textContent)";
    let here = world.run("execute_js", &json!({"body": counted}))?["result"].take();
    ensure!(here == ours, "{ours} clicks were made, {here} arrived");
    let (_, there) = world.bare.evaluate(counted)?;
    ensure!(there == theirs, "{theirs} bare clicks were made, {there} arrived");
    Ok(measured)
}
