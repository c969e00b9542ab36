//! One tab: its session, its state and the ways to wait for that state. What is done with a tab (navigating, reading,
//! acting, capturing) lives in the sibling modules, each adding its verbs to [`Tab`].

mod dialogs;
#[cfg(test)]
mod dialogs_tests;
mod events;
mod setup;
mod state;
mod traffic;

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use cdp::{Command, Session};
use tokio::sync::watch;

use crate::act::Held;
use crate::browser::Inner as BrowserInner;
use crate::console::ConsoleFeed;
use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::frames::Frame;
use crate::page_state::{Listening, Readings};
use crate::script::Worlds;
use crate::state::IndexTable;

pub use dialogs::OpenDialog;
pub(crate) use events::now_ms;
pub(crate) use setup::{Emulated, adopt_worker, choosers_at_rest, start};
pub use state::{Lifecycle, MainFailure, MainResponse, Marks, PendingNavigation, TabEnd, TabState};

/// How long a page may be held by a navigation before a call to it is given up.
const HELD: Duration = Duration::from_secs(3);
/// A time that no call lives to see.
const FOREVER: Duration = Duration::from_secs(86_400);

/// A tab of the browser.
pub struct Tab {
    pub(crate) id: String,
    pub(crate) number: u64,
    pub(crate) session: Session,
    pub(crate) browser: Weak<BrowserInner>,
    pub(crate) worlds: Worlds,
    pub(crate) indices: Mutex<IndexTable>,
    pub(crate) readings: Mutex<Readings>,
    pub(crate) listening: Mutex<Listening>,
    /// Frames that show index boxes.
    pub(crate) highlighted: Mutex<Vec<Frame>>,
    pub(crate) held: Mutex<Held>,
    pub(crate) console: ConsoleFeed,
    /// Network events known to be lost on its sessions.
    pub(crate) network_lost: AtomicU64,
    /// Requests of it have been stopped for rules.
    pub(crate) intercepting: AtomicBool,
    state: Mutex<TabState>,
    pub(crate) version: watch::Sender<u64>,
    /// Moves when a dialog is left open, and when such a one is closed.
    asked: watch::Sender<u64>,
    ready: watch::Sender<bool>,
}

impl std::fmt::Debug for Tab {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tab")
            .field("id", &self.id)
            .field("number", &self.number)
            .finish_non_exhaustive()
    }
}

impl Tab {
    pub(crate) fn new(
        id: &str,
        number: u64,
        session: Session,
        browser: Weak<BrowserInner>,
        state: TabState,
    ) -> Arc<Self> {
        Arc::new(Self {
            id: id.to_owned(),
            number,
            session,
            browser,
            worlds: Worlds::default(),
            indices: Mutex::default(),
            readings: Mutex::default(),
            listening: Mutex::default(),
            highlighted: Mutex::default(),
            held: Mutex::default(),
            console: ConsoleFeed::default(),
            network_lost: AtomicU64::new(0),
            intercepting: AtomicBool::new(false),
            state: Mutex::new(state),
            version: watch::Sender::new(0),
            asked: watch::Sender::new(0),
            ready: watch::Sender::new(false),
        })
    }

    /// The browser's id of the tab; never reused.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Looks at the state. The guard must not be held across an await.
    pub fn state(&self) -> MutexGuard<'_, TabState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state and wakes everyone who waits for a change.
    pub(crate) fn update<T>(&self, change: impl FnOnce(&mut TabState) -> T) -> T {
        let out = change(&mut self.state());
        self.version.send_modify(|version| *version += 1);
        out
    }

    /// Waits until `found` sees what it looks for in the state.
    ///
    /// # Errors
    /// The tab ended, or the deadline passed (named by `what`).
    pub async fn until<T>(
        &self,
        what: &str,
        deadline: Deadline,
        mut found: impl FnMut(&TabState) -> Option<T> + Send,
    ) -> Result<T>
    where
        T: Send,
    {
        let mut version = self.version.subscribe();
        let wait = async {
            loop {
                {
                    let state = self.state();
                    if let Some(value) = found(&state) {
                        return Ok(value);
                    }
                    if let Some(end) = state.end {
                        return Err(self.ended(end));
                    }
                }
                if version.changed().await.is_err() {
                    return Err(EngineError::TabGone(TabEnd::Closed));
                }
            }
        };
        deadline.bound(what, wait).await
    }

    /// Waits until the tab has been set up.
    pub(crate) async fn ready(&self, deadline: Deadline) -> Result<()> {
        let mut ready = self.ready.subscribe();
        deadline
            .bound("setting up the tab", async {
                ready
                    .wait_for(|ready| *ready)
                    .await
                    .map(|_| ())
                    .map_err(|_| EngineError::TabGone(TabEnd::Closed))
            })
            .await
    }

    /// Why calls to this tab fail: the browser's end explains more than the tab's.
    pub(crate) fn ended(&self, end: TabEnd) -> EngineError {
        match self.browser.upgrade().and_then(|browser| browser.gone_reason()) {
            Some(reason) => EngineError::BrowserGone { reason },
            None => EngineError::TabGone(end),
        }
    }

