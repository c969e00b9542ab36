//! Files dropped on an element, as from a file manager. Invariant: nothing is dropped where the page has not allowed it;
//! the browser would open the file instead.

use cdp::protocol::input::{DispatchDragEvent, DragData};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::drag::DragSeen;
use super::upload::{UploadOptions, UploadReceipt, UploadVia};
use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::frames::Frame;
use crate::geometry::Point;
use crate::tab::Tab;

/// The operation "copy" in the bit set of drag operations.
const COPY: i64 = 1;

/// Reply of the page script's `dragPoint`.
#[derive(Deserialize)]
struct Place {
    r#ref: u64,
    point: Point,
    target: Map<String, Value>,
}

#[derive(Deserialize)]
struct Recorded {
    record: u64,
    watch: Option<u64>,
}

/// Files that hover over a page; taken away again unless they were dropped.
struct Carried<'a> {
    tab: &'a Tab,
    at: Point,
    data: DragData,
    over: bool,
}

impl Carried<'_> {
    fn event(&self, kind: &str) -> DispatchDragEvent {
        DispatchDragEvent {
            r#type: kind.into(),
            x: self.at.x,
            y: self.at.y,
            data: self.data.clone(),
            modifiers: None,
        }
    }

    async fn send(&mut self, kind: &str, deadline: Deadline) -> Result<()> {
        self.over = kind != "drop";
        self.tab.call(self.event(kind), deadline).await.map(|_| ())
    }
}

impl Drop for Carried<'_> {
    fn drop(&mut self) {
        if self.over {
            self.tab.session.notify(self.event("dragCancel"));
        }
    }
}

impl Tab {
    /// Drops the files; `None` when the element does not take them, or cannot be reached.
    pub(super) async fn drop_files(
        &self,
        options: &UploadOptions,
        deadline: Deadline,
    ) -> Result<Option<UploadReceipt>> {
        let args = [("strict", json!(true)), ("timeoutMs", json!(500))];
        let (frame, place): (Frame, Place) = self.on_target(&options.target, "dragPoint", args, deadline).await?;
        let at = self.to_viewport(&frame, place.point, true, deadline).await?;
        let args = json!({"over": place.r#ref, "watch": true});
        let records: Recorded = self.script(&frame, "recordDrag", &args, deadline).await?;
        let files = options.files.iter().map(|file| file.display().to_string()).collect();
        let data = DragData {
            items: Vec::new(),
            files: Some(files),
            drag_operations_mask: COPY,
        };
        let mut carried = Carried {
            tab: self,
            at,
            data,
            over: false,
        };
        for kind in ["dragEnter", "dragOver", "dragOver"] {
            carried.send(kind, deadline).await?;
        }
        if !self.record_of(&frame, records.record, false, deadline).await?.accepts {
            self.record_of(&frame, records.record, true, deadline).await?;
            return Ok(None);
        }
        let watch = records.watch.unwrap_or_default();
        let around = self.watch_around(&frame, deadline).await;
        let dropping = carried.send("drop", deadline);
        let mut observed = self
            .observe(&frame, watch, options.click.window_ms, dropping, deadline)
            .await?;
        self.add_around(around, &mut observed, deadline).await;
        let seen = self.record_of(&frame, records.record, true, deadline).await;
        let seen = match (seen, &observed.navigation) {
            (Ok(seen), _) if seen.event("drop").is_some() => Some(seen),
            (_, Some(_)) => None,
            (seen, None) => {
                let reason = seen.map_or_else(|error| error.to_string(), |_| "no drop arrived".to_owned());
                return Err(EngineError::Uncertain { reason });
            }
        };
        Ok(Some(UploadReceipt {
            via: UploadVia::Drop,
            located: None,
            target: place.target,
            accept: None,
            multiple: true,
            held: None,
            noticed: None,
            listeners: None,
            dropped: seen,
            observed,
        }))
    }

    async fn record_of(&self, frame: &Frame, record: u64, end: bool, deadline: Deadline) -> Result<DragSeen> {
        self.script(frame, "dragSeen", &json!({"record": record, "end": end}), deadline)
            .await
    }
}
