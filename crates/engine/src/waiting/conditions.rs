//! Waits for elements and texts, by the page script's observers.

use serde::Deserialize;
use serde_json::{Value, json};

use super::Within;
use crate::error::Result;
use crate::tab::{Tab, TabState};

/// What an element is waited to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// A match can be seen.
    Visible,
    /// There is a match, seen or not.
    Attached,
    /// No match can be seen.
    Hidden,
    /// There is no match.
    Detached,
}

impl Visibility {
    /// The spelling of the page script and of commands.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Visible => "visible",
            Self::Attached => "attached",
            Self::Hidden => "hidden",
            Self::Detached => "detached",
        }
    }
}

/// What to wait for.
#[derive(Debug, Clone)]
pub enum Condition {
    /// The matches of a selector, open shadow roots included, are in this state.
    Element {
        /// CSS selector.
        selector: String,
        /// The state.
        state: Visibility,
    },
    /// An element whose text contains this can be seen.
    Text {
        /// The text, compared without regard to case.
        text: String,
    },
    /// The number of matches is within bounds.
    Count {
        /// CSS selector.
        selector: String,
        /// Least number.
        min: Option<u64>,
        /// Greatest number.
        max: Option<u64>,
    },
}

/// A condition that came true.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Met {
    /// How long it took, in milliseconds.
    pub waited_ms: u64,
    /// How many elements match, where they were counted.
    pub count: u64,
}

impl Tab {
    /// Waits for a condition of the page, over as many documents as come meanwhile.
    ///
    /// # Errors
    /// `ACTION_TIMEOUT` with what was still missing; the selector is not valid; the tab's end; a dialog that stays open.
    pub async fn wait_for(&self, condition: &Condition, within: &Within) -> Result<Met> {
        let (name, args) = condition.call();
        let wait = async {
            tokio::select! {
                biased;
                met = self.in_page(name, within, |_| args.clone()) => met,
                () = self.frame_vanishes(within), if condition.is_absence() => Ok(Met::default()),
            }
        };
        let met: Met = self.unless_cut_short(wait).await?;
        Ok(Met {
            waited_ms: within.waited_ms(),
            ..met
        })
    }

    /// Resolves when the frame that is looked into has been there and was taken out of the page.
    async fn frame_vanishes(&self, within: &Within) {
        let mut seen: Option<String> = None;
        let gone = |state: &TabState| {
            if let Some(id) = &seen {
                return state.frames.get(id).is_none().then_some(());
            }
            seen = state.frames.named(within.frame.as_deref()).map(|frame| frame.id);
            None
        };
        if self.until("the frame to go", within.deadline, gone).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl Condition {
    /// True for what is so of a frame that is no more.
    const fn is_absence(&self) -> bool {
        matches!(
            self,
            Self::Element {
                state: Visibility::Hidden | Visibility::Detached,
                ..
            }
        )
    }

    fn call(&self) -> (&'static str, Value) {
        match self {
            Self::Element { selector, state } => ("waitFor", json!({"selector": selector, "state": state.as_str()})),
            Self::Text { text } => ("waitForText", json!({"text": text})),
            Self::Count { selector, min, max } => {
                ("waitForCount", json!({"selector": selector, "min": min, "max": max}))
            }
        }
    }
}
