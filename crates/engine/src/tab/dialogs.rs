//! Native dialogs of one tab: answered at once by the policy of its task, or left open for the caller. While one is
//! open the page stands still. Invariant: no call to a tab outlives the opening of a dialog that is left open, so that
//! none waits for a page that cannot answer.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use cdp::protocol::{page, runtime};
use cdp::{CdpError, Session};

use super::{Tab, now_ms};
use crate::deadline::Deadline;
use crate::dialogs::{Dialog, DialogBook};
use crate::error::{EngineError, Result};

/// Dialogs that one document may open before the script that opens them is stopped.
const MOST_DIALOGS: u32 = 40;
/// How long the browser itself may take to answer a call that it answers without the page.
pub(super) const BROWSER_ANSWERS: Duration = Duration::from_millis(400);
/// How long a page may be silent before an open dialog of a tab that shares its process is taken for the reason.
const SHARED_SILENCE: Duration = Duration::from_secs(1);
/// How long a page that is not held may take to prove it.
const PROOF: Duration = Duration::from_secs(1);
/// Calls that the browser answers while a dialog is open.
const UNHELD: [&str; 1] = ["Page.bringToFront"];

/// A dialog that was left open.
#[derive(Debug, Clone)]
pub struct OpenDialog {
    /// What it says.
    pub dialog: Dialog,
    /// Session on which it was announced and is answered.
    session: Session,
    /// The caller has answered it.
    answered: bool,
}

pub(super) fn opened(tab: &Arc<Tab>, session: &Session, opening: page::JavascriptDialogOpening) {
    let book = tab.dialog_book();
    let dialog = book.opened(Dialog {
        kind: opening.r#type,
        message: opening.message,
        default_value: opening.default_prompt.clone().filter(|text| !text.is_empty()),
        timestamp: now_ms(),
        url: opening.url,
        ..Dialog::default()
    });
    let too_many = tab.update(|state| {
        state.marks.dialogs += 1;
        state.life.dialogs += 1;
        state.last_dialog = Some(dialog.clone());
        if dialog.open {
            state.asking = Some(OpenDialog {
                dialog: dialog.clone(),
                session: session.clone(),
                answered: false,
            });
        }
        state.life.dialogs > MOST_DIALOGS && !dialog.open
    });
    if dialog.open {
        tab.asked.send_modify(|version| *version += 1);
        return;
    }
    session.notify(page::HandleJavaScriptDialog {
        accept: dialog.accepted == Some(true),
        prompt_text: opening.default_prompt,
    });
    if too_many {
        // A loop of dialogs would keep the page from ever answering again.
        session.notify(runtime::TerminateExecution {});
        tab.update(|state| state.life.dialogs = 0);
    }
}

pub(super) fn closed(tab: &Tab, closed: &page::JavascriptDialogClosed) {
    end(tab, |open| Dialog {
        accepted: Some(closed.result),
        answer: (closed.result && open.dialog.kind == "prompt").then(|| closed.user_input.clone()),
        closed_by: Some(if open.answered { "caller" } else { "person" }),
        open: false,
        ..open.dialog.clone()
    });
}

/// The document that opened it is gone, and the dialog with it.
pub(super) fn gone_with_page(tab: &Tab) {
    end(tab, |open| Dialog {
        accepted: Some(false),
        closed_by: Some("page"),
        open: false,
        ..open.dialog.clone()
    });
}

fn end(tab: &Tab, how: impl FnOnce(&OpenDialog) -> Dialog) {
    let Some(open) = tab.state().asking.clone() else { return };
    let dialog = how(&open);
    tab.dialog_book().ended(&dialog);
    tab.update(|state| {
        state.last_dialog = Some(dialog);
        state.asking = None;
    });
    tab.asked.send_modify(|version| *version += 1);
}

impl Tab {
    /// The book of the tab's task.
    fn dialog_book(&self) -> Arc<DialogBook> {
        let owner = self.owner();
        match self.browser.upgrade() {
            Some(browser) => browser.dialogs().of(owner.as_deref()),
            None => Arc::default(),
        }
    }

