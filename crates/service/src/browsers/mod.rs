//! The one shared browser: which one is wanted, whether the running one will do, starting it, and what is told about it.
//! Invariant: an explicit choice is used or refused, never replaced, and a browser with tasks is never swapped away.

mod choice;
mod receipt;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use engine::Browser;
use engine::launch::LaunchOptions;
use serde_json::{Value, json};

use crate::config::Config;
use crate::failure::{Code, Failure};
use crate::text;

pub use choice::{BrowserChoice, Wanted};
pub use receipt::{browser_facts, launching_facts, profile_note, short_facts};

/// How long a browser may take to write its profile and end.
const CLOSE_GRACE: Duration = Duration::from_secs(5);

/// A browser that runs, and what it was asked to be.
#[derive(Debug, Clone)]
pub struct Running {
    /// The browser.
    pub browser: Browser,
    /// Profile path asked for; with the facts of the browser it decides whether a later wish fits.
    pub profile_dir: PathBuf,
    /// What `auto` fell back to or gave up, in words.
    pub notes: Vec<crate::messages::Text>,
}

/// A launch under way.
#[derive(Debug, Clone)]
pub struct Launching {
    /// When it began.
    pub started: SystemTime,
    /// When it began, for the elapsed time.
    pub clock: Instant,
    /// Browser asked for.
    pub browser: String,
    /// Whether it has no window.
    pub headless: bool,
}

/// The place of the shared browser.
#[derive(Debug, Default)]
pub struct Browsers {
    running: Mutex<Option<Running>>,
    launching: Mutex<Option<Launching>>,
    last_exit: Mutex<Option<String>>,
    /// Held while a browser is started or closed: concurrent starts wait for the same launch.
    gate: tokio::sync::Mutex<()>,
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Browsers {
    /// The running browser; never waits.
    pub fn running(&self) -> Option<Running> {
        locked(&self.running)
            .clone()
            .filter(|running| running.browser.gone_reason().is_none())
    }

    /// The launch under way, if any; never waits.
    pub fn launching(&self) -> Option<Launching> {
        locked(&self.launching).clone()
    }

    /// How the last browser ended by itself, if it did.
    pub fn last_exit(&self) -> Option<String> {
        locked(&self.last_exit).clone()
    }

    /// A browser that fits `wanted`: the running one, or a new one. `holders` tells which tasks use the running one at
    /// the moment of the decision.
    ///
    /// # Errors
    /// No such browser; the running one differs and has tasks; the launch failed.
    pub async fn acquire(
        self: &Arc<Self>,
        wanted: &Wanted,
        config: &Config,
        holders: impl Fn() -> Vec<String>,
    ) -> Result<(Running, bool), Failure> {
        let _gate = self.gate.lock().await;
        if let Some(running) = self.running() {
            let difference = wanted.difference(&running);
            if !difference {
                return Ok((running, false));
            }
            let holders = holders();
            if !holders.is_empty() {
                return Err(wanted.conflict(&running, &holders));
            }
            self.end(&running).await;
        }
        let choice = choice::resolve(wanted, config)?;
        self.launch(choice).await.map(|running| (running, true))
    }

    async fn launch(self: &Arc<Self>, choice: choice::Choice) -> Result<Running, Failure> {
        *locked(&self.launching) = Some(Launching {
            started: SystemTime::now(),
            clock: Instant::now(),
            browser: choice.options.installed.kind.as_str().to_owned(),
            headless: choice.options.headless,
        });
        let _done = Done(Arc::clone(self));
        let notes = choice.notes;
        let profile_dir = choice.options.profile_dir.clone();
        let browser = with_retry(choice.options)
            .await
            .map_err(|error| Failure::from_engine(&error, true))?;
        let running = Running {
            browser,
            profile_dir,
            notes,
        };
        *locked(&self.running) = Some(running.clone());
        *locked(&self.last_exit) = None;
        tracing::info!(
            pid = running.browser.facts().pid,
            product = running.browser.facts().product,
            "browser started"
        );
        Ok(running)
    }

    /// Closes the running browser, if there is one, so that it writes its profile.
    pub async fn close(&self) -> bool {
        let _gate = self.gate.lock().await;
        let Some(running) = self.running() else { return false };
        self.end(&running).await;
        true
    }

    async fn end(&self, running: &Running) {
        *locked(&self.running) = None;
        running.browser.close(CLOSE_GRACE).await;
    }

    /// Notes that a browser ended by itself. False when that was our own doing.
    pub fn died(&self, browser: &Browser, reason: &str) -> bool {
        let mut running = locked(&self.running);
        let ours = running
            .as_ref()
            .is_some_and(|running| running.browser.facts().pid == browser.facts().pid);
        if ours {
            *running = None;
            *locked(&self.last_exit) = Some(reason.to_owned());
        }
        ours
    }
}

/// Clears the launching state on every way out, a dropped future included.
struct Done(Arc<Browsers>);

impl Drop for Done {
    fn drop(&mut self) {
        *locked(&self.0.launching) = None;
    }
}

/// One more try after a time-out: a cold disk makes the first start of a browser slow.
async fn with_retry(options: LaunchOptions) -> engine::Result<Browser> {
    match Browser::launch(options.clone()).await {
        Err(engine::EngineError::Launch(engine::launch::LaunchError::Timeout { .. })) => Browser::launch(options).await,
        other => other,
    }
}

/// The failure of a browser kind that this build cannot drive.
pub(crate) fn unsupported_engine(name: &str) -> Failure {
    Failure::new(
        Code::EngineNotSupported,
        text!("browser.engine_not_supported", name = name),
    )
    .with("started", false)
    .with("requestedBrowser", json!(name))
    .with("supported", Value::from(vec!["auto", "chrome", "edge", "chromium"]))
}
