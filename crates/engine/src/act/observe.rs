//! What an input did. The page's own watch (armed before the input) answers for the document; the browser's events
//! answer for what a document cannot tell: navigations, tabs, downloads, dialogs.

use std::future::Future;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use crate::deadline::Deadline;
use crate::dialogs::Dialog;
use crate::downloads::Download;
use crate::error::{EngineError, Result};
use crate::frames::Frame;
use crate::tab::{Marks, Tab, TabState};

/// A little more than the page's own window, for a page whose thread is busy.
const PATIENCE: Duration = Duration::from_millis(4500);
/// How late an input may reach the page on a busy machine; the page script waits as long.
const LATE: Duration = Duration::from_secs(10);
/// How long the page's answer may be on its way once its window is over.
const HANDING_OVER: Duration = Duration::from_millis(100);
/// How long a page that shows nothing may take to show something again.
const BLANK_PATIENCE: Duration = Duration::from_millis(2500);
/// How long the page is asked for what it saw once the browser has told the outcome.
const LAST_LOOK: Duration = Duration::from_millis(250);

/// A navigation that an input caused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NavigationSeen {
    /// Where it goes or went.
    pub url: String,
    /// The new document is there.
    pub committed: bool,
}

/// One kind of event as the page's listeners saw it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// It went to the target or into it; absent when there is no target.
    pub on_target: Option<bool>,
    /// What got it, where that was not the target.
    pub node: Option<Map<String, Value>>,
}

/// Where a gesture went, by what the page's listeners really got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hit {
    /// Press, release and click on the target.
    Target,
    /// Pressed on the target; the press took effect by itself and left nothing to release on (a menu that opens or closes
    /// when it is pressed).
    Pressed,
    /// Press and release on the target; no click came (the page took the element away, or keeps clicks from listeners).
    TargetWithoutClick,
    /// Pressed on the target, released or clicked elsewhere.
    Split,
    /// Pressed on something else.
    Elsewhere,
    /// No event was seen.
    Unseen,
}

/// What the page's watch saw.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Watched {
    pub(crate) changed: Vec<String>,
    pub(crate) ambient: Vec<String>,
    pub(crate) delivered: std::collections::BTreeMap<String, Delivery>,
    pub(crate) before: Glimpse,
    pub(crate) after: Glimpse,
    /// A later click of the same gesture went to something else.
    pub(crate) strayed: Option<Map<String, Value>>,
    /// What the press did by itself, where the release met something else: `removed`, `hidden`, `opened`.
    pub(crate) effect: Option<String>,
    /// The page put an equal element in the place of the target before it was pressed.
    pub(crate) twin: bool,
    /// The page replaced the target between press and release, and nothing came of it.
    pub(crate) again: bool,
    /// The document got a press that no listener of ours saw.
    pub(crate) arrived: bool,
    pub(crate) blank: bool,
}

/// Reply of the page script's `arm`.
#[derive(Deserialize)]
pub(super) struct Armed {
    pub(super) watch: u64,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Glimpse {
    pub(crate) url: Option<String>,
    pub(crate) text_length: Option<u64>,
}

/// What was observed after an input.
#[derive(Debug, Clone, Default)]
pub struct Observed {
    /// Kinds of change: `url`, `text`, `form`, `structure`, `attributes`, `focus`, `tab`, `download`, `navigation`,
    /// `dialog`, `frame`.
    pub changed: Vec<String>,
    /// Kinds that the page kept changing before the input too (clocks, tickers): no evidence of an effect.
    pub ambient: Vec<String>,
    /// The page was asked and answered, or the browser itself told the outcome.
    pub complete: bool,
    /// Events by type as the target's frame got them; empty when it could not be asked.
    pub delivered: std::collections::BTreeMap<String, Delivery>,
    /// Address before.
    pub url_before: String,
    /// Address after.
    pub url_after: String,
    /// Length of the page's text before, where known.
    pub text_before: Option<u64>,
    /// Length of the page's text after, where known.
    pub text_after: Option<u64>,
    /// Targets of tabs that the page opened.
    pub new_tabs: Vec<String>,
    /// Downloads that began.
    pub downloads: Vec<Download>,
    /// The newest dialog that opened and how it was answered.
    pub dialog: Option<Dialog>,
    /// A file chooser that the page opened and that was cancelled: whether it takes several files.
    pub file_chooser: Option<bool>,
    /// A main-frame navigation.
    pub navigation: Option<NavigationSeen>,
    /// Why the page could not be asked.
    pub error: Option<String>,
    /// What a later click of the same gesture went to, where that was not the target.
    pub strayed: Option<Map<String, Value>>,
    /// What the press did by itself, where the release met something else: `removed`, `hidden`, `opened`.
    pub press_effect: Option<String>,
    /// The page put an equal element in the place of the target before it was pressed.
    pub twin: bool,
    /// The page replaced the target between press and release, and nothing came of it.
    pub(crate) again: bool,
    /// The document got a press that the page kept from every listener after its own.
    pub arrived: bool,
    /// The page showed nothing afterwards.
    pub blank: Option<Blank>,
}

/// What became of a page that showed nothing after an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blank {
    /// It shows something again.
    Recovered,
    /// It stayed blank, so what was compared proves nothing.
    Lasting,
}

