//! One browser: its process, its connection and its tabs. Tabs belong to owners (tasks); a tab that a page opens
//! belongs to the owner of its opener; a tab that a person opens belongs to nobody and is never listed.

mod downloads;
mod events;
mod launch;
mod registry;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use cdp::{Connection, Session};
use tokio::sync::watch;

use crate::console::ConsoleLog;
use crate::deadline::Deadline;
use crate::dialogs::{DialogBook, DialogBooks};
use crate::error::{EngineError, Result};
use crate::launch::BrowserProcess;
use crate::network::{NetworkBook, NetworkBooks, Recorder};
use crate::tab::{Emulated, Tab};

pub(crate) use registry::Registry;

/// A running browser; clones share it.
#[derive(Clone, Debug)]
pub struct Browser(Arc<Inner>);

/// What is true of a running browser.
#[derive(Debug, Clone)]
pub struct BrowserFacts {
    /// Product and version as the browser tells them.
    pub product: String,
    /// Protocol version.
    pub protocol_version: String,
    /// The executable.
    pub executable: PathBuf,
    /// `chrome`, `edge` or `chromium`.
    pub kind: &'static str,
    /// Process id.
    pub pid: u32,
    /// No window.
    pub headless: bool,
    /// The profile in use.
    pub profile_dir: PathBuf,
    /// Folder in the profile, when one was named.
    pub profile_directory: Option<String>,
    /// Whether Chromium's sandbox is on.
    pub sandbox: bool,
    /// Whether the profile held data before this launch.
    pub profile_seen_before: bool,
    /// What last used the profile, when that was another browser.
    pub previous_browser: Option<String>,
    /// Degraded or noteworthy facts, in stable kebab-case words.
    pub notes: Vec<String>,
}

pub(crate) struct Inner {
    connection: Connection,
    root: Session,
    process: BrowserProcess,
    facts: BrowserFacts,
    emulated: Option<Emulated>,
    download_dir: PathBuf,
    registry: Registry,
    dialogs: DialogBooks,
    /// Consoles by owner, for as long as somebody keeps them.
    consoles: Mutex<HashMap<String, Weak<ConsoleLog>>>,
    networks: NetworkBooks,
    /// Held while a tab is brought to the front of a shared window and its picture is taken.
    pub(crate) front: tokio::sync::Mutex<()>,
    gone: watch::Sender<Option<String>>,
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Browser")
            .field("pid", &self.process.pid())
            .finish_non_exhaustive()
    }
}

impl Inner {
    pub(crate) const fn connection(&self) -> &Connection {
        &self.connection
    }

    pub(crate) const fn root(&self) -> &Session {
        &self.root
    }

    pub(crate) const fn dialogs(&self) -> &DialogBooks {
        &self.dialogs
    }

    pub(crate) const fn network_books(&self) -> &NetworkBooks {
        &self.networks
    }

    pub(crate) const fn registry(&self) -> &Registry {
        &self.registry
    }

    pub(crate) const fn is_headless(&self) -> bool {
        self.facts.headless
    }

    pub(crate) fn gone_reason(&self) -> Option<String> {
        self.gone.borrow().clone()
    }

    pub(crate) fn console(&self, owner: &str) -> Arc<ConsoleLog> {
        let mut consoles = self.consoles.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = consoles.get(owner).and_then(Weak::upgrade) {
            return kept;
        }
        consoles.retain(|_, log| log.strong_count() > 0);
        let log = Arc::<ConsoleLog>::default();
        consoles.insert(owner.to_owned(), Arc::downgrade(&log));
        log
    }
}

impl Browser {
    /// What is true of this browser.
    #[must_use]
    pub fn facts(&self) -> &BrowserFacts {
        &self.0.facts
    }

    /// Why the browser is gone, once it is.
    #[must_use]
    pub fn gone_reason(&self) -> Option<String> {
        self.0.gone_reason()
    }

