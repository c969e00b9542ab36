//! The network events of a tab's sessions, as entries of its owner's record. Nothing here waits.

use std::sync::Arc;

use cdp::protocol::network;
use cdp::{Event, EventType, Session};

use super::book::NetworkBook;
use super::record::{Answer, Body, Exchange, Message, PostData, TEXT, beginning};
use crate::tab::{Tab, now_ms};

impl Tab {
    /// The network record and rules of the tab's owner.
    pub(crate) fn network_book(&self) -> Option<Arc<NetworkBook>> {
        let owner = self.owner()?;
        self.browser.upgrade()?.network_books().of(&owner)
    }

    /// Records a network event of one of the tab's sessions. Tabs that belong to nobody are not recorded.
    pub(crate) fn record_network(&self, session: &Session, event: &Event) {
        let Some(book) = self.network_book().filter(|book| book.is_recording()) else {
            return;
        };
        let lost = session.lost_events();
        let known = self.network_lost.swap(lost, std::sync::atomic::Ordering::Relaxed);
        if lost > known {
            book.update(|log| log.losses.events += lost - known);
        }
        if let Some(sent) = parsed::<network::RequestWillBeSent>(event) {
            sent_on(&book, session, sent);
        } else if let Some(got) = parsed::<network::ResponseReceived>(event) {
            answered(&book, session, got);
        } else if let Some(done) = parsed::<network::LoadingFinished>(event) {
            finished(&book, &done);
        } else if let Some(failed) = parsed::<network::LoadingFailed>(event) {
            failed_with(&book, &failed);
        } else if let Some(extra) = parsed::<network::RequestWillBeSentExtraInfo>(event) {
            book.update(|log| log.asked_fields(&extra.request_id, extra.headers));
        } else if let Some(extra) = parsed::<network::ResponseReceivedExtraInfo>(event) {
            book.update(|log| log.told_fields(&extra.request_id, extra.headers));
        } else {
            messages(&book, event);
        }
    }
}

fn parsed<E: EventType>(event: &Event) -> Option<E> {
    event.is::<E>().then(|| event.parse().ok()).flatten()
}

fn sent_on(book: &NetworkBook, session: &Session, sent: network::RequestWillBeSent) {
    if sent.request.url.starts_with("data:") {
        return;
    }
    let at = millis(sent.wall_time);
    // The question that the browser asks a foreign server first (Fetch standard, CORS-preflight fetch).
    let kind = match sent.initiator.r#type.as_str() {
        "preflight" => "preflight",
        _ => sent.r#type.as_deref().unwrap_or("other"),
    };
    let mut exchange = Exchange::new(&sent.request_id, &sent.request.url, kind, at);
    exchange.id = book.next_id();
    exchange.session = Some(session.clone());
    exchange.clock = sent.timestamp;
    exchange.method = sent.request.method;
    exchange.headers = sent.request.headers;
    exchange.initiator = origin_of(&sent.initiator);
    exchange.post = post_of(
        sent.request.post_data.as_deref(),
        sent.request.has_post_data == Some(true),
    );
    book.update(|log| {
        if let Some(redirect) = sent.redirect_response {
            let closed = log
                .newest_mut(&sent.request_id)
                .map(|before| before.moment(sent.timestamp));
            let answer = answer_of(redirect, closed.unwrap_or(at));
            if let Some(serial) = log.answer(&sent.request_id, answer, sent.redirect_has_extra_info) {
                log.set_body(serial, Body::Gone("none"));
            }
            if let Some(before) = log.newest_mut(&sent.request_id) {
                before.finished_at = closed;
            }
        }
        log.add(exchange);
    });
}

fn post_of(text: Option<&str>, exists: bool) -> Option<PostData> {
    match text {
        Some(text) => {
            let (kept, length) = beginning(text, TEXT);
            Some(PostData {
                text: kept.to_owned(),
                length: Some(length),
                truncated: length > TEXT,
            })
        }
        None => exists.then(|| PostData {
            text: String::new(),
            length: None,
            truncated: true,
        }),
    }
}

fn origin_of(initiator: &network::Initiator) -> Option<String> {
    let called = initiator.stack.as_ref().and_then(|stack| stack.call_frames.first());
    let (url, line) = match called {
        Some(frame) => (Some(frame.url.as_str()), Some(frame.line_number + 1)),
        None => (
            initiator.url.as_deref(),
            initiator.line_number.map(|line| line as i64 + 1),
        ),
    };
    let url = url.filter(|url| !url.is_empty())?;
    Some(line.map_or_else(|| url.to_owned(), |line| format!("{url}:{line}")))
}

fn answer_of(response: network::Response, at: u64) -> Answer {
    Answer {
        status: u16::try_from(response.status).unwrap_or(0),
        status_text: response.status_text,
        headers: response.headers,
        mime: response.mime_type,
        charset: response.charset,
        protocol: response.protocol.unwrap_or_default(),
        remote: response.remote_ip_address,
        from_cache: response.from_disk_cache == Some(true),
        from_service_worker: response.from_service_worker == Some(true),
        at,
    }
}

