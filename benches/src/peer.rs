//! What acting costs beside playwright-core on the same page: a click, a form, and typing. Each is measured without
//! automatic captures, as the bound has it, and once more with them, which is told beside it.

use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::commands::{BUTTON, REST};
use crate::figure::Measured;
use crate::pairs::compare;
use crate::playwright::Playwright;
use crate::world::{Bench, Plan, World};

/// The fields that are filled.
const FIELDS: [&str; 10] = [
    "[name=first]",
    "[name=last]",
    "[name=company]",
    "[name=email]",
    "[name=telephone]",
    "[name=street]",
    "[name=code]",
    "[name=city]",
    "[name=site]",
    "[name=remarks]",
];
/// The field that is typed into.
const TYPED: &str = "[name=first]";
/// Characters that are typed.
const LENGTH: usize = 200;

type Side = fn(&mut World, &mut Playwright, usize) -> Result<Measured>;

/// `click_element_by_selector` with its receipt beside `locator.click()` and a look at the title, which tells less.
pub(crate) fn click(bench: &mut Bench, plan: &Plan) -> Result<Measured> {
    both(bench, plan.clicks, "change.html", clicks)
}

/// Ten fields in one batch beside ten `locator.fill()`.
pub(crate) fn form(bench: &mut Bench, plan: &Plan) -> Result<Measured> {
    both(bench, plan.forms, "fields.html", forms)
}

/// `type_text` of 200 characters beside `locator.pressSequentially()`.
pub(crate) fn typing(bench: &mut Bench, plan: &Plan) -> Result<Measured> {
    both(bench, plan.forms, "fields.html", typed)
}

fn both(bench: &mut Bench, turns: usize, page: &str, side: Side) -> Result<Measured> {
    let world = bench.world()?;
    world.open(page)?;
    let url = world.site.a(&format!("/plain/{page}"));
    let mut other = Playwright::open(&world.browser, &url)?;
    let mut measured = side(world, &mut other, turns)?;
    let pictured = bench.pictured()?;
    pictured.open(page)?;
    let with = side(pictured, &mut other, turns.div_ceil(3))?;
    measured.basis += &format!("; with captures {:.2} x", with.value);
    Ok(measured)
}

fn clicks(world: &mut World, other: &mut Playwright, turns: usize) -> Result<Measured> {
    let World { client, task, .. } = world;
    let request = client.command(task, "click_element_by_selector", &json!({"selector": BUTTON}));
    compare(
        turns,
        || {
            sleep(REST);
            let (took, data) = client.timed(&request)?;
            ensure!(data["changed"] == true && data["changeStatus"] == "observed", "{data}");
            Ok(took)
        },
        || {
            sleep(REST);
            other.click(BUTTON, "Change")
        },
    )
}

fn forms(world: &mut World, other: &mut Playwright, turns: usize) -> Result<Measured> {
    let World { client, task, .. } = world;
    let (mut here, mut there) = (0, 0);
    compare(
        turns,
        || {
            here += 1;
            let steps: Vec<Value> = filled(here)
                .into_iter()
                .map(|(selector, text)| json!({"method": "input_text_by_selector", "params": {"selector": selector, "text": text}}))
                .collect();
            let request = client.command(task, "commands", &json!({"commands": steps}));
            let (took, data) = client.timed(&request)?;
            let results = data["results"].as_array().context("a batch without results")?;
            let took_all = results.iter().filter(|result| result["data"]["valueMatches"] == true);
            ensure!(took_all.count() == FIELDS.len(), "{data}");
            Ok(took)
        },
        || {
            there += 1;
            other.fill(&filled(there))
        },
    )
}

/// Other values each turn: a field that has its value already is no work.
fn filled(turn: usize) -> Vec<(&'static str, String)> {
    let value = |at: usize| format!("value {at} of turn {turn}");
    FIELDS
        .iter()
        .enumerate()
        .map(|(at, selector)| (*selector, value(at)))
        .collect()
}

fn typed(world: &mut World, other: &mut Playwright, turns: usize) -> Result<Measured> {
    let index = index_of(world, "First name")?;
    let text: String = ('a'..='z').cycle().take(LENGTH).collect();
    let World { client, task, .. } = world;
    let empty = client.command(task, "clear_text", &json!({"index": index}));
    let request = client.command(task, "type_text", &json!({"index": index, "text": text}));
    compare(
        turns,
        || {
            client.timed(&empty)?;
            let (took, data): (Duration, Value) = client.timed(&request)?;
            ensure!(data["value"] == text.as_str(), "{data}");
            Ok(took)
        },
        || other.type_text(TYPED, &text),
    )
}

/// The index of the field with this label.
fn index_of(world: &mut World, label: &str) -> Result<u64> {
    let data = world.run("get_browser_state", &json!({}))?;
    let text = data["text"].as_str().context("a reading without a text")?;
    let wanted = format!("label='{label}'");
    let line = text
        .lines()
        .find(|line| line.contains(&wanted))
        .context("no such field")?;
    let digits = line.split(['[', ']']).nth(1).context("a line without an index")?;
    Ok(digits.parse()?)
}
