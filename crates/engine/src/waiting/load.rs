//! Waits for the address and for the progress of the main document: by the browser's events alone, so that a page which
//! answers nothing cannot hold them up.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{Within, quiet};
use crate::error::{EngineError, Result};
use crate::network::Traffic;
use crate::tab::{Tab, TabState};
use crate::url_pattern::url_matches;

/// How long no request may be under way for the network to be at rest.
const NETWORK_IDLE: Duration = Duration::from_millis(500);

/// Progress of the main document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadState {
    /// The document is parsed.
    DomContentLoaded,
    /// `load` has fired, or loading has ended without it.
    Load,
    /// The document is parsed and no request has been under way for 500 ms.
    NetworkIdle,
}

impl LoadState {
    fn reached(self, state: &TabState) -> bool {
        let life = &state.life;
        let ready = life.dom_ready || life.restored || life.stopped;
        !state.navigating()
            && match self {
                Self::DomContentLoaded | Self::NetworkIdle => ready,
                Self::Load => life.loaded || life.restored || life.stopped,
            }
    }
}

impl Tab {
    /// Waits until the address of the main document fits `pattern` (see [`url_matches`]); gives the address.
    ///
    /// # Errors
    /// `ACTION_TIMEOUT` with the address so far; the tab's end; a dialog that stays open.
    pub async fn wait_for_url(&self, pattern: &str, within: &Within) -> Result<String> {
        let fits = |state: &TabState| url_matches(pattern, state.url()).then(|| state.url().to_owned());
        let wait = self.until("the address", within.deadline.within(within.left()), fits);
        match self.unless_cut_short(wait).await {
            Err(EngineError::Timeout { .. }) => {
                let state = self.state();
                let pending = state.pending.as_ref().map(|pending| pending.url.clone());
                let facts = json!({"url": state.url(), "pattern": pattern, "navigatingTo": pending});
                drop(state);
                Err(within.late("other-url", facts))
            }
            other => other,
        }
    }

    /// Waits for a state of the main document; gives the milliseconds.
    ///
    /// # Errors
    /// `ACTION_TIMEOUT` with what is still under way; the tab's end; a dialog that stays open.
    pub async fn wait_for_load(&self, wanted: LoadState, within: &Within) -> Result<u64> {
        let wait = async {
            loop {
                let patience = within.deadline.within(within.left());
                self.until("the page's load", patience, |state| wanted.reached(state).then_some(()))
                    .await?;
                if wanted != LoadState::NetworkIdle {
                    return Ok(());
                }
                let rest = self.network_at_rest(Traffic::All, within).await?;
                let window = within.window(rest).min(NETWORK_IDLE);
                if window >= NETWORK_IDLE && wanted.reached(&self.state()) {
                    return Ok(());
                }
                let pause = (NETWORK_IDLE - window).min(patience.remaining());
                tokio::time::sleep(pause).await;
                if pause.is_zero() {
                    return Err(within.late("loading", json!({})));
                }
            }
        };
        match self.unless_cut_short(wait).await {
            Ok(()) => Ok(within.waited_ms()),
            Err(EngineError::Timeout { .. }) => Err(self.still_loading(within)),
            Err(EngineError::Refused { code, .. }) if code == "ACTION_TIMEOUT" => Err(self.still_loading(within)),
            Err(error) => Err(error),
        }
    }

    fn still_loading(&self, within: &Within) -> EngineError {
        let state = self.state();
        let ready = match &state.life {
            life if life.loaded => "load",
            life if life.dom_ready => "domcontentloaded",
            _ => "loading",
        };
        let mut facts = quiet::network_facts(&state);
        facts["reached"] = ready.into();
        facts["url"] = state.url().into();
        facts["navigatingTo"] = state.pending.as_ref().map(|pending| pending.url.clone()).into();
        drop(state);
        within.late("loading", facts)
    }

    /// Waits until no request that counts is under way; gives how long that has been so.
    pub(super) async fn network_at_rest(&self, traffic: Traffic, within: &Within) -> Result<Duration> {
        let mut version = self.version.subscribe();
        loop {
            let now = Instant::now();
            let busy = {
                let state = self.state();
                if let Some(end) = state.end {
                    return Err(self.ended(end));
                }
                match state.in_flight.busy_until(traffic, now) {
                    Some(until) => until,
                    None if state.navigating() => now + NETWORK_IDLE,
                    None => {
                        let last = state.in_flight.last_active(traffic);
                        return Ok(last.map_or(Duration::MAX, |at| now.saturating_duration_since(at)));
                    }
                }
            };
            let left = within.left().min(within.deadline.remaining());
            if left.is_zero() {
                return Err(within.late("requests", json!({})));
            }
            let next = busy.saturating_duration_since(now).min(left);
            // Whichever comes first, the state is looked at again.
            let _ = tokio::time::timeout(next, version.changed()).await;
        }
    }
}