fn answered(book: &NetworkBook, session: &Session, got: network::ResponseReceived) {
    if got.response.url.starts_with("data:") {
        return;
    }
    let wire = got.request_id;
    let stream = got.response.mime_type == "text/event-stream";
    book.update(|log| {
        if log.newest_mut(&wire).is_none() {
            let mut missed = Exchange::new(&wire, &got.response.url, &got.r#type, now_ms());
            missed.id = book.next_id();
            missed.session = Some(session.clone());
            missed.clock = got.timestamp;
            missed.missed = true;
            log.add(missed);
        }
        let at = log
            .newest_mut(&wire)
            .map_or_else(now_ms, |one| one.moment(got.timestamp));
        log.answer(&wire, answer_of(got.response, at), got.has_extra_info);
        if let Some(one) = log.newest_mut(&wire).filter(|_| stream) {
            // It has no end to wait for: its messages are told one by one.
            one.body = Body::Remote;
        }
    });
}

fn finished(book: &Arc<NetworkBook>, done: &network::LoadingFinished) {
    let copy = book.update(|log| {
        let one = log.newest_mut(&done.request_id)?;
        // The two moments are taken in different processes; an end before the beginning would be told otherwise.
        let begun = one.answer.as_ref().map_or(0, |answer| answer.at);
        one.finished_at = Some(one.moment(done.timestamp).max(begun));
        // A count of bytes: never negative, far below the limit.
        one.encoded_bytes = done.encoded_data_length.max(0.0) as u64;
        let (serial, session) = (one.serial, one.session.clone()?);
        match super::bodies::plan(one) {
            Ok(()) => {
                log.set_body(serial, Body::Copying);
                Some((serial, session, done.request_id.clone()))
            }
            Err(body) => {
                log.set_body(serial, body);
                None
            }
        }
    });
    if let Some((serial, session, wire)) = copy {
        super::bodies::copy(book, serial, session, wire);
    }
}

fn failed_with(book: &NetworkBook, failed: &network::LoadingFailed) {
    book.update(|log| {
        let Some(one) = log.newest_mut(&failed.request_id) else {
            return;
        };
        one.finished_at = Some(one.moment(failed.timestamp));
        let cause = failed.blocked_reason.clone();
        let cause = cause.or_else(|| failed.cors_error_status.as_ref().map(|cors| cors.cors_error.clone()));
        one.failure = Some(match cause {
            Some(cause) => format!("{} ({cause})", failed.error_text),
            None => failed.error_text.clone(),
        });
        let serial = one.serial;
        log.set_body(serial, Body::Gone("failed"));
    });
}

fn messages(book: &NetworkBook, event: &Event) {
    if let Some(made) = parsed::<network::WebSocketCreated>(event) {
        let mut exchange = Exchange::new(&made.request_id, &made.url, "websocket", now_ms());
        exchange.id = book.next_id();
        exchange.body = Body::Remote;
        exchange.initiator = made.initiator.as_ref().and_then(origin_of);
        book.update(|log| log.add(exchange));
    } else if let Some(asked) = parsed::<network::WebSocketWillSendHandshakeRequest>(event) {
        book.update(|log| {
            if let Some(one) = log.newest_mut(&asked.request_id) {
                one.clock = asked.timestamp;
                one.requested_at = millis(asked.wall_time);
                one.headers = asked.request.headers;
            }
        });
    } else if let Some(got) = parsed::<network::WebSocketHandshakeResponseReceived>(event) {
        let answer = Answer {
            status: u16::try_from(got.response.status).unwrap_or(0),
            status_text: got.response.status_text,
            headers: got.response.headers,
            at: now_ms(),
            ..Answer::default()
        };
        book.update(|log| log.answer(&got.request_id, answer, false));
    } else if let Some(frame) = parsed::<network::WebSocketFrameSent>(event) {
        book.update(|log| log.message(&frame.request_id, message_of(true, &frame.response)));
    } else if let Some(frame) = parsed::<network::WebSocketFrameReceived>(event) {
        book.update(|log| log.message(&frame.request_id, message_of(false, &frame.response)));
    } else if let Some(failed) = parsed::<network::WebSocketFrameError>(event) {
        book.update(|log| {
            if let Some(one) = log.newest_mut(&failed.request_id) {
                one.failure = Some(failed.error_message);
            }
        });
    } else if let Some(closed) = parsed::<network::WebSocketClosed>(event) {
        book.update(|log| {
            if let Some(one) = log.newest_mut(&closed.request_id) {
                one.finished_at = Some(now_ms());
            }
        });
    } else if let Some(told) = parsed::<network::EventSourceMessageReceived>(event) {
        let (kept, length) = beginning(&told.data, TEXT);
        let message = Message {
            at: now_ms(),
            sent: false,
            text: kept.to_owned(),
            length,
            binary: false,
            event: Some(told.event_name),
        };
        book.update(|log| log.message(&told.request_id, message));
    }
}

fn message_of(sent: bool, frame: &network::WebSocketFrame) -> Message {
    let (kept, length) = beginning(&frame.payload_data, TEXT);
    Message {
        at: now_ms(),
        sent,
        text: kept.to_owned(),
        length,
        // RFC 6455, section 5.2: opcode 1 is text.
        binary: (frame.opcode - 1.0).abs() > f64::EPSILON,
        event: None,
    }
}

/// Milliseconds of a time in seconds since 1970.
fn millis(seconds: f64) -> u64 {
    // Within the range of dates.
    (seconds.max(0.0) * 1000.0) as u64
}
