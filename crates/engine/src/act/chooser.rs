//! The file input behind a click: the browser is told not to open its file chooser, and says instead which input it
//! would have opened it for. Invariant: choosers are intercepted only while a click of ours waits for one.

use std::time::Duration;

use cdp::Session;
use cdp::protocol::page::SetInterceptFileChooserDialog;
use serde_json::{Map, Value, json};

use super::click::{ClickMode, ClickOptions};
use super::upload::{FileInput, UploadOptions};
use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::tab::{Tab, choosers_at_rest};

/// How long after the click a page may still open the chooser: some ask their server first.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Interception of choosers; ends when it goes out of scope.
struct Interception {
    sessions: Vec<Session>,
    /// What is done with choosers afterwards.
    at_rest: SetInterceptFileChooserDialog,
}

impl Interception {
    async fn begin(tab: &Tab, sessions: Vec<Session>, deadline: Deadline) -> Result<Self> {
        tab.update(|state| state.chooser = None);
        let this = Self {
            sessions,
            at_rest: choosers_at_rest(tab),
        };
        let intercept = SetInterceptFileChooserDialog {
            enabled: true,
            cancel: None,
        };
        for session in &this.sessions {
            tab.call_on(session, intercept.clone(), deadline).await?;
        }
        Ok(this)
    }
}

impl Drop for Interception {
    fn drop(&mut self) {
        for session in &self.sessions {
            session.notify(self.at_rest.clone());
        }
    }
}

impl Tab {
    /// Clicks and takes hold of the input whose chooser the click opens.
    ///
    /// # Errors
    /// A refusal of the click, before it; after it one with `clicked:true` when no chooser came.
    pub(super) async fn input_by_chooser(
        &self,
        options: &UploadOptions,
        target: Map<String, Value>,
        deadline: Deadline,
    ) -> Result<FileInput> {
        let (frame, _) = self.aim(&options.target)?;
        let mut sessions = vec![self.session.clone()];
        if frame.session.id() != self.session.id() {
            sessions.push(frame.session.clone());
        }
        let interception = Interception::begin(self, sessions, deadline).await?;
        // A click made by script opens no chooser: it is not the user's.
        let click = ClickOptions {
            mode: ClickMode::Native,
            ..options.click
        };
        let opened = async {
            let click = self.click(&options.target, click, deadline);
            let chooser = self.until("the file chooser", deadline, |state| state.chooser.clone());
            tokio::pin!(click, chooser);
            tokio::select! {
                biased;
                chooser = &mut chooser => chooser.map(|chooser| (Some(chooser), None)),
                clicked = &mut click => {
                    let observed = clicked?.observed;
                    let patience = deadline.within(PATIENCE);
                    match tokio::time::timeout(patience.remaining(), chooser).await {
                        Ok(chooser) => chooser.map(|chooser| (Some(chooser), Some(observed))),
                        Err(_) => Ok((None, Some(observed))),
                    }
                }
            }
        };
        let (chooser, observed) = opened.await?;
        drop(interception);
        let Some(chooser) = chooser else {
            let changed = observed.is_some_and(|observed| observed.is_changed());
            let facts = json!({"target": target, "clicked": true, "changed": changed});
            return Err(EngineError::refused("ACTION_FAILED", "no-file-chooser", facts));
        };
        let Some(backend) = chooser.backend_node_id else {
            let facts = json!({"target": target, "clicked": true});
            return Err(EngineError::refused("ACTION_FAILED", "chooser-without-input", facts));
        };
        let frame = self.state().frames.get(&chooser.frame_id).cloned();
        let frame = frame.ok_or(EngineError::Navigating).map_err(after_click)?;
        let object = self
            .node_in_world(&frame, backend, deadline)
            .await
            .map_err(after_click)?;
        let facts = self
            .script_on(&frame.session, &object, "chosenInput", &json!({}), deadline)
            .await
            .map_err(after_click)?;
        Ok(FileInput { frame, object, facts })
    }
}

/// The click was made; what came of it is not known when the page then cannot be asked.
fn after_click(error: EngineError) -> EngineError {
    match error {
        EngineError::Navigating | EngineError::Timeout { .. } | EngineError::Protocol { .. } => {
            EngineError::Uncertain {
                reason: error.to_string(),
            }
        }
        other => other,
    }
}
