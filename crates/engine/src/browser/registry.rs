//! The tabs of a browser by target id.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::error::{EngineError, Result};
use crate::tab::{Tab, TabEnd};

#[derive(Default)]
struct Tabs {
    by_target: HashMap<String, Arc<Tab>>,
    kept: Vec<String>,
    first: Option<String>,
    born: u64,
}

/// Every page target that the browser has, ours or not.
pub(crate) struct Registry {
    tabs: Mutex<Tabs>,
    version: watch::Sender<u64>,
}

impl Default for Registry {
    fn default() -> Self {
        Self {
            tabs: Mutex::default(),
            version: watch::Sender::new(0),
        }
    }
}

impl Registry {
    fn lock(&self) -> MutexGuard<'_, Tabs> {
        self.tabs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Next number of a tab; grows with each.
    pub(crate) fn next_number(&self) -> u64 {
        let mut tabs = self.lock();
        tabs.born += 1;
        tabs.born
    }

    /// Adds a tab; the first one ever is the blank one that the launch brought.
    pub(crate) fn add(&self, tab: &Arc<Tab>) {
        let mut tabs = self.lock();
        if tab.number == 1 {
            tabs.first = Some(tab.id.clone());
        }
        tabs.by_target.insert(tab.id.clone(), Arc::clone(tab));
        drop(tabs);
        self.version.send_modify(|version| *version += 1);
    }

    /// Removes a tab that ended.
    pub(crate) fn remove(&self, target_id: &str) -> Option<Arc<Tab>> {
        let mut tabs = self.lock();
        tabs.kept.retain(|kept| kept != target_id);
        tabs.by_target.remove(target_id)
    }

    pub(crate) fn get(&self, target_id: &str) -> Option<Arc<Tab>> {
        self.lock().by_target.get(target_id).cloned()
    }

    /// All tabs there are.
    pub(crate) fn all(&self) -> Vec<Arc<Tab>> {
        self.lock().by_target.values().cloned().collect()
    }

    /// Waits for the first tab of all.
    pub(crate) async fn any(&self) {
        let mut version = self.version.subscribe();
        while self.lock().by_target.is_empty() && version.changed().await.is_ok() {}
    }

    /// Waits for a tab to be announced.
    pub(crate) async fn arrival(&self, target_id: &str) -> Result<Arc<Tab>> {
        let mut version = self.version.subscribe();
        loop {
            if let Some(tab) = self.get(target_id) {
                return Ok(tab);
            }
            version
                .changed()
                .await
                .map_err(|_| EngineError::TabGone(TabEnd::Closed))?;
        }
    }

    /// The blank tab of the launch, once, while nothing has been done with it.
    pub(crate) fn claim_first(&self, owner: &str) -> Option<Arc<Tab>> {
        let mut tabs = self.lock();
        let first = tabs.first.take()?;
        let tab = tabs.by_target.get(&first).cloned()?;
        drop(tabs);
        tab.update(|state| {
            let untouched = state.owner.is_none() && state.end.is_none() && state.url() == "about:blank";
            untouched.then(|| state.owner = Some(owner.to_owned()))
        })?;
        Some(tab)
    }

    pub(crate) fn owned_by(&self, owner: &str) -> Vec<Arc<Tab>> {
        let mut owned: Vec<Arc<Tab>> = self.all();
        owned.retain(|tab| {
            let state = tab.state();
            state.end.is_none() && state.owner.as_deref() == Some(owner)
        });
        owned.sort_by_key(|tab| tab.number);
        owned
    }

    /// Notes a tab that outlives its task.
    pub(crate) fn keep(&self, tab: &Arc<Tab>) {
        self.lock().kept.push(tab.id.clone());
    }

    pub(crate) fn kept(&self) -> Vec<Arc<Tab>> {
        let tabs = self.lock();
        tabs.kept
            .iter()
            .filter_map(|id| tabs.by_target.get(id))
            .cloned()
            .collect()
    }
}
