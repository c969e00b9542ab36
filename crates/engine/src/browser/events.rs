//! The browser-level event loop: tabs that come and go, downloads.

use std::sync::{Arc, Weak};

use cdp::protocol::{browser, runtime, target};
use cdp::{Event, EventReceiver, EventType};

use super::{Inner, downloads};
use crate::tab::{self, Tab, TabEnd, TabState};

/// Listens on the root session for as long as the browser lives.
pub(super) fn pump(inner: &Arc<Inner>, mut events: EventReceiver) {
    let inner = Arc::downgrade(inner);
    tokio::spawn(async move {
        while let Some(event) = events.recv().await {
            if Weak::upgrade(&inner).is_none_or(|inner| handle(&inner, &event).is_none()) && inner.strong_count() == 0 {
                return;
            }
        }
    });
}

fn read<E: EventType>(event: &Event) -> Option<E> {
    event.is::<E>().then(|| event.parse().ok()).flatten()
}

/// `None` for an event that is not ours to handle.
fn handle(inner: &Arc<Inner>, event: &Event) -> Option<()> {
    if let Some(attached) = read::<target::AttachedToTarget>(event) {
        on_attached(inner, &attached);
    } else if let Some(gone) = read::<target::DetachedFromTarget>(event) {
        if let Some(target_id) = gone.target_id {
            on_gone(inner, &target_id);
        }
    } else if let Some(gone) = read::<target::TargetDestroyed>(event) {
        on_gone(inner, &gone.target_id);
    } else if let Some(crashed) = read::<target::TargetCrashed>(event) {
        on_crashed(inner, &crashed.target_id);
    } else if let Some(changed) = read::<target::TargetInfoChanged>(event) {
        if let Some(tab) = inner.registry.get(&changed.target_info.target_id) {
            let info = changed.target_info;
            tab.update(|state| state.title = real_title(&info.title, &info.url));
        }
    } else if let Some(begin) = read::<browser::DownloadWillBegin>(event) {
        downloads::begin(inner, begin);
    } else if let Some(progress) = read::<browser::DownloadProgress>(event) {
        downloads::progress(inner, &progress);
    } else {
        return None;
    }
    Some(())
}

/// The title of a document; the browser shows the address, without its scheme, for one that has none (yet).
fn real_title(title: &str, url: &str) -> String {
    let bare = |text: &str| -> String {
        let text = text.split_once("://").map_or(text, |(_, rest)| rest);
        text.trim_end_matches('/').to_owned()
    };
    if bare(title) == bare(url) {
        return String::new();
    }
    title.to_owned()
}

fn on_attached(inner: &Arc<Inner>, attached: &target::AttachedToTarget) {
    let info = &attached.target_info;
    if info.r#type == "shared_worker" {
        on_shared_worker(inner, attached);
        return;
    }
    if info.r#type != "page" || inner.registry.get(&info.target_id).is_some() {
        return;
    }
    let Some(session) = inner.connection.session(&attached.session_id) else {
        return;
    };
    let opener = info.opener_id.as_deref().and_then(|id| inner.registry.get(id));
    let state = TabState {
        owner: opener.as_ref().and_then(|opener| opener.owner()),
        opener: opener.as_ref().map(|opener| opener.id().to_owned()),
        title: real_title(&info.title, &info.url),
        shares_window: opener.is_some() || !inner.facts.headless,
        ..TabState::default()
    };
    let tab = Tab::new(
        &info.target_id,
        inner.registry.next_number(),
        session,
        Arc::downgrade(inner),
        state,
    );
    inner.registry.add(&tab);
    tab::start(&tab, inner.emulated);
    if let Some(opener) = opener {
        opener.update(|state| {
            state.popups.push(info.target_id.clone());
            state.shares_window = true;
            state.marks.popups += 1;
        });
    }
}

/// A worker that pages of one origin share. The browser does not tell who made it: it is heard for the task that has
/// pages of its origin, and for nobody when several have.
fn on_shared_worker(inner: &Arc<Inner>, attached: &target::AttachedToTarget) {
    let info = &attached.target_info;
    let Some(session) = inner.connection.session(&attached.session_id) else {
        return;
    };
    let address = info.url.strip_prefix("blob:").unwrap_or(&info.url);
    let mut near = inner.registry.all();
    near.retain(|tab| tab.owner().is_some() && tab.state().shows_origin_of(address));
    near.sort_by_key(|tab| tab.number);
    match near.pop() {
        Some(tab) if near.iter().all(|other| other.owner() == tab.owner()) => {
            tab::adopt_worker(&tab, &session, &info.target_id);
        }
        _ => session.notify(runtime::RunIfWaitingForDebugger {}),
    }
}

fn on_gone(inner: &Inner, target_id: &str) {
    if let Some(tab) = inner.registry.remove(target_id) {
        tab.update(|state| state.end.get_or_insert(TabEnd::Closed).to_owned());
    }
}

/// A crashed tab shows nothing and can do nothing: it is noted as ended and closed.
fn on_crashed(inner: &Arc<Inner>, target_id: &str) {
    if let Some(tab) = inner.registry.get(target_id) {
        tab.update(|state| state.end = Some(TabEnd::Crashed));
        inner.root.notify(target::CloseTarget {
            target_id: target_id.to_owned(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::real_title;

    #[test]
    fn an_address_is_no_title() {
        for (title, url, real) in [
            ("127.0.0.1:80/a.html", "http://127.0.0.1:80/a.html", ""),
            ("example.org", "https://example.org/", ""),
            ("https://example.org/x", "https://example.org/x", ""),
            ("Example", "https://example.org/", "Example"),
            ("about:blank", "about:blank", ""),
        ] {
            assert_eq!(real_title(title, url), real, "{title} {url}");
        }
    }
}
