//! Opening addresses, going through history, reloading. A navigation ends when its document has loaded, or with a fact:
//! a download instead of a document, no document at all (204), a network error.

use std::time::Duration;

use cdp::protocol::{page, runtime};

use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::tab::{Marks, Tab, TabState};

/// Time for a page to move to another process.
const MOVING: Duration = Duration::from_secs(1);
/// How long sub-resources may keep `load` from firing once the document itself is ready.
const SLOW_RESOURCES: Duration = Duration::from_secs(30);

/// How often a script that keeps the page busy is stopped before a navigation.
const STOPS: u32 = 5;
/// How long the page may take to answer after that.
const STOP_PATIENCE: Duration = Duration::from_millis(500);

/// How a navigation ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Navigated {
    /// HTTP status of the main document, 0 when it did not come over HTTP.
    pub status: u16,
    /// Address afterwards.
    pub url: String,
    /// The document did not change: only the fragment or the history state did.
    pub same_document: bool,
    /// The address was a download; the document stayed.
    pub download: bool,
    /// The server answered without a document (204, 205); the document stayed.
    pub no_document: bool,
    /// `load` had not fired when we stopped waiting for slow sub-resources.
    pub still_loading: bool,
}

/// Adds the scheme that an address typed by hand lacks: `https`, and `http` for loopback hosts.
#[must_use]
pub fn with_scheme(url: &str) -> String {
    let url = url.trim();
    let scheme = url
        .split_once(':')
        .map(|(scheme, rest)| (scheme, rest.starts_with("//")));
    let named = |scheme: &str| {
        matches!(
            scheme.to_ascii_lowercase().as_str(),
            "about" | "data" | "blob" | "file" | "javascript" | "mailto" | "tel" | "view-source" | "chrome"
        )
    };
    match scheme {
        Some((scheme, slashes)) if slashes || named(scheme) => url.to_owned(),
        _ => {
            let host = url.split(['/', '?', '#']).next().unwrap_or_default();
            let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
            let loopback = name == "localhost" || name == "[::1]" || name.starts_with("127.");
            format!("{}://{url}", if loopback { "http" } else { "https" })
        }
    }
}

/// True when two addresses name the same page: scheme, query, fragment and a trailing slash are ignored.
#[must_use]
pub fn same_page(a: &str, b: &str) -> bool {
    let core = |url: &str| {
        let url = url.split(['?', '#']).next().unwrap_or_default().to_owned();
        let rest = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        (host.to_ascii_lowercase(), path.trim_end_matches('/').to_owned())
    };
    core(a) == core(b)
}

impl Tab {
    /// Opens `url` and waits for `load`.
    ///
    /// # Errors
    /// [`EngineError::Network`] with the browser's token; the deadline; the tab's end.
    pub async fn navigate(&self, url: &str, deadline: Deadline) -> Result<Navigated> {
        self.free_renderer().await;
        let outcome = self.open(url, deadline).await;
        if matches!(outcome, Err(EngineError::Timeout { .. })) {
            // A navigation that hangs keeps the page from answering anything.
            self.session.notify(page::StopLoading {});
        }
        outcome
    }

    /// A script that spins, or opens dialog after dialog, would keep the new document out of its own process: it is
    /// stopped, and the page answers again, before anything is opened.
    async fn free_renderer(&self) {
        for _ in 0..STOPS {
            if !self.state().unresponsive {
                return;
            }
            let _ = self
                .session
                .call_within(runtime::TerminateExecution {}, STOP_PATIENCE)
                .await;
            let ping = runtime::Evaluate {
                expression: "0".into(),
                ..Default::default()
            };
            if self.session.call_within(ping, STOP_PATIENCE).await.is_ok() {
                self.state().unresponsive = false;
            }
        }
    }

