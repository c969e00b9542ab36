//! Locator facts of every indexed element as they are now, with the listeners that the browser knows of.

use std::collections::HashMap;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::deadline::Deadline;
use crate::error::Result;
use crate::frames::Frame;
use crate::page_state::StateOptions;
use crate::state::{ElementRecord, ListedElement};
use crate::tab::Tab;

/// Time for the listeners of a whole frame; after it the records go without them.
const LISTENERS_LIMIT: Duration = Duration::from_millis(1500);
/// Elements of a frame whose listeners are asked about at most.
const LISTENERS_MAX: usize = 2000;

/// One indexed element.
#[derive(Debug, Clone, Default)]
pub struct MapEntry {
    /// Its index.
    pub index: u32,
    /// Number of its frame.
    pub frame: usize,
    /// Address of its frame.
    pub frame_url: String,
    /// Facts; only tag and text when it could not be read again. The rectangle is that of the tab's viewport.
    pub record: ElementRecord,
    /// It was read again.
    pub resolved: bool,
    /// Types of its listeners, each once.
    pub listeners: Vec<String>,
    /// `cdp` when the browser was asked, `skipped` when that would have taken too long.
    pub detection: Option<&'static str>,
}

/// All indexed elements.
#[derive(Debug, Clone, Default)]
pub struct InteractiveMap {
    /// In reading order.
    pub entries: Vec<MapEntry>,
    /// There was no reading, so one was made.
    pub read_now: bool,
    /// Token of the reading that the indices are of.
    pub snapshot_id: String,
}

impl Tab {
    /// Facts of all elements that the current reading lists; reads the tab when there is none.
    ///
    /// # Errors
    /// As [`Tab::read_state`], when the tab has to be read.
    pub async fn interactive_map(&self, deadline: Deadline) -> Result<InteractiveMap> {
        let mut out = InteractiveMap::default();
        if self.frames_read().is_none() {
            self.read_state(&StateOptions::default(), deadline).await?;
            out.read_now = true;
        }
        let (listing, snapshot_id) = {
            let table = self.indices();
            (table.listing(), table.snapshot_id().unwrap_or_default())
        };
        out.snapshot_id = snapshot_id;
        let mut by_frame: Vec<(String, Vec<ListedElement>)> = Vec::new();
        for element in listing {
            match by_frame.last_mut() {
                Some((frame, elements)) if *frame == element.place.frame => elements.push(element),
                _ => by_frame.push((element.place.frame.clone(), vec![element])),
            }
        }
        let numbers = self.state().frames.by_number();
        let read = by_frame.iter().map(|(id, elements)| {
            let known = numbers.iter().find(|(_, frame)| frame.id == *id);
            self.entries_of(known, elements, deadline)
        });
        out.entries = join_all(read).await.into_iter().flatten().collect();
        Ok(out)
    }

    async fn entries_of(
        &self,
        known: Option<&(usize, Frame)>,
        elements: &[ListedElement],
        deadline: Deadline,
    ) -> Vec<MapEntry> {
        let mut entries: Vec<MapEntry> = elements.iter().map(remembered).collect();
        let Some((number, frame)) = known else { return entries };
        for entry in &mut entries {
            entry.frame = *number;
            entry.frame_url.clone_from(&frame.url);
        }
        let refs: Vec<u32> = elements.iter().map(|element| element.place.local).collect();
        let args = json!({"refs": refs, "doc": elements.first().map(|element| &element.place.doc)});
        let (records, map, listeners) = tokio::join!(
            self.script::<Vec<ElementRecord>>(frame, "records", &args, deadline),
            self.frame_map(frame, deadline),
            self.listeners_by_element(frame, &refs, deadline.within(LISTENERS_LIMIT)),
        );
        let map = map.ok().flatten();
        for (at, record) in records.unwrap_or_default().into_iter().enumerate() {
            let Some(entry) = entries.get_mut(at) else { break };
            if record.resolved != Some(true) {
                continue;
            }
            entry.resolved = true;
            entry.record = map.map_or_else(|| record.clone(), |map| record.clone().through(map));
            match &listeners {
                Some(found) => {
                    entry.detection = Some("cdp");
                    entry.listeners = found.get(&at).cloned().unwrap_or_default();
                }
                None => entry.detection = Some("skipped"),
            }
        }
        entries
    }

    /// Types of listeners by position in `refs`; `None` when it cannot be told in time.
    async fn listeners_by_element(
        &self,
        frame: &Frame,
        refs: &[u32],
        deadline: Deadline,
    ) -> Option<HashMap<usize, Vec<String>>> {
        if refs.len() > LISTENERS_MAX {
            return None;
        }
        let elements = self.handles(frame, "elements", &refs, deadline).await.ok()?;
        let document = self.handles(frame, "documents", &Value::Null, deadline).await.ok()?;
        // Asked about a document of our own world, the browser ends the page's process once handlers were collected.
        let whole = self
            .in_main_world(frame, document.ids.first()?.as_deref()?, deadline)
            .await
            .ok()?;
        let nodes = join_all(elements.ids.iter().map(|id| async {
            let backend = self.backend_node(frame, id.as_deref()?, deadline).await;
            backend.ok()
        }));
        let (nodes, listed) = tokio::join!(nodes, self.listeners_of(frame, &whole, -1, deadline));
        self.release(&frame.session, &whole);
        self.let_go(frame, elements);
        self.let_go(frame, document);
        let mut by_node: HashMap<i64, Vec<String>> = HashMap::new();
        for listener in listed.ok()? {
            let Some(node) = listener.backend_node_id else { continue };
            let types = by_node.entry(node).or_default();
            if !types.contains(&listener.r#type) {
                types.push(listener.r#type);
            }
        }
        let of = |(at, node): (usize, Option<i64>)| Some((at, by_node.get(&node?)?.clone()));
        Some(nodes.into_iter().enumerate().filter_map(of).collect())
    }
}

fn remembered(element: &ListedElement) -> MapEntry {
    MapEntry {
        index: element.index,
        record: ElementRecord {
            tag: element.tag.clone(),
            text: element.text.clone(),
            ..ElementRecord::default()
        },
        ..MapEntry::default()
    }
}
