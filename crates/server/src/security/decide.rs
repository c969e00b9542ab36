//! The decision over one request head.
//!
//! Invariant: pure and total; the same head and policy always give the same verdict, and no header that occurs twice
//! where HTTP allows one is believed.

use axum::http::{HeaderMap, HeaderName, Method, Uri, header};

use super::authority::{Authority, Origin};
use super::{Policy, Refusal};
use crate::routes::{CONSOLE, Route};

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The parts of a request that security looks at.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// The verb.
    pub method: &'a Method,
    /// The request target.
    pub uri: &'a Uri,
    /// All header fields.
    pub headers: &'a HeaderMap,
}

/// What may happen with a request that is not refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Serve it. `listed`: it comes from a page of a configured foreign origin, which may read the reply.
    Serve {
        /// The route that its path names.
        route: Route,
        /// Whether CORS headers belong on the reply.
        listed: bool,
    },
    /// Answer a CORS preflight of a configured foreign origin (Fetch standard §3.2.2).
    Preflight {
        /// The route that its path names.
        route: Route,
    },
}

/// Where a request says that it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sender {
    /// No page is involved, or the user typed the address.
    Direct,
    /// A page of this service.
    OwnPage,
    /// A page of a configured foreign origin.
    ListedPage,
}

/// Judges one request.
///
/// # Errors
/// The first check that fails, in the order given in the module above.
pub fn decide(policy: &Policy, head: &Head<'_>) -> Result<Verdict, Refusal> {
    let host = checked_host(policy, head)?;
    let sender = checked_sender(policy, head, &host)?;
    let path = head.uri.path();
    let route = Route::of(path);
    let listed = sender == Sender::ListedPage;
    if listed && is_preflight(head) {
        let route = route.ok_or_else(|| Refusal::unknown_route(path))?;
        return Ok(Verdict::Preflight { route });
    }
    if route.is_none_or(Route::needs_token) && !policy.accepts_token(bearer(head.headers)) {
        return Err(Refusal::Token);
    }
    let route = route.ok_or_else(|| Refusal::unknown_route(path))?;
    if sender == Sender::OwnPage && route.is_api() && !from_console(head.headers, &host) {
        return Err(Refusal::OwnPage);
    }
    if !route.verbs().contains(head.method) {
        return Err(Refusal::verb(head.method, route));
    }
    if route.needs_json() {
        check_json(head.headers)?;
    }
    check_size(policy, head.headers)?;
    Ok(Verdict::Serve { route, listed })
}

fn checked_host(policy: &Policy, head: &Head<'_>) -> Result<Authority, Refusal> {
    let given = single(head.headers, &header::HOST).unwrap_or_default();
    let host = Authority::parse(given).filter(|host| policy.allows_host(host));
    let host = host.ok_or_else(|| Refusal::host(given))?;
    // A request in absolute form names its host twice (RFC 9112 §3.2.2); both must agree.
    match head.uri.authority() {
        Some(target) if Authority::parse(target.as_str()).as_ref() != Some(&host) => {
            Err(Refusal::host(target.as_str()))
        }
        _ => Ok(host),
    }
}

fn checked_sender(policy: &Policy, head: &Head<'_>, host: &Authority) -> Result<Sender, Refusal> {
    let by_origin = match one_at_most(head.headers, &header::ORIGIN) {
        Err(()) => return Err(Refusal::origin("")),
        Ok(None) => None,
        Ok(Some(text)) => Some(origin_sender(policy, text, host)?),
    };
    if by_origin == Some(Sender::ListedPage) {
        return Ok(Sender::ListedPage);
    }
    let site = one_at_most(head.headers, &SEC_FETCH_SITE).map_err(|()| Refusal::fetch_site(""))?;
    match site {
        None => Ok(by_origin.unwrap_or(Sender::Direct)),
        Some("none") => Ok(by_origin.unwrap_or(Sender::Direct)),
        Some("same-origin") => Ok(Sender::OwnPage),
        // `same-site` is another port of this machine: as foreign as any other page.
        Some(other) => Err(Refusal::fetch_site(other)),
    }
}

fn origin_sender(policy: &Policy, text: &str, host: &Authority) -> Result<Sender, Refusal> {
    let origin = Origin::parse(text).ok_or_else(|| Refusal::origin(text))?;
    if policy.lists_origin(&origin) {
        return Ok(Sender::ListedPage);
    }
    // The browser writes both headers itself, and the host has been allowed: equal means that we served the page.
    let own = origin.scheme == "http" && origin.authority.same_as(host, origin.default_port());
    if own {
        Ok(Sender::OwnPage)
    } else {
        Err(Refusal::origin(text))
    }
}

fn is_preflight(head: &Head<'_>) -> bool {
    *head.method == Method::OPTIONS && head.headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// Whether the referring page is the console. A page cannot write this header, only leave it out.
fn from_console(headers: &HeaderMap, host: &Authority) -> bool {
    let referrer = single(headers, &header::REFERER).and_then(|text| text.parse::<Uri>().ok());
    referrer.is_some_and(|uri| {
        let same = uri
            .authority()
            .and_then(|it| Authority::parse(it.as_str()))
            .is_some_and(|it| it.same_as(host, 80));
        same && uri.scheme_str() == Some("http") && uri.path() == CONSOLE
    })
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = single(headers, &header::AUTHORIZATION)?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn check_json(headers: &HeaderMap) -> Result<(), Refusal> {
    let given = single(headers, &header::CONTENT_TYPE).unwrap_or_default();
    let essence = given.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") {
        Ok(())
    } else {
        Err(Refusal::content_type(given))
    }
}

/// A body of unknown length is counted while it is read; here only what is declared can be judged.
fn check_size(policy: &Policy, headers: &HeaderMap) -> Result<(), Refusal> {
    let declared = single(headers, &header::CONTENT_LENGTH).and_then(|text| text.parse::<u64>().ok());
    match (policy.body_limit(), declared) {
        (Some(limit), Some(length)) if length > limit => Err(Refusal::TooLarge { limit }),
        _ => Ok(()),
    }
}

/// The value of a header that stands exactly once and is plain text.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    one_at_most(headers, name).ok().flatten()
}

fn one_at_most<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, ()> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| ()),
        (Some(_), Some(_)) => Err(()),
    }
}