    async fn open(&self, url: &str, deadline: Deadline) -> Result<Navigated> {
        let before = self.marks();
        let command = page::Navigate {
            url: url.to_owned(),
            ..Default::default()
        };
        let reply = match self.call(command, deadline).await {
            Err(EngineError::Protocol { message, .. }) if message.contains("invalid URL") => {
                return Err(self.network_error("ERR_INVALID_URL", url));
            }
            other => other?,
        };
        if let Some(text) = reply.error_text.filter(|text| !text.is_empty()) {
            return self
                .not_committed(&text, url, before, reply.is_download == Some(true))
                .await;
        }
        let Some(loader_id) = reply.loader_id else {
            return Ok(Navigated {
                same_document: true,
                ..self.landed(false)
            });
        };
        let still_loading = self
            .loaded(deadline, move |state| {
                state.life.loader_id == loader_id || state.marks.committed > before.committed
            })
            .await?;
        self.check_error_page(url)?;
        Ok(self.landed(still_loading))
    }

    /// One entry back.
    ///
    /// # Errors
    /// [`EngineError::NoHistory`]; [`EngineError::WouldResubmit`] unless `resubmit`; as [`Tab::navigate`].
    pub async fn back(&self, resubmit: bool, deadline: Deadline) -> Result<Navigated> {
        self.traverse(-1, resubmit, deadline).await
    }

    /// One entry forward; errors as [`Tab::back`].
    ///
    /// # Errors
    /// As [`Tab::back`].
    pub async fn forward(&self, resubmit: bool, deadline: Deadline) -> Result<Navigated> {
        self.traverse(1, resubmit, deadline).await
    }

    /// The history. In the moment in which a page moves to another process it belongs to neither; no event tells when it
    /// has arrived, so it is asked for again.
    async fn history(&self, deadline: Deadline) -> Result<page::GetNavigationHistoryReply> {
        let patience = deadline.within(MOVING);
        loop {
            match self.call(page::GetNavigationHistory {}, deadline).await {
                Err(EngineError::Navigating) if !patience.over() => tokio::time::sleep(MOVING / 100).await,
                answer => return answer,
            }
        }
    }

    async fn traverse(&self, step: i64, resubmit: bool, deadline: Deadline) -> Result<Navigated> {
        self.until("the history", deadline, |state| (!state.post_to_note).then_some(()))
            .await?;
        let history = self.history(deadline).await?;
        let entry = usize::try_from(history.current_index + step)
            .ok()
            .and_then(|at| history.entries.get(at));
        // The blank page that every tab starts with is not a place that anyone was at.
        let entry = entry.filter(|entry| !(history.current_index + step == 0 && entry.url == "about:blank"));
        let entry = entry.ok_or(EngineError::NoHistory { back: step < 0 })?;
        if !resubmit && self.state().post_entries.contains(&entry.id) {
            return Err(EngineError::WouldResubmit);
        }
        self.free_renderer().await;
        let before = self.marks();
        let url = entry.url.clone();
        self.call(page::NavigateToHistoryEntry { entry_id: entry.id }, deadline)
            .await?;
        let moved = move |state: &TabState| {
            state.marks.committed > before.committed || state.marks.same_document > before.same_document
        };
        let still_loading = self.loaded(deadline, moved).await?;
        self.check_error_page(&url)?;
        let same_document = self.marks().committed == before.committed;
        Ok(Navigated {
            same_document,
            ..self.landed(still_loading)
        })
    }

    /// Loads the document again.
    ///
    /// # Errors
    /// [`EngineError::WouldResubmit`] for a document made by a POST unless `resubmit`; as [`Tab::navigate`].
    pub async fn reload(&self, resubmit: bool, deadline: Deadline) -> Result<Navigated> {
        if !resubmit && self.state().life.posted {
            return Err(EngineError::WouldResubmit);
        }
        self.free_renderer().await;
        let before = self.marks();
        let url = self.url();
        self.call(page::Reload::default(), deadline).await?;
        let still_loading = self
            .loaded(deadline, move |state| state.marks.committed > before.committed)
            .await?;
        self.check_error_page(&url)?;
        Ok(self.landed(still_loading))
    }

