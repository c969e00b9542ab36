//! What was read before of a tab: the lines, for telling what differs, and the frames, for describing them again.
//! Invariant: a difference is taken between readings of the same kind only, and of the same main document.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{FrameRead, PageState, StateOptions};
use crate::deadline::Deadline;
use crate::error::Result;
use crate::state::{Detail, RenderedLine, cut_lines, diff_lines, line_counts};
use crate::tab::Tab;

/// Kinds of readings that are remembered.
const KINDS: usize = 4;
/// Time for finding the shortest difference.
const DIFF_LIMIT: Duration = Duration::from_millis(300);

/// What decides which lines a reading has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Kind {
    expansion: i64,
    include_frames: bool,
    selector: Option<String>,
    interactive_only: bool,
    collapse_repeats: bool,
    detail: Detail,
}

impl Kind {
    pub(super) fn of(options: &StateOptions) -> Self {
        Self {
            expansion: options.expansion,
            include_frames: options.include_frames,
            selector: options.selector.clone(),
            interactive_only: options.interactive_only,
            collapse_repeats: options.collapse_repeats,
            detail: options.detail,
        }
    }
}

/// One reading.
#[derive(Debug, Clone)]
pub(super) struct Reading {
    pub(super) kind: Kind,
    pub(super) doc: String,
    pub(super) snapshot_id: String,
    pub(super) lines: Arc<Vec<RenderedLine>>,
}

/// The readings of one tab.
#[derive(Debug, Default)]
pub(crate) struct Readings {
    kept: VecDeque<Reading>,
    frames: Vec<FrameRead>,
    /// Loader of the main document whose frames these are.
    loader_id: String,
    /// How the page was last read as a whole for a caller to see.
    last: Option<StateOptions>,
}

/// What a text of differences was taken against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextDiff {
    /// Token of the reading before.
    pub base: String,
    /// Lines that are the same, moved ones included.
    pub unchanged: usize,
}

/// The difference of two texts as multisets of lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DomDiff {
    /// There was no reading before.
    pub first: bool,
    /// Lines that are more frequent now.
    pub added: Vec<String>,
    /// Lines that are less frequent now.
    pub removed: Vec<String>,
}

impl Readings {
    fn of_kind(&self, kind: &Kind) -> Option<&Reading> {
        self.kept.iter().rev().find(|reading| reading.kind == *kind)
    }

    fn keep(&mut self, reading: Reading) {
        self.kept.retain(|known| known.kind != reading.kind);
        self.kept.push_back(reading);
        while self.kept.len() > KINDS {
            self.kept.pop_front();
        }
    }
}

impl Tab {
    fn readings(&self) -> std::sync::MutexGuard<'_, Readings> {
        self.readings.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The frames as they were last read; `None` when this document has not been read.
    #[must_use]
    pub fn frames_read(&self) -> Option<Vec<FrameRead>> {
        let shown = self.main_frame().ok()?.loader_id;
        let readings = self.readings();
        (readings.loader_id == shown && !readings.frames.is_empty()).then(|| readings.frames.clone())
    }

    /// The options of the last reading that a caller saw and that was not of a part of the page.
    #[must_use]
    pub fn last_read_with(&self) -> Option<StateOptions> {
        self.readings().last.clone()
    }

    /// Token of the current reading.
    #[must_use]
    pub fn snapshot_id(&self) -> Option<String> {
        self.indices().snapshot_id()
    }

    /// Prints a reading, whole or as its difference, and remembers it.
    pub(super) fn remember(&self, state: &mut PageState, reading: Reading, options: &StateOptions) {
        let shown = self.main_frame().map(|main| main.loader_id).unwrap_or_default();
        let mut readings = self.readings();
        readings.frames.clone_from(&state.frames);
        readings.loader_id = shown;
        let base = readings
            .of_kind(&reading.kind)
            .filter(|base| options.diff && base.doc == reading.doc);
        match base {
            Some(base) => print_difference(state, base, &reading.lines, options.max_chars),
            None => {
                let rendered = cut_lines(&reading.lines, options.max_chars);
                state.text = rendered.text;
                state.lines_left_out = rendered.lines_left_out;
            }
        }
        if !options.silent {
            readings.keep(reading);
            if options.selector.is_none() {
                readings.last = Some(options.clone());
            }
        }
    }

    /// Reads the tab and compares the lines with those of the reading before, of whatever kind that was.
    ///
    /// # Errors
    /// As [`Tab::read_state`].
    pub async fn diff_text(&self, options: &StateOptions, deadline: Deadline) -> Result<(PageState, DomDiff)> {
        let kind = Kind::of(options);
        let before = {
            let readings = self.readings();
            readings
                .of_kind(&kind)
                .or_else(|| readings.kept.back())
                .map(|reading| Arc::clone(&reading.lines))
        };
        let state = self.read_state(options, deadline).await?;
        let now = self
            .readings()
            .of_kind(&kind)
            .map(|reading| Arc::clone(&reading.lines))
            .unwrap_or_default();
        let diff = DomDiff {
            first: before.is_none(),
            added: line_counts(before.as_deref().map_or(&[], Vec::as_slice), &now),
            removed: before.map_or_else(Vec::new, |before| line_counts(&now, &before)),
        };
        Ok((state, diff))
    }
}

fn print_difference(state: &mut PageState, base: &Reading, lines: &[RenderedLine], max_chars: usize) {
    let difference = diff_lines(&base.lines, lines, Some(Instant::now() + DIFF_LIMIT));
    let rendered = cut_lines(&difference.lines, max_chars);
    let mut text = rendered.text;
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(&summary(difference.unchanged, difference.moved));
    state.text = text;
    state.lines_left_out = rendered.lines_left_out;
    state.diff = Some(TextDiff {
        base: base.snapshot_id.clone(),
        unchanged: difference.unchanged + difference.moved,
    });
}

fn summary(unchanged: usize, moved: usize) -> String {
    let lines = if unchanged == 1 { "line" } else { "lines" };
    if moved == 0 {
        format!("--- {unchanged} {lines} unchanged ---")
    } else {
        format!("--- {unchanged} {lines} unchanged, {moved} only moved ---")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(expansion: i64, id: &str) -> Reading {
        let options = StateOptions {
            expansion,
            ..StateOptions::default()
        };
        Reading {
            kind: Kind::of(&options),
            doc: "d".into(),
            snapshot_id: id.into(),
            lines: Arc::default(),
        }
    }

    #[test]
    fn the_newest_reading_of_a_kind_is_the_base() {
        let mut readings = Readings::default();
        for (expansion, id) in [(0, "a"), (-1, "b"), (0, "c")] {
            readings.keep(reading(expansion, id));
        }
        let base = |expansion| {
            readings
                .of_kind(&reading(expansion, "").kind)
                .map(|base| base.snapshot_id.as_str())
        };
        assert_eq!((base(0), base(-1), base(7)), (Some("c"), Some("b"), None));
    }

    #[test]
    fn only_a_few_kinds_are_kept() {
        let mut readings = Readings::default();
        for expansion in 0..9 {
            readings.keep(reading(expansion, "x"));
        }
        assert_eq!(readings.kept.len(), KINDS);
        assert!(readings.of_kind(&reading(0, "").kind).is_none());
    }

    #[test]
    fn the_summary_tells_what_was_kept_back() {
        assert_eq!(summary(1, 0), "--- 1 line unchanged ---");
        assert_eq!(summary(998, 2), "--- 998 lines unchanged, 2 only moved ---");
    }
}
