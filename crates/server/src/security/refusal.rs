//! Why a request was refused, with its HTTP status and its text.
//!
//! Invariant: a refusal never carries a secret, and what it repeats of the request is short and printable.

use axum::http::{Method, StatusCode};
use service::failure::{Code, Failure};
use service::messages::Text;
use service::text;

use crate::routes::Route;

/// Longest piece of a request that a refusal repeats, in characters.
const ECHO_MAX: usize = 120;

/// One reason not to serve a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// `Host` is missing, malformed, doubled or not ours.
    Host {
        /// What it said.
        given: String,
    },
    /// `Origin` is neither ours nor configured.
    Origin {
        /// What it said.
        given: String,
    },
    /// `Sec-Fetch-Site` says that a page of another site sent it.
    FetchSite {
        /// What it said.
        given: String,
    },
    /// A page of this service other than the console.
    OwnPage,
    /// The token is missing or wrong.
    Token,
    /// No such path.
    UnknownRoute {
        /// The path asked for.
        path: String,
    },
    /// The path does not answer the verb.
    Verb {
        /// The verb used.
        method: String,
        /// The verbs that it answers, as in an `Allow` header.
        allowed: String,
    },
    /// The body is not declared as JSON.
    ContentType {
        /// What it was declared as.
        given: String,
    },
    /// The body is above the limit.
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// The connection broke while the body was read.
    BrokenBody,
    /// No file at a path under `/data/`.
    NoFile {
        /// The path asked for.
        path: String,
    },
}

impl Refusal {
    pub(super) fn host(given: &str) -> Self {
        Self::Host { given: echo(given) }
    }

    pub(super) fn origin(given: &str) -> Self {
        Self::Origin { given: echo(given) }
    }

    pub(super) fn fetch_site(given: &str) -> Self {
        Self::FetchSite { given: echo(given) }
    }

    pub(super) fn content_type(given: &str) -> Self {
        Self::ContentType { given: echo(given) }
    }

    pub(super) fn verb(method: &Method, route: Route) -> Self {
        let allowed: Vec<_> = route.verbs().iter().map(Method::as_str).collect();
        Self::Verb {
            method: echo(method.as_str()),
            allowed: allowed.join(", "),
        }
    }

    /// No route has this path.
    pub fn unknown_route(path: &str) -> Self {
        Self::UnknownRoute { path: echo(path) }
    }

    /// No file stands at this path.
    pub fn no_file(path: &str) -> Self {
        Self::NoFile { path: echo(path) }
    }

    /// The HTTP status (`protocol` §4).
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Host { .. } | Self::Origin { .. } | Self::FetchSite { .. } | Self::OwnPage => StatusCode::FORBIDDEN,
            Self::Token => StatusCode::UNAUTHORIZED,
            Self::UnknownRoute { .. } | Self::NoFile { .. } => StatusCode::NOT_FOUND,
            Self::Verb { .. } => StatusCode::METHOD_NOT_ALLOWED,
            Self::ContentType { .. } => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::BrokenBody => StatusCode::BAD_REQUEST,
        }
    }

    /// A stable word for programs, in the reply's `data.refused`.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Host { .. } => "host",
            Self::Origin { .. } => "origin",
            Self::FetchSite { .. } => "fetchSite",
            Self::OwnPage => "ownPage",
            Self::Token => "token",
            Self::UnknownRoute { .. } => "route",
            Self::Verb { .. } => "verb",
            Self::ContentType { .. } => "contentType",
            Self::TooLarge { .. } => "size",
            Self::BrokenBody => "body",
            Self::NoFile { .. } => "file",
        }
    }

    fn text(&self) -> Text {
        match self {
            Self::Host { given } => text!("server.refused.host", given = given),
            Self::Origin { given } => text!("server.refused.origin", given = given),
            Self::FetchSite { given } => text!("server.refused.fetch_site", given = given),
            Self::OwnPage => text!("server.refused.own_page"),
            Self::Token => text!("server.refused.token"),
            Self::UnknownRoute { path } => text!("server.refused.route", path = path),
            Self::Verb { method, allowed } => text!("server.refused.verb", method = method, allowed = allowed),
            Self::ContentType { given } => text!("server.refused.content_type", given = given),
            Self::TooLarge { limit } => text!("server.refused.size", limit = limit),
            Self::BrokenBody => text!("server.refused.body"),
            Self::NoFile { path } => text!("server.refused.file", path = path),
        }
    }

    /// The failure that the reply carries: nothing was started, so sending again after a change is safe.
    pub fn failure(&self) -> Failure {
        Failure::new(Code::ActionFailed, self.text())
            .with("started", false)
            .with("refused", self.reason())
    }
}

fn echo(text: &str) -> String {
    let printable = text
        .chars()
        .map(|c| if c.is_ascii_graphic() || c == ' ' { c } else { '?' });
    printable.take(ECHO_MAX).collect()
}