impl Observed {
    /// True when a change says that the input did something (focus alone does not).
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.changed.iter().any(|kind| kind != "focus")
    }

    /// True when something changed that did not keep changing before.
    #[must_use]
    pub fn is_effective(&self) -> bool {
        self.changed
            .iter()
            .any(|kind| kind != "focus" && !self.ambient.contains(kind))
    }

    /// Where the input went; [`Hit::Unseen`] also when the page could not be asked.
    #[must_use]
    pub fn hit(&self) -> Hit {
        let on = |kinds: [&str; 2]| kinds.iter().find_map(|kind| self.delivered.get(*kind)?.on_target);
        let (press, release, click) = (
            on(["pointerdown", "mousedown"]),
            on(["mouseup", "pointerup"]),
            on(["click", "auxclick"]),
        );
        match (press, release, click) {
            (Some(false), ..) => Hit::Elsewhere,
            _ if self.strayed.is_some() => Hit::Split,
            (_, _, Some(true)) => Hit::Target,
            (_, Some(false), _) | (_, _, Some(false)) if self.press_effect.is_some() => Hit::Pressed,
            (_, Some(false), _) | (_, _, Some(false)) => Hit::Split,
            (Some(true), ..) | (_, Some(true), _) => Hit::TargetWithoutClick,
            (None, None, None) => Hit::Unseen,
        }
    }

    /// What got the event that missed the target, where one did.
    #[must_use]
    pub fn stranger(&self) -> Option<&Map<String, Value>> {
        if self.strayed.is_some() {
            return self.strayed.as_ref();
        }
        ["click", "mouseup", "pointerdown", "pointermove", "mousemove"]
            .iter()
            .find_map(|kind| self.delivered.get(*kind)?.node.as_ref())
    }

    /// Whether some document saw the release.
    #[must_use]
    pub fn was_released(&self) -> bool {
        ["mouseup", "pointerup", "click", "auxclick", "drop"]
            .iter()
            .any(|kind| self.delivered.contains_key(*kind))
    }

    /// What got the release, where that was not the target.
    #[must_use]
    pub fn released_on(&self) -> Option<&Map<String, Value>> {
        ["mouseup", "pointerup"]
            .iter()
            .find_map(|kind| self.delivered.get(*kind)?.node.as_ref())
    }

    /// Whether a pointer that only moved came over the target; `None` when nobody saw it.
    #[must_use]
    pub fn came_over(&self) -> Option<bool> {
        ["pointermove", "mousemove"]
            .iter()
            .find_map(|kind| self.delivered.get(*kind)?.on_target)
    }
}

