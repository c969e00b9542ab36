//! Waits for a page to come to rest. A page is at rest when nothing that brings content is under way and what it shows
//! has not changed for a while; the while is always observed, also when everything came from the cache. Waiting for the
//! network first is what keeps a wait from taking the old result for the new one while a query is still running.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Within, fact};
use crate::error::{EngineError, Result};
use crate::network::{OpenRequest, Traffic};
use crate::tab::{Tab, TabState};

/// How long the page is asked what it last saw once the time is up.
const LAST_LOOK: Duration = Duration::from_millis(400);
/// Addresses that are named.
const NAMED: usize = 5;
/// Characters of an address that are shown.
const ADDRESS: usize = 200;

/// What `wait_for_idle` wants.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct IdleWanted {
    /// How long nothing may change, in milliseconds.
    pub quiet_ms: u64,
    /// Must match too.
    pub selector: Option<String>,
    /// Must be in the page's text too.
    pub text: Option<String>,
}

/// A page that came to rest.
#[derive(Debug, Clone, Default)]
pub struct Quieted {
    /// How long it took, in milliseconds.
    pub waited_ms: u64,
    /// Changes of the document seen meanwhile.
    pub mutations: u64,
    /// Connections that stay open and were left out: `kind url`.
    pub left_out: Vec<String>,
}

/// What `wait_for_stable` wants.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StableWanted {
    /// Scope; the body when absent.
    pub selector: Option<String>,
    /// How long the scope may not change, in milliseconds.
    pub quiet_ms: u64,
}

/// A scope that stopped changing.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Stable {
    /// How long it took, in milliseconds.
    pub waited_ms: u64,
    /// Differing fingerprints, the first one included.
    pub changes: u64,
    /// Length of what the fingerprint is made of.
    pub length: u64,
    /// FNV-1a, 32 bits.
    pub fingerprint: u32,
    /// Text of the scope, white space folded, cut.
    pub text: String,
    /// Connections that stay open and were left out: `kind url`.
    #[serde(skip)]
    pub left_out: Vec<String>,
}

/// What the page knows of its changes.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Stirs {
    mutations: u64,
}

impl Tab {
    /// Waits until the document has not changed and no request has been under way for a while.
    ///
    /// # Errors
    /// `ACTION_TIMEOUT` with what still goes on; the selector is not valid; the tab's end; a dialog that stays open.
    pub async fn wait_for_idle(&self, wanted: &IdleWanted, within: &Within) -> Result<Quieted> {
        let quiet = Duration::from_millis(wanted.quiet_ms);
        let wait = async {
            let begun: Stirs = self.in_page("watchRest", within, |_| json!({})).await?;
            loop {
                let rest = self.network_at_rest(Traffic::All, within).await?;
                // The window of the network may have begun earlier, but never before the wait.
                let window = quiet.saturating_sub(within.window(rest));
                let args = |_| {
                    let mut args = fact(wanted);
                    args["windowMs"] = millis(window).into();
                    args["since"] = begun.mutations.into();
                    args
                };
                let seen: Stirs = self.in_page("waitForQuiet", within, args).await?;
                let rest = self.network_at_rest(Traffic::All, within).await?;
                if rest >= quiet {
                    return Ok(seen.mutations);
                }
            }
        };
        match self.unless_cut_short(wait).await {
            Ok(mutations) => Ok(Quieted {
                waited_ms: within.waited_ms(),
                mutations,
                left_out: self.left_out(),
            }),
            Err(error) => Err(self.still_busy(error, "waitForQuiet", fact(wanted), within).await),
        }
    }

    /// Waits until the text, the control values and the table rows of a scope have not changed for a while, and no
    /// request that may change them has been under way meanwhile.
    ///
    /// # Errors
    /// As [`Tab::wait_for_idle`].
    pub async fn wait_for_stable(&self, wanted: &StableWanted, within: &Within) -> Result<Stable> {
        let quiet = Duration::from_millis(wanted.quiet_ms);
        let wait = async {
            let mut changes = 0;
            loop {
                self.network_at_rest(Traffic::Data, within).await?;
                let stable: Stable = self.in_page("waitForStable", within, |_| fact(wanted)).await?;
                changes += stable.changes;
                if self.network_at_rest(Traffic::Data, within).await? >= quiet {
                    return Ok(Stable { changes, ..stable });
                }
            }
        };
        match self.unless_cut_short(wait).await {
            Ok(stable) => Ok(Stable {
                waited_ms: within.waited_ms(),
                left_out: self.left_out(),
                ..stable
            }),
            Err(error) => Err(self.still_busy(error, "waitForStable", fact(wanted), within).await),
        }
    }

    /// Completes the failure of a wait that ran out of its time: what the page last saw, and what is under way.
    async fn still_busy(&self, error: EngineError, name: &str, mut args: Value, within: &Within) -> EngineError {
        let EngineError::Refused {
            code,
            reason,
            mut facts,
        } = error
        else {
            return error;
        };
        if code != "ACTION_TIMEOUT" {
            return EngineError::Refused { code, reason, facts };
        }
        let mut reason = reason;
        if reason == "requests" {
            args["timeoutMs"] = 0.into();
            let deadline = within.deadline.within(LAST_LOOK);
            let look = async {
                let frame = self.find_frame(within.frame.as_deref())?;
                self.script::<Value>(&frame, name, &args, deadline).await
            };
            match look.await {
                Ok(Value::Object(seen)) => facts.extend(seen),
                Err(EngineError::Refused {
                    facts: seen,
                    reason: page,
                    ..
                }) => {
                    facts.extend(seen);
                    if page == "not-attached" {
                        reason = page;
                    }
                }
                _ => {}
            }
        }
        {
            let state = self.state();
            if let Value::Object(network) = network_facts(&state) {
                facts.extend(network);
            }
            facts.insert("url".into(), state.url().into());
        }
        facts.insert("waitedMs".into(), within.waited_ms().into());
        EngineError::Refused { code, reason, facts }
    }

    fn left_out(&self) -> Vec<String> {
        named(&self.state().in_flight.left_out())
    }
}

/// What is under way in the network, as facts of a failure.
pub(super) fn network_facts(state: &TabState) -> Value {
    let open = state.in_flight.list(Traffic::All);
    let mut facts = Map::new();
    facts.insert("inflight".into(), open.len().into());
    for (name, requests) in [("inflightRequests", open), ("leftOut", state.in_flight.left_out())] {
        if !requests.is_empty() {
            facts.insert(name.into(), named(&requests).into());
        }
    }
    Value::Object(facts)
}

fn named(requests: &[OpenRequest]) -> Vec<String> {
    let name = |one: &OpenRequest| {
        let url: String = one.url.chars().take(ADDRESS).collect();
        format!("{} {url} ({} ms)", one.kind, one.since.elapsed().as_millis())
    };
    requests.iter().take(NAMED).map(name).collect()
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
