//! Native dialogs of a task: what is done with them and the newest of them. One that is not left open is answered at
//! once, so that it never blocks a command. Invariant: leaving a page is always accepted, whatever the policy; a page
//! must not be able to keep a task.

use std::collections::HashMap;
use std::sync::atomic::{AtomicIsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;

/// What is done with a native dialog that opens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Policy {
    /// OK; a prompt gets the text that it proposes.
    #[default]
    Accept,
    /// Cancel.
    Dismiss,
    /// It is left open until it is answered.
    Ask,
}

impl Policy {
    /// Name in parameters and replies.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Dismiss => "dismiss",
            Self::Ask => "ask",
        }
    }
}

/// A native dialog that opened.
#[derive(Debug, Clone, Default, Serialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Dialog {
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its text.
    pub message: String,
    /// Text that a prompt proposes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_value: Option<String>,
    /// Grows by one with each dialog of the task.
    pub seq: u64,
    /// When it opened, milliseconds since 1970.
    pub timestamp: u64,
    /// Address of the document that opened it.
    pub url: String,
    /// It is open: the page stands still until it is answered.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// How it was answered; absent while it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<bool>,
    /// Text that a prompt was answered with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Who answered one that was left open: `caller`, `person` (in the window, or through another program), `page` (it
    /// went away with its document).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed_by: Option<&'static str>,
}

/// The dialogs of one task: policy and the newest one.
#[derive(Debug, Default)]
pub struct DialogBook(Mutex<Book>);

#[derive(Debug, Default)]
struct Book {
    policy: Policy,
    seq: u64,
    last: Option<Dialog>,
}

impl DialogBook {
    fn lock(&self) -> MutexGuard<'_, Book> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is done with the next dialog.
    #[must_use]
    pub fn policy(&self) -> Policy {
        self.lock().policy
    }

    /// Chooses what is done with later dialogs.
    pub fn set_policy(&self, policy: Policy) {
        self.lock().policy = policy;
    }

    /// The newest dialog, unless it was forgotten.
    #[must_use]
    pub fn last(&self) -> Option<Dialog> {
        self.lock().last.clone()
    }

    /// Number of dialogs so far.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.lock().seq
    }

    /// Forgets the newest dialog; true when there was one.
    pub fn forget(&self) -> bool {
        self.lock().last.take().is_some()
    }

    /// Numbers and records a dialog and decides about it: `open` is set when it is to be left open.
    pub(crate) fn opened(&self, dialog: Dialog) -> Dialog {
        let mut book = self.lock();
        let leaving = dialog.kind == "beforeunload";
        let open = book.policy == Policy::Ask && !leaving;
        let accepted = leaving || book.policy == Policy::Accept;
        book.seq += 1;
        let dialog = Dialog {
            seq: book.seq,
            open,
            accepted: (!open).then_some(accepted),
            ..dialog
        };
        book.last = Some(dialog.clone());
        dialog
    }

    /// Takes up how a dialog ended, unless it was forgotten or a newer one has come.
    pub(crate) fn ended(&self, dialog: &Dialog) {
        let mut book = self.lock();
        if let Some(last) = book.last.as_mut().filter(|last| last.seq == dialog.seq) {
            last.clone_from(dialog);
        }
    }
}

/// The books of all owners of a browser.
#[derive(Debug, Default)]
pub(crate) struct DialogBooks {
    books: Mutex<HashMap<String, Arc<DialogBook>>>,
    open: AtomicIsize,
}

impl DialogBooks {
    /// The book of an owner; a tab that belongs to nobody has a fresh one, whose dialogs are accepted.
    pub(crate) fn of(&self, owner: Option<&str>) -> Arc<DialogBook> {
        let Some(owner) = owner else { return Arc::default() };
        let mut books = self.books.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(books.entry(owner.to_owned()).or_default())
    }

    /// The owner is no more.
    pub(crate) fn forget(&self, owner: &str) {
        self.books.lock().unwrap_or_else(PoisonError::into_inner).remove(owner);
    }

    /// How many dialogs are open in all tabs.
    pub(crate) fn open_count(&self) -> isize {
        self.open.load(Ordering::Acquire)
    }

    /// One more or one less is open.
    pub(crate) fn count_open(&self, change: isize) {
        self.open.fetch_add(change, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: &str) -> Dialog {
        Dialog {
            kind: kind.into(),
            ..Dialog::default()
        }
    }

    #[test]
    fn leaving_is_accepted_whatever_the_policy() {
        for policy in [Policy::Accept, Policy::Dismiss, Policy::Ask] {
            let book = DialogBook::default();
            book.set_policy(policy);
            let leaving = book.opened(of("beforeunload"));
            assert_eq!((leaving.open, leaving.accepted), (false, Some(true)), "{policy:?}");
        }
    }

    #[test]
    fn the_policy_decides_and_the_newest_is_kept() {
        let book = DialogBook::default();
        assert_eq!(book.opened(of("confirm")).accepted, Some(true));
        book.set_policy(Policy::Dismiss);
        assert_eq!(book.opened(of("confirm")).accepted, Some(false));
        book.set_policy(Policy::Ask);
        let open = book.opened(of("confirm"));
        assert_eq!((open.open, open.accepted, open.seq), (true, None, 3));
        let ended = Dialog {
            open: false,
            accepted: Some(true),
            ..open
        };
        book.ended(&ended);
        assert_eq!(book.last(), Some(ended.clone()));
        assert!(book.forget() && !book.forget());
        book.ended(&ended);
        assert_eq!(book.last(), None, "a forgotten dialog stays forgotten");
    }
}
