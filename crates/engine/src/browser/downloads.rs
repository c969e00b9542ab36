//! Downloads: the browser stores each under its own id; a complete one gets its proposed name, never overwriting.

use cdp::protocol::browser::{DownloadProgress, DownloadWillBegin};

use super::Inner;
use crate::downloads::{Download, free_name};

/// A download began in some frame of some tab.
pub(super) fn begin(inner: &Inner, event: DownloadWillBegin) {
    let download = Download {
        guid: event.guid,
        url: event.url,
        suggested_filename: event.suggested_filename,
        state: "inProgress".into(),
        bytes: 0,
        path: None,
    };
    let tab = inner
        .registry
        .all()
        .into_iter()
        .find(|tab| tab.state().frames.get(&event.frame_id).is_some());
    if let Some(tab) = tab {
        tab.update(|state| {
            state.downloads.push(download);
            state.marks.downloads += 1;
        });
    }
}

/// A download grew or ended.
pub(super) fn progress(inner: &Inner, event: &DownloadProgress) {
    let known = |tab: &std::sync::Arc<crate::tab::Tab>| tab.state().downloads.iter().any(|one| one.guid == event.guid);
    let Some(tab) = inner.registry.all().into_iter().find(known) else {
        return;
    };
    tab.update(|state| {
        let Some(download) = state.downloads.iter_mut().find(|one| one.guid == event.guid) else {
            return;
        };
        download.bytes = event.received_bytes as u64;
        download.state.clone_from(&event.state);
        if event.state == "completed" && download.path.is_none() {
            let stored = inner.download_dir.join(&event.guid);
            let named = free_name(&inner.download_dir, &download.suggested_filename);
            download.path = Some(if std::fs::rename(&stored, &named).is_ok() {
                named
            } else {
                stored
            });
        }
    });
}
