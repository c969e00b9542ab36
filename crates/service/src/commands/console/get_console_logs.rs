//! `get_console_logs`.

use engine::ConsoleEntry;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::text;

/// What the task's pages, frames and workers wrote to their consoles since the task got them, and the exceptions that
/// nobody caught; the newest 200 of each. Answers from what is recorded, so a page that hangs cannot hold it up.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetConsoleLogs {
    /// Only what was written at this time or later, in milliseconds since 1970.
    pub since: Option<u64>,
    /// Give objects with time, level, text, address and line in place of lines.
    #[serde(default)]
    pub details: bool,
}

/// Reply of `get_console_logs`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Logs {
    logs: Vec<Value>,
    errors: Vec<Value>,
    /// Messages that had to make room for newer ones.
    lost_logs: Option<u64>,
    /// Exceptions that had to make room for newer ones.
    lost_errors: Option<u64>,
    /// Events that came too fast to be read.
    lost_events: Option<u64>,
}

impl Command for GetConsoleLogs {
    const NAME: &'static str = "get_console_logs";
    const GROUP: Group = Group::Console;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.without_turn().resend_safe();
    const OPAQUE: &'static [&'static str] = &["logs", "errors"];
    type Output = Logs;

    async fn run(self, cx: &mut Context) -> Result<Logs, Failure> {
        let record = cx.tabs()?.console().record();
        let some = |count: u64| (count > 0).then_some(count);
        let logs = Logs {
            logs: self.shown(&record.messages),
            errors: self.shown(&record.exceptions),
            lost_logs: some(record.lost_messages),
            lost_errors: some(record.lost_exceptions),
            lost_events: some(record.lost_events),
        };
        if logs.lost_logs.is_some() || logs.lost_errors.is_some() || logs.lost_events.is_some() {
            cx.note(text!("console.lost"));
        }
        Ok(logs)
    }
}

impl GetConsoleLogs {
    fn shown(&self, entries: &[ConsoleEntry]) -> Vec<Value> {
        let since = self.since.unwrap_or(0);
        let wanted = entries.iter().filter(|entry| entry.at >= since);
        wanted
            .map(|entry| match self.details {
                true => json!({"at": entry.at, "level": entry.level, "text": entry.text, "url": entry.url, "line": entry.line}),
                false => Value::String(entry.shown()),
            })
            .collect()
    }
}
