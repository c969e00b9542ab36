//! Files into a page: into the file input that an element leads to, through the file chooser that a click opens, or
//! dropped. Invariant: no file is set before it is known which input takes it, and what is told afterwards was read back
//! from that input, which may have left the page.

use std::path::PathBuf;
use std::time::Duration;

use cdp::protocol::dom::SetFileInputFiles;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::click::ClickOptions;
use super::drag::DragSeen;
use super::observe::Observed;
use super::target::{Located, Target};
use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::frames::Frame;
use crate::listeners::{Detection, ElementListeners};
use crate::tab::Tab;

/// How long a node that may be gone is asked for what it holds.
const LAST_READ: Duration = Duration::from_secs(1);

/// How files got into the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UploadVia {
    /// The element is the input.
    Input,
    /// It leads to the input: by its label, inside it, or beside it.
    Related,
    /// A click on it opened a file chooser.
    Chooser,
    /// Dropped on it.
    Drop,
}

impl UploadVia {
    /// Name in receipts.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Related => "related",
            Self::Chooser => "fileChooser",
            Self::Drop => "drop",
        }
    }
}

/// An upload asked for.
#[derive(Debug, Clone)]
pub struct UploadOptions {
    /// The element.
    pub target: Target,
    /// The files, absolute.
    pub files: Vec<PathBuf>,
    /// How a click that opens a chooser is made.
    pub click: ClickOptions,
}

/// What an input held after it took the files.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HeldFiles {
    /// The page took it out of the document.
    pub element_gone: bool,
    /// Files that it holds.
    pub files_length: u64,
    /// Their names, 50 at most.
    pub names: Vec<String>,
    /// `value` of the input.
    pub value: String,
    /// It is disabled.
    pub disabled: bool,
    /// A `change` event told the page of the files.
    pub noticed: Option<bool>,
}

/// What an upload came to.
#[derive(Debug, Clone)]
pub struct UploadReceipt {
    /// How the files got there.
    pub via: UploadVia,
    /// How a selector's element was chosen.
    pub located: Option<Located>,
    /// The input, or what the files were dropped on: tag, id, class, text.
    pub target: Map<String, Value>,
    /// The input's `accept`.
    pub accept: Option<String>,
    /// The input takes several files.
    pub multiple: bool,
    /// What the input holds; `None` when files were dropped or the page went on; an error when nobody could tell.
    pub held: Option<std::result::Result<HeldFiles, String>>,
    /// The page was told of the files by a `change` event; `None` where that cannot be heard.
    pub noticed: Option<bool>,
    /// Who listens for `change` or `input`.
    pub listeners: Option<ElementListeners>,
    /// What the drop zone got.
    pub dropped: Option<DragSeen>,
    /// What changed.
    pub observed: Observed,
}

/// Reply of the page script's `fileInput`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Found {
    target: Map<String, Value>,
    selection: Option<Located>,
    via: Option<String>,
    input: Option<InputFacts>,
    many: Option<u64>,
    button: bool,
}

/// What matters of an input before it gets files.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InputFacts {
    r#ref: u32,
    target: Map<String, Value>,
    multiple: bool,
    directory: bool,
    accept: Option<String>,
    disabled: bool,
}

/// A file input in hand: its frame, a handle of it and what is known of it.
pub(super) struct FileInput {
    pub(super) frame: Frame,
    pub(super) object: String,
    pub(super) facts: InputFacts,
}

