//! What the pipeline adds to every reply about how the command was run.
//!
//! Invariant: a command's own members are never overwritten by these.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};

use super::admit::Call;
use crate::command::Declaration;
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::text;

/// Adds members to the `data` of a reply, successful or not.
pub(super) fn add(result: &mut Result<Value, Failure>, members: impl IntoIterator<Item = (String, Value)>) {
    let data = match result {
        Ok(data) => {
            if data.is_null() {
                *data = Value::Object(Map::new());
            }
            match data {
                Value::Object(data) => data,
                _ => return,
            }
        }
        Err(failure) => &mut *failure.data,
    };
    for (name, value) in members {
        if data.get(&name).is_none_or(Value::is_null) {
            data.insert(name, value);
        }
    }
}

/// The member `execution`.
pub(super) fn execution(result: &Result<Value, Failure>, began: SystemTime, ran: Duration, queued: Duration) -> Value {
    let status = match result {
        Ok(_) => "completed",
        Err(failure) if failure.code == Code::CommandTimeout => "timeout",
        Err(_) => "failed",
    };
    let millis = |duration: Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    json!({
        "status": status,
        "startedAt": millis(began.duration_since(UNIX_EPOCH).unwrap_or_default()),
        "durationMs": millis(ran),
        "queuedMs": millis(queued),
    })
}

/// The members that tell of parameters which the command does not know.
pub(super) fn unknown_params(call: &Unknown, cx: &Context) -> Vec<(String, Value)> {
    if call.names.is_empty() {
        return Vec::new();
    }
    let note = text!(
        "params.unknown",
        names = call.names.join(", "),
        known = call.known.clone()
    );
    vec![
        ("unknownParams".into(), json!(call.names)),
        ("unknownParamNote".into(), Value::String(cx.say(&note))),
    ]
}

/// What has to be remembered of a call for [`unknown_params`].
#[derive(Debug)]
pub(super) struct Unknown {
    names: Vec<String>,
    known: String,
}

impl Unknown {
    pub(super) fn of(call: &mut Call) -> Self {
        let known = if call.unknown.is_empty() {
            String::new()
        } else {
            call.declaration.params.names()
        };
        Unknown {
            names: std::mem::take(&mut call.unknown),
            known,
        }
    }
}

/// Where the page is after a failure, as far as known without asking it. Not for argument errors and time limits: the
/// first never reached a page, and after the second nothing is certain.
pub(super) fn whereabouts(failure: &Failure, cx: &Context) -> Vec<(String, Value)> {
    if failure.code == Code::CommandTimeout || failure.is_invalid_argument() || failure.never_started() {
        return Vec::new();
    }
    let Some(facts) = cx.page().map(|page| page.facts()) else {
        return Vec::new();
    };
    let members = [("urlAfter", facts.url), ("titleAfter", facts.title)];
    members
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), Value::String(value?))))
        .collect()
}

/// The newest native dialog of the task, when one has opened since `before` was counted.
pub(super) fn new_dialog(declaration: &Declaration, cx: &Context, before: u64) -> Option<(String, Value)> {
    if !(declaration.flags.needs_task && declaration.flags.takes_turn) || cx.dialogs_seen() <= before {
        return None;
    }
    let dialog = cx.tabs().ok()?.dialogs().last()?;
    (dialog.seq > before).then(|| ("dialog".to_owned(), json!(dialog)))
}

/// Tabs of the task that no reply has named yet: they opened after the reply to what caused them.
pub(super) fn new_tabs(cx: &Context) -> Option<(String, Value)> {
    let fresh = cx.task().ok()?.tabs()?.unannounced();
    (!fresh.is_empty()).then(|| ("newTabs".to_owned(), json!(fresh)))
}
