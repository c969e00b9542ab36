//! The ring of exchanges. Pure. Invariants: never more entries, answers or bytes than the budget allows, the oldest go
//! first, and each that went is counted; an answer is joined to its request by the browser's id alone, never by address.

use std::collections::{HashMap, VecDeque};

use super::book::Budget;
use super::record::{Answer, Body, Exchange, Headers, Message};

/// Messages that are kept of one socket.
const MESSAGES: usize = 100;
/// Bytes of messages that are kept in all.
const MESSAGE_BYTES: usize = 4 << 20;
/// Bytes of addresses, header fields and sent data that are kept in all.
const HEAD_BYTES: usize = 8 << 20;
/// A header value longer than this is cut.
const FIELD: usize = 4096;

/// What had to go, or never came.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Losses {
    /// Requests that made room for newer ones.
    pub requests: u64,
    /// Bodies that made room for newer ones, or were not copied because too many came at once.
    pub bodies: u64,
    /// Messages of sockets.
    pub messages: u64,
    /// Events that came too fast to be read.
    pub events: u64,
}

/// The hops of one of the browser's ids. Header fields as they were on the wire are told apart, in the order of hops,
/// before or after the hop itself.
#[derive(Debug, Default)]
struct Chain {
    serials: Vec<u64>,
    asked: VecDeque<Headers>,
    told: VecDeque<Headers>,
    asked_of: usize,
    told_of: usize,
}

/// The ring.
#[derive(Debug, Default)]
pub(crate) struct Log {
    entries: VecDeque<Exchange>,
    chains: HashMap<String, Chain>,
    /// Serials of the answers that are kept, oldest first.
    answers: VecDeque<u64>,
    budget: Budget,
    serial: u64,
    answered: u64,
    head_bytes: usize,
    body_bytes: usize,
    message_bytes: usize,
    pub(crate) losses: Losses,
}

impl Log {
    pub(crate) fn new(budget: Budget) -> Self {
        Self {
            budget,
            ..Self::default()
        }
    }

