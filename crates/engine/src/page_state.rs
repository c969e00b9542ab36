//! Reading a whole tab: one walk per frame, all frames at once, joined into one text with one index space; and the way
//! back from an index to its element.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Map, Value};

use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::frames::Frame;
use crate::state::{
    Detail, ElementRecord, FrameText, IndexTable, Media, Mutations, PageSnapshot, RenderOptions, Scroll, SnapshotArgs,
    Viewport, render,
};
use crate::tab::Tab;

/// How long a read waits for a navigation that is under way.
const NAVIGATION_PATIENCE: Duration = Duration::from_millis(1500);
/// Frames that are read at most.
const MAX_FRAMES: usize = 30;
/// Depth of frames that are read at most.
const MAX_DEPTH: usize = 5;

/// What to read.
#[derive(Debug, Clone)]
pub struct StateOptions {
    /// CSS pixels around the viewport; -1 for the whole page.
    pub expansion: i64,
    /// Cap of the element records; the text is not cut by it.
    pub max_elements: usize,
    /// Whether element records are wanted.
    pub include_elements: bool,
    /// How much of a control's state is printed.
    pub detail: Detail,
    /// Characters of text; 0 for no limit.
    pub max_chars: usize,
}

/// A frame as it was read, or why it was not.
#[derive(Debug, Clone)]
pub struct FrameRead {
    /// Number in the frame list; 0 is the main frame.
    pub ordinal: usize,
    /// Depth, 0 for the main frame.
    pub depth: usize,
    /// Number of the frame that holds it.
    pub parent: Option<usize>,
    /// Address of its document.
    pub url: String,
    /// Its name.
    pub name: String,
    /// Indexed elements in it.
    pub elements: usize,
    /// Lowest and highest index in it.
    pub range: Option<(u32, u32)>,
    /// Why it could not be read.
    pub error: Option<String>,
    /// Why it was left out: `cross-origin`, `about-blank`, `zero-size`, `too-deep`, `too-many`.
    pub skipped: Option<&'static str>,
}

/// A tab as it was read.
#[derive(Debug, Clone, Default)]
pub struct PageState {
    /// Address of the main document.
    pub url: String,
    /// Its title.
    pub title: String,
    /// The text.
    pub text: String,
    /// Lines that did not fit.
    pub lines_left_out: usize,
    /// Token of this reading.
    pub snapshot_id: String,
    /// Frames in order, those left out included.
    pub frames: Vec<FrameRead>,
    /// Records by index and frame number, capped.
    pub elements: Vec<(u32, usize, ElementRecord)>,
    /// Indexed elements in total.
    pub element_count: usize,
    /// Size of the viewport.
    pub viewport: Viewport,
    /// What lies outside it.
    pub scroll: Scroll,
    /// Large pictures of the main document.
    pub media: Media,
    /// What happened to the main document since it was read before.
    pub mutations: Mutations,
    /// Readings taken: 2 when the document was replaced during the first.
    pub attempts: u32,
    /// A navigation that was under way did not commit in time: what was read is the page before it.
    pub navigation_pending: bool,
}

struct Planned {
    frame: Frame,
    read: FrameRead,
}

impl Tab {
    /// Reads the tab.
    ///
    /// # Errors
    /// [`EngineError::Navigating`] when the main document was replaced during both attempts; the tab's end.
    pub async fn read_state(&self, options: &StateOptions, deadline: Deadline) -> Result<PageState> {
        let patience = deadline.within(NAVIGATION_PATIENCE);
        let waited = self
            .until("the navigation", patience, |state| (!state.navigating()).then_some(()))
            .await;
        let navigation_pending = matches!(waited, Err(EngineError::Timeout { .. }));
        let mut state = match self.read_once(options, deadline).await {
            Err(EngineError::Navigating) => {
                let _ = self
                    .until("the document", deadline.within(NAVIGATION_PATIENCE), |state| {
                        (!state.navigating()).then_some(())
                    })
                    .await;
                PageState {
                    attempts: 2,
                    ..self.read_once(options, deadline).await?
                }
            }
            other => PageState { attempts: 1, ..other? },
        };
        state.navigation_pending = navigation_pending;
        self.state().title.clone_from(&state.title);
        Ok(state)
    }

