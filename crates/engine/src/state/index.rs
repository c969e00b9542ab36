//! Which number stands for which element of a tab. Invariants: one counter for all frames; a number given in a main
//! document is never given again while that document lives; the counter restarts at 0 with a new main document; a
//! number resolves to the very element it was printed for, or to a reason why not.

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::model::{Line, PageSnapshot};

/// Where an element lives: the frame, the document that the frame showed, and the page script's reference there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// Protocol id of the frame.
    pub frame: String,
    /// Token of the document.
    pub doc: String,
    /// The page script's reference.
    pub local: u32,
}

/// What one reading of a frame listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listed {
    /// Numbers in reading order.
    pub indices: Vec<u32>,
}

impl Listed {
    /// Lowest and highest number; `None` when nothing was listed. Numbers between them may belong to other frames.
    #[must_use]
    pub fn range(&self) -> Option<(u32, u32)> {
        Some((*self.indices.iter().min()?, *self.indices.iter().max()?))
    }
}

/// An element as the current reading listed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedElement {
    /// Its number.
    pub index: u32,
    /// Where it lives.
    pub place: Place,
    /// Its tag.
    pub tag: String,
    /// Its text, shortened.
    pub text: String,
    /// Its document or frame has gone since.
    pub ended: bool,
}

/// Why an index does not resolve.
#[derive(Debug, Clone, PartialEq)]
pub struct Stale {
    /// `no-snapshot`, `not-listed`, `other-document`, `document-replaced` or `frame-gone`.
    pub reason: &'static str,
    /// `index`, `count`, `lowest`, `highest`, `ageSeconds`, `snapshotId`, `tag`, `text`, `replacedBy` as far as known.
    pub facts: Map<String, Value>,
}

#[derive(Debug, Clone)]
struct Entry {
    place: Place,
    tag: String,
    text: String,
    ended: Option<Ended>,
}

#[derive(Debug, Clone)]
enum Ended {
    Replaced(String),
    FrameGone,
}

/// The index table of one tab.
#[derive(Debug, Default)]
pub struct IndexTable {
    main_doc: Option<String>,
    next: u32,
    entries: BTreeMap<u32, Entry>,
    by_place: HashMap<Place, u32>,
    reading: u64,
    taken_at: Option<Instant>,
    listed: Vec<u32>,
}

impl IndexTable {
    /// Starts a reading of the tab, whose main frame shows document `main_doc`. A new main document starts at 0 again.
    pub fn begin(&mut self, main_doc: &str, now: Instant) {
        if self.main_doc.as_deref() != Some(main_doc) {
            *self = Self {
                main_doc: Some(main_doc.to_owned()),
                reading: self.reading,
                ..Self::default()
            };
        }
        self.reading += 1;
        self.taken_at = Some(now);
        self.listed.clear();
    }

    /// Takes up the indexed elements of one frame's snapshot, in reading order: survivors keep their number, others get
    /// the next ones.
    pub fn record(&mut self, frame: &str, snapshot: &PageSnapshot) -> Listed {
        self.end_other_documents(frame, &snapshot.doc, &snapshot.url);
        let mut listed = Listed::default();
        for line in &snapshot.lines {
            let Line::Element(element) = line else { continue };
            let Some(local) = element.local else { continue };
            let place = Place {
                frame: frame.to_owned(),
                doc: snapshot.doc.clone(),
                local,
            };
            let index = self.assign(place, &element.tag, &element.text);
            listed.indices.push(index);
        }
        self.listed.extend(&listed.indices);
        listed
    }

    /// The number of an element, given now when it has none (a replacement that the page script offers).
    pub fn assign(&mut self, place: Place, tag: &str, text: &str) -> u32 {
        let index = *self.by_place.entry(place.clone()).or_insert_with(|| {
            self.next += 1;
            self.next - 1
        });
        let text = text.chars().take(80).collect();
        self.entries.insert(
            index,
            Entry {
                place,
                tag: tag.to_owned(),
                text,
                ended: None,
            },
        );
        index
    }

    /// True when an element of that document, as it is now, has a number.
    #[must_use]
    pub fn knows(&self, frame: &str, doc: &str) -> bool {
        let live = |entry: &Entry| entry.ended.is_none() && entry.place.frame == frame && entry.place.doc == doc;
        self.entries.values().any(live)
    }

    /// The number of an element, when it has one.
    #[must_use]
    pub fn index_of(&self, frame: &str, doc: &str, local: u32) -> Option<u32> {
        self.by_place
            .get(&Place {
                frame: frame.to_owned(),
                doc: doc.to_owned(),
                local,
            })
            .copied()
    }

