//! Main-world execution contexts. The frame that a session starts with needs none (the protocol's default is its own);
//! those of the others are announced by the browser from the set-up of the session on.

use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::frames::Frame;
use crate::tab::Tab;

impl Tab {
    /// The context of the frame's main world; `None` where the session's default is right.
    pub(crate) async fn main_context(&self, frame: &Frame, deadline: Deadline) -> Result<Option<i64>> {
        if self.starts_session(frame) {
            return Ok(None);
        }
        let found = self
            .until("the frame's context", deadline, |state| {
                let gone = state
                    .frames
                    .get(&frame.id)
                    .is_none_or(|now| now.loader_id != frame.loader_id);
                if gone {
                    Some(None)
                } else {
                    let context = state.contexts.get(&frame.id);
                    context
                        .filter(|(session, _)| session.as_deref() == frame.session.id())
                        .map(|(_, id)| Some(*id))
                }
            })
            .await?;
        found.map(Some).ok_or(EngineError::Navigating)
    }

    /// True for the frame that its session was made for: the tab's main frame, or the root of a process's frames.
    pub(crate) fn starts_session(&self, frame: &Frame) -> bool {
        let Some(parent) = &frame.parent else { return true };
        self.state()
            .frames
            .get(parent)
            .is_none_or(|parent| parent.session.id() != frame.session.id())
    }
}
