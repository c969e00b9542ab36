//! `get_response_body`.

use std::time::Duration;

use engine::{Deadline, Exchange, NetworkBook};
use schemars::JsonSchema;
use serde::Deserialize;

use super::body::ResponseBody;
use super::state::recorded;
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::text;

/// How long a body that is on its way is waited for.
const PATIENCE: Duration = Duration::from_secs(2);
/// Characters of a body that are returned when the caller names no number.
pub(super) const CHARS: usize = 20_000;

/// The body of a recent response. Those of XHR, fetch and small documents were copied when they had arrived and outlive
/// the page; others are asked of the browser, which may have let go of them. Secrets in them are masked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetResponseBody {
    /// Only responses whose address contains this.
    pub filter: Option<String>,
    /// Position among those that match, counted from 0, oldest first; the newest when absent.
    pub index: Option<usize>,
    /// The request with this id (see get_requests).
    pub request_id: Option<String>,
    /// Characters of the body to return.
    #[schemars(extend("default" = 20000))]
    pub max_chars: Option<usize>,
}

impl Command for GetResponseBody {
    const NAME: &'static str = "get_response_body";
    const GROUP: Group = Group::Network;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe().without_turn();
    const OPAQUE: &'static [&'static str] = &["body", "messages", "request"];
    type Output = ResponseBody;

    async fn run(self, cx: &mut Context) -> Result<ResponseBody, Failure> {
        let book = recorded(cx)?;
        let one = self.find(&book)?;
        let patience = Deadline::after(cx.within_deadline(PATIENCE));
        let one = book.settled(one.serial, patience).await.unwrap_or(one);
        Ok(ResponseBody::of(cx, &book, &one, self.max_chars.unwrap_or(CHARS)).await)
    }
}

impl GetResponseBody {
    fn find(&self, book: &NetworkBook) -> Result<Exchange, Failure> {
        if let Some(id) = &self.request_id {
            return by_id(book, id).map_err(|failure| self.named(failure));
        }
        let filter = self.filter.as_deref().unwrap_or_default();
        let mut fitting = book.list(|one| one.answered > 0 && !one.dropped && one.url.contains(filter));
        fitting.sort_by_key(|one| one.answered);
        let count = fitting.len();
        let at = match self.index {
            Some(index) => index,
            None => count.wrapping_sub(1),
        };
        if count > 0 && at >= count {
            let text = text!("network.no_such_position", index = at, count = count);
            return Err(self.named(Failure::new(Code::ActionFailed, text).with("count", count)));
        }
        match (at < count).then(|| fitting.swap_remove(at)) {
            Some(one) => Ok(one),
            None if filter.is_empty() => Err(Failure::new(Code::ActionFailed, text!("network.no_response"))),
            None => Err(self.named(Failure::new(
                Code::ActionFailed,
                text!("network.no_match", filter = filter),
            ))),
        }
    }

    fn named(&self, mut failure: Failure) -> Failure {
        if let Some(filter) = &self.filter {
            failure = failure.with("filter", filter.as_str());
        }
        if let Some(id) = &self.request_id {
            failure = failure.with("requestId", id.as_str());
        }
        failure
    }
}

fn by_id(book: &NetworkBook, id: &str) -> Result<Exchange, Failure> {
    let failed = |text, reason: &str| Err(Failure::new(Code::ActionFailed, text).with("reason", reason));
    match book.list(|one| one.id == id).pop() {
        None => failed(text!("network.id_unknown", id = id), "unknown"),
        Some(one) if one.dropped => failed(text!("network.id_dropped", id = id), "dropped"),
        Some(one) if one.answered == 0 && one.kind != "websocket" => match &one.failure {
            Some(failure) => failed(text!("network.id_failed", id = id, failure = failure), "failed"),
            None => failed(text!("network.id_unanswered", id = id), "unanswered"),
        },
        Some(one) => Ok(one),
    }
}
