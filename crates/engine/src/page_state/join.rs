//! Joining the walks of all frames: document order, numbers, records in the tab's coordinates, text.

use std::sync::Arc;
use std::time::Instant;

use super::plan::Planned;
use super::readings::{Kind, Reading};
use super::{FrameRead, PageState, StateOptions};
use crate::affine::Affine;
use crate::error::Result;
use crate::geometry::Point;
use crate::state::{FrameText, IndexTable, Line, PageSnapshot, RenderedLine, render_lines};
use crate::tab::Tab;

/// A frame and what its walk gave.
struct Walked {
    planned: Planned,
    snapshot: Option<Result<PageSnapshot>>,
}

/// A frame with a part in the text.
struct Printed {
    frame: String,
    read: FrameRead,
    snapshot: PageSnapshot,
}

impl Tab {
    pub(super) fn join(
        &self,
        planned: Vec<Planned>,
        snapshots: Vec<Option<Result<PageSnapshot>>>,
        options: &StateOptions,
    ) -> PageState {
        let walked = planned
            .into_iter()
            .zip(snapshots)
            .map(|(planned, snapshot)| Walked { planned, snapshot })
            .collect();
        let walked = in_document_order(walked);
        let ids = walked.iter().map(|walked| walked.planned.frame.id.clone()).collect();
        self.update(|state| state.frames.number(ids));
        let mut out = PageState::default();
        let mut table = self.indices();
        let mut printed = Vec::new();
        for mut one in walked {
            let taken = out.take(&mut table, &mut one, options);
            let Planned { frame, read, .. } = one.planned;
            out.frames.push(read.clone());
            printed.extend(taken.map(|snapshot| Printed {
                frame: frame.id,
                read,
                snapshot,
            }));
        }
        let lines = print(&table, &printed, options.interactive_only);
        out.snapshot_id = table.snapshot_id().unwrap_or_default();
        out.blank = out.element_count == 0 && lines.is_empty();
        let doc = table.main_doc().unwrap_or_default().to_owned();
        drop(table);
        let reading = Reading {
            kind: Kind::of(options),
            doc,
            snapshot_id: out.snapshot_id.clone(),
            lines: Arc::new(lines),
        };
        self.remember(&mut out, reading, options);
        out
    }
}

impl PageState {
    /// Takes one frame up; gives the snapshot back when it has a part in the text.
    fn take(&mut self, table: &mut IndexTable, one: &mut Walked, options: &StateOptions) -> Option<PageSnapshot> {
        let planned = &mut one.planned;
        if planned.read.skipped.is_some() {
            return None;
        }
        match one.snapshot.take()? {
            Ok(mut snapshot) => {
                place_marks(&mut snapshot, planned.map);
                if planned.read.ordinal == 0 {
                    table.begin(&snapshot.doc, Instant::now());
                    self.describe(&snapshot);
                } else if planned.frame.url == "about:blank" && snapshot.lines.is_empty() {
                    planned.read.skipped = Some("about-blank");
                    return None;
                }
                let listed = table.record(&planned.frame.id, &snapshot);
                planned.read.elements = listed.indices.len();
                planned.read.range = listed.range();
                self.take_records(table, planned, &snapshot, options.max_elements);
                self.mark(table, planned, &snapshot);
                self.listeners = self.listeners.max(snapshot.listeners);
                Some(snapshot)
            }
            Err(error) => {
                planned.read.error = Some(error.to_string());
                self.issues.push(format!("frame_read_failed:{}", planned.read.ordinal));
                Some(PageSnapshot::default())
            }
        }
    }

    fn describe(&mut self, main: &PageSnapshot) {
        self.url.clone_from(&main.url);
        self.title.clone_from(&main.title);
        self.viewport = main.viewport;
        self.scroll = main.scroll;
        self.media = main.media.clone();
    }

