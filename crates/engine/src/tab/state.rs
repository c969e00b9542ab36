//! What is known of one tab: written by the event loop of its sessions, read by everyone, never held across an await.
//! Every change moves the tab's version forward, so a waiter sleeps on the version and looks again: no polling.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use cdp::{Session, SessionEnd};

use super::OpenDialog;
use crate::dialogs::Dialog;
use crate::downloads::Download;
use crate::frames::FrameTree;
use crate::network::InFlight;

/// How long a navigation that was only asked for is believed in.
const REQUEST_LIFE: Duration = Duration::from_secs(2);

/// How a tab ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TabEnd {
    /// Closed, by us, by the page or by a person.
    #[error("closed")]
    Closed,
    /// Its renderer crashed or was killed.
    #[error("crashed")]
    Crashed,
}

impl From<SessionEnd> for TabEnd {
    fn from(end: SessionEnd) -> Self {
        match end {
            SessionEnd::Crashed => Self::Crashed,
            SessionEnd::Detached | SessionEnd::Closed => Self::Closed,
        }
    }
}

/// Progress of the main document.
#[derive(Debug, Clone, Default)]
pub struct Lifecycle {
    /// Loader of the document that is shown.
    pub loader_id: String,
    /// `DOMContentLoaded` fired.
    pub dom_ready: bool,
    /// `load` fired.
    pub loaded: bool,
    /// A POST made it: loading it again would send the form again.
    pub posted: bool,
    /// Native dialogs that it opened.
    pub dialogs: u32,
    /// Loading has ended, with or without `load`.
    pub stopped: bool,
    /// It came back out of the back/forward cache, complete.
    pub restored: bool,
}

/// A main-frame navigation that has started and not committed.
#[derive(Debug, Clone)]
pub struct PendingNavigation {
    /// The browser has begun it; else the page has only asked for it.
    pub begun: bool,
    /// Where it goes.
    pub url: String,
    /// When it was seen.
    pub started: Instant,
}

/// The answer to the main document's request.
#[derive(Debug, Clone, Default)]
pub struct MainResponse {
    /// Loader it belongs to.
    pub loader_id: String,
    /// HTTP status.
    pub status: u16,
    /// Request method of the document.
    pub method: String,
}

/// Counters that only grow; two readings differ exactly when something of that kind happened in between.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Marks {
    /// Main-frame navigations that started.
    pub started: u64,
    /// Main-frame documents that committed.
    pub committed: u64,
    /// Same-document navigations of the main frame.
    pub same_document: u64,
    /// Documents of other frames that committed.
    pub subframes: u64,
    /// Native dialogs that opened.
    pub dialogs: u64,
    /// File choosers that the page opened.
    pub choosers: u64,
    /// Downloads that began.
    pub downloads: usize,
    /// Tabs that this tab opened.
    pub popups: usize,
}

/// Why the main document broke off.
#[derive(Debug, Clone, Default)]
pub struct MainFailure {
    /// Loader it belongs to.
    pub loader_id: String,
    /// The browser's token, such as `net::ERR_CONNECTION_RESET`.
    pub text: String,
}

/// State of a tab.
#[derive(Debug, Default)]
pub struct TabState {
    /// Task that the tab belongs to; `None` for a foreign tab.
    pub owner: Option<String>,
    /// Target that opened it.
    pub opener: Option<String>,
    /// Title as the browser last told.
    pub title: String,
    /// Frames by id, with their sessions.
    pub frames: FrameTree,
    /// A call to the page ran out of time and none has been answered since: a script may be spinning.
    pub unresponsive: bool,
    /// Progress of the main document.
    pub life: Lifecycle,
    /// Main-frame navigation under way.
    pub pending: Option<PendingNavigation>,
    /// Answer to the request of the newest main document.
    pub main_response: MainResponse,
    /// Why the newest main document broke off, when it did.
    pub main_failure: Option<MainFailure>,
    /// Method of main-document requests by loader, for documents not yet answered.
    pub main_methods: HashMap<String, String>,
    /// History entries that were made by a POST.
    pub post_entries: Vec<i64>,
    /// A POST made the main document and its history entry is not known yet.
    pub post_to_note: bool,
    /// Main-world contexts by frame, each with the session whose process numbers it.
    pub contexts: HashMap<String, (Option<String>, i64)>,
    /// Requests that are not finished.
    pub in_flight: InFlight,
    /// The newest native dialog.
    pub last_dialog: Option<Dialog>,
    /// The native dialog that was left open.
    pub asking: Option<OpenDialog>,
    /// Downloads that this tab began, oldest first.
    pub downloads: Vec<Download>,
    /// Targets that this tab opened, oldest first.
    pub popups: Vec<String>,
    /// It shares its window with other tabs: it opened one there, or was opened there.
    pub shares_window: bool,
    /// Data of a drag that the browser began while drags are intercepted.
    pub drag_data: Option<cdp::protocol::input::DragData>,
    /// The newest file chooser that the page would have opened.
    pub chooser: Option<cdp::protocol::page::FileChooserOpened>,
    /// Growing counters.
    pub marks: Marks,
    /// Set once the tab is gone.
    pub end: Option<TabEnd>,
    /// Sessions of out-of-process frames and workers.
    pub children: HashMap<String, Session>,
}

impl TabState {
    /// Address of the main document.
    #[must_use]
    pub fn url(&self) -> &str {
        self.frames.main().map_or("about:blank", |frame| frame.url.as_str())
    }

    /// Whether a frame of the tab shows, or the tab is about to show, a document of the origin of `address`.
    pub(crate) fn shows_origin_of(&self, address: &str) -> bool {
        let of = |origin: &str| {
            let path = address.strip_prefix(origin.trim_end_matches('/'));
            !origin.is_empty() && path.is_some_and(|path| path.starts_with('/'))
        };
        let coming = self.pending.as_ref().is_some_and(|pending| {
            let authority = address.split('/').take(3).collect::<Vec<_>>().join("/");
            pending
                .url
                .strip_prefix(&authority)
                .is_some_and(|path| path.starts_with('/'))
        });
        coming || self.frames.ordered().iter().any(|(frame, _)| of(&frame.origin))
    }

    /// True while another main document is on its way. One that the page asked for and the browser never began does not
    /// count for long: the page may have taken it back.
    #[must_use]
    pub fn navigating(&self) -> bool {
        self.pending
            .as_ref()
            .is_some_and(|pending| pending.begun || pending.started.elapsed() < REQUEST_LIFE)
    }

    /// True when the main document has loaded and no other is on its way.
    #[must_use]
    pub fn settled(&self) -> bool {
        !self.navigating() && (self.life.loaded || self.life.restored)
    }
}
