//! `wait_for_response`.

use std::sync::Arc;
use std::time::Duration;

use engine::{Deadline, Exchange, NetworkBook, url_matches};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::body::ResponseBody;
use super::get_response_body::CHARS;
use super::record::Shown;
use super::state::recorded;
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::text;

/// Seconds that a wait lasts when the caller names none.
const SECONDS: f64 = 30.0;
/// Longest wait that can be asked for; the command limit ends it earlier.
const LONGEST: f64 = 86_400.0;
/// How long the body of a response that has come is waited for. Some never arrive whole: a page that does not read the
/// answer of a fetch holds it back.
const BODY: Duration = Duration::from_secs(5);
/// Addresses that a failure names.
const NAMED: usize = 5;

/// Waits for a response whose address matches, and returns it with its body. Looks back first: one that came within the
/// last lookBackSeconds is returned at once, unless a later matching request is under way, so it may be sent right after the click that causes the request.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitForResponse {
    /// A part of the address, or a pattern from its beginning in which * stands for anything. Case matters.
    pub url_pattern: String,
    /// Longest wait in seconds, fractions allowed; 0 only looks back.
    #[schemars(range(min = 0), extend("default" = 30))]
    pub timeout_seconds: Option<f64>,
    /// Characters of the body to return.
    #[schemars(extend("default" = 20000))]
    pub max_chars: Option<usize>,
    /// How old a response may be that is already there; 0 takes only new ones.
    #[schemars(extend("default" = 10))]
    pub look_back_seconds: Option<u64>,
}

/// Reply of `wait_for_response`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    #[serde(flatten)]
    response: ResponseBody,
    from_look_back: bool,
}

impl Command for WaitForResponse {
    const NAME: &'static str = "wait_for_response";
    const GROUP: Group = Group::Network;
    const CLASS: Class = Class::Wait;
    const FLAGS: Flags = Flags::TASK.resend_safe().long_running().without_turn();
    const OPAQUE: &'static [&'static str] = &["body", "messages", "request"];
    type Output = Response;

    async fn run(self, cx: &mut Context) -> Result<Response, Failure> {
        let book = recorded(cx)?;
        let seconds = self.timeout_seconds.unwrap_or(SECONDS).clamp(0.0, LONGEST);
        let limit = Duration::from_secs_f64(seconds);
        let allowed = cx.within_deadline(limit);
        if allowed < limit {
            let shorter = format!("{:.1}", allowed.as_secs_f64());
            cx.note(text!("wait.clamped", asked = seconds, seconds = shorter));
        }
        let task = Arc::clone(cx.task()?);
        let tab = cx.tabs()?.current();
        let dialog = async {
            match &tab {
                Some(tab) => tab.dialog_left_open().await,
                None => std::future::pending().await,
            }
        };
        let found = tokio::select! {
            biased;
            found = self.find(&book, Deadline::after(allowed)) => found,
            // The page stands still until the dialog is answered.
            error = dialog => return Err(Failure::from_engine(&error, false)),
            () = task.ended() => return Err(Failure::new(Code::ActionFailed, text!("tasks.ended_meanwhile"))),
        };
        let Some((one, from_look_back)) = found else {
            return Err(self.missing(cx, &book, seconds));
        };
        Ok(Response {
            response: ResponseBody::of(cx, &book, &one, self.max_chars.unwrap_or(CHARS)).await,
            from_look_back,
        })
    }
}

impl WaitForResponse {
    fn wants(&self, one: &Exchange) -> bool {
        one.redirected_to.is_none() && one.kind != "preflight" && url_matches(&self.url_pattern, &one.url)
    }

    /// The response, its body settled as far as the time allowed, and whether it was there before.
    async fn find(&self, book: &NetworkBook, deadline: Deadline) -> Option<(Exchange, bool)> {
        // Before looking back, so that nothing falls between.
        let mark = book.answered();
        let oldest = super::state::now_ms().saturating_sub(self.look_back_seconds.unwrap_or(10).saturating_mul(1000));
        let recent = |one: &Exchange| one.answer.as_ref().is_some_and(|answer| answer.at >= oldest);
        let known = match self.look_back_seconds {
            Some(0) => None,
            _ => book.newest_answer(|one| self.wants(one) && recent(one)),
        };
        // A later request of the same kind is under way: its answer is the one that is meant, not that of the one before.
        let open = |one: &Exchange| one.answered == 0 && one.failure.is_none() && self.wants(one);
        let known = known.filter(|known| book.list(|one| open(one) && one.serial > known.serial).is_empty());
        let from_look_back = known.is_some();
        let one = match known {
            Some(one) => one,
            None => book.answer_after(mark, deadline, |one| self.wants(one)).await.ok()?,
        };
        let settled = book.settled(one.serial, deadline.within(BODY)).await;
        Some((settled.unwrap_or(one), from_look_back))
    }

    /// What the failure says: requests that match and are not answered, and the newest answers that do not match.
    fn missing(&self, cx: &Context, book: &NetworkBook, seconds: f64) -> Failure {
        let shown = Shown::new(&cx.config().trace, false);
        let urls = |all: Vec<Exchange>| -> Vec<String> {
            all.iter().rev().take(NAMED).map(|one| shown.text(&one.url).0).collect()
        };
        let open = urls(book.list(|one| one.answered == 0 && one.failure.is_none() && self.wants(one)));
        let failed = urls(book.list(|one| one.failure.is_some() && self.wants(one)));
        let others =
            urls(book.list(|one| one.answered > 0 && matches!(one.kind.as_str(), "xhr" | "fetch" | "document")));
        let named = |all: &[String]| if all.is_empty() { "-".to_owned() } else { all.join("; ") };
        let text = text!(
            "network.none_came",
            pattern = self.url_pattern.as_str(),
            seconds = seconds,
            open = named(&open),
            others = named(&others)
        );
        Failure::new(Code::ActionTimeout, text)
            .with("urlPattern", self.url_pattern.as_str())
            .with("timeoutSeconds", seconds)
            .with("unanswered", open)
            .with("failed", failed)
            .with("recentResponses", others)
    }
}
