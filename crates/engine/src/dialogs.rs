//! Native dialogs: answered at once by the tab's policy, so that none ever blocks a command, and recorded.

use serde::Serialize;

/// A native dialog that opened.
#[derive(Debug, Clone, Serialize, PartialEq, Eq)]
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
    /// Grows by one with each dialog of the tab.
    pub seq: u64,
    /// When it opened, milliseconds since 1970.
    pub timestamp: u64,
    /// How it was answered.
    pub accepted: bool,
}

/// The dialogs of a tab: only the newest is kept.
#[derive(Debug, Default)]
pub struct DialogLog {
    /// Newest dialog.
    pub last: Option<Dialog>,
    /// Policy: true dismisses instead of accepting.
    pub dismiss: bool,
    seq: u64,
}

impl DialogLog {
    /// Records a dialog and says whether to accept it. Leaving a page is always accepted: a page must not be able to
    /// keep a task.
    pub fn opened(&mut self, kind: &str, message: &str, default_value: Option<String>, timestamp: u64) -> bool {
        let accepted = kind == "beforeunload" || !self.dismiss;
        self.seq += 1;
        self.last = Some(Dialog {
            kind: kind.into(),
            message: message.into(),
            default_value,
            seq: self.seq,
            timestamp,
            accepted,
        });
        accepted
    }

    /// Number of dialogs seen.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.seq
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaving_is_accepted_whatever_the_policy() {
        let mut log = DialogLog {
            dismiss: true,
            ..DialogLog::default()
        };
        assert!(!log.opened("confirm", "sure?", None, 1));
        assert!(log.opened("beforeunload", "", None, 2));
        assert_eq!(log.last.as_ref().map(|dialog| dialog.seq), Some(2));
    }
}
