//! The second look at fields that took a text. Consecutive input steps of a batch share one frame of waiting.
//!
//! Invariant: a second look can only lessen what a receipt claims; no step of another kind runs, and no reply leaves,
//! before the looks that are due have been made.

use std::sync::Arc;

use engine::{Deadline, LateLook, LateState, Tab};
use serde_json::Value;

use crate::context::Context;
use crate::text;

/// A look that is due.
#[derive(Debug)]
pub(crate) struct PendingLook {
    tab: Arc<Tab>,
    look: LateLook,
}

impl PendingLook {
    pub(crate) fn new(tab: Arc<Tab>, look: LateLook) -> Self {
        Self { tab, look }
    }
}

/// Makes the looks, in their order; those at one tab share one frame.
pub(crate) async fn look(pending: &[&PendingLook], deadline: Deadline) -> Vec<Option<LateState>> {
    let mut states = vec![None; pending.len()];
    for (at, first) in pending.iter().enumerate() {
        let same = |other: &PendingLook| Arc::ptr_eq(&first.tab, &other.tab);
        if pending.iter().position(|other| same(other)) != Some(at) {
            continue;
        }
        let of_tab: Vec<usize> = (at..pending.len()).filter(|&other| same(pending[other])).collect();
        let looks: Vec<&LateLook> = of_tab.iter().map(|&other| &pending[other].look).collect();
        for (place, state) in of_tab.into_iter().zip(first.tab.look_later(&looks, deadline).await) {
            states[place] = state;
        }
    }
    states
}

/// Takes a second look up into the `data` of a step that was recorded before it.
pub(crate) fn amend(cx: &Context, data: &mut Value, state: &LateState) {
    let Some(members) = data.as_object_mut() else { return };
    let mut set = |name: &str, value: Value| members.insert(name.to_owned(), value);
    if state.gone {
        set("elementGone", true.into());
        set("note", cx.say(&text!("input.gone")).into());
    }
    if state.reverted {
        set("committed", false.into());
        set("valueMatches", false.into());
        set("lateReverts", true.into());
        set("note", cx.say(&text!("input.reverted")).into());
        if let Some(value) = &state.value {
            set("value", value.clone().into());
        }
    }
}
