//! Setting up the sessions of a tab: everything is sent in one burst, the target is released last, so that no document
//! runs before we listen. Out-of-process frames and workers are announced on their parent's session and set up alike,
//! however deep.

use std::sync::Arc;
use std::time::Duration;

use cdp::Session;
use cdp::protocol::target::{FilterEntry, SetAutoAttach};
use cdp::protocol::{emulation, log, network, page, runtime};

use super::{Tab, events};
use crate::deadline::Deadline;
use crate::error::Result;

/// Limit for setting up one session; a target that does not answer by then is left to fail on its own.
const LIMIT: Duration = Duration::from_secs(20);

/// Size and scale that a page is given when it does not follow a window.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Emulated {
    /// CSS pixels.
    pub(crate) width: u32,
    /// CSS pixels.
    pub(crate) height: u32,
}

/// What kind of target a session reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Page,
    Frame,
    Worker,
}

/// Listens to the tab's session and sets it up.
pub(crate) fn start(tab: &Arc<Tab>, emulated: Option<Emulated>) {
    let session = tab.session.clone();
    events::pump(tab, &session, Kind::Page);
    let tab = Arc::clone(tab);
    tokio::spawn(async move {
        if let Err(error) = page(&tab, &session, emulated).await {
            tracing::debug!(%error, tab = tab.id, "tab set-up incomplete");
        }
        tab.ready.send_replace(true);
    });
}

/// Listens to and sets up a target below the tab.
pub(super) fn adopt(tab: &Arc<Tab>, session: &Session, target_id: &str, kind: Kind) {
    events::pump(tab, session, kind);
    let (tab, session, target_id) = (Arc::clone(tab), session.clone(), target_id.to_owned());
    tokio::spawn(async move {
        let result = match kind {
            Kind::Page | Kind::Frame => frame(&tab, &session, &target_id).await,
            Kind::Worker => worker(&tab, &session).await,
        };
        if let Err(error) = result {
            tracing::debug!(%error, target_id, "target set-up incomplete");
        }
    });
}

/// The same for a worker that was announced to the browser and not to the tab.
pub(crate) fn adopt_worker(tab: &Arc<Tab>, session: &Session, target_id: &str) {
    adopt(tab, session, target_id, Kind::Worker);
}

fn auto_attach() -> SetAutoAttach {
    let only = |kind: &str| FilterEntry {
        r#type: Some(kind.into()),
        exclude: Some(false),
    };
    SetAutoAttach {
        auto_attach: true,
        wait_for_debugger_on_start: true,
        flatten: Some(true),
        filter: Some(vec![only("iframe"), only("worker"), only("service_worker")]),
    }
}

/// A call of the set-up. It is sent whatever the page is doing: while a dialog holds the page that opened a target, the
/// target must still be released, or it would never run.
async fn told<C: cdp::Command>(session: &Session, command: C, deadline: Deadline) -> Result<C::Reply> {
    Ok(session.call_within(command, deadline.remaining()).await?)
}

/// What is done with file choosers that nobody waits for. In a browser without a window they are kept from opening: each
/// is told to us and cancelled, as the page would see it from a person who changes her mind. In a window they belong to
/// the person before it.
pub(crate) fn choosers_at_rest(tab: &Tab) -> page::SetInterceptFileChooserDialog {
    let headless = tab.browser.upgrade().is_some_and(|browser| browser.is_headless());
    page::SetInterceptFileChooserDialog {
        enabled: headless,
        cancel: headless.then_some(true),
    }
}

async fn page(tab: &Arc<Tab>, session: &Session, emulated: Option<Emulated>) -> Result<()> {
    session.notify(choosers_at_rest(tab));
    let deadline = Deadline::after(LIMIT);
    let size = async {
        if let Some(Emulated { width, height }) = emulated {
            let metrics = emulation::SetDeviceMetricsOverride {
                width: width.into(),
                height: height.into(),
                device_scale_factor: 1.0,
                mobile: false,
                ..Default::default()
            };
            told(session, metrics, deadline).await?;
        }
        Ok::<(), crate::error::EngineError>(())
    };
    let (_, _, _, _, _, _, _, size, tree, (), run) = tokio::join!(
        told(session, page::Enable::default(), deadline),
        told(session, page::SetLifecycleEventsEnabled { enabled: true }, deadline),
        told(session, network::Enable::default(), deadline),
        told(session, runtime::Enable {}, deadline),
        told(session, log::Enable {}, deadline),
        told(session, auto_attach(), deadline),
        told(session, emulation::SetFocusEmulationEnabled { enabled: true }, deadline),
        size,
        told(session, page::GetFrameTree {}, deadline),
        tab.follow_rules(session, deadline),
        told(session, runtime::RunIfWaitingForDebugger {}, deadline),
    );
    size?;
    run?;
    adopt_tree(tab, session, &tree?.frame_tree);
    Ok(())
}

async fn frame(tab: &Arc<Tab>, session: &Session, target_id: &str) -> Result<()> {
    let deadline = Deadline::after(LIMIT);
    session.notify(choosers_at_rest(tab));
    tab.update(|state| state.frames.move_to(target_id, session));
    let (_, _, _, _, _, _, tree, (), run) = tokio::join!(
        told(session, page::Enable::default(), deadline),
        told(session, page::SetLifecycleEventsEnabled { enabled: true }, deadline),
        told(session, network::Enable::default(), deadline),
        told(session, runtime::Enable {}, deadline),
        told(session, log::Enable {}, deadline),
        told(session, auto_attach(), deadline),
        told(session, page::GetFrameTree {}, deadline),
        tab.follow_rules(session, deadline),
        told(session, runtime::RunIfWaitingForDebugger {}, deadline),
    );
    run?;
    adopt_tree(tab, session, &tree?.frame_tree);
    Ok(())
}

async fn worker(tab: &Arc<Tab>, session: &Session) -> Result<()> {
    let deadline = Deadline::after(LIMIT);
    let (_, _, _, _, (), run) = tokio::join!(
        told(session, network::Enable::default(), deadline),
        told(session, runtime::Enable {}, deadline),
        told(session, log::Enable {}, deadline),
        told(session, auto_attach(), deadline),
        tab.follow_rules(session, deadline),
        told(session, runtime::RunIfWaitingForDebugger {}, deadline),
    );
    run.map(|_| ())
}

/// Frames that existed before we listened. Events that came meanwhile are newer than this reply and win.
fn adopt_tree(tab: &Arc<Tab>, session: &Session, tree: &page::FrameTree) {
    tab.update(|state| {
        let mut stack = vec![tree];
        while let Some(node) = stack.pop() {
            let known = state
                .frames
                .get(&node.frame.id)
                .is_some_and(|frame| !frame.loader_id.is_empty());
            let moved = state
                .frames
                .get(&node.frame.id)
                .is_some_and(|frame| frame.session.id() != session.id());
            if !known || moved {
                state.frames.commit(&node.frame, session);
            }
            if state.frames.is_main(&node.frame.id) && state.life.loader_id.is_empty() {
                state.life.loader_id.clone_from(&node.frame.loader_id);
            }
            stack.extend(node.child_frames.iter().flatten());
        }
    });
}