    async fn read_once(&self, options: &StateOptions, deadline: Deadline) -> Result<PageState> {
        let args = SnapshotArgs {
            expansion: options.expansion,
            max_elements: options.max_elements,
            include_elements: options.include_elements,
            detail: options.detail,
            selector: None,
            nth: None,
        };
        let planned = self.plan()?;
        let reads = planned.iter().map(|planned| async {
            match planned.read.skipped {
                Some(_) => None,
                None => Some(
                    self.script::<PageSnapshot>(&planned.frame, "snapshot", &args, deadline)
                        .await,
                ),
            }
        });
        let mut snapshots = join_all(reads).await;
        let main = match snapshots.first_mut().map(Option::take) {
            Some(Some(main)) => main?,
            _ => return Err(EngineError::Navigating),
        };
        snapshots[0] = Some(Ok(main));
        Ok(self.join(planned, snapshots, options))
    }

    /// The frames of the tab, in order, with the reason for those that are left out.
    fn plan(&self) -> Result<Vec<Planned>> {
        let main = self.main_frame()?;
        let ordered = self.state().frames.ordered();
        let number = |id: &str| ordered.iter().position(|(frame, _)| frame.id == id);
        let planned = ordered.iter().enumerate().map(|(ordinal, (frame, depth))| {
            let skipped = match frame {
                _ if ordinal == 0 => None,
                _ if frame.session.id() != main.session.id() || !same_origin(frame, &main) => Some("cross-origin"),
                _ if *depth > MAX_DEPTH => Some("too-deep"),
                _ if ordinal >= MAX_FRAMES => Some("too-many"),
                _ => None,
            };
            let read = FrameRead {
                ordinal,
                depth: *depth,
                parent: frame.parent.as_deref().and_then(number),
                url: frame.url.clone(),
                name: frame.name.clone(),
                elements: 0,
                range: None,
                error: None,
                skipped,
            };
            Planned {
                frame: frame.clone(),
                read,
            }
        });
        Ok(planned.collect())
    }

    fn join(
        &self,
        planned: Vec<Planned>,
        snapshots: Vec<Option<Result<PageSnapshot>>>,
        options: &StateOptions,
    ) -> PageState {
        let mut out = PageState::default();
        let mut table = self.indices();
        let mut printed = Vec::new();
        for (mut planned, snapshot) in planned.into_iter().zip(snapshots) {
            match snapshot {
                Some(Ok(snapshot)) => {
                    if planned.read.ordinal == 0 {
                        table.begin(&snapshot.doc, Instant::now());
                        out.describe(&snapshot);
                    } else if snapshot.viewport.width < 1.0 || snapshot.viewport.height < 1.0 {
                        planned.read.skipped = Some("zero-size");
                        out.frames.push(planned.read);
                        continue;
                    }
                    let listed = table.record(&planned.frame.id, &snapshot);
                    planned.read.elements = listed.indices.len();
                    planned.read.range = listed.range();
                    out.take_records(&table, &planned, &snapshot, options.max_elements);
                    printed.push((planned.frame.id.clone(), planned.read.clone(), snapshot));
                }
                Some(Err(error)) => {
                    planned.read.error = Some(error.to_string());
                    printed.push((planned.frame.id.clone(), planned.read.clone(), PageSnapshot::default()));
                }
                None => {}
            }
            out.frames.push(planned.read);
        }
        out.print(&table, &printed, options.max_chars);
        out.snapshot_id = table.snapshot_id().unwrap_or_default();
        out
    }

