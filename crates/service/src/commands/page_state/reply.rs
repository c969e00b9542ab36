//! Members of the reply of `get_browser_state`.

use engine::state::MediaSample;
use engine::{PageState, StateOptions};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::super::tabs::facts::TabFacts;
use crate::context::Context;
use crate::text;

/// Reply of `get_browser_state`.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct BrowserState {
    url: String,
    title: String,
    browser_state: String,
    text: String,
    tabs: Vec<TabFacts>,
    pixels_above: u64,
    pixels_below: u64,
    viewport_height: u64,
    page_height: u64,
    #[serde(rename = "snapshotId")]
    snapshot_id: String,
    frames: Vec<Value>,
    #[serde(rename = "frameCount")]
    frame_count: usize,
    #[serde(rename = "includeFrames")]
    include_frames: bool,
    #[serde(rename = "frameHint")]
    frame_hint: Option<String>,
    #[serde(rename = "mediaCount")]
    media_count: usize,
    #[serde(rename = "imageCount")]
    image_count: usize,
    #[serde(rename = "mediaHint")]
    media_hint: Option<String>,
    #[serde(rename = "mediaSamples")]
    #[schemars(with = "Option<Vec<Value>>")]
    media_samples: Option<Vec<MediaSample>>,
    elements: Option<Vec<Value>>,
    #[serde(rename = "elementCount")]
    element_count: usize,
    #[serde(rename = "elementsTruncated")]
    elements_truncated: Option<bool>,
    #[serde(rename = "elementsHint")]
    elements_hint: Option<String>,
    #[serde(rename = "textTruncated")]
    text_truncated: Option<bool>,
    #[serde(rename = "snapshotConsistent")]
    snapshot_consistent: bool,
    #[serde(rename = "snapshotAttempts")]
    snapshot_attempts: u32,
    #[serde(rename = "indicesUsable")]
    indices_usable: bool,
    #[serde(rename = "snapshotStrict")]
    snapshot_strict: Option<bool>,
    #[serde(rename = "snapshotIssues")]
    snapshot_issues: Option<Vec<String>>,
    #[serde(rename = "snapshotHint")]
    snapshot_hint: Option<String>,
    #[serde(rename = "snapshotNote")]
    snapshot_note: Option<String>,
    #[serde(rename = "diffBase")]
    diff_base: Option<String>,
    #[serde(rename = "linesUnchanged")]
    lines_unchanged: Option<usize>,
    #[serde(rename = "diffNote")]
    diff_note: Option<String>,
    #[serde(rename = "snapshotMutations")]
    snapshot_mutations: Option<u64>,
    #[serde(rename = "snapshotStructuralMutations")]
    snapshot_structural_mutations: Option<u64>,
    #[serde(rename = "snapshotContentMutations")]
    snapshot_content_mutations: Option<u64>,
    #[serde(rename = "snapshotLastMutation")]
    snapshot_last_mutation: Option<Value>,
    #[serde(rename = "navigationPending")]
    navigation_pending: Option<bool>,
    #[serde(rename = "pageAppearsBlank")]
    page_appears_blank: Option<bool>,
    #[serde(rename = "listenerDetection")]
    listener_detection: Option<&'static str>,
    state_file: Option<String>,
    #[serde(flatten)]
    capture: Map<String, Value>,
}

