//! `close`.

use std::sync::Arc;
use std::time::Duration;

use engine::Deadline;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::text;

/// How long a page that hangs may hold up the end of its task.
const LIMIT: Duration = Duration::from_secs(3);

/// Ends a task and closes its tabs. The last task leaves the browser and its pages open; `closeBrowser:true` closes the
/// browser too, and is refused while other tasks exist.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Close {
    /// Also close the browser.
    #[serde(default)]
    pub close_browser: bool,
}

/// Reply of `close`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Closed {
    closed: bool,
    browser_closed: bool,
    remaining_tasks: usize,
}

impl Command for Close {
    const NAME: &'static str = "close";
    const GROUP: Group = Group::Lifecycle;
    const CLASS: Class = Class::Admin;
    const FLAGS: Flags = Flags::TASK.without_turn();
    type Output = Closed;

    async fn run(self, cx: &mut Context) -> Result<Closed, Failure> {
        let service = Arc::clone(cx.service());
        let id = cx.task()?.id;
        let others: Vec<String> = service
            .tasks()
            .all()
            .iter()
            .filter(|task| task.id != id)
            .map(|task| task.id.to_string())
            .collect();
        if self.close_browser && !others.is_empty() {
            let text = text!("tasks.browser_in_use", tasks = others.join(", "));
            return Err(Failure::new(Code::ActionFailed, text)
                .with("holders", others)
                .with("started", false));
        }
        let task = service
            .tasks()
            .remove(id)
            .ok_or_else(|| service.no_such_task(Some(id)))?;
        let deadline = Deadline::after(cx.within_deadline(LIMIT));
        let mut browser_closed = false;
        if let Some(tabs) = task.tabs() {
            if self.close_browser {
                browser_closed = service.browsers().close().await;
            } else if others.is_empty() {
                tabs.keep(deadline).await;
            } else {
                tabs.close_all(deadline).await;
            }
        }
        Ok(Closed {
            closed: true,
            browser_closed,
            remaining_tasks: service.tasks().count(),
        })
    }
}
