//! Exactly-once requests: what a `requestKey` was answered with, so that the same request sent again never acts again.
//!
//! Invariant: of all requests with one key and scope at most one runs at a time; a reply that promised `started:false`
//! is not remembered, because running it again is what the caller was invited to do.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::envelope::Reply;
use crate::ids::TaskId;

/// How long a reply is remembered, from the moment it was given.
const KEPT_FOR: Duration = Duration::from_secs(600);
/// How many keys of one task are remembered.
const KEYS_PER_TASK: usize = 1000;
/// Text from which on an inlined image is not kept with the reply, in bytes.
const LARGE: usize = 4096;
/// Members that hold an inlined image.
const IMAGES: [&str; 2] = ["base64", "imageBase64"];

/// Whose keys: a task's, or of requests that name no task.
type Scope = Option<TaskId>;

#[derive(Debug)]
enum State {
    Running(watch::Receiver<()>),
    Done { reply: Arc<Reply>, at: Instant },
}

#[derive(Debug)]
struct Entry {
    fingerprint: u64,
    state: State,
}

type Scopes = HashMap<Scope, BTreeMap<String, Entry>>;

/// The remembered replies of all tasks.
#[derive(Debug, Clone, Default)]
pub(crate) struct Replays(Arc<Mutex<Scopes>>);

/// What a request with a key has to do.
#[derive(Debug)]
pub(crate) enum Claim {
    /// It is the first: run it, and report the reply.
    First(Claimed),
    /// It has been answered with this.
    Answered(Arc<Reply>),
    /// The first is still running: wait for a change, then claim again.
    Running(watch::Receiver<()>),
    /// The key stands for another request.
    Taken,
}

/// The right to run a request. Dropped without a reply, the key is free again.
#[derive(Debug)]
pub(crate) struct Claimed {
    replays: Replays,
    scope: Scope,
    key: String,
    /// Dropping it wakes those who wait.
    _running: watch::Sender<()>,
}

impl Replays {
    fn lock(&self) -> MutexGuard<'_, Scopes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Claims a key for the request with this fingerprint.
    pub(crate) fn claim(&self, scope: Scope, key: &str, fingerprint: u64) -> Claim {
        let mut scopes = self.lock();
        forget_expired(&mut scopes, Instant::now());
        let keys = scopes.entry(scope).or_default();
        match keys.get(key) {
            Some(entry) if entry.fingerprint != fingerprint => return Claim::Taken,
            Some(Entry {
                state: State::Done { reply, .. },
                ..
            }) => return Claim::Answered(Arc::clone(reply)),
            Some(Entry {
                state: State::Running(ended),
                ..
            }) => return Claim::Running(ended.clone()),
            None => {}
        }
        if keys.len() >= KEYS_PER_TASK {
            forget_oldest(keys);
        }
        let (sender, ended) = watch::channel(());
        keys.insert(
            key.to_owned(),
            Entry {
                fingerprint,
                state: State::Running(ended),
            },
        );
        Claim::First(Claimed {
            replays: self.clone(),
            scope,
            key: key.to_owned(),
            _running: sender,
        })
    }
}

impl Claimed {
    /// Remembers the reply, unless it promised that nothing was started.
    pub(crate) fn answer(self, reply: &Reply) {
        if matches!(&reply.result, Err(failure) if failure.never_started()) {
            return;
        }
        let mut kept = reply.clone();
        if let Ok(data) = &mut kept.result {
            drop_images(data);
        }
        let state = State::Done {
            reply: Arc::new(kept),
            at: Instant::now(),
        };
        if let Some(entry) = self
            .replays
            .lock()
            .get_mut(&self.scope)
            .and_then(|keys| keys.get_mut(&self.key))
        {
            entry.state = state;
        }
    }
}

impl Drop for Claimed {
    fn drop(&mut self) {
        let mut scopes = self.replays.lock();
        let Some(keys) = scopes.get_mut(&self.scope) else {
            return;
        };
        if matches!(
            keys.get(&self.key),
            Some(Entry {
                state: State::Running(_),
                ..
            })
        ) {
            keys.remove(&self.key);
        }
    }
}

fn forget_expired(scopes: &mut Scopes, now: Instant) {
    for keys in scopes.values_mut() {
        keys.retain(|_, entry| !matches!(entry.state, State::Done { at, .. } if now >= at + KEPT_FOR));
    }
    scopes.retain(|_, keys| !keys.is_empty());
}

fn forget_oldest(keys: &mut BTreeMap<String, Entry>) {
    let finished = |entry: &Entry| match entry.state {
        State::Done { at, .. } => Some(at),
        State::Running(_) => None,
    };
    let oldest = keys
        .iter()
        .filter_map(|(key, entry)| Some((finished(entry)?, key.clone())))
        .min();
    if let Some((_, key)) = oldest {
        keys.remove(&key);
    }
}

/// Takes inlined images out of a reply and of the steps it holds.
fn drop_images(data: &mut Value) {
    let Value::Object(members) = data else { return };
    for name in IMAGES {
        if members
            .get(name)
            .and_then(Value::as_str)
            .is_some_and(|text| text.len() >= LARGE)
        {
            members.shift_remove(name);
            members.insert("inline".into(), Value::Bool(false));
            members.insert("base64Omitted".into(), Value::Bool(true));
        }
    }
    for step in members
        .get_mut("results")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        if let Some(data) = step.get_mut("data") {
            drop_images(data);
        }
    }
}

/// A number for method and parameters that does not depend on the order of members.
pub(crate) fn fingerprint(method: &str, params: &Map<String, Value>) -> u64 {
    let mut hasher = DefaultHasher::new();
    method.hash(&mut hasher);
    hash_members(params, &mut hasher);
    hasher.finish()
}

fn hash_members(members: &Map<String, Value>, hasher: &mut DefaultHasher) {
    let mut sorted: Vec<_> = members.iter().collect();
    sorted.sort_by_key(|(name, _)| *name);
    sorted.len().hash(hasher);
    for (name, value) in sorted {
        name.hash(hasher);
        hash_value(value, hasher);
    }
}

fn hash_value(value: &Value, hasher: &mut DefaultHasher) {
    std::mem::discriminant(value).hash(hasher);
    match value {
        Value::Null => {}
        Value::Bool(flag) => flag.hash(hasher),
        Value::Number(number) => number.hash(hasher),
        Value::String(text) => text.hash(hasher),
        Value::Array(items) => {
            items.len().hash(hasher);
            items.iter().for_each(|item| hash_value(item, hasher));
        }
        Value::Object(members) => hash_members(members, hasher),
    }
}

#[cfg(test)]
mod tests;