    /// All that is kept, oldest first.
    pub(crate) fn entries(&self) -> impl DoubleEndedIterator<Item = &Exchange> {
        self.entries.iter()
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// How many answers have come so far.
    pub(crate) const fn answered(&self) -> u64 {
        self.answered
    }

    fn at(&self, serial: u64) -> Option<usize> {
        let first = self.entries.front()?.serial;
        let at = usize::try_from(serial.checked_sub(first)?).ok()?;
        (at < self.entries.len()).then_some(at)
    }

    pub(crate) fn get(&self, serial: u64) -> Option<&Exchange> {
        self.at(serial).and_then(|at| self.entries.get(at))
    }

    fn get_mut(&mut self, serial: u64) -> Option<&mut Exchange> {
        self.at(serial).and_then(|at| self.entries.get_mut(at))
    }

    /// The newest hop under one of the browser's ids.
    fn newest(&self, wire: &str) -> Option<u64> {
        self.chains.get(wire)?.serials.last().copied()
    }

    pub(crate) fn newest_mut(&mut self, wire: &str) -> Option<&mut Exchange> {
        let serial = self.newest(wire)?;
        self.get_mut(serial)
    }

    /// Adds a request and returns its serial. The one before it under the same id is the hop that led to it.
    pub(crate) fn add(&mut self, mut exchange: Exchange) -> u64 {
        self.serial += 1;
        exchange.serial = self.serial;
        trim_fields(&mut exchange.headers);
        if let Some(before) = self.newest_mut(&exchange.wire) {
            before.redirected_to = Some(exchange.url.clone());
            exchange.redirected_from = Some(before.id.clone());
        }
        let chain = self.chains.entry(exchange.wire.clone()).or_default();
        chain.serials.push(self.serial);
        self.head_bytes += exchange.bytes();
        self.entries.push_back(exchange);
        self.settle_fields(self.serial);
        self.shrink();
        self.serial
    }

    /// The head of an answer to the newest hop. `has_more` says whether its fields will be told as they were on the wire.
    pub(crate) fn answer(&mut self, wire: &str, mut answer: Answer, has_more: bool) -> Option<u64> {
        let serial = self.newest(wire)?;
        trim_fields(&mut answer.headers);
        self.answered += 1;
        let number = self.answered;
        let exchange = self.get_mut(serial)?;
        if exchange.answered == 0 {
            exchange.answered = number;
        }
        let before = exchange.bytes();
        exchange.answer = Some(answer);
        let after = exchange.bytes();
        self.head_bytes = self.head_bytes + after - before;
        if !self.answers.contains(&serial) {
            self.answers.push_back(serial);
        }
        let chain = self.chains.entry(wire.to_owned()).or_default();
        if !has_more {
            // Nothing will be told of this hop: the next telling belongs to the next one.
            chain.told_of = chain.told_of.max(chain.serials.len());
        }
        self.settle_fields(serial);
        while self.answers.len() > self.budget.responses {
            let Some(old) = self.answers.pop_front() else { break };
            self.drop_answer(old);
        }
        self.shrink();
        Some(serial)
    }

    fn drop_answer(&mut self, serial: u64) {
        let Some(old) = self.get_mut(serial) else { return };
        old.dropped = true;
        let had = std::mem::replace(&mut old.body, Body::Gone("dropped"));
        if had.bytes() > 0 {
            self.body_bytes -= had.bytes();
            self.losses.bodies += 1;
        }
    }

    /// Header fields of a request as they were on the wire.
    pub(crate) fn asked_fields(&mut self, wire: &str, fields: Headers) {
        self.early(wire, |chain| chain.asked.push_back(fields));
    }

    /// Header fields of an answer as they were on the wire.
    pub(crate) fn told_fields(&mut self, wire: &str, fields: Headers) {
        self.early(wire, |chain| chain.told.push_back(fields));
    }

    fn early(&mut self, wire: &str, note: impl FnOnce(&mut Chain)) {
        if !self.chains.contains_key(wire) && self.chains.len() > 2 * self.budget.requests {
            // Fields of requests that never came: told on a session that is not ours to read.
            self.chains.retain(|_, chain| !chain.serials.is_empty());
        }
        note(self.chains.entry(wire.to_owned()).or_default());
        let serials = self.chains.get(wire).map(|chain| chain.serials.clone());
        for serial in serials.into_iter().flatten() {
            self.settle_fields(serial);
        }
    }

    /// Gives the hop `serial` the fields that were told of it.
    fn settle_fields(&mut self, serial: u64) {
        let Some(at) = self.at(serial) else { return };
        let Some(exchange) = self.entries.get_mut(at) else {
            return;
        };
        let Some(chain) = self.chains.get_mut(&exchange.wire) else {
            return;
        };
        let Some(hop) = chain.serials.iter().position(|known| *known == serial) else {
            return;
        };
        let before = exchange.bytes();
        if hop == chain.asked_of
            && let Some(mut fields) = chain.asked.pop_front()
        {
            trim_fields(&mut fields);
            exchange.headers = fields;
            chain.asked_of += 1;
        }
        if hop == chain.told_of
            && let Some(answer) = &mut exchange.answer
            && let Some(mut fields) = chain.told.pop_front()
        {
            trim_fields(&mut fields);
            answer.headers = fields;
            chain.told_of += 1;
        }
        self.head_bytes = self.head_bytes + exchange.bytes() - before;
    }

    /// Sets the body of an exchange that is still kept; older bodies make room.
    pub(crate) fn set_body(&mut self, serial: u64, body: Body) {
        let added = body.bytes();
        let Some(exchange) = self.get_mut(serial).filter(|exchange| !exchange.dropped) else {
            return;
        };
        let had = std::mem::replace(&mut exchange.body, body).bytes();
        self.body_bytes = self.body_bytes + added - had;
        let mut at = 0;
        while self.body_bytes > self.budget.body_bytes && at < self.entries.len() {
            let held = self.entries[at].body.bytes();
            if held > 0 {
                self.entries[at].body = Body::Gone("evicted");
                self.body_bytes -= held;
                self.losses.bodies += 1;
            }
            at += 1;
        }
    }

    /// Adds a message to the newest exchange under the browser's id.
    pub(crate) fn message(&mut self, wire: &str, message: Message) {
        let Some(exchange) = self.newest_mut(wire) else { return };
        match message.sent {
            true => exchange.sent += 1,
            false => exchange.received += 1,
        }
        let added = message.text.len();
        exchange.messages.push_back(message);
        let old = (exchange.messages.len() > MESSAGES)
            .then(|| exchange.messages.pop_front())
            .flatten();
        self.message_bytes += added;
        if let Some(old) = old {
            self.message_bytes -= old.text.len();
            self.losses.messages += 1;
        }
        self.shrink_messages();
    }

    fn shrink_messages(&mut self) {
        let mut at = 0;
        while self.message_bytes > MESSAGE_BYTES && at < self.entries.len() {
            match self.entries[at].messages.pop_front() {
                Some(old) => {
                    self.message_bytes -= old.text.len();
                    self.losses.messages += 1;
                }
                None => at += 1,
            }
        }
    }

    fn shrink(&mut self) {
        while self.entries.len() > self.budget.requests || self.head_bytes > HEAD_BYTES {
            let Some(old) = self.entries.pop_front() else { return };
            self.head_bytes = self.head_bytes.saturating_sub(old.bytes());
            self.body_bytes -= old.body.bytes();
            self.message_bytes = self.message_bytes.saturating_sub(message_bytes(&old));
            self.losses.requests += 1;
            if self.answers.front() == Some(&old.serial) {
                self.answers.pop_front();
            } else {
                self.answers.retain(|serial| *serial != old.serial);
            }
            if self.newest(&old.wire) == Some(old.serial) {
                self.chains.remove(&old.wire);
            }
        }
    }
}

fn message_bytes(exchange: &Exchange) -> usize {
    exchange.messages.iter().map(|message| message.text.len()).sum()
}

fn trim_fields(fields: &mut Headers) {
    for value in fields.values_mut().filter(|value| value.len() > FIELD) {
        let end = (0..=FIELD).rev().find(|at| value.is_char_boundary(*at)).unwrap_or(0);
        value.truncate(end);
    }
}

#[cfg(test)]
#[path = "log_tests.rs"]
mod tests;