    /// Waits until a document that `arrived` accepts has loaded and nothing else is on its way. True when only slow
    /// sub-resources were missing in the end.
    pub(crate) async fn loaded(
        &self,
        deadline: Deadline,
        arrived: impl Fn(&TabState) -> bool + Send + Sync,
    ) -> Result<bool> {
        let held = |state: &TabState| state.asking.as_ref().map(|open| open.dialog.clone());
        self.until("the page's document", deadline, |state| match held(state) {
            // A document that was waited for may open a dialog while it loads; one before it may keep it from coming.
            Some(_) if arrived(state) => Some(Ok(())),
            Some(dialog) => Some(Err(EngineError::DialogOpen(Box::new(dialog)))),
            None => (arrived(state) && !state.navigating()).then_some(Ok(())),
        })
        .await??;
        // Loading may end without a `load` event: the connection broke, or somebody pressed stop.
        let over =
            |state: &TabState| state.settled() || (state.life.stopped && !state.navigating()) || state.asking.is_some();
        let slow = deadline.within(SLOW_RESOURCES);
        match self
            .until("the page's load event", slow, |state| over(state).then_some(()))
            .await
        {
            Ok(()) => Ok(!self.state().settled() && self.open_dialog().is_some()),
            Err(EngineError::Timeout { .. }) if !deadline.over() => Ok(true),
            Err(error) => Err(error),
        }
    }

    fn landed(&self, still_loading: bool) -> Navigated {
        let state = self.state();
        let answered = state.main_response.loader_id == state.life.loader_id;
        Navigated {
            status: if answered { state.main_response.status } else { 0 },
            url: state.url().to_owned(),
            still_loading,
            ..Navigated::default()
        }
    }

    /// The browser said at once that no document came of it.
    async fn not_committed(&self, text: &str, url: &str, before: Marks, is_download: bool) -> Result<Navigated> {
        if text != "net::ERR_ABORTED" {
            // The error page is still to be committed: what the tab shows must be settled before anyone looks.
            let patience = Deadline::after(Duration::from_millis(1600));
            let _ = self
                .loaded(patience, move |state| state.marks.committed > before.committed)
                .await;
            return Err(self.network_error(text, url));
        }
        let patience = Deadline::after(Duration::from_millis(500));
        let download = is_download
            || self
                .until("a download", patience, |state| {
                    (state.marks.downloads > before.downloads).then_some(())
                })
                .await
                .is_ok();
        Ok(Navigated {
            download,
            no_document: !download,
            ..self.landed(false)
        })
    }

    /// A document came, but it is the browser's own error page, or it broke off on the way.
    fn check_error_page(&self, url: &str) -> Result<()> {
        let state = self.state();
        let broken = state
            .main_failure
            .as_ref()
            .filter(|failure| failure.loader_id == state.life.loader_id || shows_error(&state));
        if let Some(text) = broken.map(|failure| failure.text.clone()) {
            drop(state);
            return Err(self.network_error(&text, url));
        }
        let failed = shows_error(&state);
        drop(state);
        if failed {
            Err(self.network_error("ERR_FAILED", url))
        } else {
            Ok(())
        }
    }

    fn network_error(&self, text: &str, url: &str) -> EngineError {
        let token = text.trim_start_matches("net::").to_owned();
        EngineError::Network {
            token,
            url: url.to_owned(),
            shown: self.url(),
        }
    }
}

/// True when the tab shows the browser's own error page.
fn shows_error(state: &TabState) -> bool {
    state.frames.main().is_some_and(|frame| frame.unreachable.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scheme_is_added_only_where_missing() {
        for (given, expected) in [
            ("example.com/a", "https://example.com/a"),
            ("localhost:3000", "http://localhost:3000"),
            ("127.0.0.1:8/x?y=a:b", "http://127.0.0.1:8/x?y=a:b"),
            ("http://a", "http://a"),
            ("about:blank", "about:blank"),
            ("data:text/html,<p>", "data:text/html,<p>"),
            ("file:///x", "file:///x"),
            ("example.com:8080/p", "https://example.com:8080/p"),
        ] {
            assert_eq!(with_scheme(given), expected);
        }
    }

    #[test]
    fn same_page_ignores_what_does_not_matter() {
        assert!(same_page("http://a.com/x/?q=1#f", "https://A.com/x"));
        assert!(!same_page("http://a.com/x", "http://a.com/y"));
    }
}
