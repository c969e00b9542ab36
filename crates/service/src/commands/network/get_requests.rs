//! `get_requests`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::{Exchange, NetworkBook};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::har;
use super::record::Shown;
use super::state::{awake, in_flight, off_note};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::files::write_atomic;
use crate::text;

/// Resource types that can be asked for: those of the browser, in lower case.
const TYPES: [&str; 19] = [
    "document",
    "stylesheet",
    "image",
    "media",
    "font",
    "script",
    "texttrack",
    "xhr",
    "fetch",
    "prefetch",
    "eventsource",
    "websocket",
    "manifest",
    "signedexchange",
    "ping",
    "cspviolationreport",
    "preflight",
    "fedcm",
    "other",
];

/// The requests of the task's tabs, frames and workers, oldest first: the newest 200 since the task began. Secrets in
/// addresses, header fields and sent data are masked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetRequests {
    /// Only addresses that contain this.
    pub filter: Option<String>,
    /// Only this type: document, xhr, fetch, script, stylesheet, image, font, media, websocket, eventsource, preflight, ping, other, …
    pub resource_type: Option<String>,
    /// Only the newest so many.
    #[schemars(range(min = 1))]
    pub limit: Option<usize>,
    /// Only requests made at this time or later, in milliseconds since 1970.
    pub since: Option<u64>,
    /// Add header fields and what caused each request.
    #[serde(default)]
    pub include_headers: bool,
    /// `har` writes a HAR 1.2 file in place of listing the requests.
    #[serde(default = "json")]
    #[schemars(extend("enum" = ["json", "har"], "default" = "json"))]
    pub format: String,
    /// Where the HAR file is written, a name ending in .har; data/<id>/requests-N.har when absent. A relative path starts at the working directory.
    pub path: Option<String>,
}

fn json() -> String {
    "json".to_owned()
}

/// Reply of `get_requests`.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Requests {
    requests: Option<Vec<Value>>,
    count: usize,
    total: usize,
    recorded_since: u64,
    inflight: usize,
    filter: Option<String>,
    resource_type: Option<String>,
    network_recorded: Option<bool>,
    network_note: Option<String>,
    /// Requests that had to make room for newer ones.
    lost_requests: Option<u64>,
    /// Bodies that had to make room, or were not copied because too many came at once.
    lost_bodies: Option<u64>,
    /// Messages of sockets that had to make room.
    lost_messages: Option<u64>,
    /// Events that came too fast to be read.
    lost_events: Option<u64>,
    /// The file that was written.
    path: Option<String>,
    /// Where the service serves it, when it is the task's.
    url: Option<String>,
}

impl Command for GetRequests {
    const NAME: &'static str = "get_requests";
    const GROUP: Group = Group::Network;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe().without_turn();
    const OPAQUE: &'static [&'static str] = &["requests"];
    type Output = Requests;

    fn check(&self) -> Result<(), Failure> {
        if let Some(kind) = &self.resource_type
            && !TYPES.contains(&kind.to_ascii_lowercase().as_str())
        {
            let text = text!("network.resource_type", given = kind, known = TYPES.join(", "));
            return Err(Failure::invalid(text));
        }
        match &self.path {
            Some(path) if self.format != "har" => Err(Failure::invalid(text!("network.path_without_har", path = path))),
            Some(path) if !is_har_name(path) => Err(Failure::invalid(text!("network.har_path", path = path))),
            _ => Ok(()),
        }
    }

    async fn run(self, cx: &mut Context) -> Result<Requests, Failure> {
        let book = awake(cx)?;
        let mut reply = Requests {
            total: book.total(),
            recorded_since: book.since(),
            inflight: in_flight(cx),
            filter: self.filter.clone(),
            resource_type: self.resource_type.clone(),
            ..Requests::default()
        };
        if let Some(note) = off_note(&book) {
            reply.requests = Some(Vec::new());
            reply.network_recorded = Some(false);
            reply.network_note = Some(cx.say(&note));
            return Ok(reply);
        }
        let found = self.find(&book);
        reply.count = found.len();
        reply.tell_losses(&book);
        if self.format == "har" {
            let path = self.write_har(cx, &found).await?;
            reply.url = cx.task()?.files.url_of(&path);
            reply.path = Some(path.display().to_string());
        } else {
            let shown = Shown::new(&cx.config().trace, self.include_headers);
            reply.requests = Some(found.iter().map(|one| shown.record(one)).collect());
        }
        if found.is_empty() {
            cx.note(text!("network.empty"));
        }
        if reply.lost_requests.is_some() {
            cx.note(text!("network.lost"));
        }
        Ok(reply)
    }
}

impl Requests {
    fn tell_losses(&mut self, book: &NetworkBook) {
        let losses = book.losses();
        let some = |count: u64| (count > 0).then_some(count);
        self.lost_requests = some(losses.requests);
        self.lost_bodies = some(losses.bodies);
        self.lost_messages = some(losses.messages);
        self.lost_events = some(losses.events);
    }
}

impl GetRequests {
    fn find(&self, book: &NetworkBook) -> Vec<Exchange> {
        let filter = self.filter.as_deref().unwrap_or_default();
        let kind = self.resource_type.as_ref().map(|kind| kind.to_ascii_lowercase());
        let since = self.since.unwrap_or(0);
        let mut found = book.list(|one| {
            one.requested_at >= since && one.url.contains(filter) && kind.as_ref().is_none_or(|kind| *kind == one.kind)
        });
        let surplus = found.len().saturating_sub(self.limit.unwrap_or(usize::MAX));
        found.drain(..surplus);
        found
    }

    async fn write_har(&self, cx: &Context, found: &[Exchange]) -> Result<PathBuf, Failure> {
        let task = Arc::clone(cx.task()?);
        let path = match &self.path {
            Some(path) => cx.config().work_dir.join(path),
            None => task.files.next_named("requests", "har").1,
        };
        let file = har::file(&Shown::new(&cx.config().trace, true), found);
        let target = path.clone();
        let job = tokio::task::spawn_blocking(move || {
            let bytes = serde_json::to_vec(&file).map_err(std::io::Error::other)?;
            write_atomic(&target, &bytes)
        });
        let failed = |reason: String| Failure::new(Code::ActionFailed, text!("network.not_written", reason = reason));
        match job.await {
            Ok(written) => written.map(|()| path).map_err(|error| failed(error.to_string())),
            Err(error) => Err(failed(error.to_string())),
        }
    }
}

/// A file may be written where the caller says, but only under the name of such a file: nothing else is overwritten.
fn is_har_name(path: &str) -> bool {
    let extension = Path::new(path).extension().and_then(|extension| extension.to_str());
    !path.contains('\0') && extension.is_some_and(|extension| extension.eq_ignore_ascii_case("har"))
}
