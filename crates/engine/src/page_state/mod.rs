//! Reading a whole tab: one walk per frame, all frames at once, joined into one text with one index space. Invariant: a
//! frame that cannot be read costs its own part of the text, never the reading.

mod closed;
mod join;
mod listening;
mod plan;
mod readings;
mod resolve;

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;

use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::highlight::IndexMarks;
use crate::state::{
    Detail, ElementRecord, ListenerDetection, Media, Mutations, PageSnapshot, Scroll, SnapshotArgs, Viewport,
};
use crate::tab::Tab;

pub(crate) use listening::Listening;
use plan::Planned;
pub(crate) use readings::Readings;
pub use readings::{DomDiff, TextDiff};

/// How long a read waits for a navigation that is under way.
const NAVIGATION_PATIENCE: Duration = Duration::from_millis(1500);
/// How long a frame below the main one may take to answer.
const FRAME_PATIENCE: Duration = Duration::from_secs(5);

/// What to read.
#[derive(Debug, Clone, Default)]
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
    /// Also read frames of other origins.
    pub include_frames: bool,
    /// Only the subtree of this selector's match (`css >> nth=N` accepted) in the main frame.
    pub selector: Option<String>,
    /// Leave out text that belongs to no control.
    pub interactive_only: bool,
    /// Only what differs from the reading before of the same kind.
    pub diff: bool,
    /// Any change of the document during the reading makes it inconsistent, not only that of its structure.
    pub strict: bool,
    /// Leave out repeated siblings after the first few.
    pub collapse_repeats: bool,
    /// The caller does not see the text: what it lists is still new in the next reading, and no base of a difference.
    pub silent: bool,
}

/// A frame as it was read, or why it was not.
#[derive(Debug, Clone, Default)]
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
    /// Why it was left out: `cross-origin`, `about-blank`, `zero-size`, `hidden`, `inert`, `covered`,
    /// `outside-viewport`, `outside-selector`, `too-deep`, `too-many`.
    pub skipped: Option<&'static str>,
}

/// A tab as it was read.
#[derive(Debug, Clone, Default)]
pub struct PageState {
    /// Address of the main document.
    pub url: String,
    /// Its title.
    pub title: String,
    /// The text, or what differs in it.
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
    /// Nothing was printed at all.
    pub blank: bool,
    /// Size of the viewport.
    pub viewport: Viewport,
    /// What lies outside it.
    pub scroll: Scroll,
    /// Large pictures of the main document.
    pub media: Media,
    /// What happened to the documents while they were read.
    pub mutations: Mutations,
    /// What spoils the reading, in the tokens of the protocol: `mutations_changed`, `frame_read_failed:<i>`,
    /// `frame_url_changed`.
    pub issues: Vec<String>,
    /// Readings taken, at most 2.
    pub attempts: u32,
    /// A navigation that was under way did not commit in time: what was read is the page before it.
    pub navigation_pending: bool,
    /// What the difference was taken against; `None` when the text is whole.
    pub diff: Option<TextDiff>,
    /// How much is known of elements that only their listeners make controls.
    pub listeners: ListenerDetection,
    /// Elements behind the indices, by frame, for the highlight layer.
    pub(crate) marks: IndexMarks,
}

impl Tab {
    /// Reads the tab.
    ///
    /// # Errors
    /// [`EngineError::Navigating`] when the main document was replaced during both attempts; a selector that matches
    /// nothing; the tab's end.
    pub async fn read_state(&self, options: &StateOptions, deadline: Deadline) -> Result<PageState> {
        let navigation_pending = !self.wait_navigation(deadline).await;
        let mut state = match self.read_once(options, false, deadline).await {
            Err(EngineError::Navigating) => {
                self.wait_navigation(deadline).await;
                self.second(options, deadline).await?
            }
            Ok(first) if first.is_torn() => self.second(options, deadline).await?,
            other => PageState { attempts: 1, ..other? },
        };
        state.navigation_pending = navigation_pending;
        self.state().title.clone_from(&state.title);
        Ok(state)
    }

    async fn second(&self, options: &StateOptions, deadline: Deadline) -> Result<PageState> {
        let state = self.read_once(options, true, deadline).await?;
        Ok(PageState { attempts: 2, ..state })
    }

