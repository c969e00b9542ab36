//! What the running service allows, taken once from configuration and the bound address.
//!
//! Invariant: nothing that is absent from the configuration widens the policy.

use std::net::{IpAddr, SocketAddr};

use service::config::{Config, Secret};

use super::authority::{Authority, Origin};

/// Room for an envelope around an upload, in bytes.
const ENVELOPE_ROOM: u64 = 1024 * 1024;

/// The rules that [`super::decide`] applies.
#[derive(Clone, Debug)]
pub struct Policy {
    bound: IpAddr,
    token: Secret,
    origins: Vec<Origin>,
    body_limit: Option<u64>,
}

impl Policy {
    /// The policy of a service that listens on `address`.
    pub fn new(config: &Config, address: SocketAddr) -> Self {
        let origins = config
            .server
            .cors_origins
            .iter()
            .filter_map(|text| listed_origin(text))
            .collect();
        Self {
            bound: address.ip(),
            token: config.server.token.clone(),
            origins,
            body_limit: body_limit(config.upload.max_bytes),
        }
    }

    /// Most bytes that a request body may have; `None` when uploads are unlimited.
    pub fn body_limit(&self) -> Option<u64> {
        self.body_limit
    }

    /// Whether `Host` may name this host. A name of somebody else's could be pointed at us later (DNS rebinding), an
    /// address could not: so a service bound beyond loopback takes addresses, but no name that is not listed.
    pub(super) fn allows_host(&self, host: &Authority) -> bool {
        if host.host == "localhost" {
            return true;
        }
        match host.ip() {
            Some(ip) if self.bound.is_loopback() => {
                ip == self.bound || matches!(host.host.as_str(), "127.0.0.1" | "::1")
            }
            Some(_) => true,
            None => !self.bound.is_loopback() && self.origins.iter().any(|origin| origin.authority.host == host.host),
        }
    }

    /// Whether `server.cors.origins` lists the origin.
    pub(super) fn lists_origin(&self, origin: &Origin) -> bool {
        self.origins.iter().any(|listed| {
            listed.scheme == origin.scheme && listed.authority.same_as(&origin.authority, origin.default_port())
        })
    }

    /// Whether the presented token opens the service; always when none is configured.
    pub(super) fn accepts_token(&self, presented: Option<&str>) -> bool {
        !self.token.is_set() || presented.is_some_and(|given| self.token.matches(given))
    }
}

fn listed_origin(text: &str) -> Option<Origin> {
    let origin = Origin::parse(text.trim().trim_end_matches('/'));
    if origin.is_none() && !text.trim().is_empty() {
        tracing::warn!(
            origin = text,
            "server.cors.origins: not an origin of the form scheme://host[:port]; ignored"
        );
    }
    origin
}

/// Base64 makes four bytes of three; `0` lifts the limit.
fn body_limit(max_upload: u64) -> Option<u64> {
    (max_upload > 0).then(|| (max_upload.saturating_mul(4) / 3).saturating_add(ENVELOPE_ROOM))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_follow_the_upload_limit() {
        assert_eq!(body_limit(0), None);
        assert_eq!(body_limit(3), Some(4 + ENVELOPE_ROOM));
        assert_eq!(body_limit(u64::MAX), Some(u64::MAX / 3 + ENVELOPE_ROOM));
    }
}
