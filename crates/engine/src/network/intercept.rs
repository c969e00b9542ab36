//! Rules in the browser: requests are stopped only while there are rules and only where one may fit. Invariant: whatever
//! happens to a rule, its owner or our own calls, a request that was stopped goes on.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cdp::protocol::fetch;
use cdp::{Event, Session};
use futures_util::future::join_all;

use super::book::NetworkBook;
use super::rules::{Active, Rule, RuleAction, RuleUse};
use crate::deadline::Deadline;
use crate::tab::Tab;

/// How long the browser may take to accept what is done with a request.
const LIMIT: Duration = Duration::from_secs(10);
/// An answer longer than this is not changed.
const LARGE: usize = 16 << 20;

impl NetworkBook {
    /// Puts a rule in force; [`crate::Browser::apply_rules`] makes the tabs follow. Returns the one that it replaced.
    pub fn add_rule(&self, rule: Rule) -> Option<RuleUse> {
        self.lock_rules().add(rule)
    }

    /// Takes back the rule with this pattern, or all of them.
    pub fn remove_rules(&self, pattern: Option<&str>) -> Vec<RuleUse> {
        self.lock_rules().remove(pattern)
    }

    /// The rules in force, oldest first.
    #[must_use]
    pub fn rules(&self) -> Vec<RuleUse> {
        self.lock_rules().list()
    }

    fn lock_rules(&self) -> std::sync::MutexGuard<'_, super::rules::Rules> {
        self.rules.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Tab {
    /// Makes every session of the tab follow its owner's rules.
    pub(crate) async fn apply_rules(&self, deadline: Deadline) {
        let mut sessions: Vec<Session> = self.state().children.values().cloned().collect();
        sessions.push(self.session.clone());
        join_all(sessions.iter().map(|session| self.follow_rules(session, deadline))).await;
    }

    /// Makes one session follow the rules of the tab's owner. Where nothing was ever stopped, nothing is sent.
    pub(crate) async fn follow_rules(&self, session: &Session, deadline: Deadline) {
        loop {
            let (patterns, version) = self.wanted_patterns();
            if patterns.is_empty() && !self.intercepting.load(Relaxed) {
                return;
            }
            self.intercepting.store(true, Relaxed);
            let limit = deadline.remaining();
            // A session that is gone, or of a kind that knows no rules, has nothing to stop.
            let _ = if patterns.is_empty() {
                session.call_within(fetch::Disable {}, limit).await
            } else {
                let enable = fetch::Enable {
                    patterns: Some(patterns.iter().map(|pattern| requests_to(pattern)).collect()),
                    handle_auth_requests: None,
                };
                session.call_within(enable, limit).await
            };
            if self.wanted_patterns().1 == version || deadline.remaining().is_zero() {
                return;
            }
        }
    }

    fn wanted_patterns(&self) -> (Vec<String>, Option<u64>) {
        self.network_book().map_or((Vec::new(), None), |book| {
            let rules = book.lock_rules();
            (rules.protocol_patterns(), Some(rules.version))
        })
    }

    /// Does with a stopped request what the rule says that it meets.
    pub(crate) fn on_paused(&self, session: &Session, event: &Event) {
        let Ok(paused) = event.parse::<fetch::RequestPaused>() else {
            return tracing::warn!("a stopped request was not understood");
        };
        let stopped = Stopped {
            session: session.clone(),
            id: paused.request_id.clone(),
            done: false,
        };
        let book = self.network_book();
        let met = book.as_ref().and_then(|book| book.lock_rules().of(&paused.request.url));
        tokio::spawn(async move {
            match (met, book) {
                (Some(met), Some(book)) => follow(stopped, paused, &met, &book).await,
                _ => stopped.go_on(false).await,
            }
        });
    }
}

fn requests_to(pattern: &str) -> fetch::RequestPattern {
    fetch::RequestPattern {
        url_pattern: Some(pattern.to_owned()),
        resource_type: None,
        request_stage: Some("Request".into()),
    }
}

/// A request that the browser holds for us. One that is dropped undone is let go.
struct Stopped {
    session: Session,
    id: String,
    done: bool,
}

impl Drop for Stopped {
    fn drop(&mut self) {
        if !self.done {
            self.session.notify(continued(&self.id, false));
        }
    }
}

fn continued(id: &str, answer: bool) -> fetch::ContinueRequest {
    fetch::ContinueRequest {
        request_id: id.to_owned(),
        url: None,
        method: None,
        post_data: None,
        headers: None,
        intercept_response: answer.then_some(true),
    }
}

impl Stopped {
    /// Lets it go on; with `answer` its answer is stopped in turn.
    async fn go_on(self, answer: bool) {
        let command = continued(&self.id, answer);
        self.does(command).await;
    }

