//! `list_tasks`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::browsers::{launching_facts, short_facts};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::tasks::Task;
use crate::text;

/// Lists the tasks and the shared browser, from what is known without asking any page.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListTasks {}

/// Reply of `list_tasks`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskList {
    count: usize,
    tasks: Vec<TaskFacts>,
    /// The running browser in short.
    browser: Option<Value>,
    /// A launch under way.
    launching: Option<Value>,
}

/// One task.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskFacts {
    id: String,
    url: Option<String>,
    title: Option<String>,
    tab_count: usize,
    /// Number of the last automatic screenshot.
    capture_seq: u64,
    /// Commands running now.
    inflight: usize,
    profile_dir: Option<String>,
    page_error: Option<String>,
}

impl Command for ListTasks {
    const NAME: &'static str = "list_tasks";
    const GROUP: Group = Group::Introspection;
    const CLASS: Class = Class::Admin;
    const FLAGS: Flags = Flags::SERVICE.resend_safe();
    type Output = TaskList;

    async fn run(self, cx: &mut Context) -> Result<TaskList, Failure> {
        let browsers = cx.service().browsers();
        let running = browsers.running();
        let profile = running
            .as_ref()
            .map(|running| running.profile_dir.display().to_string());
        let tasks: Vec<_> = cx
            .service()
            .tasks()
            .all()
            .iter()
            .map(|task| facts(task, profile.clone(), cx))
            .collect();
        Ok(TaskList {
            count: tasks.len(),
            tasks,
            browser: running.as_ref().map(short_facts),
            launching: browsers
                .launching()
                .as_ref()
                .map(|launching| launching_facts(launching, cx.language())),
        })
    }
}

fn facts(task: &Task, profile_dir: Option<String>, cx: &Context) -> TaskFacts {
    let page = task.page().map(|page| page.facts()).filter(|facts| !facts.closed);
    TaskFacts {
        id: task.id.to_string(),
        page_error: page.is_none().then(|| cx.say(&text!("tasks.no_page"))),
        url: page.as_ref().and_then(|facts| facts.url.clone()),
        title: page.and_then(|facts| facts.title),
        tab_count: task.tabs().map_or(0, |tabs| tabs.list().len()),
        capture_seq: task.files.last_seq(),
        inflight: task.in_flight(),
        profile_dir,
    }
}
