//! The service: what all requests share, from its start to its end.
//!
//! Invariant: nothing in here waits for a page. Health, the list of tasks and refusals answer from memory, whatever
//! the browser does.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use engine::{Browser, Deadline};
use serde_json::{Value, json};

use crate::browsers::Browsers;
use crate::config::Config;
use crate::envelope::{Outgoing, Reply, ResponseMode, Style};
use crate::failure::{Code, Failure};
use crate::files::create_private_dir;
use crate::gate::Gate;
use crate::ids::TaskId;
use crate::messages::Language;
use crate::registry::{Registry, registry};
use crate::replay::Replays;
use crate::tasks::Tasks;
use crate::text;
use crate::trace::{Trace, iso_local};

/// How long a tab that nobody needs any more may take to close.
const TAB_GRACE: Duration = Duration::from_secs(3);

/// Everything that requests share.
pub struct Service {
    config: Config,
    registry: &'static Registry,
    started_at: SystemTime,
    tasks: Tasks,
    browsers: Arc<Browsers>,
    gate: Gate,
    replays: Replays,
    trace: Trace,
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service")
            .field("tasks", &self.tasks)
            .finish_non_exhaustive()
    }
}

/// Why the service could not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The folder for the files of tasks cannot be made.
    #[error("cannot make the data directory {}: {error}", path.display())]
    DataDir {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

impl Service {
    /// Starts the service. `config.server.port` is the port that it is reached at.
    pub fn start(config: Config) -> Result<Arc<Service>, StartError> {
        Service::with_registry(config, registry())
    }

    /// Starts a service with a command table of its own.
    pub fn with_registry(config: Config, registry: &'static Registry) -> Result<Arc<Service>, StartError> {
        let data_dir = config.data_dir();
        create_private_dir(&data_dir).map_err(|error| StartError::DataDir { path: data_dir, error })?;
        Ok(Arc::new(Service {
            registry,
            started_at: SystemTime::now(),
            tasks: Tasks::default(),
            browsers: Arc::default(),
            gate: Gate::new(config.command.max_stuck),
            replays: Replays::default(),
            trace: Trace::start(&config.trace),
            config,
        }))
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The commands.
    pub fn registry(&self) -> &'static Registry {
        self.registry
    }

    /// The tasks.
    pub fn tasks(&self) -> &Tasks {
        &self.tasks
    }

    /// The shared browser's place.
    pub fn browsers(&self) -> &Arc<Browsers> {
        &self.browsers
    }

    /// When the service started.
    pub fn started_at(&self) -> SystemTime {
        self.started_at
    }

    pub(crate) fn gate(&self) -> &Gate {
        &self.gate
    }

    pub(crate) fn replays(&self) -> &Replays {
        &self.replays
    }

    /// The record of calls.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The failure for an id that names no task, or for none given.
    pub fn no_such_task(&self, id: Option<TaskId>) -> Failure {
        let since = iso_local(self.started_at);
        let text = match (id, self.browsers.last_exit()) {
            (None, _) => text!("tasks.id_missing", since = since),
            (Some(id), None) => text!("tasks.unknown", id = id, since = since),
            (Some(id), Some(reason)) => text!("tasks.unknown_browser_gone", id = id, since = since, reason = reason),
        };
        Failure::new(Code::ActionFailed, text).with("started", false)
    }

    /// `GET /playwright/health`: who answers here.
    pub fn health(&self) -> Outgoing {
        let data = json!({
            "name": "playwright-server",
            "pid": std::process::id(),
            "startedAt": iso_local(self.started_at),
            "port": self.config.server.port,
        });
        self.outgoing(200, Ok(data), Language::En)
    }

    /// The envelope of a refusal that no command is responsible for, with an HTTP status of the caller's choice.
    pub fn failure(&self, status: u16, failure: Failure, language: Language) -> Outgoing {
        self.outgoing(status, Err(failure), language)
    }

    pub(crate) fn outgoing(&self, status: u16, result: Result<Value, Failure>, language: Language) -> Outgoing {
        let style = Style {
            mode: ResponseMode::Full,
            diagnostics: false,
            skip_null: self.config.json.skip_null,
            language,
        };
        let envelope = Reply::bare(result).envelope(style, &|_| None);
        Outgoing {
            status,
            body: serde_json::to_vec(&envelope).unwrap_or_default(),
        }
    }

    /// Ends all tasks when the browser ends by itself: their pages are gone and nothing may act as if they were not.
    pub fn watch_browser(self: &Arc<Self>, browser: Browser) {
        let service = Arc::clone(self);
        tokio::spawn(async move {
            let reason = browser.gone().await;
            if service.browsers.died(&browser, &reason) {
                let ended = service.tasks.remove_all().len();
                tracing::warn!(%reason, ended, "the browser ended by itself");
            }
        });
    }

    /// Closes the oldest of the tabs that ended tasks have left open, beyond the number to keep.
    pub fn trim_kept_tabs(&self, browser: &Browser) {
        let kept = browser.kept_tabs();
        let surplus = kept.len().saturating_sub(self.config.browser.kept_tabs_max);
        for tab in kept.into_iter().take(surplus) {
            tokio::spawn(async move {
                // A tab that does not close stays open, which is what it was before.
                let _ = tab.close(Deadline::after(TAB_GRACE)).await;
            });
        }
    }

    /// Ends everything in order: tasks, browser, trace.
    pub async fn stop(&self) {
        self.tasks.remove_all();
        self.browsers.close().await;
        let trace = self.trace.clone();
        if !matches!(tokio::task::spawn_blocking(move || trace.flush()).await, Ok(true)) {
            tracing::warn!("the trace could not be written to its end");
        }
    }
}
