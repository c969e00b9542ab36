//! The receipt of choosing in a list.

use engine::{Choosing, Selected, Target, Wanted};
use schemars::JsonSchema;
use serde::Serialize;

use crate::context::Context;
use crate::failure::Failure;

/// Reply of `select_dropdown_option`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChooseReply {
    /// `native` for a `<select>`, `list` for a list that the page builds.
    mode: &'static str,
    /// Value of a native select; of a built one what it shows.
    value: String,
    /// What the control shows.
    selected_text: String,
    /// The same, one text a choice, where several are chosen.
    selected: Option<Vec<String>>,
    /// It was chosen before; nothing was done.
    already_selected: Option<bool>,
    /// The option came only when its label was typed into the search.
    searched: Option<bool>,
    /// The list still stands open.
    list_open: Option<bool>,
    /// The control left the page after the choice.
    element_gone: Option<bool>,
}

/// Chooses, or takes back, and reports.
pub(crate) async fn choose(
    cx: &mut Context,
    target: &Target,
    wanted: &[Wanted],
    choosing: Choosing,
) -> Result<ChooseReply, Failure> {
    let tab = cx.settled_tab().await?;
    tab.choose(target, wanted, choosing, cx.until())
        .await
        .map(describe)
        .map_err(|error| Failure::from_engine(&error, false))
}

fn describe(chosen: Selected) -> ChooseReply {
    let shown = chosen.shown.join(", ");
    ChooseReply {
        mode: if chosen.native { "native" } else { "list" },
        value: chosen.value.unwrap_or_else(|| shown.clone()),
        selected_text: shown,
        selected: (chosen.shown.len() > 1).then_some(chosen.shown),
        already_selected: chosen.already.then_some(true),
        searched: chosen.searched.then_some(true),
        list_open: chosen.open.then_some(true),
        element_gone: chosen.gone.then_some(true),
    }
}
