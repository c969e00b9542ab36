//! Events and their queues, one per session. Invariant: an event that says something about the life of a page, a
//! target, a dialog or a download is never dropped; of the noisy ones at most the budget is kept, the rest is counted.

use crate::command::EventType;
use crate::error::CdpError;
use crate::json;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc;

/// An event as it came: its name, and its parameters as raw JSON.
#[derive(Debug, Clone)]
pub struct Event {
    method: Box<str>,
    params: Box<str>,
}

impl Event {
    /// An event from its parts. Lone surrogates of `params_json` should be replaced already.
    pub fn new(method: &str, params_json: impl Into<Box<str>>) -> Self {
        Self {
            method: method.into(),
            params: params_json.into(),
        }
    }

    /// Domain and name, such as `Page.frameNavigated`.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// The parameters as the browser sent them; `{}` where there are none. Always valid UTF-8 without lone surrogates.
    pub fn params_json(&self) -> &str {
        &self.params
    }

    /// Whether this is an event of type `E`.
    pub fn is<E: EventType>(&self) -> bool {
        *self.method == *E::METHOD
    }

    /// The parameters as `E`. Fails with [`CdpError::Decode`] when this is another event or the shape does not fit.
    pub fn parse<E: EventType>(&self) -> Result<E, CdpError> {
        if !self.is::<E>() {
            let message = format!("the event is {}", self.method);
            return Err(CdpError::Decode {
                method: E::METHOD.to_owned(),
                message,
            });
        }
        json::parse(self.params.as_bytes()).map_err(|error| CdpError::decode(E::METHOD, &error))
    }
}

/// How the reader treats an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Importance {
    /// Nobody reads it: dropped before its parameters are looked at, and not counted.
    Ignored,
    /// Kept up to the budget.
    Noisy,
    /// Always kept.
    Essential,
}

/// Domains of which no event is read here. `DOM` and `CSS` alone are most of the traffic of a busy page; the others
/// are switched on by nobody, but another client of the same browser may have made them talk.
const IGNORED_DOMAINS: &[&str] = &[
    "Animation",
    "Audits",
    "CSS",
    "DOM",
    "DOMStorage",
    "HeapProfiler",
    "LayerTree",
    "Media",
    "Overlay",
    "Performance",
    "PerformanceTimeline",
    "Preload",
    "Profiler",
    "WebAudio",
];

/// Events of domains that are read otherwise. The `ExtraInfo` pair is not among them: only there stand the headers as
/// they were on the wire, `Set-Cookie` included.
const IGNORED_EVENTS: &[&str] = &[
    "Network.dataReceived",
    "Network.policyUpdated",
    "Network.resourceChangedPriority",
    "Network.responseReceivedEarlyHints",
    "Network.signedExchangeReceived",
    "Network.trustTokenOperationDone",
    "Runtime.inspectRequested",
];

const NOISY_DOMAINS: &[&str] = &["Log", "Network"];
const NOISY_EVENTS: &[&str] = &["Runtime.consoleAPICalled", "Runtime.exceptionThrown"];

/// The class of an event, from its name alone. A name that is not known is essential.
pub(crate) fn importance(method: &str) -> Importance {
    let domain = method.split_once('.').map_or(method, |(domain, _)| domain);
    if IGNORED_DOMAINS.contains(&domain) || IGNORED_EVENTS.contains(&method) {
        Importance::Ignored
    } else if NOISY_DOMAINS.contains(&domain) || NOISY_EVENTS.contains(&method) {
        Importance::Noisy
    } else {
        Importance::Essential
    }
}

/// The sending end of a session's event queue, and its receiving end until somebody takes it.
pub(crate) struct EventQueue {
    sender: Mutex<Option<mpsc::UnboundedSender<Queued>>>,
    receiver: Mutex<Option<EventReceiver>>,
    noisy: Arc<AtomicUsize>,
    budget: usize,
    lost: AtomicU64,
}

struct Queued {
    event: Event,
    noisy: bool,
}

impl EventQueue {
    /// An empty queue that keeps at most `budget` noisy events.
    pub fn new(budget: usize) -> Self {
        let (sender, events) = mpsc::unbounded_channel();
        let noisy = Arc::new(AtomicUsize::new(0));
        let receiver = EventReceiver {
            events,
            noisy: noisy.clone(),
        };
        Self {
            sender: Mutex::new(Some(sender)),
            receiver: Mutex::new(Some(receiver)),
            noisy,
            budget,
            lost: AtomicU64::new(0),
        }
    }