    pub(crate) fn indices(&self) -> std::sync::MutexGuard<'_, IndexTable> {
        self.indices.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The frame of an index, and the arguments by which the page script finds the element there.
    pub(crate) fn resolve_index(&self, index: u32, snapshot_id: Option<&str>) -> Result<(Frame, Map<String, Value>)> {
        let table = self.indices();
        let place = table
            .resolve(index, snapshot_id, Instant::now())
            .map_err(|stale| EngineError::StaleIndex {
                index,
                reason: stale.reason.to_owned(),
                facts: stale.facts,
            })?;
        let Some(frame) = self.state().frames.get(&place.frame).cloned() else {
            let facts = table.facts(index, Instant::now());
            return Err(EngineError::StaleIndex {
                index,
                reason: "frame-gone".into(),
                facts,
            });
        };
        let args = Map::from_iter([
            ("ref".to_owned(), place.local.into()),
            ("doc".to_owned(), place.doc.clone().into()),
        ]);
        Ok((frame, args))
    }

    /// A refusal of the page script for an index, with what the table knows of it. A replacement that the page offers
    /// is named by an index of its own.
    pub(crate) fn explain_stale(&self, index: u32, frame: &Frame, error: EngineError) -> EngineError {
        match error {
            EngineError::Refused { code, reason, facts } if code == "STALE_ELEMENT" => {
                let mut table = self.indices();
                let mut told = table.facts(index, Instant::now());
                for name in ["mutations", "replacedBy", "tag", "text", "id"] {
                    if let Some(value) = facts.get(name) {
                        told.insert(name.to_owned(), value.clone());
                    }
                }
                let doc = facts.get("doc").and_then(Value::as_str);
                let candidate = facts
                    .get("candidate")
                    .and_then(Value::as_u64)
                    .and_then(|local| u32::try_from(local).ok());
                if let (Some(doc), Some(local)) = (doc, candidate) {
                    let word = |name: &str| facts.get(name).and_then(Value::as_str).unwrap_or_default();
                    let place = crate::state::Place {
                        frame: frame.id.clone(),
                        doc: doc.to_owned(),
                        local,
                    };
                    told.insert(
                        "candidate".into(),
                        table.assign(place, word("tag"), word("text")).into(),
                    );
                }
                EngineError::StaleIndex {
                    index,
                    reason,
                    facts: told,
                }
            }
            other => other,
        }
    }
}

impl PageState {
    fn describe(&mut self, main: &PageSnapshot) {
        self.url.clone_from(&main.url);
        self.title.clone_from(&main.title);
        self.viewport = main.viewport;
        self.scroll = main.scroll;
        self.media = main.media.clone();
        self.mutations = main.mutations_since.clone();
    }

    fn take_records(&mut self, table: &IndexTable, planned: &Planned, snapshot: &PageSnapshot, cap: usize) {
        self.element_count += snapshot.element_count;
        for record in &snapshot.elements {
            if self.elements.len() >= cap {
                return;
            }
            if let Some(index) = table.index_of(&planned.frame.id, &snapshot.doc, record.local) {
                self.elements.push((index, planned.read.ordinal, record.clone()));
            }
        }
    }

    fn print(&mut self, table: &IndexTable, read: &[(String, FrameRead, PageSnapshot)], max_chars: usize) {
        let lookups: Vec<_> = read
            .iter()
            .map(|(frame, _, snapshot)| move |local: u32| table.index_of(frame, &snapshot.doc, local))
            .collect();
        let frames: Vec<FrameText<'_>> = read
            .iter()
            .zip(&lookups)
            .map(|((_, read, snapshot), index_of)| FrameText {
                ordinal: read.ordinal,
                url: &read.url,
                name: &read.name,
                lines: &snapshot.lines,
                unreachable: snapshot.unreachable,
                read_error: read.error.as_deref(),
                index_of,
            })
            .collect();
        let rendered = render(
            &frames,
            RenderOptions {
                max_chars,
                interactive_only: false,
            },
        );
        self.text = rendered.text;
        self.lines_left_out = rendered.lines_left_out;
    }
}

/// A document without an address of its own (`about:blank`, `srcdoc`) belongs to the page that made it.
fn same_origin(frame: &Frame, main: &Frame) -> bool {
    frame.origin == main.origin || frame.url.starts_with("about:")
}
