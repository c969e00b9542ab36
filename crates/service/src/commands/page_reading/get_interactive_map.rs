//! `get_interactive_map`.

use engine::MapEntry;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::text;

/// Locator facts of every indexed element as it is now. Reads the page first when it has not been read.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetInteractiveMap {}

/// Reply of `get_interactive_map`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InteractiveMap {
    count: usize,
    elements: Vec<Value>,
    source: String,
    snapshot_id: String,
}

impl Command for GetInteractiveMap {
    const NAME: &'static str = "get_interactive_map";
    const GROUP: Group = Group::PageReading;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe();
    const OPAQUE: &'static [&'static str] = &["elements"];
    type Output = InteractiveMap;

    async fn run(self, cx: &mut Context) -> Result<InteractiveMap, Failure> {
        let tab = cx.settled_tab().await?;
        let map = tab
            .interactive_map(cx.until())
            .await
            .map_err(|error| Failure::from_engine(&error, false))?;
        let source = if map.read_now {
            text!("state.map_read_now")
        } else {
            text!("state.map_of_snapshot")
        };
        Ok(InteractiveMap {
            count: map.entries.len(),
            source: cx.say(&source),
            elements: map.entries.iter().map(element).collect(),
            snapshot_id: map.snapshot_id,
        })
    }
}

fn element(entry: &MapEntry) -> Value {
    let mut out = Map::from_iter([("index".to_owned(), json!(entry.index))]);
    if let Ok(Value::Object(members)) = serde_json::to_value(&entry.record) {
        out.extend(members);
    }
    if !entry.resolved {
        // Where it was and whether it could be seen is not known any more.
        out.remove("rect");
        out.remove("visible");
    }
    if !entry.listeners.is_empty() {
        // Only what was found is told: not finding a trace proves nothing.
        out.insert("hasListeners".into(), json!(true));
        out.insert("listeners".into(), json!(entry.listeners));
    }
    if let Some(detection) = entry.detection {
        out.insert("listenerDetection".into(), json!(detection));
    }
    out.insert("frameIndex".into(), json!(entry.frame));
    out.insert("frameUrl".into(), json!(entry.frame_url));
    out.insert("resolved".into(), json!(entry.resolved));
    Value::Object(out)
}
