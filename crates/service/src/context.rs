//! What a command is given besides its parameters.
//!
//! Invariant: a command reaches the rest of the service only through here, so what it may rely on (its task, its
//! deadline, its caller's language) is in one place.

use std::sync::Arc;
use std::time::Duration;

use engine::{Deadline, Tab};
use serde_json::Value;
use tokio::time::Instant;

use crate::config::Config;
use crate::failure::{Code, Failure};
use crate::ids::TaskId;
use crate::late::PendingLook;
use crate::messages::{Language, Text};
use crate::page::Page;
use crate::service::Service;
use crate::tabs::TaskTabs;
use crate::tasks::Task;
use crate::text;
use crate::turn::Permit;

/// How long a command waits for a navigation that is under way.
const NAVIGATION_PATIENCE: Duration = Duration::from_millis(1500);

/// Time left to answer with a typed failure of one's own before the pipeline's deadline cuts the command off.
const MARGIN: Duration = Duration::from_millis(100);
/// What a command may take when limits are switched off and an engine call asks for one.
const UNLIMITED: Duration = Duration::from_secs(86_400);

/// Extra attempts of one command after transient failures.
pub(crate) const EXTRA_ATTEMPTS: u32 = 2;

/// The surroundings of one running command.
#[derive(Debug)]
pub struct Context {
    service: Arc<Service>,
    language: Language,
    task_id: Option<TaskId>,
    task: Option<Arc<Task>>,
    deadline: Option<Instant>,
    notes: Vec<Text>,
    secrets: Vec<String>,
    /// The task's turn, held until the request is answered.
    pub(crate) turn: Option<Permit>,
    /// Extra attempts that may still be made after transient failures.
    pub(crate) extra_attempts: u32,
    /// Where a second look at what was entered may wait; `None` when it must be made at once.
    pub(crate) looks: Option<Vec<PendingLook>>,
}

impl Context {
    pub(crate) fn new(service: Arc<Service>, task_id: Option<TaskId>, language: Language) -> Self {
        let task = task_id.and_then(|id| service.tasks().get(id));
        Context {
            service,
            language,
            task_id,
            task,
            deadline: None,
            notes: Vec::new(),
            secrets: Vec::new(),
            turn: None,
            extra_attempts: EXTRA_ATTEMPTS,
            looks: None,
        }
    }

    /// The surroundings of a step of this command: same caller, same task, its own notes, and never past this
    /// command's deadline.
    pub(crate) fn for_step(&self, extra_attempts: u32) -> Self {
        let mut step = Context::new(Arc::clone(&self.service), self.task_id, self.language);
        step.deadline = self.deadline;
        step.extra_attempts = extra_attempts;
        step
    }

    /// The service.
    pub fn service(&self) -> &Arc<Service> {
        &self.service
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        self.service.config()
    }

    /// The task. Commands whose flags say `needs_task` always have one.
    pub fn task(&self) -> Result<&Arc<Task>, Failure> {
        self.task
            .as_ref()
            .ok_or_else(|| self.service.no_such_task(self.task_id))
    }

    /// The id in the envelope, whether or not a task has it.
    pub fn task_id(&self) -> Option<TaskId> {
        self.task_id
    }

    /// Makes a task that this command has just registered the task of the request; later steps of a batch use it.
    pub fn adopt(&mut self, task: Arc<Task>) {
        self.task_id = Some(task.id);
        self.task = Some(task);
    }

    /// When the command is cut off; `None` when limits are switched off.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    pub(crate) fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// `wanted`, shortened so that a failure of one's own still arrives before the command is cut off.
    pub fn within_deadline(&self, wanted: Duration) -> Duration {
        match self.deadline {
            Some(deadline) => wanted.min(
                deadline
                    .saturating_duration_since(Instant::now())
                    .saturating_sub(MARGIN),
            ),
            None => wanted,
        }
    }

    /// The deadline as the engine takes it, [`Context::within_deadline`] included.
    pub fn until(&self) -> Deadline {
        Deadline::after(self.within_deadline(UNLIMITED))
    }

    /// The language of the caller.
    pub fn language(&self) -> Language {
        self.language
    }

    /// A sentence for a member of the reply, in the caller's language.
    pub fn say(&self, text: &Text) -> String {
        text.render(self.language)
    }

    /// Adds a sentence to the reply's `note`, whether the command succeeds or fails.
    pub fn note(&mut self, text: Text) {
        self.notes.push(text);
    }

    pub(crate) fn take_notes(&mut self) -> Vec<Text> {
        std::mem::take(&mut self.notes)
    }

    /// Keeps a text (a password that was typed, the value of a named secret) out of traces, wherever it turns up.
    pub fn conceal(&mut self, secret: impl Into<String>) {
        self.secrets.push(secret.into());
    }

    pub(crate) fn take_secrets(&mut self) -> Vec<String> {
        std::mem::take(&mut self.secrets)
    }

    /// Leaves a second look to the batch; gives it back when it must be made at once.
    pub(crate) fn defer_look(&mut self, look: PendingLook) -> Option<PendingLook> {
        match &mut self.looks {
            Some(looks) => {
                looks.push(look);
                None
            }
            None => Some(look),
        }
    }

    /// The tabs of the task.
    pub fn tabs(&self) -> Result<Arc<TaskTabs>, Failure> {
        self.task()?
            .tabs()
            .ok_or_else(|| Failure::new(Code::ActionFailed, text!("tasks.no_page")))
    }

    /// The current tab. When it is gone, another one of the task takes its place and the reply's `note` says so.
    pub async fn tab(&mut self) -> Result<Arc<Tab>, Failure> {
        let (tab, note) = self.tabs()?.heal(self.until()).await?;
        self.notes.extend(note);
        Ok(tab)
    }

    /// The current tab, once a navigation that is under way has committed (at most 1500 ms): for whatever
    /// reads or acts, which would otherwise mean the page that is about to go.
    pub async fn settled_tab(&mut self) -> Result<Arc<Tab>, Failure> {
        let tab = self.tab().await?;
        let patience = self.until().within(NAVIGATION_PATIENCE);
        let _ = tab
            .until("the navigation", patience, |state| (!state.navigating()).then_some(()))
            .await;
        Ok(tab)
    }

    /// How many native dialogs the task's pages have opened so far.
    pub(crate) fn dialogs_seen(&self) -> u64 {
        self.tabs().map_or(0, |tabs| tabs.dialogs().count())
    }

    /// The current page as the pipeline sees it; `None` while the task has no tab.
    pub fn page(&self) -> Option<Arc<dyn Page>> {
        self.task.as_ref().and_then(|task| task.page())
    }

    /// Evaluates a script in the main frame of the current page (see [`Page::evaluate`]).
    pub async fn evaluate(&self, script: &str, limit: Option<Duration>) -> Result<Value, Failure> {
        let page = self
            .page()
            .ok_or_else(|| Failure::new(Code::ActionFailed, text!("tasks.no_page")))?;
        page.evaluate(script, limit).await
    }
}
