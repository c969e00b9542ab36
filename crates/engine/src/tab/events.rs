//! The event loop of one session: each event changes the tab's state. One loop per session keeps the order that the
//! browser gave; nothing here waits for the page.

use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use cdp::protocol::{fetch, input, inspector, page, runtime, target};
use cdp::{Event, EventType, Session};

use super::setup::{self, Kind};
use super::state::{Lifecycle, PendingNavigation};
use super::{Tab, TabEnd, dialogs, traffic};

/// Listens to `session` until it ends.
pub(super) fn pump(tab: &Arc<Tab>, session: &Session, kind: Kind) {
    let Some(mut events) = session.take_events() else {
        return;
    };
    let (tab, session) = (Arc::downgrade(tab), session.clone());
    tokio::spawn(async move {
        while let Some(event) = events.recv().await {
            let Some(tab) = tab.upgrade() else { return };
            handle(&tab, &session, kind, &event);
        }
        if let Some(tab) = tab.upgrade() {
            ended(&tab, &session, kind);
        }
    });
}

fn ended(tab: &Tab, session: &Session, kind: Kind) {
    if kind == Kind::Page {
        dialogs::ended(tab);
    }
    tab.update(|state| {
        let id = session.id().unwrap_or_default();
        state.in_flight.forget(id);
        state.children.retain(|_, child| child.id() != session.id());
        if kind == Kind::Page && state.end.is_none() {
            state.end = Some(TabEnd::Closed);
        }
    });
}

fn handle(tab: &Arc<Tab>, session: &Session, kind: Kind, event: &Event) {
    let method = event.method();
    if method.starts_with("Network.") {
        traffic::follow(tab, session, kind, event);
        tab.record_network(session, event);
    } else if event.is::<fetch::RequestPaused>() {
        tab.on_paused(session, event);
    } else if method.starts_with("Page.") {
        on_page(tab, session, event);
    } else if method.starts_with("Target.") {
        on_target(tab, event);
    } else if method.starts_with("Runtime.executionContext") {
        on_context(tab, session, event);
    } else if method.starts_with("Runtime.") || method.starts_with("Log.") {
        tab.record_console(session, event);
    } else if let Some(begun) = read::<input::DragIntercepted>(event) {
        tab.update(|state| state.drag_data = Some(begun.data));
    } else if event.is::<inspector::TargetCrashed>() && kind == Kind::Page {
        tab.update(|state| state.end = Some(TabEnd::Crashed));
    }
}

/// Parses an event; one that we cannot read is left out, never fatal.
pub(super) fn read<E: EventType>(event: &Event) -> Option<E> {
    if !event.is::<E>() {
        return None;
    }
    event
        .parse()
        .inspect_err(|error| tracing::debug!(%error, method = event.method(), "event not understood"))
        .ok()
}

fn on_page(tab: &Arc<Tab>, session: &Session, event: &Event) {
    if let Some(attached) = read::<page::FrameAttached>(event) {
        tab.update(|state| {
            state
                .frames
                .attach(&attached.frame_id, Some(&attached.parent_frame_id), session)
        });
    } else if let Some(detached) = read::<page::FrameDetached>(event) {
        // "swap": the frame goes on in another process, under the same id.
        if detached.reason != "swap" {
            tab.update(|state| {
                state.frames.detach(&detached.frame_id);
                state.in_flight.frame_gone(&detached.frame_id);
            });
            tab.worlds.forget(&detached.frame_id);
            tab.forget_listeners(&detached.frame_id);
            tab.indices().frame_gone(&detached.frame_id);
        }
    } else if let Some(navigated) = read::<page::FrameNavigated>(event) {
        on_commit(tab, session, &navigated);
    } else if let Some(moved) = read::<page::NavigatedWithinDocument>(event) {
        tab.update(|state| {
            state.frames.rename(&moved.frame_id, &moved.url);
            if state.frames.is_main(&moved.frame_id) {
                state.marks.same_document += 1;
            }
        });
    } else if let Some(life) = read::<page::LifecycleEvent>(event) {
        on_lifecycle(tab, &life);
    } else if let Some(started) = read::<page::FrameStartedNavigating>(event) {
        on_started(tab, &started);
    } else if let Some(requested) = read::<page::FrameRequestedNavigation>(event) {
        on_requested(tab, &requested);
    } else if let Some(stopped) = read::<page::FrameStoppedLoading>(event) {
        tab.update(|state| {
            if state.frames.is_main(&stopped.frame_id) {
                state.pending = None;
                state.life.stopped = true;
            }
        });
    } else if let Some(opening) = read::<page::JavascriptDialogOpening>(event) {
        dialogs::opened(tab, session, opening);
    } else if let Some(closed) = read::<page::JavascriptDialogClosed>(event) {
        dialogs::closed(tab, &closed);
    } else if let Some(chooser) = read::<page::FileChooserOpened>(event) {
        tab.update(|state| {
            state.marks.choosers += 1;
            state.chooser = Some(chooser);
        });
    }
}

