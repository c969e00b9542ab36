//! The receipt of an upload. Invariant: "listened" is said only of a listener that was found, never of a file that was
//! taken, and a read-back that came too late for its input is no failure.

use std::path::{Path, PathBuf};
use std::time::Duration;

use engine::{
    Button, ClickMode, ClickOptions, Detection, ElementListeners, EngineError, Ladder, Observed, Target, UploadOptions,
    UploadReceipt, UploadVia,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::choice::Choice;
use super::seen::{Seen, WINDOW_MS};
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::refusals::{named, number};
use crate::text;
use crate::uploads::{Stored, accepts};

/// Files on their way into a page.
#[derive(Debug, Default)]
pub(crate) struct Files {
    /// Absolute paths.
    pub(crate) paths: Vec<PathBuf>,
    /// Bytes of all of them.
    pub(crate) size: u64,
    /// `contentBase64` or `url`.
    pub(crate) source: Option<&'static str>,
    /// What the store made of it.
    pub(crate) stored: Option<Stored>,
}

/// Reply of an upload.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadReply {
    filename: String,
    filenames: Option<Vec<String>>,
    path: String,
    size: u64,
    target: String,
    mode: &'static str,
    via: &'static str,
    input: Map<String, Value>,
    source: Option<&'static str>,
    relative_path: Option<String>,
    sha256: Option<String>,
    #[serde(flatten)]
    choice: Choice,
    files_length: Option<u64>,
    value: Option<String>,
    disabled: Option<bool>,
    multiple: Option<bool>,
    accept: Option<String>,
    accept_mismatch: Option<bool>,
    element_gone: Option<bool>,
    readback_note: Option<String>,
    readback_hint: Option<String>,
    readback_error: Option<String>,
    listeners: Option<Value>,
    listener_detection: Option<&'static str>,
    has_listeners: Option<bool>,
    consumed: &'static str,
    drop_accepted: Option<bool>,
    target_events: Option<Vec<String>>,
    hint: Option<String>,
    #[serde(flatten)]
    seen: Seen,
}

/// Uploads and reports. `called` is how the reply calls the target.
pub(crate) async fn upload(
    cx: &mut Context,
    target: Target,
    called: String,
    files: Files,
    timeout_ms: Option<u64>,
) -> Result<UploadReply, Failure> {
    let timeout_ms = timeout_ms.unwrap_or(cx.config().action.timeout_ms);
    let none = Ladder {
        mouse: false,
        js: false,
    };
    let options = UploadOptions {
        target,
        files: files.paths.clone(),
        click: ClickOptions {
            mode: ClickMode::Native,
            timeout: Duration::from_millis(timeout_ms),
            ladder: none,
            window_ms: WINDOW_MS,
            button: Button::Left,
            times: 1,
            outline: false,
        },
    };
    let tab = cx.settled_tab().await?;
    let tabs_before = cx.tabs()?.list().len();
    let receipt = tab
        .upload(&options, cx.until())
        .await
        .map_err(|error| failure(&error))?;
    let consumed = consumed(&receipt);
    let changed = changed_beside(&receipt.observed);
    let seen = Seen::new(cx, &receipt.observed, tabs_before, cx.until()).await?;
    let unnoticed = receipt.noticed == Some(false);
    let no_effect = (consumed == "noListener" || unnoticed) && !changed && receipt.observed.complete;
    let mut reply = describe(cx, &receipt, &files);
    reply.target = called;
    reply.consumed = consumed;
    reply.seen = seen.with_effective(no_effect.then_some(false));
    read_back(cx, &receipt, &mut reply);
    reply.hint = hint(&receipt, &reply, no_effect).map(|text| cx.say(&text));
    Ok(reply)
}

/// The failure of an upload: what the page script found has words of its own here.
fn failure(error: &EngineError) -> Failure {
    let EngineError::Refused { reason, facts, .. } = error else {
        return Failure::from_engine(error, false);
    };
    let what = match facts.get("target") {
        Some(Value::Object(node)) => named(node),
        _ => String::from("the element"),
    };
    let text = match reason.as_str() {
        "takes-a-directory" => text!("upload.takes_a_directory", what = what),
        "takes-one-file" => text!("upload.takes_one_file", what = what, files = number(facts, "files")),
        "several-file-inputs" => text!("upload.several_inputs", what = what, inputs = number(facts, "inputs")),
        "no-file-chooser" => text!("upload.no_chooser", what = what),
        "chooser-without-input" => text!("upload.chooser_without_input", what = what),
        "not-a-file-input" => text!("upload.chooser_without_input", what = what),
        _ => return Failure::from_engine(error, false),
    };
    let failure = Failure::new(Code::ActionFailed, text).with("reason", reason.as_str());
    // A click that was made may have done something, though no file was given.
    let failure = match facts.get("clicked") {
        Some(Value::Bool(true)) => failure.with("retrySafe", false),
        _ => failure,
    };
    facts
        .iter()
        .fold(failure, |failure, (name, value)| failure.with(name, value.clone()))
}