    /// A protocol call on the tab's own session, bounded by the deadline.
    ///
    /// # Errors
    /// As the protocol or the tab's end says.
    pub(crate) async fn call<C: Command>(&self, command: C, deadline: Deadline) -> Result<C::Reply> {
        self.call_on(&self.session, command, deadline).await
    }

    /// A protocol call on a session of this tab.
    pub(crate) async fn call_on<C: Command>(
        &self,
        session: &Session,
        command: C,
        deadline: Deadline,
    ) -> Result<C::Reply> {
        // A crashed renderer never answers; nothing is worth sending to a tab that is known to be gone.
        if let Some(end) = self.end() {
            return Err(self.ended(end));
        }
        self.refuse_while_asking(session, C::METHOD).await?;
        let reply = tokio::select! {
            biased;
            reply = session.call_within(command, deadline.remaining()) => reply,
            held = self.held_by_dialog(dialogs::grace(C::METHOD)) => return Err(held),
        };
        reply.map_err(|error| match EngineError::from(error) {
            EngineError::TabGone(end) if session.id() == self.session.id() => self.ended(end),
            // A frame that went away with its process is a document that was replaced, not the end of the tab.
            EngineError::TabGone(_) => EngineError::Navigating,
            other => other,
        })
    }

    /// A call that the page's own thread answers. While the browser holds the page for a navigation nobody answers, so
    /// this ends by itself when one has been under way for [`HELD`].
    pub(crate) async fn ask_page<C: Command>(
        &self,
        session: &Session,
        command: C,
        deadline: Deadline,
    ) -> Result<C::Reply> {
        tokio::select! {
            biased;
            reply = self.call_on(session, command, deadline) => reply,
            url = self.held_by_navigation() => Err(EngineError::NavigationPending { url }),
            held = self.held_by_dialog(Duration::ZERO) => Err(held),
            held = self.held_by_neighbour(session) => Err(held),
        }
    }

    /// Resolves with its address when a main-frame navigation has been under way for [`HELD`].
    async fn held_by_navigation(&self) -> String {
        let mut version = self.version.subscribe();
        loop {
            let begun = self.state().pending.clone().filter(|pending| pending.begun);
            let left = begun
                .as_ref()
                .map(|pending| HELD.saturating_sub(pending.started.elapsed()));
            match (begun, left) {
                (Some(pending), Some(left)) if left.is_zero() => return pending.url,
                (_, left) => {
                    let changed = tokio::time::timeout(left.unwrap_or(FOREVER), version.changed());
                    if matches!(changed.await, Ok(Err(_))) {
                        std::future::pending::<()>().await;
                    }
                }
            }
        }
    }

    /// Address of the main document as last committed; never asks the page.
    #[must_use]
    pub fn url(&self) -> String {
        self.state().url().to_owned()
    }

    /// Title as the browser last told; never asks the page.
    #[must_use]
    pub fn title(&self) -> String {
        self.state().title.clone()
    }

    /// How the tab ended, when it has.
    #[must_use]
    pub fn end(&self) -> Option<TabEnd> {
        self.state().end
    }

    /// The task that owns the tab.
    #[must_use]
    pub fn owner(&self) -> Option<String> {
        self.state().owner.clone()
    }

    /// The main frame.
    ///
    /// # Errors
    /// The tab ended before it had one.
    pub fn main_frame(&self) -> Result<Frame> {
        self.state()
            .frames
            .main()
            .cloned()
            .ok_or(EngineError::TabGone(TabEnd::Closed))
    }

    /// Growing counters, to compare with a later reading.
    #[must_use]
    pub fn marks(&self) -> Marks {
        self.state().marks
    }

    /// Closes the tab. Returns when the browser has confirmed, without waiting for a page that hangs.
    ///
    /// # Errors
    /// The browser is gone.
    pub async fn close(&self, deadline: Deadline) -> Result<()> {
        if self.end().is_some() {
            return Ok(());
        }
        let browser = self.browser.upgrade().ok_or(EngineError::TabGone(TabEnd::Closed))?;
        let root = browser.root();
        // What waits in a dialog goes on without a yes.
        if self.open_dialog().is_some() {
            let _ = self
                .answer_dialog(false, None, deadline.within(Duration::from_millis(300)))
                .await;
        }
        match root
            .call_within(
                cdp::protocol::target::CloseTarget {
                    target_id: self.id.clone(),
                },
                deadline.remaining(),
            )
            .await
        {
            Ok(_) | Err(cdp::CdpError::Protocol { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        let patience = deadline.within(std::time::Duration::from_millis(1500));
        let _ = self
            .until("closing the tab", patience, |state| state.end.map(|_| ()))
            .await;
        Ok(())
    }

    /// Brings the tab to the front of its window.
    ///
    /// # Errors
    /// The tab or the browser is gone.
    pub async fn bring_to_front(&self, deadline: Deadline) -> Result<()> {
        self.call(cdp::protocol::page::BringToFront {}, deadline)
            .await
            .map(|_| ())
    }
}
