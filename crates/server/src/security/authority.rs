//! Hosts, ports and origins as they are written in request headers.
//!
//! Invariant: what is not exactly a host with an optional port is nothing at all; there is no lenient reading that a
//! browser and this service could understand differently.

use std::net::{IpAddr, Ipv6Addr};

/// `host[:port]` of a `Host` header or an origin (RFC 9110 §4.2, RFC 3986 §3.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authority {
    /// Lower-cased name or IPv4 address, or an IPv6 address without its brackets.
    pub host: String,
    /// The port, when one is written.
    pub port: Option<u16>,
}

impl Authority {
    /// Reads `host`, `host:port`, `[v6]` or `[v6]:port`.
    pub fn parse(text: &str) -> Option<Self> {
        let (host, port) = match text.strip_prefix('[') {
            Some(rest) => {
                let (inside, after) = rest.split_once(']')?;
                let address: Ipv6Addr = inside.parse().ok()?;
                (address.to_string(), after)
            }
            None => {
                let end = text.find(':').unwrap_or(text.len());
                let (name, after) = text.split_at(end);
                (registered_name(name)?, after)
            }
        };
        let port = match port.strip_prefix(':') {
            Some(digits) => Some(port_number(digits)?),
            None if port.is_empty() => None,
            None => return None,
        };
        Some(Self { host, port })
    }

    /// The address, when the host is one.
    pub fn ip(&self) -> Option<IpAddr> {
        self.host.parse().ok()
    }

    /// Whether both name the same host and, with `default` for a port that is not written, the same port.
    pub fn same_as(&self, other: &Self, default: u16) -> bool {
        self.host == other.host && self.port.unwrap_or(default) == other.port.unwrap_or(default)
    }
}

/// An `Origin` or the origin part of a URL: scheme and authority (RFC 6454 §6.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// `http`, `https`, or any other scheme, lower-cased.
    pub scheme: String,
    /// Where it is served.
    pub authority: Authority,
}

impl Origin {
    /// Reads `scheme://host[:port]` with nothing after it; `null` is not an origin.
    pub fn parse(text: &str) -> Option<Self> {
        let (scheme, rest) = text.split_once("://")?;
        Some(Self {
            scheme: scheme.to_ascii_lowercase(),
            authority: Authority::parse(rest)?,
        })
    }

    /// The port that the scheme implies.
    pub fn default_port(&self) -> u16 {
        if self.scheme == "https" { 443 } else { 80 }
    }
}

fn registered_name(name: &str) -> Option<String> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    (!name.is_empty() && name.bytes().all(allowed)).then(|| name.to_ascii_lowercase())
}

fn port_number(digits: &str) -> Option<u16> {
    digits
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| digits.parse().ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(String, Option<u16>)> {
        Authority::parse(text).map(|authority| (authority.host, authority.port))
    }

    #[test]
    fn reads_names_addresses_and_ports() {
        assert_eq!(read("LOCALHOST"), Some(("localhost".into(), None)));
        assert_eq!(read("127.0.0.1:10049"), Some(("127.0.0.1".into(), Some(10049))));
        assert_eq!(read("[::1]"), Some(("::1".into(), None)));
        assert_eq!(read("[0:0:0:0:0:0:0:1]:1"), Some(("::1".into(), Some(1))));
    }

    #[test]
    fn refuses_everything_else() {
        for bad in [
            "",
            ":1",
            "a:",
            "a:b",
            "a:65536",
            "a:+1",
            "a:1:2",
            "[::1",
            "[::1]x",
            "[localhost]",
            "u@h",
            "h/p",
            "h h",
            "::1",
            "hé",
            "a,b",
            "a:1 ",
        ] {
            assert_eq!(read(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn origins_have_no_path_and_null_is_none() {
        assert!(Origin::parse("http://localhost:3000").is_some());
        for bad in [
            "null",
            "",
            "localhost",
            "http://",
            "http://h/",
            "http://h?x",
            "http://u@h",
        ] {
            assert_eq!(Origin::parse(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn a_missing_port_is_the_default_one() {
        let plain = Authority::parse("h").unwrap();
        assert!(plain.same_as(&Authority::parse("H:80").unwrap(), 80));
        assert!(!plain.same_as(&Authority::parse("h:81").unwrap(), 80));
        assert!(!plain.same_as(&Authority::parse("g").unwrap(), 80));
    }
}