impl Tab {
    /// Uploads.
    ///
    /// # Errors
    /// A refusal before anything was set; [`EngineError::Uncertain`] after.
    pub async fn upload(&self, options: &UploadOptions, deadline: Deadline) -> Result<UploadReceipt> {
        let (frame, found): (Frame, Found) = self.on_target(&options.target, "fileInput", [], deadline).await?;
        if let Some(facts) = found.input {
            let handles = self.handles(&frame, "elements", &[facts.r#ref], deadline).await?;
            let object = handles.ids.first().cloned().flatten().ok_or(EngineError::Navigating)?;
            let input = FileInput { frame, object, facts };
            let via = match found.via.as_deref() {
                Some("input") => UploadVia::Input,
                _ => UploadVia::Related,
            };
            let done = self.fill_input(via, &input, options, deadline).await;
            self.let_go(&input.frame, handles);
            return done.map(|receipt| UploadReceipt {
                located: found.selection,
                ..receipt
            });
        }
        if let Some(many) = found.many {
            let facts = json!({"target": found.target, "inputs": many});
            return Err(EngineError::refused("ACTION_FAILED", "several-file-inputs", facts));
        }
        if !found.button
            && let Some(receipt) = self.drop_files(options, deadline).await?
        {
            return Ok(UploadReceipt {
                located: found.selection,
                ..receipt
            });
        }
        let input = self.input_by_chooser(options, found.target, deadline).await?;
        let done = self.fill_input(UploadVia::Chooser, &input, options, deadline).await;
        self.release(&input.frame.session, &input.object);
        done.map(|receipt| UploadReceipt {
            located: found.selection,
            ..receipt
        })
    }

    /// Gives an input its files and reads it back.
    async fn fill_input(
        &self,
        via: UploadVia,
        input: &FileInput,
        options: &UploadOptions,
        deadline: Deadline,
    ) -> Result<UploadReceipt> {
        let FileInput { frame, object, facts } = input;
        check_input(facts, options.files.len(), via)?;
        let listeners = self.input_listeners(input, deadline).await;
        let armed: super::observe::Armed = self.script(frame, "arm", &json!({"expect": "none"}), deadline).await?;
        let around = self.watch_around(frame, deadline).await;
        let none = json!({});
        self.script_on::<()>(&frame.session, object, "hearFiles", &none, deadline)
            .await?;
        let set = SetFileInputFiles {
            files: options.files.iter().map(|file| file.display().to_string()).collect(),
            object_id: Some(object.clone()),
            ..Default::default()
        };
        let input = async { self.call_on(&frame.session, set, deadline).await.map(|_| ()) };
        let mut observed = self
            .observe(frame, armed.watch, options.click.window_ms, input, deadline)
            .await?;
        self.add_around(around, &mut observed, deadline).await;
        let held = match observed.navigation {
            Some(_) => None,
            None => {
                let (args, patience) = (json!({}), deadline.within(LAST_READ));
                let read = self.script_on(&frame.session, object, "heldFiles", &args, patience);
                Some(read.await.map_err(|error| error.to_string()))
            }
        };
        let read = held
            .as_ref()
            .and_then(|held: &std::result::Result<HeldFiles, _>| held.as_ref().ok());
        let noticed = read.and_then(|held| held.noticed);
        Ok(UploadReceipt {
            via,
            located: None,
            target: facts.target.clone(),
            accept: facts.accept.clone(),
            multiple: facts.multiple,
            held,
            noticed,
            listeners,
            dropped: None,
            observed,
        })
    }

    /// Who listens to the input; one that is not in the document has only listeners of its own.
    async fn input_listeners(&self, input: &FileInput, deadline: Deadline) -> Option<ElementListeners> {
        let FileInput { frame, object, facts } = input;
        let patience = deadline.within(Duration::from_secs(2));
        let known = self
            .listeners_by_ref(frame, facts.r#ref, facts.target.clone(), patience)
            .await;
        if let Ok(known) = known {
            return Some(known);
        }
        let theirs = self.in_main_world(frame, object, patience).await.ok()?;
        let own = self.listeners_of(frame, &theirs, 1, patience).await;
        let traces = self.traces(frame, &theirs, patience).await.unwrap_or_default();
        self.release(&frame.session, &theirs);
        let detection = own.as_ref().map_or(Detection::Heuristic, |_| Detection::Protocol);
        let own = own.into_iter().flatten().map(|listener| listener.r#type);
        Some(ElementListeners {
            target: facts.target.clone(),
            own: own.chain(traces.types.iter().cloned()).collect(),
            delegated: Vec::new(),
            traces,
            detection,
        })
    }
}

fn check_input(facts: &InputFacts, files: usize, via: UploadVia) -> Result<()> {
    let reason = if facts.disabled {
        return Err(EngineError::refused(
            "ELEMENT_DISABLED",
            "disabled-attribute",
            json!({"target": facts.target}),
        ));
    } else if facts.directory {
        "takes-a-directory"
    } else if files > 1 && !facts.multiple {
        "takes-one-file"
    } else {
        return Ok(());
    };
    let clicked = via == UploadVia::Chooser;
    Err(EngineError::refused(
        "ACTION_FAILED",
        reason,
        json!({"target": facts.target, "files": files, "clicked": clicked}),
    ))
}
