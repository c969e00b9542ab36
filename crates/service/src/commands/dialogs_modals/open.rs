//! The native dialogs that are open in the tabs of a task, and which of them is meant.

use std::sync::Arc;

use engine::{Dialog, Tab};
use serde::Serialize;
use serde_json::json;

use crate::failure::{Code, Failure};
use crate::tabs::TaskTabs;
use crate::text;

/// A dialog that is open, with its tab.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OpenOne {
    page_index: usize,
    #[serde(flatten)]
    dialog: Dialog,
}

/// All that are open, in the order of the tabs.
fn all(tabs: &TaskTabs) -> Vec<OpenOne> {
    let one = |(page_index, tab): (usize, Arc<Tab>)| {
        let dialog = tab.open_dialog()?;
        Some(OpenOne { page_index, dialog })
    };
    tabs.list().into_iter().enumerate().filter_map(one).collect()
}

/// All that are open, when they are several: one alone is told by itself.
pub(super) fn several(tabs: &TaskTabs) -> Option<Vec<OpenOne>> {
    Some(all(tabs)).filter(|open| open.len() > 1)
}

/// The tab whose dialog is meant, and the dialog: the one of that number, else the current tab's, else the newest.
///
/// # Errors
/// None is open, or none of that number.
pub(super) fn meant(tabs: &TaskTabs, seq: Option<u64>) -> Result<(Arc<Tab>, Dialog), Failure> {
    let with_dialog = |tab: Arc<Tab>| tab.open_dialog().map(|dialog| (tab, dialog));
    let Some(seq) = seq else {
        return tabs.asking().and_then(with_dialog).ok_or_else(|| none_open(tabs));
    };
    let mut open = tabs.list().into_iter().filter_map(with_dialog);
    if let Some(found) = open.find(|(_, dialog)| dialog.seq == seq) {
        return Ok(found);
    }
    let open = all(tabs);
    if open.is_empty() {
        return Err(none_open(tabs));
    }
    let names: Vec<String> = open
        .iter()
        .map(|one| format!("{}: {} {:?}", one.dialog.seq, one.dialog.kind, one.dialog.message))
        .collect();
    let failure = Failure::new(
        Code::ActionFailed,
        text!("dialog.other_open", seq = seq, open = names.join("; ")),
    );
    Err(failure.with("started", false).with("openDialogs", json!(open)))
}

/// The failure of an answer that nothing waits for.
pub(super) fn none_open(tabs: &TaskTabs) -> Failure {
    Failure::new(Code::ActionFailed, text!("dialog.none_open"))
        .with("started", false)
        .with("dialog", json!(tabs.dialogs().last()))
}
