//! The receipt of keyboard input at the focus.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::context::Context;
use crate::failure::Failure;
use crate::text;

/// Reply of `send_keys` and `press_key`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeysReply {
    mode: &'static str,
    keys: Option<String>,
    text: Option<String>,
    focused: Map<String, Value>,
    focus_note: Option<String>,
    navigation: Option<Value>,
}

/// Sends the keys and reports.
pub(crate) async fn keys(cx: &mut Context, keys: &str) -> Result<KeysReply, Failure> {
    let tab = cx.settled_tab().await?;
    let pressed = tab
        .keys(keys, cx.until())
        .await
        .map_err(|error| Failure::from_engine(&error, false))?;
    let mut focused = pressed.focused;
    focused.retain(|name, _| {
        ["tag", "id", "className", "placeholder", "isBody", "isFrame", "frameUrl"].contains(&name.as_str())
    });
    let on_body = focused.get("isBody") == Some(&Value::Bool(true));
    Ok(KeysReply {
        mode: if pressed.keys.is_some() { "press" } else { "type" },
        keys: pressed.keys,
        text: pressed.text,
        focused,
        focus_note: on_body.then(|| cx.say(&text!("action.nothing_focused"))),
        navigation: pressed
            .navigation
            .map(|seen| json!({"url": seen.url, "state": if seen.committed { "committed" } else { "started" }})),
    })
}