impl Tab {
    /// Sends the input and waits for what comes of it: the page's answer, a navigation, a tab or a download, at most
    /// the page's window of `window_ms` and some patience for a busy page.
    ///
    /// # Errors
    /// [`EngineError::Uncertain`] when the input could not be confirmed.
    pub(crate) async fn observe(
        &self,
        frame: &Frame,
        watch: u64,
        window_ms: u64,
        input: impl Future<Output = Result<()>> + Send,
        deadline: Deadline,
    ) -> Result<Observed> {
        let before = self.marks();
        let url_before = self.url();
        let limit = deadline.within(Duration::from_millis(window_ms) + LATE + PATIENCE);
        let args = json!({"watch": watch, "windowMs": window_ms});
        let page = self.script::<Watched>(frame, "observe", &args, limit);
        let signal = self.until("a signal", limit, |state| decided(state, before).then_some(()));
        tokio::pin!(input, page, signal);
        let (mut sent, mut seen, mut told, mut listening) = (None, None, false, true);
        // Counts once everything was sent: the browser confirms an input after the page has handled it.
        let window = tokio::time::sleep(limit.remaining());
        tokio::pin!(window);
        while !told && (sent.is_none() || seen.is_none()) {
            tokio::select! {
                biased;
                result = &mut input, if sent.is_none() => {
                    sent = Some(result);
                    let rest = Duration::from_millis(window_ms) + HANDING_OVER;
                    window.as_mut().reset(Instant::now() + rest);
                }
                () = &mut window, if sent.is_some() => break,
                result = &mut signal, if listening => {
                    listening = false;
                    told = result.is_ok();
                }
                result = &mut page, if seen.is_none() => seen = Some(result),
            }
            // A dialog that is left open keeps the input from being confirmed; it is what the input did.
            told |= matches!(sent, Some(Err(EngineError::DialogOpen(_))));
            if matches!(sent, Some(Err(_))) {
                break;
            }
        }
        if let (Some(Err(error)), false) = (&sent, told) {
            return Err(self.stopped(error.clone(), Value::Null));
        }
        let seen = match seen {
            Some(seen) => seen,
            None => {
                let patience = if told { LAST_LOOK } else { PATIENCE };
                let waiting = self.until_answered(before, limit.within(Duration::from_millis(window_ms)));
                self.last_look(frame, watch, page, waiting, limit, patience).await
            }
        };
        self.let_events_arrive().await;
        self.until_answered(before, deadline.within(Duration::from_millis(window_ms)))
            .await;
        let blank = matches!(&seen, Ok(Watched { blank: true, .. }));
        let mut observed = self.summary(before, url_before, seen);
        if blank && observed.navigation.is_none() {
            observed.blank = Some(self.wait_for_content(frame, deadline).await);
        }
        Ok(observed)
    }

    /// Asks the page for what it saw by now. While a navigation is `waiting` for its answer the browser may hold the page,
    /// so the patience counts from then on.
    async fn last_look(
        &self,
        frame: &Frame,
        watch: u64,
        page: impl Future<Output = Result<Watched>> + Send,
        waiting: impl Future<Output = ()> + Send,
        limit: Deadline,
        patience: Duration,
    ) -> Result<Watched> {
        // Asking without a window makes the page answer the first question too.
        let now = json!({"watch": watch, "windowMs": 0});
        let look = self.script::<Watched>(frame, "observe", &now, limit);
        let asked = async { tokio::join!(look, page).1 };
        tokio::pin!(asked);
        tokio::select! {
            biased;
            seen = &mut asked => return seen,
            () = waiting => {}
        }
        limit.within(patience).bound("the page", asked).await
    }

    /// Whether a navigation that the input started leads to a document or to a download is told by the head of the answer;
    /// that is waited for as long as changes are looked for.
    async fn until_answered(&self, before: Marks, limit: Deadline) {
        let _ = self
            .until("the answer", limit, |state| answered(state, before).then_some(()))
            .await;
    }

    /// Applications take their old view away before they draw the new one.
    async fn wait_for_content(&self, frame: &Frame, deadline: Deadline) -> Blank {
        let args = json!({"timeoutMs": u64::try_from(BLANK_PATIENCE.as_millis()).unwrap_or(0)});
        let limit = deadline.within(BLANK_PATIENCE + LAST_LOOK);
        match self.script::<Value>(frame, "unblank", &args, limit).await {
            Ok(_) | Err(EngineError::Navigating) => Blank::Recovered,
            Err(_) => Blank::Lasting,
        }
    }

    /// Watches the main document too when the input goes into a frame: what it does there may show here.
    pub(crate) async fn watch_around(&self, frame: &Frame, deadline: Deadline) -> Option<(Frame, u64)> {
        let main = self.main_frame().ok().filter(|main| main.id != frame.id)?;
        let armed: Armed = self
            .script(&main, "arm", &json!({"expect": "none"}), deadline)
            .await
            .ok()?;
        Some((main, armed.watch))
    }

    /// Adds what the main document showed.
    pub(crate) async fn add_around(&self, around: Option<(Frame, u64)>, observed: &mut Observed, deadline: Deadline) {
        let Some((main, watch)) = around else { return };
        let look = json!({"watch": watch, "windowMs": 0});
        let seen: Result<Watched> = self.script(&main, "observe", &look, deadline.within(LAST_LOOK)).await;
        let Ok(seen) = seen else { return };
        for kind in seen.changed {
            if kind != "focus" && !observed.changed.contains(&kind) {
                observed.changed.push(kind);
            }
        }
    }

    /// One trip to the browser process: what it told before answering has been read when this returns.
    pub(crate) async fn let_events_arrive(&self) {
        if let Some(browser) = self.browser.upgrade() {
            let _ = browser
                .root()
                .call_within(cdp::protocol::browser::GetVersion {}, LAST_LOOK)
                .await;
        }
    }