    /// Waits for a navigation that is under way; false when it did not commit in time.
    async fn wait_navigation(&self, deadline: Deadline) -> bool {
        let patience = deadline.within(NAVIGATION_PATIENCE);
        let idle = |state: &crate::tab::TabState| (!state.navigating()).then_some(());
        let waited = self.until("the navigation", patience, idle).await;
        !matches!(waited, Err(EngineError::Timeout { .. }))
    }

    async fn read_once(&self, options: &StateOptions, again: bool, deadline: Deadline) -> Result<PageState> {
        let mut planned = self.plan(options, deadline).await?;
        let reads = planned
            .iter()
            .map(|planned| self.read_planned(planned, options, again, deadline));
        let mut snapshots = join_all(reads).await;
        let main = match snapshots.first_mut().map(Option::take) {
            Some(Some(main)) => main?,
            _ => return Err(EngineError::Navigating),
        };
        plan::leave_out_others(&mut planned, &main, options);
        snapshots[0] = Some(Ok(main));
        let replaced = self.replaced_meanwhile(&planned, &snapshots);
        let mutations = self.changes_since(&planned, &snapshots, deadline).await?;
        let mut state = self.join(planned, snapshots, options);
        state.judge(mutations, options.strict);
        if replaced {
            state.issues.push("frame_url_changed".into());
        }
        Ok(state)
    }

    async fn read_planned(
        &self,
        planned: &Planned,
        options: &StateOptions,
        again: bool,
        deadline: Deadline,
    ) -> Option<Result<PageSnapshot>> {
        if planned.read.skipped.is_some() {
            return None;
        }
        if let Some(error) = &planned.failed {
            return Some(Err(error.clone()));
        }
        let is_main = planned.frame.parent.is_none();
        let args = SnapshotArgs {
            expansion: options.expansion,
            max_elements: options.max_elements,
            include_elements: options.include_elements,
            detail: options.detail,
            selector: options.selector.clone().filter(|_| is_main),
            clip: planned.clip,
            collapse: options.collapse_repeats,
            again,
            silent: options.silent,
        };
        let patience = if is_main {
            deadline
        } else {
            deadline.within(FRAME_PATIENCE)
        };
        Some(self.snapshot(&planned.frame, args, patience).await)
    }

    /// True when a frame that was read shows another document by now.
    fn replaced_meanwhile(&self, planned: &[Planned], snapshots: &[Option<Result<PageSnapshot>>]) -> bool {
        let now = self.state().frames.ordered();
        planned.iter().zip(snapshots).any(|(planned, snapshot)| {
            let shown = now.iter().find(|(frame, _)| frame.id == planned.frame.id);
            matches!(snapshot, Some(Ok(_)))
                && planned.frame.parent.is_some()
                && shown.is_some_and(|(frame, _)| frame.loader_id != planned.frame.loader_id)
        })
    }

    /// What happened to the documents since they were walked.
    async fn changes_since(
        &self,
        planned: &[Planned],
        snapshots: &[Option<Result<PageSnapshot>>],
        deadline: Deadline,
    ) -> Result<Mutations> {
        let read = planned
            .iter()
            .zip(snapshots)
            .filter(|(_, snapshot)| matches!(snapshot, Some(Ok(_))));
        let asked = read.map(|(planned, _)| async {
            let patience = deadline.within(FRAME_PATIENCE);
            let changes = self
                .script::<Mutations>(&planned.frame, "sinceSnapshot", &json!({}), patience)
                .await;
            (planned.frame.parent.is_none(), changes)
        });
        let mut sum = Mutations::default();
        for (is_main, changes) in join_all(asked).await {
            match changes {
                Ok(changes) => {
                    sum.structural += changes.structural;
                    sum.content += changes.content;
                    sum.last = changes.last.or(sum.last);
                }
                Err(EngineError::Navigating) if is_main => return Err(EngineError::Navigating),
                // A frame that went right after it was read was read all the same.
                Err(_) => {}
            }
        }
        Ok(sum)
    }
}

impl PageState {
    /// The elements behind the indices, to be drawn as boxes.
    #[must_use]
    pub fn take_marks(&mut self) -> IndexMarks {
        std::mem::take(&mut self.marks)
    }

    fn judge(&mut self, mutations: Mutations, strict: bool) {
        if mutations.structural > 0 || (strict && mutations.content > 0) {
            self.issues.push("mutations_changed".into());
        }
        self.mutations = mutations;
    }

    /// True when reading once more may give a better answer.
    fn is_torn(&self) -> bool {
        self.issues.iter().any(|issue| issue == "mutations_changed")
    }
}
