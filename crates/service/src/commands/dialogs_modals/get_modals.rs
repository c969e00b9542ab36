//! `get_modals`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::modal_reply::described;
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::text;

/// The rounds in which a frame is looked through.
const ROUNDS: [&str; 4] = [
    "selector",
    "heuristic:class-name",
    "heuristic:fixed-overlay",
    "heuristic:top-layer",
];

/// The modals that pages draw themselves (not native dialogs) and that can be seen, in every frame, with their buttons and close point.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetModals {}

/// Reply of `get_modals`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    count: usize,
    count_strict: usize,
    count_heuristic: usize,
    count_blocking: usize,
    modals: Vec<Value>,
    top: Option<Value>,
    top_is_blocking: bool,
    scanned_by: [&'static str; 4],
    frame_errors: Option<Vec<String>>,
    note: String,
}

impl Command for GetModals {
    const NAME: &'static str = "get_modals";
    const GROUP: Group = Group::DialogsModals;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe();
    const OPAQUE: &'static [&'static str] = &["modals", "top"];
    type Output = Found;

    async fn run(self, cx: &mut Context) -> Result<Found, Failure> {
        let tab = cx.settled_tab().await?;
        let found = tab
            .modals(false, cx.until())
            .await
            .map_err(|error| Failure::from_engine(&error, false))?;
        let strict = found.list.iter().filter(|modal| modal.confidence == "strict").count();
        let note = if found.list.is_empty() {
            text!("modals.none")
        } else {
            text!("modals.how_to_close")
        };
        Ok(Found {
            count: found.list.len(),
            count_strict: strict,
            count_heuristic: found.list.len() - strict,
            count_blocking: found.list.iter().filter(|modal| modal.blocking).count(),
            modals: found.list.iter().map(described).collect(),
            top: found.top().map(described),
            top_is_blocking: found.top().is_some_and(|top| top.blocking),
            scanned_by: ROUNDS,
            frame_errors: (!found.frame_errors.is_empty()).then_some(found.frame_errors),
            note: cx.say(&note),
        })
    }
}
