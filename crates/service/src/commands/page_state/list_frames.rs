//! `list_frames`.

use engine::{FrameRead, StateOptions};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::reply;
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::text;

/// The frames of the current tab, those of other origins included, with the indices that each holds.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListFrames {
    /// Read all frames now; the reading becomes the current one. `false` describes the last reading.
    #[serde(default = "yes")]
    pub refresh: bool,
}

const fn yes() -> bool {
    true
}

/// Reply of `list_frames`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Frames {
    count: usize,
    frames: Vec<Value>,
    snapshot_id: Option<String>,
    note: String,
}

impl Command for ListFrames {
    const NAME: &'static str = "list_frames";
    const GROUP: Group = Group::PageState;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe();
    const OPAQUE: &'static [&'static str] = &["frames"];
    type Output = Frames;

    async fn run(self, cx: &mut Context) -> Result<Frames, Failure> {
        let tab = cx.settled_tab().await?;
        if self.refresh {
            let options = StateOptions {
                expansion: -1,
                include_frames: true,
                silent: true,
                ..StateOptions::default()
            };
            let state = tab.read_state(&options, cx.until()).await;
            let state = state.map_err(|error| Failure::from_engine(&error, false))?;
            return Ok(described(cx, &state.frames, Some(state.snapshot_id)));
        }
        match tab.frames_read() {
            Some(frames) => Ok(described(cx, &frames, tab.snapshot_id())),
            None => Ok(known(cx, &tab)),
        }
    }
}

fn described(cx: &Context, frames: &[FrameRead], snapshot_id: Option<String>) -> Frames {
    Frames {
        count: frames.len(),
        frames: frames.iter().map(reply::frame).collect(),
        snapshot_id,
        note: cx.say(&text!("state.frames_note")),
    }
}

/// What is known of frames that have not been read.
fn known(cx: &Context, tab: &engine::Tab) -> Frames {
    let ordered = tab.state().frames.ordered();
    let frames: Vec<Value> = ordered
        .iter()
        .enumerate()
        .map(|(at, (frame, depth))| {
            json!({"index": at, "url": frame.url, "name": frame.name, "isMain": at == 0, "depth": depth})
        })
        .collect();
    Frames {
        count: frames.len(),
        frames,
        snapshot_id: None,
        note: cx.say(&text!("state.frames_not_read")),
    }
}
