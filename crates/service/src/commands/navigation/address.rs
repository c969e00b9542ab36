//! Which addresses may be opened. Invariant: a page that is driven here never reaches the service that drives it; what a
//! page asks for by itself is refused by the server's origin checks, what a caller asks for is refused here.

use std::net::IpAddr;

use url::{Host, Url};

use crate::config::Config;
use crate::failure::Failure;
use crate::text;

/// Schemes that may be opened. `javascript:` is a script and not an address, `chrome:` and its kin are the browser's own
/// pages, and what other programs handle (`mailto:`) opens nothing here.
const SCHEMES: [&str; 7] = ["http", "https", "file", "about", "data", "blob", "view-source"];

/// The address as it will be opened: a missing scheme is added.
pub(crate) fn usable(address: &str, config: &Config) -> Result<String, Failure> {
    let address = engine::with_scheme(address);
    // What is no address at all is the browser's to refuse, in its own words.
    match Url::parse(&address) {
        Ok(url) if !SCHEMES.contains(&url.scheme()) => Err(Failure::invalid(text!(
            "navigation.scheme",
            scheme = url.scheme(),
            url = address
        ))),
        Ok(url) if is_service(&url, config) => Err(Failure::invalid(text!("navigation.own_service", url = address))),
        _ => Ok(address),
    }
}

/// Whether an address that a redirect led to is the service's own. The browser tells the server of a request that began
/// with a caller's address nothing that distinguishes it from one of a person, whatever redirected it.
pub(super) fn leads_here(address: &str, config: &Config) -> bool {
    Url::parse(address).is_ok_and(|url| is_service(&url, config))
}

fn is_service(url: &Url, config: &Config) -> bool {
    if url.port_or_known_default() != Some(config.server.port) {
        return false;
    }
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            name == "localhost" || name.ends_with(".localhost") || name == config.server.host
        }
        Some(Host::Ipv4(ip)) => is_here(IpAddr::V4(ip), config),
        Some(Host::Ipv6(ip)) => is_here(ip.to_ipv4_mapped().map_or(IpAddr::V6(ip), IpAddr::V4), config),
        None => false,
    }
}

fn is_here(ip: IpAddr, config: &Config) -> bool {
    ip.is_loopback() || ip.is_unspecified() || config.server.host == ip.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_service_itself_is_refused_in_every_spelling() {
        let config = Config::defaults("/", None);
        for own in [
            "http://127.0.0.1:10049/playwright/tasks",
            "localhost:10049",
            "http://LOCALHOST.:10049/",
            "http://a.localhost:10049",
            "http://2130706433:10049/",
            "http://0x7f.1:10049",
            "http://[::1]:10049/",
            "http://[::ffff:127.0.0.1]:10049/",
            "http://0.0.0.0:10049/",
            "http://user:pass@127.0.0.1:10049/",
            "https://127.0.0.1:10049/",
        ] {
            assert!(usable(own, &config).is_err(), "{own}");
        }
        for scheme in [
            "javascript:alert(1)",
            "chrome://settings",
            "devtools://x",
            "ftp://example.com/",
            "mailto:a@b.example",
        ] {
            assert!(usable(scheme, &config).is_err(), "{scheme}");
        }
        for other in [
            "http://127.0.0.1:10050/",
            "http://example.com:10049/",
            "about:blank",
            "data:text/html,x",
            "http://",
        ] {
            assert!(usable(other, &config).is_ok(), "{other}");
        }
    }
}