    /// Does something with it; when that is refused it goes on unchanged.
    async fn does<C: cdp::Command>(mut self, command: C) {
        let outcome = self.session.call_within(command, LIMIT).await;
        self.done = match outcome {
            Ok(_) | Err(cdp::CdpError::SessionGone { .. } | cdp::CdpError::BrowserGone { .. }) => true,
            Err(_) => self
                .session
                .call_within(continued(&self.id, false), LIMIT)
                .await
                .is_ok(),
        };
    }
}

async fn follow(stopped: Stopped, paused: fetch::RequestPaused, met: &Active, book: &NetworkBook) {
    if paused.response_status_code.is_some() || paused.response_error_reason.is_some() {
        return change(stopped, &paused, met).await;
    }
    let action = &met.rule.action;
    if let Some(asked) = field(&paused, "access-control-request-method").filter(|_| paused.request.method == "OPTIONS")
    {
        return allow(stopped, &paused, asked, action).await;
    }
    met.met.fetch_add(1, Relaxed);
    if let Some(wire) = &paused.network_id {
        book.update(|log| {
            if let Some(one) = log.newest_mut(wire) {
                one.ruled = Some(action.as_str());
            }
        });
    }
    if !met.rule.delay.is_zero() {
        tokio::select! {
            () = tokio::time::sleep(met.rule.delay) => {}
            _ = stopped.session.ended() => {}
        }
    }
    match action {
        RuleAction::Abort => {
            let fail = fetch::FailRequest {
                request_id: stopped.id.clone(),
                error_reason: "BlockedByClient".into(),
            };
            stopped.does(fail).await;
        }
        RuleAction::Mock {
            status,
            content_type,
            body,
        } => {
            let fulfil = fetch::FulfillRequest {
                request_id: stopped.id.clone(),
                response_code: i64::from(*status),
                response_headers: Some(vec![
                    header("content-type", content_type),
                    header("access-control-allow-origin", "*"),
                ]),
                body: Some(STANDARD.encode(body)),
                response_phrase: None,
            };
            stopped.does(fulfil).await;
        }
        RuleAction::Resume => stopped.go_on(false).await,
        RuleAction::Patch(_) => stopped.go_on(true).await,
    }
}

fn field<'a>(paused: &'a fetch::RequestPaused, name: &str) -> Option<&'a str> {
    let mut fields = paused.request.headers.iter();
    fields
        .find(|(known, _)| known.eq_ignore_ascii_case(name))
        .map(|(_, value)| value.as_str())
}

/// The question that the browser asks a foreign server first. A request that is to be mocked has to be allowed, whatever
/// the server would say; otherwise the rule is for the request itself.
async fn allow(stopped: Stopped, paused: &fetch::RequestPaused, asked: &str, action: &RuleAction) {
    if !matches!(action, RuleAction::Mock { .. }) {
        return stopped.go_on(false).await;
    }
    let origin = field(paused, "origin").unwrap_or("*");
    let mut headers = vec![
        header("access-control-allow-origin", origin),
        header("access-control-allow-methods", asked),
        header("access-control-allow-credentials", "true"),
    ];
    if let Some(fields) = field(paused, "access-control-request-headers") {
        headers.push(header("access-control-allow-headers", fields));
    }
    let fulfil = fetch::FulfillRequest {
        request_id: stopped.id.clone(),
        response_code: 204,
        response_headers: Some(headers),
        body: None,
        response_phrase: None,
    };
    stopped.does(fulfil).await;
}

fn header(name: &str, value: &str) -> fetch::HeaderEntry {
    fetch::HeaderEntry {
        name: name.to_owned(),
        value: value.to_owned(),
    }
}

/// Changes the answer of the server, or leaves it alone as a whole.
async fn change(stopped: Stopped, paused: &fetch::RequestPaused, met: &Active) {
    let RuleAction::Patch(patch) = &met.rule.action else {
        return stopped.go_on(false).await;
    };
    let status = paused.response_status_code.unwrap_or(0);
    let redirects = (300..400).contains(&status);
    if redirects || paused.response_error_reason.is_some() {
        return stopped.go_on(false).await;
    }
    let changed = match body_of(&stopped, paused).await {
        Some(body) => patch.apply(&body),
        None => None,
    };
    let Some(body) = changed else {
        met.unchanged.fetch_add(1, Relaxed);
        return stopped.go_on(false).await;
    };
    // The body is handed over decoded and its length is another.
    let stale = |name: &str| {
        ["content-length", "content-encoding", "transfer-encoding"]
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known))
    };
    let kept = paused.response_headers.iter().flatten();
    let kept = kept.filter(|field| !stale(&field.name));
    let fulfil = fetch::FulfillRequest {
        request_id: stopped.id.clone(),
        response_code: status,
        response_headers: Some(kept.map(|field| header(&field.name, &field.value)).collect()),
        body: Some(STANDARD.encode(body)),
        response_phrase: paused.response_status_text.clone().filter(|phrase| !phrase.is_empty()),
    };
    stopped.does(fulfil).await;
}

async fn body_of(stopped: &Stopped, paused: &fetch::RequestPaused) -> Option<Vec<u8>> {
    let length = paused.response_headers.iter().flatten();
    let mut length = length.filter(|field| field.name.eq_ignore_ascii_case("content-length"));
    if length.any(|field| field.value.parse::<usize>().is_ok_and(|length| length > LARGE)) {
        return None;
    }
    let ask = fetch::GetResponseBody {
        request_id: stopped.id.clone(),
    };
    let reply = stopped.session.call_within(ask, LIMIT).await.ok()?;
    match reply.base64_encoded {
        true => STANDARD.decode(reply.body.as_bytes()).ok(),
        false => Some(reply.body.into_bytes()),
    }
}
