//! `get_browser_state`.

use engine::StateOptions;
use engine::state::Detail;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::super::tabs::facts;
use super::reply::BrowserState;
use crate::capture;
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::text;

/// Reads the page as indexed text with live form values, and keeps a screenshot and the text as files.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetBrowserState {
    /// Pixels above and below the viewport that are read too; -1 reads the whole page.
    #[serde(default)]
    #[schemars(range(min = -1, max = 1_000_000))]
    pub viewport_expansion: i64,
    /// Also return locator facts of the indexed elements.
    #[serde(default = "yes")]
    pub include_elements: bool,
    /// Cap of `elements`; the text is not cut by it.
    #[serde(default = "two_hundred")]
    pub max_elements: usize,
    /// Characters of text after which it is cut at a line, saying what was left out; 0 for no cut.
    #[serde(default)]
    pub max_chars: usize,
    /// `brief` prints states that say something, `full` prints all of them.
    #[schemars(extend("enum" = ["brief", "full"], "default" = "brief"))]
    pub state_detail: Option<String>,
    /// Also read frames of other origins, in the same index space.
    #[serde(default)]
    pub include_frames: bool,
    /// Read only the part of the page below this CSS selector's match; `css >> nth=N` takes a certain match.
    pub selector: Option<String>,
    /// Leave out text that belongs to no control.
    #[serde(default)]
    pub interactive_only: bool,
    /// Of repeated siblings, such as the rows of a long list, show the first three and say how many follow and how one
    /// is read. What is left out gets no index.
    #[serde(default)]
    pub collapse_repeats: bool,
    /// `diff` prints only lines added (+), removed (-) or changed (~) since the tab was last read with the same
    /// options, and counts the others.
    #[schemars(extend("enum" = ["full", "diff"], "default" = "full"))]
    pub mode: Option<String>,
    /// Count any change of the page while it is read as an inconsistency, not only one of its structure.
    #[serde(default)]
    pub strict_snapshot: bool,
    /// Draw index boxes on the page for a person who watches; default true in a browser with a window. Pictures never
    /// show them.
    pub highlight: Option<bool>,
}

const fn yes() -> bool {
    true
}

const fn two_hundred() -> usize {
    200
}

impl Command for GetBrowserState {
    const NAME: &'static str = "get_browser_state";
    const GROUP: Group = Group::PageState;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe();
    const OPAQUE: &'static [&'static str] = &["text", "browser_state", "elements", "mediaSamples"];
    const COMPACT_OMITS: &'static [&'static str] = &["browser_state", "url", "title", "screenshot_path"];
    type Output = BrowserState;

    fn check(&self) -> Result<(), Failure> {
        let blank = self
            .selector
            .as_ref()
            .is_some_and(|selector| selector.trim().is_empty());
        if blank {
            return Err(Failure::invalid(text!("state.selector_blank")));
        }
        Ok(())
    }

    async fn run(self, cx: &mut Context) -> Result<BrowserState, Failure> {
        let tab = cx.tab().await?;
        let options = self.options(cx.config().state.hard_max_chars);
        let mut state = tab
            .read_state(&options, cx.until())
            .await
            .map_err(|error| Failure::from_engine(&error, false))?;
        let boxes = state.take_marks();
        let tabs = facts::list(&*cx.tabs()?);
        let mut reply = BrowserState::new(cx, state, tabs, &options);
        let (picture, _) = capture::automatic(cx).await;
        let file = keep(cx, &picture, reply.file());
        reply.saved(picture, file);
        if self.highlight.unwrap_or_else(|| has_window(cx)) {
            tab.highlight(boxes, cx.until()).await;
        }
        Ok(reply)
    }
}

impl GetBrowserState {
    fn options(&self, hard: usize) -> StateOptions {
        StateOptions {
            expansion: self.viewport_expansion,
            max_elements: self.max_elements,
            include_elements: self.include_elements,
            detail: if self.state_detail.as_deref() == Some("full") {
                Detail::Full
            } else {
                Detail::Brief
            },
            max_chars: if self.max_chars == 0 {
                hard
            } else {
                self.max_chars.min(hard)
            },
            include_frames: self.include_frames,
            selector: self.selector.clone(),
            interactive_only: self.interactive_only,
            collapse_repeats: self.collapse_repeats,
            diff: self.mode.as_deref() == Some("diff"),
            strict: self.strict_snapshot,
            silent: false,
        }
    }
}

/// Whether somebody may be watching.
pub(crate) fn has_window(cx: &Context) -> bool {
    let running = cx.service().browsers().running();
    running.is_some_and(|running| !running.browser.facts().headless)
}

/// Has the text written beside the picture of the same number, after the reply. `None` when there is no place for it.
fn keep(cx: &Context, picture: &serde_json::Map<String, Value>, text: String) -> Option<String> {
    let task = cx.task().ok()?;
    let seq = picture.get("seq").and_then(Value::as_u64)?;
    let reserved = task.files.reserve(&format!("{seq}.txt"), text.len()).ok()?;
    let url = task.files.url_of(reserved.path())?;
    tokio::task::spawn_blocking(move || {
        if let Err(error) = reserved.fill(text.as_bytes()) {
            tracing::warn!(%error, "the text of a page could not be written");
        }
    });
    Some(url)
}