    fn take_records(&mut self, table: &IndexTable, planned: &Planned, snapshot: &PageSnapshot, cap: usize) {
        self.element_count += snapshot.element_count;
        for record in &snapshot.elements {
            if self.elements.len() >= cap {
                return;
            }
            if let Some(index) = table.index_of(&planned.frame.id, &snapshot.doc, record.local) {
                let record = record.clone().through(planned.map);
                self.elements.push((index, planned.read.ordinal, record));
            }
        }
    }

    fn mark(&mut self, table: &IndexTable, planned: &Planned, snapshot: &PageSnapshot) {
        let number = |local: u32| Some((local, table.index_of(&planned.frame.id, &snapshot.doc, local)?));
        let marks = snapshot.lines.iter().filter_map(|line| match line {
            Line::Element(element) => element.local.and_then(number),
            _ => None,
        });
        self.marks.0.push((planned.frame.clone(), marks.collect()));
    }
}

/// Points that lines tell of, from the frame's viewport to the tab's.
fn place_marks(snapshot: &mut PageSnapshot, map: Affine) {
    for line in &mut snapshot.lines {
        let Line::Element(element) = line else { continue };
        // A page's own attributes are printed under other names.
        for (_, value) in element.attributes.iter_mut().filter(|(name, _)| name == "at") {
            let point = value
                .split_once(',')
                .and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
            if let Some((x, y)) = point {
                let seen = map.apply(Point { x, y });
                *value = format!("{},{}", seen.x.round(), seen.y.round());
            }
        }
    }
}

/// Frames in the document order of their elements, each after the one that holds it, numbered so.
fn in_document_order(walked: Vec<Walked>) -> Vec<Walked> {
    let rank = |one: &Walked| {
        let holder = walked
            .iter()
            .find(|holder| Some(&holder.planned.frame.id) == one.planned.frame.parent.as_ref());
        let owner = one.planned.owner.as_ref()?;
        let Some(Ok(snapshot)) = &holder?.snapshot else {
            return None;
        };
        snapshot.frames.iter().position(|known| known.local == owner.local)
    };
    // Frames that no walk has placed come last, in the order in which they appeared.
    let ranks: Vec<usize> = walked.iter().map(|one| rank(one).unwrap_or(usize::MAX)).collect();
    let mut order = Vec::with_capacity(walked.len());
    let mut stack: Vec<usize> = walked.first().map(|_| 0).into_iter().collect();
    while let Some(at) = stack.pop() {
        order.push(at);
        let id = &walked[at].planned.frame.id;
        let mut below: Vec<usize> = (0..walked.len())
            .filter(|child| walked[*child].planned.frame.parent.as_ref() == Some(id))
            .collect();
        below.sort_by_key(|child| ranks[*child]);
        stack.extend(below.into_iter().rev());
    }
    number(walked, &order)
}

fn number(walked: Vec<Walked>, order: &[usize]) -> Vec<Walked> {
    let mut slots: Vec<Option<Walked>> = walked.into_iter().map(Some).collect();
    let mut out: Vec<Walked> = Vec::with_capacity(order.len());
    for at in order {
        let Some(mut one) = slots[*at].take() else { continue };
        one.planned.read.ordinal = out.len();
        one.planned.read.parent = out
            .iter()
            .position(|holder| Some(&holder.planned.frame.id) == one.planned.frame.parent.as_ref());
        out.push(one);
    }
    out
}

fn print(table: &IndexTable, printed: &[Printed], interactive_only: bool) -> Vec<RenderedLine> {
    let lookups: Vec<_> = printed
        .iter()
        .map(|one| move |local: u32| table.index_of(&one.frame, &one.snapshot.doc, local))
        .collect();
    let frames: Vec<FrameText<'_>> = printed
        .iter()
        .zip(&lookups)
        .map(|(one, index_of)| FrameText {
            ordinal: one.read.ordinal,
            url: &one.read.url,
            name: &one.read.name,
            lines: &one.snapshot.lines,
            unreachable: one.snapshot.unreachable,
            cover: &one.snapshot.cover,
            read_error: one.read.error.as_deref(),
            index_of,
        })
        .collect();
    render_lines(&frames, interactive_only)
}