    /// Token of the current reading, for callers to hand back; `None` before the first.
    #[must_use]
    pub fn snapshot_id(&self) -> Option<String> {
        self.taken_at?;
        Some(format!("{}.{}", self.main_doc.as_deref()?, self.reading))
    }

    /// The element behind an index. `snapshot_id` of another main document is refused.
    ///
    /// # Errors
    /// The reason and the facts of the refusal.
    pub fn resolve(&self, index: u32, snapshot_id: Option<&str>, now: Instant) -> Result<&Place, Stale> {
        let refuse = |reason| {
            Err(Stale {
                reason,
                facts: self.facts(index, now),
            })
        };
        if self.taken_at.is_none() {
            return refuse("no-snapshot");
        }
        let doc_of = |id: &str| {
            id.rsplit_once('.')
                .map_or_else(|| id.to_owned(), |(doc, _)| doc.to_owned())
        };
        if snapshot_id.is_some_and(|id| Some(doc_of(id)) != self.main_doc) {
            return refuse("other-document");
        }
        match self.entries.get(&index) {
            None => refuse("not-listed"),
            Some(Entry {
                ended: Some(Ended::Replaced(_)),
                ..
            }) => refuse("document-replaced"),
            Some(Entry {
                ended: Some(Ended::FrameGone),
                ..
            }) => refuse("frame-gone"),
            Some(entry) => Ok(&entry.place),
        }
    }

    /// What a refusal can say about an index and the reading it came from.
    #[must_use]
    pub fn facts(&self, index: u32, now: Instant) -> Map<String, Value> {
        let mut facts = Map::new();
        facts.insert("index".into(), json!(index));
        if let Some(age) = self.age(now) {
            facts.insert("count".into(), json!(self.listed.len()));
            facts.insert("ageSeconds".into(), json!((age.as_secs_f64() * 10.0).round() / 10.0));
        }
        if let (Some(lowest), Some(highest)) = (self.listed.iter().min(), self.listed.iter().max()) {
            facts.insert("lowest".into(), json!(lowest));
            facts.insert("highest".into(), json!(highest));
        }
        if let Some(id) = self.snapshot_id() {
            facts.insert("snapshotId".into(), json!(id));
        }
        if let Some(entry) = self.entries.get(&index) {
            facts.insert("tag".into(), json!(entry.tag));
            if !entry.text.is_empty() {
                facts.insert("text".into(), json!(entry.text));
            }
            if let Some(Ended::Replaced(url)) = &entry.ended {
                facts.insert("replacedBy".into(), json!(url));
            }
        }
        facts
    }

    /// A frame shows another document: its numbers are dead, the others live on.
    pub fn document_replaced(&mut self, frame: &str, url: &str) {
        self.end(|place| place.frame == frame, &Ended::Replaced(url.to_owned()));
    }

    /// A frame is gone.
    pub fn frame_gone(&mut self, frame: &str) {
        self.end(|place| place.frame == frame, &Ended::FrameGone);
    }

    /// Forgets the reading: every index is refused until the next one. Numbers given are still never given again.
    pub fn invalidate(&mut self) {
        self.taken_at = None;
        self.listed.clear();
    }

    /// Time since the current reading.
    #[must_use]
    pub fn age(&self, now: Instant) -> Option<Duration> {
        Some(now.saturating_duration_since(self.taken_at?))
    }

    /// Token of the main document that was read.
    #[must_use]
    pub fn main_doc(&self) -> Option<&str> {
        self.main_doc.as_deref()
    }

    /// What the current reading listed, in reading order.
    #[must_use]
    pub fn listing(&self) -> Vec<ListedElement> {
        let listed = |index: &u32| {
            let entry = self.entries.get(index)?;
            Some(ListedElement {
                index: *index,
                place: entry.place.clone(),
                tag: entry.tag.clone(),
                text: entry.text.clone(),
                ended: entry.ended.is_some(),
            })
        };
        self.listed.iter().filter_map(listed).collect()
    }

    /// Elements listed by the current reading, over all frames.
    #[must_use]
    pub fn count(&self) -> usize {
        self.listed.len()
    }

    fn end_other_documents(&mut self, frame: &str, doc: &str, url: &str) {
        self.end(
            |place| place.frame == frame && place.doc != doc,
            &Ended::Replaced(url.to_owned()),
        );
    }

