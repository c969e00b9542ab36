//! What closing a modal costs beside a bare click on the button that closes it.

use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::json;

use crate::figure::Measured;
use crate::pairs::compare;
use crate::world::{Bench, Plan, World};

/// The button that leaves antd's question as it is.
const CANCEL: &str = ".ant-modal-confirm-btns button";
/// Opens the question; nothing of it is animated, so it is there and gone at once.
const OPEN: &str = "(document.getElementById('open-confirm').click(), true)";
/// How often the application was told that the question was left.
const LEFT: &str = "window.__events.filter((event) => event === 'confirm cancelled').length";
/// The page has drawn the question.
const DRAWN: &str = "document.querySelectorAll('.ant-modal-confirm-btns button').length";
/// What the page is given before each click, as between the steps of an agent that thinks: a page that has just changed
/// is waited for, which is no cost of the command. A part of what is measured, not a wait for something.
const REST: Duration = Duration::from_millis(120);
/// Looks at the page before a question counts as not drawn.
const LOOKS: usize = 200;

/// `close_modal` with its two looks at every modal of the page, beside one click.
pub(crate) fn close(bench: &mut Bench, plan: &Plan) -> Result<Measured> {
    let world = bench.world()?;
    world.open_app("antd-overlays", "?motion=off")?;
    let World { client, task, bare, .. } = world;
    let open = client.command(task, "execute_js", &json!({"body": OPEN}));
    let drawn = json!({"selector": CANCEL});
    let drawn = client.command(task, "wait_for_element", &drawn);
    let close = client.command(task, "close_modal", &json!({}));
    let (mut ours, mut theirs) = (0u64, 0u64);
    let measured = compare(
        plan.modals,
        || {
            client.timed(&open)?;
            client.timed(&drawn)?;
            sleep(REST);
            let (took, data) = client.timed(&close)?;
            ensure!(data["closed"] == true && data["closedAll"] == true, "{data}");
            ours += 1;
            Ok(took)
        },
        || {
            bare.evaluate(OPEN)?;
            (0..LOOKS)
                .find(|_| bare.evaluate(DRAWN).is_ok_and(|(_, found)| found == 2))
                .context("the question was not drawn")?;
            sleep(REST);
            theirs += 1;
            let took: Duration = bare.click(CANCEL)?;
            (0..LOOKS)
                .find(|_| bare.evaluate(DRAWN).is_ok_and(|(_, found)| found == 0))
                .context("the question did not go")?;
            Ok(took)
        },
    )?;
    let here = world.run("execute_js", &json!({"body": LEFT}))?["result"].take();
    ensure!(here == ours, "{ours} questions were left, {here} were told");
    let (_, there) = world.bare.evaluate(LEFT)?;
    ensure!(
        there == theirs,
        "{theirs} questions were left by bare clicks, {there} were told"
    );
    Ok(measured)
}
