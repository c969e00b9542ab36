//! Tasks: what the service remembers under one id.
//!
//! Invariant: an id names at most one task at a time, and a task that was removed stays closed: whoever still waits
//! for its turn is told so instead of acting on it.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use serde_json::Value;
use tokio::sync::watch;

use crate::breaker::Breaker;
use crate::failure::{Code, Failure};
use crate::files::TaskFiles;
use crate::ids::TaskId;
use crate::page::Page;
use crate::tabs::TaskTabs;
use crate::text;
use crate::turn::Turn;

/// How many finished commands a task remembers.
const HISTORY: usize = 100;

/// One finished command, kept for looking back at what happened.
#[derive(Debug, Clone)]
pub struct Finished {
    /// Running number within the task, from 1.
    pub seq: u64,
    /// When it began.
    pub at: SystemTime,
    /// Its method.
    pub method: String,
    /// Whether it succeeded.
    pub ok: bool,
    /// The message of its failure.
    pub msg: Option<String>,
    /// `data` of its reply in full, long texts cut.
    pub data: Value,
    /// Milliseconds from arrival to reply.
    pub duration_ms: u64,
}

/// One task. Shared by everything that works on it.
pub struct Task {
    /// The id.
    pub id: TaskId,
    /// Its files under `data/`.
    pub files: TaskFiles,
    /// Who may act on its pages now.
    pub turn: Turn,
    /// Whether screenshots are worth trying.
    pub breaker: Mutex<Breaker>,
    /// When it was registered.
    pub created_at: SystemTime,
    tabs: Mutex<Option<Arc<TaskTabs>>>,
    page: Mutex<Option<Arc<dyn Page>>>,
    history: Mutex<(u64, VecDeque<Finished>)>,
    in_flight: AtomicUsize,
    ended: watch::Sender<bool>,
}

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task")
            .field("id", &self.id)
            .field("closed", &self.is_closed())
            .finish_non_exhaustive()
    }
}

/// Counts a command as running on its task for as long as it lives.
#[derive(Debug)]
pub struct InFlight(Arc<Task>);

impl Task {
    fn new(id: TaskId, files: TaskFiles) -> Self {
        Task {
            id,
            files,
            turn: Turn::default(),
            breaker: Mutex::default(),
            created_at: SystemTime::now(),
            tabs: Mutex::default(),
            page: Mutex::default(),
            history: Mutex::default(),
            in_flight: AtomicUsize::new(0),
            ended: watch::Sender::new(false),
        }
    }

    /// The page that the pipeline looks at and takes pictures of.
    pub fn page(&self) -> Option<Arc<dyn Page>> {
        locked(&self.page).clone()
    }

    /// Makes another page the one that the pipeline looks at, or none.
    pub fn set_page(&self, page: Option<Arc<dyn Page>>) {
        *locked(&self.page) = page;
    }

    /// Its tabs; `None` before `start` has opened the first one.
    pub fn tabs(&self) -> Option<Arc<TaskTabs>> {
        locked(&self.tabs).clone()
    }

    /// Gives the task its tabs; the current one of them is the page that the pipeline looks at.
    pub fn set_tabs(&self, tabs: Arc<TaskTabs>) {
        *locked(&self.tabs) = Some(Arc::clone(&tabs));
        self.set_page(Some(tabs));
    }

    /// Whether the task has been removed.
    pub fn is_closed(&self) -> bool {
        *self.ended.borrow()
    }

    /// Resolves when the task is removed.
    pub async fn ended(&self) {
        // An error means that the sender is gone, and the sender is part of `self`.
        let _ = self.ended.subscribe().wait_for(|ended| *ended).await;
    }

    /// Commands running on it now.
    pub fn in_flight(&self) -> usize {
        self.in_flight.load(Ordering::Relaxed)
    }

    /// Counts one more running command until the guard is dropped.
    pub fn enter(self: &Arc<Self>) -> InFlight {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        InFlight(Arc::clone(self))
    }

    /// Adds a finished command to the history, numbering it.
    pub fn remember(&self, mut finished: Finished) {
        let mut history = locked(&self.history);
        history.0 += 1;
        finished.seq = history.0;
        if history.1.len() == HISTORY {
            history.1.pop_front();
        }
        history.1.push_back(finished);
    }

    /// The last commands, oldest first.
    pub fn history(&self) -> Vec<Finished> {
        locked(&self.history).1.iter().cloned().collect()
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The tasks that exist, by id.
#[derive(Debug, Default)]
pub struct Tasks(Mutex<BTreeMap<TaskId, Arc<Task>>>);

impl Tasks {
    /// The task with this id.
    pub fn get(&self, id: TaskId) -> Option<Arc<Task>> {
        locked(&self.0).get(&id).cloned()
    }

    /// All tasks, in the order of their ids.
    pub fn all(&self) -> Vec<Arc<Task>> {
        locked(&self.0).values().cloned().collect()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        locked(&self.0).len()
    }

    /// Registers a task; fails when the id is taken, and nothing changes then.
    pub fn register(
        &self,
        id: TaskId,
        files: impl FnOnce() -> Result<TaskFiles, Failure>,
    ) -> Result<Arc<Task>, Failure> {
        let mut tasks = locked(&self.0);
        if tasks.contains_key(&id) {
            return Err(Failure::new(Code::ActionFailed, text!("tasks.exists", id = id)).with("started", false));
        }
        let task = Arc::new(Task::new(id, files()?));
        tasks.insert(id, Arc::clone(&task));
        Ok(task)
    }

    /// Removes a task and marks it closed. Its tabs are the caller's business.
    pub fn remove(&self, id: TaskId) -> Option<Arc<Task>> {
        let task = locked(&self.0).remove(&id)?;
        task.ended.send_replace(true);
        task.set_page(None);
        Some(task)
    }

    /// Removes all tasks.
    pub fn remove_all(&self) -> Vec<Arc<Task>> {
        let ids: Vec<TaskId> = locked(&self.0).keys().copied().collect();
        ids.into_iter().filter_map(|id| self.remove(id)).collect()
    }
}

/// A lock whose holder cannot leave broken state behind; a panic elsewhere does not spread.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
