//! `scroll`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::command::{Class, Command, Flags, Group};
use crate::commands::element_reading::target::indexed;
use crate::context::Context;
use crate::failure::Failure;
use crate::text;

/// How long changes are looked for after a turn of the wheel.
const WHEEL_WINDOW_MS: u64 = 500;

/// Scrolls the page, or what scrolls around an element, by whole pages.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Scroll {
    /// True scrolls down, false up.
    #[serde(default)]
    pub down: bool,
    /// How many pages.
    #[schemars(range(min = 1, max = 1000))]
    pub num_pages: u32,
    /// Scroll what scrolls around this element instead of the page, by its own height.
    pub index: Option<u32>,
    /// The snapshot that the index was read in; another one is refused.
    pub snapshot_id: Option<String>,
}

/// Reply of `scroll`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Scrolling {
    /// Pixels that it moved; negative upwards.
    scrolled_by: i64,
    /// Where it is now, in pixels from its upper end.
    top: i64,
    /// It cannot go further in that direction.
    at_end: bool,
    /// What scrolled.
    scroller: Option<Map<String, Value>>,
    /// `wheel` where nothing scrolled by itself and the wheel was turned once over the middle of the page.
    via: Option<&'static str>,
    /// Whether anything changed when the wheel was turned.
    changed: Option<bool>,
    note: Option<String>,
}

impl Command for Scroll {
    const NAME: &'static str = "scroll";
    const GROUP: Group = Group::ElementInteraction;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    type Output = Scrolling;

    async fn run(self, cx: &mut Context) -> Result<Scrolling, Failure> {
        let pages = i64::from(self.num_pages) * if self.down { 1 } else { -1 };
        let target = self.index.map(|index| indexed(index, self.snapshot_id));
        let tab = cx.settled_tab().await?;
        let done = tab
            .scroll_pages(target.as_ref(), pages, cx.until())
            .await
            .map_err(|error| Failure::from_engine(&error, false))?;
        let at_end = if self.down {
            done.top + 1 >= done.max
        } else {
            done.top <= 0
        };
        let stuck = done.scrolled_by == 0 && (done.scroller.is_none() || !at_end);
        let turned = match stuck && target.is_none() {
            true => Some(turn(cx, &tab, pages).await?),
            false => None,
        };
        let note = match (&done.scroller, done.scrolled_by) {
            _ if turned == Some(true) => Some(text!("element.scrolled_by_wheel")),
            (None, _) => Some(text!("element.nothing_scrolls")),
            (Some(_), 0) if at_end => Some(text!("element.at_end")),
            (Some(_), 0) => Some(text!("element.does_not_scroll")),
            _ => None,
        };
        let at_end = at_end && turned != Some(true);
        Ok(Scrolling {
            scrolled_by: done.scrolled_by,
            top: done.top,
            at_end,
            scroller: done.scroller,
            via: turned.map(|_| "wheel"),
            changed: turned,
            note: note.map(|note| cx.say(&note)),
        })
    }
}

/// Turns the wheel over the page; true when something changed.
async fn turn(cx: &Context, tab: &engine::Tab, pages: i64) -> Result<bool, Failure> {
    let turned = tab.scroll_by_wheel(pages, WHEEL_WINDOW_MS, cx.until()).await;
    let observed = turned.map_err(|error| Failure::from_engine(&error, false))?;
    Ok(observed.is_effective())
}