    /// Adds an event, made only if it is kept. Nothing happens after [`EventQueue::close`] or once the receiver is gone.
    pub fn push(&self, importance: Importance, event: impl FnOnce() -> Event) {
        let sender = self.sender.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(sender) = sender.as_ref().filter(|sender| !sender.is_closed()) else {
            return;
        };
        let noisy = importance == Importance::Noisy;
        // Only this side adds, under the lock, so the check cannot be overtaken by another addition.
        if noisy && self.noisy.load(Relaxed) >= self.budget {
            self.lost.fetch_add(1, Relaxed);
            return;
        }
        if noisy {
            self.noisy.fetch_add(1, Relaxed);
        }
        let _ = sender.send(Queued { event: event(), noisy });
    }

    /// No more events; what is queued can still be read.
    pub fn close(&self) {
        *self.sender.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The receiving end, the first time.
    pub fn take(&self) -> Option<EventReceiver> {
        self.receiver.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Events dropped over the budget so far.
    pub fn lost(&self) -> u64 {
        self.lost.load(Relaxed)
    }
}

/// The events of one session, in the order in which the browser sent them. Dropping it makes the session drop its
/// events from then on.
pub struct EventReceiver {
    events: mpsc::UnboundedReceiver<Queued>,
    noisy: Arc<AtomicUsize>,
}

impl EventReceiver {
    /// The next event; `None` when the session is gone and all its events have been read. Cancel-safe.
    pub async fn recv(&mut self) -> Option<Event> {
        let queued = self.events.recv().await?;
        Some(self.taken(queued))
    }

    /// The next event if one is waiting.
    pub fn try_recv(&mut self) -> Option<Event> {
        let queued = self.events.try_recv().ok()?;
        Some(self.taken(queued))
    }

    fn taken(&self, queued: Queued) -> Event {
        if queued.noisy {
            self.noisy.fetch_sub(1, Relaxed);
        }
        queued.event
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Importance::{Essential, Ignored, Noisy};

    #[test]
    fn events_that_change_what_exists_are_essential() {
        for method in [
            "Page.frameNavigated",
            "Page.javascriptDialogOpening",
            "Target.attachedToTarget",
            "Inspector.targetCrashed",
            "Runtime.executionContextCreated",
            "Runtime.bindingCalled",
            "Browser.downloadProgress",
            "Fetch.requestPaused",
            "Input.dragIntercepted",
            "New.somethingUnknown",
            "nonsense",
        ] {
            assert_eq!(importance(method), Essential, "{method}");
        }
        assert_eq!(importance("Network.responseReceivedExtraInfo"), Noisy);
        assert_eq!(importance("Runtime.consoleAPICalled"), Noisy);
        assert_eq!(importance("DOM.attributeModified"), Ignored);
        assert_eq!(
            importance("DOMDebugger.unknown"),
            Essential,
            "a domain is compared whole"
        );
        assert_eq!(importance("Network.dataReceived"), Ignored);
    }

    #[test]
    fn reading_makes_room_again() {
        let queue = EventQueue::new(1);
        let mut receiver = queue.take().unwrap();
        let push = |importance, method: &str| queue.push(importance, || Event::new(method, "{}"));
        push(Noisy, "a");
        push(Noisy, "b");
        push(Essential, "c");
        assert_eq!(queue.lost(), 1);
        assert_eq!(receiver.try_recv().unwrap().method(), "a");
        push(Noisy, "d");
        queue.close();
        push(Essential, "e");
        assert_eq!(receiver.try_recv().unwrap().method(), "c");
        assert_eq!(receiver.try_recv().unwrap().method(), "d");
        assert!(receiver.try_recv().is_none());
        assert_eq!(queue.lost(), 1);
        assert!(queue.take().is_none());
    }

    #[test]
    fn an_event_is_parsed_only_as_itself() {
        let event = Event::new("Inspector.detached", r#"{"reason":"target_closed"}"#);
        let detached: crate::protocol::inspector::Detached = event.parse().unwrap();
        assert_eq!(detached.reason, "target_closed");
        assert!(event.parse::<crate::protocol::inspector::TargetCrashed>().is_err());
        assert!(
            Event::new("Inspector.detached", r#"{"reason":7}"#)
                .parse::<crate::protocol::inspector::Detached>()
                .is_err()
        );
    }
}