    /// Resolves with the reason when the browser is gone.
    pub async fn gone(&self) -> String {
        let mut gone = self.0.gone.subscribe();
        match gone.wait_for(Option::is_some).await {
            Ok(reason) => reason.clone().unwrap_or_default(),
            Err(_) => String::new(),
        }
    }

    /// Opens a blank tab for `owner`. The blank tab that a launch brings along is taken first.
    ///
    /// # Errors
    /// The browser is gone or did not open the tab in time.
    pub async fn new_tab(&self, owner: &str, deadline: Deadline) -> Result<Arc<Tab>> {
        if let Some(tab) = self.0.registry.claim_first(owner) {
            tab.ready(deadline).await?;
            return Ok(tab);
        }
        // A tab that is not the front one of its window gives no picture. Without a screen windows cost nothing, so
        // every tab gets its own.
        let create = cdp::protocol::target::CreateTarget {
            url: "about:blank".into(),
            new_window: self.0.facts.headless.then_some(true),
            ..Default::default()
        };
        let reply = self.0.root.call_within(create, deadline.remaining()).await?;
        let opened = deadline.bound("opening a tab", async {
            self.0.registry.arrival(&reply.target_id).await
        });
        let tab = tokio::select! {
            tab = opened => tab?,
            reason = self.gone() => return Err(EngineError::BrowserGone { reason }),
        };
        tab.update(|state| state.owner = Some(owner.to_owned()));
        tab.ready(deadline).await?;
        tab.apply_rules(deadline).await;
        Ok(tab)
    }

    /// Live tabs of `owner` in the order of their creation.
    #[must_use]
    pub fn tabs(&self, owner: &str) -> Vec<Arc<Tab>> {
        self.0.registry.owned_by(owner)
    }

    /// What is done with the native dialogs of `owner`, and the newest of them.
    #[must_use]
    pub fn dialogs(&self, owner: &str) -> Arc<DialogBook> {
        self.0.dialogs.of(Some(owner))
    }

    /// The consoles of the tabs of `owner`. They are recorded for as long as somebody keeps what this returns.
    #[must_use]
    pub fn console(&self, owner: &str) -> Arc<ConsoleLog> {
        self.0.console(owner)
    }

    /// Opens the network record of `owner`. It is kept for as long as somebody keeps what this returns.
    #[must_use]
    pub fn open_network(&self, owner: &str, recorder: Recorder) -> Arc<NetworkBook> {
        self.0.networks.open(owner, recorder)
    }

    /// Makes the tabs of `owner` follow its rules for requests.
    pub async fn apply_rules(&self, owner: &str, deadline: Deadline) {
        let tabs = self.tabs(owner);
        futures_util::future::join_all(tabs.iter().map(|tab| tab.apply_rules(deadline))).await;
    }

    /// Lets go of the tabs of `owner` without closing them; a dialog that was left open is dismissed.
    pub fn disown(&self, owner: &str) -> Vec<Arc<Tab>> {
        let tabs = self.tabs(owner);
        self.0.dialogs.forget(owner);
        for tab in &tabs {
            tab.dismiss_dialog();
            tab.update(|state| state.owner = None);
            let freed = Arc::clone(tab);
            tokio::spawn(async move { freed.apply_rules(Deadline::after(Duration::from_secs(10))).await });
            self.0.registry.keep(tab);
        }
        tabs
    }

    /// Tabs that an ended task left open, oldest first.
    #[must_use]
    pub fn kept_tabs(&self) -> Vec<Arc<Tab>> {
        self.0.registry.kept()
    }

    /// Ends the browser so that it writes its profile; its processes are killed after `grace`.
    pub async fn close(&self, grace: Duration) {
        let _ = self.0.root.call_within(cdp::protocol::browser::Close {}, grace).await;
        self.0.process.finish(grace).await;
        self.0.connection.close("closed");
    }
}