    fn end(&mut self, hit: impl Fn(&Place) -> bool, ended: &Ended) {
        for entry in self
            .entries
            .values_mut()
            .filter(|entry| entry.ended.is_none() && hit(&entry.place))
        {
            entry.ended = Some(ended.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::ElementLine;
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn snapshot(doc: &str, locals: &[u32]) -> PageSnapshot {
        let line = |local: &u32| ElementLine {
            local: Some(*local),
            tag: "a".into(),
            text: format!("t{local}"),
            ..ElementLine::default()
        };
        let lines = locals.iter().map(|local| Line::Element(line(local))).collect();
        PageSnapshot {
            doc: doc.into(),
            url: format!("http://x/{doc}"),
            lines,
            ..PageSnapshot::default()
        }
    }

    fn read(table: &mut IndexTable, frames: &[(&str, &str, &[u32])]) -> Vec<Vec<u32>> {
        table.begin(frames[0].1, Instant::now());
        frames
            .iter()
            .map(|(frame, doc, locals)| table.record(frame, &snapshot(doc, locals)).indices)
            .collect()
    }

    fn reason(table: &IndexTable, index: u32) -> &'static str {
        table
            .resolve(index, None, Instant::now())
            .map_or_else(|stale| stale.reason, |_place| "lives")
    }

    #[test]
    fn survivors_keep_their_number_and_new_ones_get_fresh_ones() {
        let mut table = IndexTable::default();
        assert_eq!(
            read(&mut table, &[("m", "d1", &[0, 1, 2]), ("f", "e1", &[0])]),
            [vec![0, 1, 2], vec![3]]
        );
        assert_eq!(
            read(&mut table, &[("m", "d1", &[0, 7, 2]), ("f", "e1", &[0, 1])]),
            [vec![0, 4, 2], vec![3, 5]]
        );
    }

    #[test]
    fn a_child_document_continues_the_counter_and_a_main_document_restarts_it() {
        let mut table = IndexTable::default();
        read(&mut table, &[("m", "d1", &[0]), ("f", "e1", &[0])]);
        assert_eq!(
            read(&mut table, &[("m", "d1", &[0]), ("f", "e2", &[0])]),
            [vec![0], vec![2]]
        );
        assert_eq!(reason(&table, 1), "document-replaced");
        assert_eq!(read(&mut table, &[("m", "d2", &[0])]), [vec![0]]);
        assert_eq!(reason(&table, 1), "not-listed");
    }

    #[test]
    fn refuses_with_the_reason() {
        let mut table = IndexTable::default();
        assert_eq!(reason(&table, 0), "no-snapshot");
        read(&mut table, &[("m", "d1", &[0]), ("f", "e1", &[0])]);
        let id = table.snapshot_id().unwrap();
        assert!(table.resolve(0, Some(&id), Instant::now()).is_ok());
        table.frame_gone("f");
        assert_eq!(reason(&table, 1), "frame-gone");
        table.document_replaced("m", "http://y/");
        let stale = table.resolve(0, None, Instant::now()).unwrap_err();
        assert_eq!(
            (stale.reason, &stale.facts["replacedBy"], &stale.facts["text"]),
            ("document-replaced", &json!("http://y/"), &json!("t0"))
        );
        read(&mut table, &[("m", "d2", &[0])]);
        assert_eq!(
            table.resolve(0, Some(&id), Instant::now()).unwrap_err().reason,
            "other-document"
        );
    }

    #[test]
    fn an_invalidated_reading_refuses_all_and_reuses_nothing() {
        let mut table = IndexTable::default();
        read(&mut table, &[("m", "d1", &[0, 1])]);
        table.invalidate();
        assert_eq!(reason(&table, 0), "no-snapshot");
        assert_eq!(read(&mut table, &[("m", "d1", &[5, 1])]), [vec![2, 1]]);
    }

    proptest! {
        #[test]
        fn a_number_never_changes_its_element(readings in proptest::collection::vec((proptest::collection::hash_set(0..20u32, 0..8), 0..3u32, proptest::collection::hash_set(0..9u32, 0..5)), 1..12)) {
            let mut table = IndexTable::default();
            let mut seen: HashMap<u32, Place> = HashMap::new();
            for (main, child_doc, child) in readings {
                let (main, child): (Vec<u32>, Vec<u32>) = (main.into_iter().collect(), child.into_iter().collect());
                let doc = format!("e{child_doc}");
                let listed = read(&mut table, &[("m", "d", &main), ("f", &doc, &child)]);
                let distinct: HashSet<u32> = listed.iter().flatten().copied().collect();
                prop_assert_eq!(distinct.len(), main.len() + child.len());
                for index in distinct {
                    let place = table.resolve(index, None, Instant::now()).unwrap().clone();
                    prop_assert_eq!(seen.entry(index).or_insert(place.clone()), &place);
                }
            }
        }
    }
}