fn on_commit(tab: &Arc<Tab>, session: &Session, navigated: &page::FrameNavigated) {
    let frame = &navigated.frame;
    if tab.state().frames.is_main(&frame.id) {
        dialogs::gone_with_page(tab);
    }
    tab.worlds.forget(&frame.id);
    tab.indices().document_replaced(&frame.id, &frame.url);
    tab.update(|state| {
        state.frames.commit(frame, session);
        let main = state.frames.is_main(&frame.id);
        state.in_flight.replaced(&frame.id, &frame.loader_id, main);
        if !main {
            state.marks.subframes += 1;
            return;
        }
        state.unresponsive = false;
        state.pending = None;
        state.marks.committed += 1;
        if state.life.loader_id != frame.loader_id {
            state.life = Lifecycle {
                loader_id: frame.loader_id.clone(),
                ..Lifecycle::default()
            };
        }
        if frame.unreachable_url.is_none()
            && state
                .main_failure
                .as_ref()
                .is_some_and(|failed| failed.loader_id != frame.loader_id)
        {
            state.main_failure = None;
        }
        state.life.restored = navigated.r#type == "BackForwardCacheRestore";
        let method = state.main_methods.remove(&frame.loader_id);
        state.main_methods.clear();
        state.life.posted = method.as_deref() == Some("POST");
        state.post_to_note = state.life.posted;
    });
}

/// Notes the history entry of a document that a POST made, so that going back to it can be refused. Asked for when the
/// document is ready: at its commit the browser process may still show the entry before it.
fn remember_post(tab: Arc<Tab>, url: String) {
    tokio::spawn(async move {
        let history = tab.session.call(page::GetNavigationHistory {}).await.ok();
        let entry = history.and_then(|history| {
            let at = usize::try_from(history.current_index).ok()?;
            history
                .entries
                .get(at)
                .filter(|entry| entry.url == url)
                .map(|entry| entry.id)
        });
        tab.update(|state| {
            state.post_to_note = false;
            state.post_entries.extend(entry);
        });
    });
}

fn on_lifecycle(tab: &Arc<Tab>, event: &page::LifecycleEvent) {
    let interesting = matches!(event.name.as_str(), "init" | "commit" | "DOMContentLoaded" | "load");
    if !interesting {
        return;
    }
    let posted = tab.update(|state| {
        if !state.frames.is_main(&event.frame_id) {
            return None;
        }
        if state.life.loader_id != event.loader_id {
            // Only the first event of a document may replace what is known; a late one of the old document may not.
            if !matches!(event.name.as_str(), "init" | "commit") {
                return None;
            }
            state.life = Lifecycle {
                loader_id: event.loader_id.clone(),
                ..Lifecycle::default()
            };
        }
        match event.name.as_str() {
            "DOMContentLoaded" => state.life.dom_ready = true,
            "load" => {
                state.life.dom_ready = true;
                state.life.loaded = true;
            }
            _ => {}
        }
        let note = event.name == "DOMContentLoaded" && state.post_to_note;
        note.then(|| state.url().to_owned())
    });
    if let Some(url) = posted {
        remember_post(Arc::clone(tab), url);
    }
}

fn on_started(tab: &Tab, started: &page::FrameStartedNavigating) {
    let kind = &started.navigation_type;
    if kind.to_ascii_lowercase().contains("samedocument") {
        return;
    }
    tab.update(|state| {
        if state.frames.is_main(&started.frame_id) {
            state.marks.started += 1;
            state.pending = Some(PendingNavigation {
                begun: true,
                url: started.url.clone(),
                started: Instant::now(),
            });
        }
    });
}

/// The page asked for a navigation (a form was sent, a link followed); the browser has yet to begin it.
fn on_requested(tab: &Tab, requested: &page::FrameRequestedNavigation) {
    if requested.disposition != "currentTab" {
        return;
    }
    tab.update(|state| {
        if state.frames.is_main(&requested.frame_id) && state.pending.is_none() {
            state.marks.started += 1;
            state.pending = Some(PendingNavigation {
                begun: false,
                url: requested.url.clone(),
                started: Instant::now(),
            });
        }
    });
}

pub(crate) fn now_ms() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |age| u64::try_from(age.as_millis()).unwrap_or(u64::MAX))
}

fn on_context(tab: &Tab, session: &Session, event: &Event) {
    let of = || session.id().map(str::to_owned);
    if let Some(created) = read::<runtime::ExecutionContextCreated>(event) {
        let context = created.context;
        let aux = context.aux_data.unwrap_or_default();
        let is_main_world = aux.get("isDefault").and_then(serde_json::Value::as_bool) == Some(true);
        if let (true, Some(frame)) = (is_main_world, aux.get("frameId").and_then(serde_json::Value::as_str)) {
            tab.update(|state| state.contexts.insert(frame.to_owned(), (of(), context.id)));
        }
    } else if let Some(gone) = read::<runtime::ExecutionContextDestroyed>(event) {
        let of = (of(), gone.execution_context_id);
        tab.update(|state| state.contexts.retain(|_, context| *context != of));
    } else if event.is::<runtime::ExecutionContextsCleared>() {
        let of = of();
        tab.update(|state| state.contexts.retain(|_, (session, _)| *session != of));
    }
}

fn on_target(tab: &Arc<Tab>, event: &Event) {
    if let Some(attached) = read::<target::AttachedToTarget>(event) {
        let connection = tab.browser.upgrade().map(|browser| browser.connection().clone());
        let Some(session) = connection.and_then(|connection| connection.session(&attached.session_id)) else {
            return;
        };
        let kind = match attached.target_info.r#type.as_str() {
            "iframe" => Kind::Frame,
            _ => Kind::Worker,
        };
        tab.update(|state| state.children.insert(attached.session_id.clone(), session.clone()));
        setup::adopt(tab, &session, &attached.target_info.target_id, kind);
    } else if let Some(detached) = read::<target::DetachedFromTarget>(event) {
        tab.update(|state| {
            state.children.remove(&detached.session_id);
            state.in_flight.forget(&detached.session_id);
        });
    }
}