impl BrowserState {
    /// What was read, with the tabs that the task has.
    pub(super) fn new(cx: &Context, state: PageState, tabs: Vec<TabFacts>, options: &StateOptions) -> Self {
        let changed = state.mutations.structural + state.mutations.content;
        let consistent = state.issues.is_empty();
        let skipped = state.frames.iter().any(|frame| frame.skipped == Some("cross-origin"));
        let total = state.element_count;
        let records = options.include_elements.then(|| records(&state));
        let cut = records.as_ref().is_some_and(|records| records.len() < total);
        let content_only = consistent && state.mutations.content > 0;
        Self {
            browser_state: tab_lines(&tabs),
            pixels_above: whole(state.scroll.above),
            pixels_below: whole(state.scroll.below),
            viewport_height: whole(state.viewport.height),
            page_height: whole(state.scroll.page_height),
            frames: state.frames.iter().map(frame).collect(),
            frame_count: state.frames.len(),
            include_frames: options.include_frames,
            frame_hint: skipped.then(|| cx.say(&text!("state.frames_skipped"))),
            media_count: state.media.count,
            image_count: state.media.images,
            media_hint: (state.media.count > 0).then(|| cx.say(&text!("state.media"))),
            media_samples: (state.media.count > 0).then_some(state.media.samples),
            elements: records,
            element_count: total,
            elements_truncated: cut.then_some(true),
            elements_hint: cut.then(|| cx.say(&text!("state.elements_cut", total = total))),
            text_truncated: (state.lines_left_out > 0).then_some(true),
            snapshot_consistent: consistent,
            snapshot_strict: options.strict.then_some(true),
            snapshot_hint: (!consistent).then(|| cx.say(&text!("state.inconsistent"))),
            snapshot_note: content_only.then(|| cx.say(&text!("state.content_changed"))),
            snapshot_issues: (!consistent).then_some(state.issues),
            diff_base: state.diff.as_ref().map(|diff| diff.base.clone()),
            lines_unchanged: state.diff.as_ref().map(|diff| diff.unchanged),
            diff_note: (options.diff && state.diff.is_none()).then(|| cx.say(&text!("state.nothing_to_compare"))),
            snapshot_attempts: state.attempts,
            indices_usable: true,
            snapshot_mutations: (changed > 0).then_some(changed),
            snapshot_structural_mutations: (changed > 0).then_some(state.mutations.structural),
            snapshot_content_mutations: (changed > 0).then_some(state.mutations.content),
            snapshot_last_mutation: state.mutations.last,
            navigation_pending: state.navigation_pending.then_some(true),
            page_appears_blank: state.blank.then_some(true),
            url: state.url,
            title: state.title,
            text: state.text,
            snapshot_id: state.snapshot_id,
            tabs,
            listener_detection: state.listeners.as_str(),
            state_file: None,
            capture: Map::new(),
        }
    }

    /// The file that keeps this state: the tab lines, a blank line, the text.
    pub(super) fn file(&self) -> String {
        format!("{}\n\n{}", self.browser_state, self.text)
    }

    /// Adds what was saved.
    pub(super) fn saved(&mut self, capture: Map<String, Value>, state_file: Option<String>) {
        self.capture = capture;
        self.state_file = state_file;
    }
}

/// CSS pixels as a whole number; sizes are never negative.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the range first"
)]
fn whole(pixels: f64) -> u64 {
    pixels.round().clamp(0.0, 1e15) as u64
}

fn tab_lines(tabs: &[TabFacts]) -> String {
    let mut lines: Vec<String> = tabs.iter().map(TabFacts::line).collect();
    if let Some(current) = tabs.iter().find(|tab| tab.is_current()) {
        lines.push(format!("current tab is: {}", current.number()));
    }
    lines.join("\n")
}

/// One member of `frames`.
pub(super) fn frame(read: &engine::FrameRead) -> Value {
    json!({
        "index": read.ordinal, "url": read.url, "name": read.name, "isMain": read.ordinal == 0, "depth": read.depth,
        "parentIndex": read.parent, "elementCount": read.elements,
        "indexRange": read.range.map(|(low, high)| format!("{low}-{high}")),
        "readError": read.error, "skipped": read.skipped.map(|_| true), "skipReason": read.skipped,
    })
}

fn records(state: &PageState) -> Vec<Value> {
    state
        .elements
        .iter()
        .map(|(index, frame, record)| {
            let mut out = Map::from_iter([("index".to_owned(), json!(index))]);
            if let Ok(Value::Object(members)) = serde_json::to_value(record) {
                out.extend(members);
            }
            if *frame > 0 {
                out.insert("frameIndex".into(), json!(frame));
            }
            Value::Object(out)
        })
        .collect()
}