/// A file in an input is a change of the form by itself, and says nothing of what the page made of it.
fn changed_beside(observed: &Observed) -> bool {
    observed
        .changed
        .iter()
        .any(|kind| !matches!(kind.as_str(), "form" | "focus") && !observed.ambient.contains(kind))
}

/// Whether somebody listens for the files. React listens to everything at its root, so there only a handler of the
/// input's own counts.
fn consumed(receipt: &UploadReceipt) -> &'static str {
    if let Some(dropped) = &receipt.dropped {
        return if dropped.drop_prevented { "listened" } else { "unknown" };
    }
    let Some(listeners) = &receipt.listeners else {
        return "unknown";
    };
    let wanted = |kind: &str| kind == "change" || kind == "input";
    if listeners.own.iter().any(|kind| wanted(kind)) {
        return "listened";
    }
    if listeners.delegated.iter().any(|listener| wanted(&listener.kind)) {
        return if listeners.traces.react { "unknown" } else { "listened" };
    }
    match listeners.detection {
        Detection::Protocol => "noListener",
        Detection::Heuristic => "unknown",
    }
}

fn describe(cx: &Context, receipt: &UploadReceipt, files: &Files) -> UploadReply {
    let names: Vec<String> = files.paths.iter().map(|path| name_of(path)).collect();
    let mismatch = receipt
        .accept
        .as_deref()
        .is_some_and(|accept| names.iter().any(|name| accepts(accept, name) == Some(false)));
    let stored = files.stored.as_ref();
    let listeners = receipt.listeners.as_ref();
    UploadReply {
        filename: names.first().cloned().unwrap_or_default(),
        path: files
            .paths
            .first()
            .map(|path| path.display().to_string())
            .unwrap_or_default(),
        filenames: (names.len() > 1).then_some(names),
        size: files.size,
        mode: "native",
        via: receipt.via.as_str(),
        input: receipt.target.clone(),
        source: files.source,
        relative_path: stored.map(|stored| stored.relative_path.clone()),
        sha256: stored.map(|stored| stored.sha256.clone()),
        choice: Choice::new(cx, receipt.located.as_ref()),
        multiple: (receipt.via != UploadVia::Drop).then_some(receipt.multiple),
        accept: receipt.accept.clone(),
        accept_mismatch: mismatch.then_some(true),
        listeners: listeners.map(framework_traces),
        listener_detection: listeners.map(|listeners| listeners.detection.as_str()),
        has_listeners: match consumed(receipt) {
            "listened" => Some(true),
            "noListener" => Some(false),
            _ => None,
        },
        drop_accepted: (receipt.via == UploadVia::Drop).then_some(true),
        target_events: receipt.dropped.as_ref().map(|seen| {
            let here = seen.events.iter().filter(|event| event.on.is_some());
            here.map(|event| event.kind.clone()).collect()
        }),
        ..UploadReply::default()
    }
}

fn framework_traces(listeners: &ElementListeners) -> Value {
    let traces = &listeners.traces;
    json!({
        "vue2": traces.vue2, "vue3": traces.vue3, "react": traces.react, "inline": traces.inline,
        "jquery": traces.jquery, "events": listeners.own,
    })
}

fn read_back(cx: &Context, receipt: &UploadReceipt, reply: &mut UploadReply) {
    match &receipt.held {
        Some(Ok(held)) => {
            reply.files_length = Some(held.files_length);
            reply.value = Some(held.value.clone());
            reply.disabled = Some(held.disabled);
            if held.element_gone && receipt.via != UploadVia::Chooser {
                reply.element_gone = Some(true);
                reply.readback_note = Some(cx.say(&text!("upload.replaced")));
            } else if held.files_length == 0 && (reply.consumed == "listened" || changed_beside(&receipt.observed)) {
                reply.readback_note = Some(cx.say(&text!("upload.emptied")));
            } else if held.files_length == 0 {
                reply.readback_hint = Some(cx.say(&text!("upload.empty")));
            }
        }
        Some(Err(reason)) => {
            reply.readback_error = Some(reason.clone());
            reply.readback_note = Some(cx.say(&text!("upload.not_read")));
        }
        None if receipt.via == UploadVia::Drop => {}
        None => {
            reply.element_gone = Some(true);
            reply.readback_note = Some(cx.say(&text!("upload.page_went_on")));
        }
    }
}

fn hint(receipt: &UploadReceipt, reply: &UploadReply, no_effect: bool) -> Option<crate::messages::Text> {
    if reply.accept_mismatch == Some(true) {
        let accept = receipt.accept.clone().unwrap_or_default();
        return Some(text!("upload.accept_mismatch", accept = accept));
    }
    if receipt.noticed == Some(false) {
        return no_effect.then(|| text!("upload.same_files"));
    }
    no_effect.then(|| text!("upload.no_listener"))
}

fn name_of(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}
