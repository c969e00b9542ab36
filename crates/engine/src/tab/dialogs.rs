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
const BROWSER_ANSWERS: Duration = Duration::from_millis(400);
/// How long a page may be silent before an open dialog of a tab that shares its process is taken for the reason.
const SHARED_SILENCE: Duration = Duration::from_secs(1);
/// How long a page that is not held may take to prove it.
const PROOF: Duration = Duration::from_secs(1);
/// The same for tabs of one family, where it is likely.
const RELATIVE_PROOF: Duration = Duration::from_millis(500);
/// How long the page may take to open its next dialog, or to go on, after one was answered.
const NEXT: Duration = Duration::from_millis(500);
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
        tab.count_asking(1);
        return;
    }
    if too_many {
        // A loop of dialogs would keep the page from ever answering again. Sent before the answer: the script is stopped
        // when it goes on, not after it has opened the next dialog.
        session.notify(runtime::TerminateExecution {});
        tab.update(|state| state.life.dialogs = 0);
    }
    session.notify(page::HandleJavaScriptDialog {
        accept: dialog.accepted == Some(true),
        prompt_text: opening.default_prompt,
    });
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
    tab.count_asking(-1);
}

/// The tab is gone: nothing is open in it any more.
pub(super) fn ended(tab: &Tab) {
    gone_with_page(tab);
}

/// Whether the page behind a session answers at all.
async fn answers(session: &Session, limit: Duration) -> bool {
    let ping = runtime::Evaluate {
        expression: "0".into(),
        ..Default::default()
    };
    session.call_within(ping, limit).await.is_ok()
}

/// How long a call that a tab is given may take to be answered once a dialog was left open in it: what the page's own
/// thread answers will not come.
pub(super) fn grace(method: &str) -> Duration {
    if method.starts_with("Input.") {
        Duration::ZERO
    } else {
        BROWSER_ANSWERS
    }
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

    /// Notes that one more or one less dialog is open, and wakes the calls that it holds.
    fn count_asking(&self, change: isize) {
        if let Some(browser) = self.browser.upgrade() {
            browser.dialogs().count_open(change);
        }
        self.asked.send_modify(|version| *version += 1);
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
        let answered = self.until("the dialog to close", deadline, |state| {
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
        });
        let answered = answered.await?;
        self.page_goes_on(&open.session, deadline.within(NEXT)).await;
        Ok(answered)
    }

    /// Waits until the page answers again or has opened its next dialog, so that whoever looks next sees which it is.
    async fn page_goes_on(&self, session: &Session, limit: Deadline) {
        let next = self.until("the next dialog", limit, |state| state.asking.is_some().then_some(()));
        tokio::select! {
            _ = next => {}
            _ = answers(session, limit.remaining()) => {}
        }
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

    /// Refuses a call that the page would have to answer while a dialog is open, in this tab or in one that it opened or
    /// was opened by: those often share a process, and a dialog of one then holds the other.
    pub(super) async fn refuse_while_asking(&self, session: &Session, method: &str) -> Result<()> {
        if UNHELD.contains(&method) {
            return Ok(());
        }
        let held = |dialog| Err(EngineError::DialogOpen(Box::new(dialog)));
        if let Some(dialog) = self.open_dialog() {
            return held(dialog);
        }
        match self.asking_relative() {
            Some(dialog) if !answers(session, RELATIVE_PROOF).await => held(dialog),
            _ => Ok(()),
        }
    }

    /// The dialog that is open in a tab of the same family of openers.
    fn asking_relative(&self) -> Option<Dialog> {
        let browser = self.browser.upgrade()?;
        let dialogs = browser.dialogs();
        if dialogs.open_count() == 0 {
            return None;
        }
        let tabs = browser.registry().all();
        let eldest = |id: &str| {
            let mut eldest = id.to_owned();
            while let Some(opener) = tabs
                .iter()
                .find(|tab| tab.id == eldest)
                .and_then(|tab| tab.state().opener.clone())
            {
                eldest = opener;
            }
            eldest
        };
        let own = eldest(&self.id);
        let asking = tabs.iter().filter(|tab| tab.id != self.id && eldest(&tab.id) == own);
        asking.filter_map(|tab| tab.open_dialog()).next()
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
            if !answers(session, PROOF).await {
                return EngineError::DialogOpen(Box::new(dialog));
            }
        }
    }
}
