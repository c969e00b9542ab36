//! What was seen after an action, as members of its receipt: the same for every action on a page. Invariant: what is not
//! known is absent or called unknown, never told as "nothing happened".

use std::time::Duration;

use engine::{Blank, Deadline, Dialog, Download, Observed, Tab};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::context::Context;
use crate::failure::Failure;

/// How long changes are looked for after the input.
pub(super) const WINDOW_MS: u64 = 500;
/// How long a tab that the page opened may take to get a document.
const NEW_TAB_LIMIT: Duration = Duration::from_secs(5);

/// The members.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Seen {
    changed: Option<bool>,
    changes: Option<Vec<String>>,
    change_status: &'static str,
    observation_complete: bool,
    observation_error: Option<String>,
    observation_window_ms: u64,
    effective: Option<bool>,
    url_before: String,
    url_after: String,
    tab_count_before: usize,
    tab_count_after: usize,
    navigation: Option<Value>,
    #[schemars(with = "Option<Value>")]
    dialog: Option<Dialog>,
    new_tab: Option<Value>,
    downloads_started: Option<usize>,
    #[schemars(with = "Option<Value>")]
    downloads: Option<Vec<Download>>,
}

/// False when the page shows nothing any more: then what was compared says nothing.
pub(super) fn is_trusted(observed: &Observed) -> bool {
    observed.blank != Some(Blank::Lasting)
}

impl Seen {
    /// The members for what was observed; a tab that the page opened becomes current. `tabs_before`: tabs of the task
    /// before the action.
    pub(crate) async fn new(
        cx: &Context,
        observed: &Observed,
        tabs_before: usize,
        deadline: Deadline,
    ) -> Result<Self, Failure> {
        let new_tab = follow_new_tab(cx, observed, deadline).await?;
        let changed = observed.is_changed();
        let complete = observed.complete && is_trusted(observed);
        Ok(Self {
            changed: (observed.complete || changed).then_some(changed),
            changes: (!observed.changed.is_empty()).then(|| observed.changed.clone()),
            change_status: match (changed, complete) {
                (true, _) => "observed",
                (false, true) => "not_observed",
                (false, false) => "unknown",
            },
            observation_complete: complete,
            observation_error: observed.error.clone(),
            observation_window_ms: WINDOW_MS,
            effective: complete.then_some(observed.is_effective()),
            url_before: observed.url_before.clone(),
            url_after: observed.url_after.clone(),
            tab_count_before: tabs_before,
            tab_count_after: cx.tabs()?.list().len(),
            navigation: observed
                .navigation
                .as_ref()
                .map(|seen| json!({"url": seen.url, "state": if seen.committed { "committed" } else { "started" }})),
            dialog: observed.dialog.clone(),
            new_tab,
            downloads_started: (!observed.downloads.is_empty()).then_some(observed.downloads.len()),
            downloads: (!observed.downloads.is_empty()).then(|| observed.downloads.clone()),
        })
    }

    /// The members for an action that turned out not to be needed.
    pub(super) fn nothing(cx: &Context, tab: &Tab) -> Self {
        let tabs = cx.tabs().map_or(0, |tabs| tabs.list().len());
        Self {
            changed: Some(false),
            change_status: "not_observed",
            observation_complete: true,
            observation_window_ms: WINDOW_MS,
            url_before: tab.url(),
            url_after: tab.url(),
            tab_count_before: tabs,
            tab_count_after: tabs,
            ..Self::default()
        }
    }

    /// Leaves it open whether the action had an effect, or says that it had none.
    pub(crate) fn with_effective(self, effective: Option<bool>) -> Self {
        Self { effective, ..self }
    }
}

/// A tab that the action opened becomes current once it has a document.
async fn follow_new_tab(cx: &Context, observed: &Observed, deadline: Deadline) -> Result<Option<Value>, Failure> {
    let tabs = cx.tabs()?;
    let Some(opened) = observed.new_tabs.last() else {
        return Ok(None);
    };
    let Some(tab) = tabs.list().into_iter().find(|tab| tab.id() == opened) else {
        return Ok(Some(json!({"closed": true, "current": false})));
    };
    let patience = deadline.within(NEW_TAB_LIMIT);
    let _ = tab
        .until("the new tab's document", patience, |state| {
            ((!state.navigating() && state.life.dom_ready) || state.asking.is_some()).then_some(())
        })
        .await;
    tabs.make_current(&tab);
    Ok(Some(
        json!({"pageIndex": tabs.index_of(&tab), "url": tab.url(), "current": true}),
    ))
}