    /// The dialog that was left open.
    #[must_use]
    pub fn open_dialog(&self) -> Option<Dialog> {
        self.state().asking.as_ref().map(|open| open.dialog.clone())
    }

    /// Answers the dialog that was left open; a prompt that is accepted without a text gets the one it proposes.
    ///
    /// # Errors
    /// [`EngineError::NoDialog`] when none is open any more; the deadline; the tab's end.
    pub async fn answer_dialog(&self, accept: bool, text: Option<String>, deadline: Deadline) -> Result<Dialog> {
        let open = self.update(|state| {
            let open = state.asking.as_mut()?;
            open.answered = true;
            Some(open.clone())
        });
        let open = open.ok_or(EngineError::NoDialog)?;
        let command = page::HandleJavaScriptDialog {
            accept,
            prompt_text: text.or_else(|| open.dialog.default_value.clone()),
        };
        match open.session.call_within(command, deadline.remaining()).await {
            Ok(_) => {}
            // Somebody was faster.
            Err(CdpError::Protocol { .. }) => {
                gone_with_page(self);
                return Err(EngineError::NoDialog);
            }
            Err(error) => return Err(error.into()),
        }
        let seq = open.dialog.seq;
        self.until("the dialog to close", deadline, |state| {
            let newest = state.last_dialog.as_ref();
            let same = newest.filter(|dialog| dialog.seq == seq);
            match same {
                Some(dialog) => (!dialog.open).then(|| dialog.clone()),
                // The page has opened the next one.
                None => Some(Dialog {
                    open: false,
                    accepted: Some(accept),
                    closed_by: Some("caller"),
                    ..open.dialog.clone()
                }),
            }
        })
        .await
    }

    /// Dismisses a dialog that was left open, without waiting.
    pub(crate) fn dismiss_dialog(&self) {
        if let Some(open) = self.state().asking.clone() {
            open.session.notify(page::HandleJavaScriptDialog {
                accept: false,
                prompt_text: None,
            });
        }
    }

    /// Refuses a call that the page would have to answer while a dialog is open.
    pub(super) fn refuse_while_asking(&self, method: &str) -> Result<()> {
        match self.open_dialog() {
            Some(dialog) if !UNHELD.contains(&method) => Err(EngineError::DialogOpen(Box::new(dialog))),
            _ => Ok(()),
        }
    }

    /// Resolves when a dialog has been left open in this tab for `grace`.
    pub(super) async fn held_by_dialog(&self, grace: Duration) -> EngineError {
        let mut asked = self.asked.subscribe();
        loop {
            if let Some(dialog) = self.open_dialog() {
                if grace.is_zero() {
                    return EngineError::DialogOpen(Box::new(dialog));
                }
                tokio::time::sleep(grace).await;
                if self.open_dialog().is_some_and(|now| now.seq == dialog.seq) {
                    return EngineError::DialogOpen(Box::new(dialog));
                }
            }
            if asked.changed().await.is_err() {
                pending::<()>().await;
            }
        }
    }

    /// Resolves when this page has been silent for long, a dialog is open in another tab of its task, and the page does
    /// not answer at all: pages that opened each other share a process, and a dialog of one holds the other.
    pub(super) async fn held_by_neighbour(&self, session: &Session) -> EngineError {
        loop {
            tokio::time::sleep(SHARED_SILENCE).await;
            let (Some(browser), Some(owner)) = (self.browser.upgrade(), self.owner()) else {
                continue;
            };
            let neighbours = browser.registry().owned_by(&owner);
            let Some(dialog) = neighbours.iter().find_map(|tab| tab.open_dialog()) else {
                continue;
            };
            let ping = runtime::Evaluate {
                expression: "0".into(),
                ..Default::default()
            };
            if session.call_within(ping, PROOF).await.is_err() {
                return EngineError::DialogOpen(Box::new(dialog));
            }
        }
    }
}
