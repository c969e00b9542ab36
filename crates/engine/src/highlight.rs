//! The layer of index boxes, for a person who watches the browser. Every call of the page script takes it away first; a
//! picture does so here.

use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;

use crate::deadline::Deadline;
use crate::frames::Frame;
use crate::tab::Tab;

/// How long a page may take to draw or remove boxes; a page that hangs is left as it is.
const PATIENCE: Duration = Duration::from_millis(500);

/// Elements behind the indices of a reading: by frame, pairs of the page script's reference and the index.
#[derive(Debug, Clone, Default)]
pub struct IndexMarks(pub(crate) Vec<(Frame, Vec<(u32, u32)>)>);

impl Tab {
    /// Draws a box around each listed element; a frame that cannot is left out. Says how many were drawn.
    pub async fn highlight(&self, marks: IndexMarks, deadline: Deadline) -> u64 {
        let frames = marks.0.iter().map(|(frame, _)| frame.clone()).collect();
        *self.highlighted() = frames;
        let drawn = marks.0.iter().map(|(frame, marks)| async move {
            let args = json!({"marks": marks});
            let reply = self
                .script::<Drawn>(frame, "highlight", &args, deadline.within(PATIENCE))
                .await;
            reply.map_or(0, |reply| reply.drawn)
        });
        join_all(drawn).await.into_iter().sum()
    }

    fn highlighted(&self) -> MutexGuard<'_, Vec<Frame>> {
        self.highlighted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes all boxes away, where any were drawn.
    pub(crate) async fn unhighlight(&self, deadline: Deadline) {
        let frames = std::mem::take(&mut *self.highlighted());
        let cleared = frames.iter().map(|frame| async move {
            // A document that has gone has taken its boxes with it.
            let _ = self
                .script::<()>(frame, "clearHighlight", &json!({}), deadline.within(PATIENCE))
                .await;
        });
        join_all(cleared).await;
    }
}

#[derive(serde::Deserialize)]
struct Drawn {
    drawn: u64,
}
