//! The tabs of one task: which one is current, what happens when it goes away, which ones the caller has not heard of.
//! Invariant: only the task's own tabs are ever seen or chosen here; which tabs those are is known to the engine alone.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use engine::{Browser, ConsoleLog, Deadline, DialogBook, NetworkBook, Recorder, Shot, Tab};
use serde_json::Value;

use crate::failure::Failure;
use crate::messages::Text;
use crate::page::{Boxed, Page, PageFacts};
use crate::text;

/// How long the picture of a page waits for its document to be parsed.
const PARSE_PATIENCE: Duration = Duration::from_millis(1500);
/// How long a command waits for a navigation that the task's last action has started.
const NAVIGATION_PATIENCE: Duration = Duration::from_millis(1500);

/// The tabs of one task.
#[derive(Debug)]
pub struct TaskTabs {
    browser: Browser,
    owner: String,
    console: Arc<ConsoleLog>,
    network: Arc<NetworkBook>,
    state: Mutex<Chosen>,
}

#[derive(Debug, Default)]
struct Chosen {
    /// Target ids, the most recently used last; the last live one is current.
    recent: Vec<String>,
    /// Tabs that a reply has named.
    announced: HashSet<String>,
}

impl TaskTabs {
    /// The tabs of `owner`, none of them current yet.
    pub fn new(browser: Browser, owner: String, recorder: Recorder) -> Self {
        TaskTabs {
            network: browser.open_network(&owner, recorder),
            console: browser.console(&owner),
            browser,
            owner,
            state: Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, Chosen> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The browser that they live in.
    pub fn browser(&self) -> &Browser {
        &self.browser
    }

    /// What is done with the native dialogs of the task, and the newest of them.
    pub fn dialogs(&self) -> Arc<DialogBook> {
        self.browser.dialogs(&self.owner)
    }

    /// The tab in which a native dialog was left open: the current one before others, the newest dialog first.
    pub fn asking(&self) -> Option<Arc<Tab>> {
        let current = self.current().filter(|tab| tab.open_dialog().is_some());
        let open = |tab: &Arc<Tab>| tab.open_dialog().map(|dialog| dialog.seq);
        current.or_else(|| {
            self.list()
                .into_iter()
                .filter(|tab| open(tab).is_some())
                .max_by_key(open)
        })
    }

    /// What their consoles have said, recorded from before the first of them was there.
    pub fn console(&self) -> &ConsoleLog {
        &self.console
    }

    /// What they ask of the network, recorded from before the first of them was there, and the rules for it.
    pub fn network(&self) -> Arc<NetworkBook> {
        Arc::clone(&self.network)
    }

    /// Makes every tab follow the rules for requests.
    pub async fn apply_rules(&self, deadline: Deadline) {
        self.browser.apply_rules(&self.owner, deadline).await;
    }

    /// Live tabs in the order of their creation.
    pub fn list(&self) -> Vec<Arc<Tab>> {
        self.browser.tabs(&self.owner)
    }

    /// The current tab; `None` when it is gone and no other has been chosen yet.
    pub fn current(&self) -> Option<Arc<Tab>> {
        let current = self.state().recent.last().cloned()?;
        self.list().into_iter().find(|tab| tab.id() == current)
    }

    /// Position of a tab among the live ones, from 0.
    pub fn index_of(&self, tab: &Tab) -> Option<usize> {
        self.list().iter().position(|known| known.id() == tab.id())
    }

    /// Makes a tab current.
    pub fn make_current(&self, tab: &Tab) {
        let mut state = self.state();
        state.recent.retain(|id| id != tab.id());
        state.recent.push(tab.id().to_owned());
        state.announced.insert(tab.id().to_owned());
    }

    /// Opens a blank tab and makes it current.
    ///
    /// # Errors
    /// The browser is gone or did not open it in time.
    pub async fn open(&self, deadline: Deadline) -> Result<Arc<Tab>, Failure> {
        let tab = self
            .browser
            .new_tab(&self.owner, deadline)
            .await
            .map_err(|error| Failure::from_engine(&error, false))?;
        self.make_current(&tab);
        Ok(tab)
    }

    /// The current tab. When it is gone, the most recently used live one takes its place, or a new blank one; the text
    /// says so.
    ///
    /// # Errors
    /// The browser is gone.
    pub async fn heal(&self, deadline: Deadline) -> Result<(Arc<Tab>, Option<Text>), Failure> {
        if let Some(tab) = self.current() {
            return Ok((tab, None));
        }
        if let Some(reason) = self.browser.gone_reason() {
            return Err(Failure::from_engine(
                &engine::EngineError::BrowserGone { reason },
                false,
            ));
        }
        let live = self.list();
        let recent = self.state().recent.clone();
        let next = recent
            .iter()
            .rev()
            .find_map(|id| live.iter().find(|tab| tab.id() == id))
            .or(live.last());
        if let Some(tab) = next {
            self.make_current(tab);
            return Ok((Arc::clone(tab), Some(text!("tabs.healed_other", url = tab.url()))));
        }
        let tab = self.open(deadline).await?;
        Ok((tab, Some(text!("tabs.healed_blank"))))
    }

    /// Positions of tabs that no reply has named yet; they count as named from now on.
    pub fn unannounced(&self) -> Vec<usize> {
        let tabs = self.list();
        let mut state = self.state();
        let fresh: Vec<usize> = tabs
            .iter()
            .enumerate()
            .filter(|(_, tab)| !state.announced.contains(tab.id()))
            .map(|(at, _)| at)
            .collect();
        state.announced.extend(tabs.iter().map(|tab| tab.id().to_owned()));
        fresh
    }

    /// Closes every tab; those that hang are left to the browser.
    pub async fn close_all(&self, deadline: Deadline) {
        let closing: Vec<_> = self
            .list()
            .into_iter()
            .map(|tab| {
                tab.release_input();
                tokio::spawn(async move { tab.close(deadline).await })
            })
            .collect();
        for one in closing {
            let _ = one.await;
        }
    }

    /// Lets the tabs live on without an owner; blank ones are closed, except the browser's last.
    pub async fn keep(&self, deadline: Deadline) {
        let tabs = self.browser.disown(&self.owner);
        for tab in &tabs {
            tab.release_input();
        }
        let blank: Vec<_> = tabs.iter().filter(|tab| tab.url() == "about:blank").collect();
        let spare = usize::from(blank.len() == tabs.len());
        for tab in blank.into_iter().skip(spare) {
            let _ = tab.close(deadline).await;
        }
    }
}

impl Page for TaskTabs {
    fn facts(&self) -> PageFacts {
        let browser_connected = self.browser.gone_reason().is_none();
        match self.current() {
            Some(tab) => PageFacts {
                url: Some(tab.url()),
                title: Some(tab.title()),
                viewport: None,
                closed: false,
                browser_connected,
            },
            None => PageFacts {
                closed: true,
                browser_connected,
                ..PageFacts::default()
            },
        }
    }

    fn settled(&self) -> Boxed<'_, ()> {
        Box::pin(async move {
            if let Some(tab) = self.current() {
                let patience = Deadline::after(NAVIGATION_PATIENCE);
                let _ = tab
                    .until("the navigation", patience, |state| (!state.navigating()).then_some(()))
                    .await;
            }
        })
    }

    fn capture(&self, limit: Duration) -> Boxed<'_, Result<Vec<u8>, Failure>> {
        Box::pin(async move {
            let deadline = Deadline::after(limit);
            let (tab, _) = self.heal(deadline).await?;
            let parsed = deadline.within(PARSE_PATIENCE);
            let _ = tab
                .until("the document", parsed, |state| {
                    (!state.navigating() && state.life.dom_ready).then_some(())
                })
                .await;
            // A page that is held by a navigation gives no picture; waiting for one would cost the whole limit.
            let held = tab
                .state()
                .pending
                .as_ref()
                .filter(|pending| pending.begun)
                .map(|pending| pending.url.clone());
            if let Some(url) = held {
                return Err(Failure::from_engine(
                    &engine::EngineError::NavigationPending { url },
                    false,
                ));
            }
            tab.screenshot(Shot::Viewport, deadline)
                .await
                .map_err(|error| Failure::from_engine(&error, false))
        })
    }

    fn evaluate<'a>(&'a self, script: &'a str, limit: Option<Duration>) -> Boxed<'a, Result<Value, Failure>> {
        Box::pin(async move {
            let deadline = Deadline::after(limit.unwrap_or(Duration::from_secs(3600)));
            let (tab, _) = self.heal(deadline).await?;
            let run = async {
                let main = tab.main_frame()?;
                tab.evaluate(&main, script, limit, deadline).await
            };
            run.await
                .map(|got| got.value.unwrap_or(Value::Null))
                .map_err(|error| Failure::from_engine(&error, true))
        })
    }
}