    fn summary(&self, before: Marks, url_before: String, seen: Result<Watched>) -> Observed {
        let state = self.state();
        let mut out = Observed {
            url_before,
            url_after: state.url().to_owned(),
            ..Observed::default()
        };
        let error = match seen {
            Ok(watched) => {
                out.take(watched);
                None
            }
            Err(error) => Some(error.to_string()),
        };
        let committed = state.marks.committed > before.committed;
        let downloading = state.marks.downloads > before.downloads;
        // One that was under way before is none of this input's, and one that became a download leads nowhere.
        if committed || (state.marks.started > before.started && state.navigating() && !downloading) {
            let url = state
                .pending
                .as_ref()
                .map_or_else(|| state.url().to_owned(), |pending| pending.url.clone());
            out.navigation = Some(NavigationSeen { url, committed });
            out.changed.push("navigation".into());
        }
        if state.marks.same_document > before.same_document && !out.changed.iter().any(|kind| kind == "url") {
            out.changed.push("url".into());
        }
        if state.marks.subframes > before.subframes {
            out.changed.push("frame".into());
        }
        if state.marks.popups > before.popups {
            out.new_tabs = state.popups[before.popups..].to_vec();
            out.changed.push("tab".into());
        }
        if downloading {
            out.downloads = state.downloads[before.downloads..].to_vec();
            out.changed.push("download".into());
        }
        if state.marks.dialogs > before.dialogs {
            out.dialog.clone_from(&state.last_dialog);
            out.changed.push("dialog".into());
        }
        if state.marks.choosers > before.choosers {
            out.file_chooser = state.chooser.as_ref().map(|chooser| chooser.mode == "selectMultiple");
            out.changed.push("fileChooser".into());
        }
        // A document that is on its way out, or held by a dialog, need not be asked: the browser has told what happened.
        out.complete = error.is_none() || out.navigation.is_some() || state.asking.is_some();
        out.error = error.filter(|_| !out.complete);
        out
    }
}

impl Observed {
    fn take(&mut self, watched: Watched) {
        self.changed = watched.changed;
        self.ambient = watched.ambient;
        self.delivered = watched.delivered;
        self.text_before = watched.before.text_length;
        self.text_after = watched.after.text_length;
        self.strayed = watched.strayed;
        self.press_effect = watched.effect;
        self.twin = watched.twin;
        self.again = watched.again;
        self.arrived = watched.arrived;
    }
}

/// True when the browser has told enough for the observation to end. A dialog that is answered at once does not end
/// anything, since the page goes on; one that is left open does.
fn decided(state: &TabState, before: Marks) -> bool {
    let now = state.marks;
    now.started > before.started
        || now.committed > before.committed
        || now.popups > before.popups
        || now.downloads > before.downloads
        || now.choosers > before.choosers
        || state.asking.is_some()
}

/// True when no navigation was started, or it is known what it came to.
fn answered(state: &TabState, before: Marks) -> bool {
    let now = state.marks;
    now.started == before.started
        || now.committed > before.committed
        || now.downloads > before.downloads
        || state.asking.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observed(events: &[(&str, bool)]) -> Observed {
        let delivered = events.iter().map(|(kind, on)| {
            (
                (*kind).to_owned(),
                Delivery {
                    on_target: Some(*on),
                    node: None,
                },
            )
        });
        Observed {
            delivered: delivered.collect(),
            ..Observed::default()
        }
    }

    #[test]
    fn the_hit_is_what_was_seen() {
        for (events, hit) in [
            (
                &[("pointerdown", true), ("mouseup", true), ("click", true)][..],
                Hit::Target,
            ),
            (&[("pointerdown", true), ("mouseup", true)], Hit::TargetWithoutClick),
            (&[("pointerdown", true), ("mouseup", false)], Hit::Split),
            (
                &[("pointerdown", true), ("mouseup", true), ("click", false)],
                Hit::Split,
            ),
            (&[("pointerdown", false), ("click", false)], Hit::Elsewhere),
            (&[("mousemove", true)], Hit::Unseen),
        ] {
            assert_eq!(observed(events).hit(), hit, "{events:?}");
        }
    }

    #[test]
    fn focus_and_what_always_changes_are_no_effect() {
        let of = |changed: &[&str], ambient: &[&str]| Observed {
            changed: changed.iter().map(ToString::to_string).collect(),
            ambient: ambient.iter().map(ToString::to_string).collect(),
            ..Observed::default()
        };
        assert!(!of(&["focus"], &[]).is_changed());
        assert!(of(&["text"], &["text"]).is_changed() && !of(&["text"], &["text"]).is_effective());
        assert!(of(&["focus", "attributes"], &["text"]).is_effective());
    }
}
