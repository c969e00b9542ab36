//! What was seen after an action, as members of a receipt: for actions that are no clicks.

use engine::{Dialog, Download, Observed};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::click::follow_new_tab;
use crate::context::Context;
use crate::failure::Failure;

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

impl Seen {
    /// The members for what was observed; a tab that the page opened becomes current.
    pub(crate) async fn new(cx: &Context, observed: &Observed, tabs_before: usize) -> Result<Self, Failure> {
        let new_tab = follow_new_tab(cx, observed, cx.until()).await?;
        let changed = observed.is_changed();
        Ok(Self {
            changed: (observed.complete || changed).then_some(changed),
            changes: (!observed.changed.is_empty()).then(|| observed.changed.clone()),
            change_status: match (changed, observed.complete) {
                (true, _) => "observed",
                (false, true) => "not_observed",
                (false, false) => "unknown",
            },
            observation_complete: observed.complete,
            observation_error: observed.error.clone(),
            observation_window_ms: super::drag::WINDOW_MS,
            effective: observed.complete.then_some(observed.is_effective()),
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

    /// Leaves it open whether the action had an effect, or says that it had none.
    pub(crate) fn with_effective(self, effective: Option<bool>) -> Self {
        Self { effective, ..self }
    }
}
