//! A file from an address.
//!
//! Invariants: `http` and `https` only, on every hop; never this service's own address, whatever name or redirect leads
//! to it; never more than the limit, and never longer than the time.

use std::io::{self, Read};
use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::time::Duration;

use ureq::config::Config;
use ureq::http::{Response, Uri, header};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Body};

const CONNECT_LIMIT: Duration = Duration::from_secs(15);
const TOTAL_LIMIT: Duration = Duration::from_secs(60);
const MOST_REDIRECTS: u32 = 10;
/// Text by which the refusal of an address is known again behind the client's own error type.
const OWN_ADDRESS: &str = "the address is that of this service";

/// What is to be fetched.
#[derive(Debug, Clone)]
pub(crate) struct Fetch {
    /// The address.
    pub(crate) url: String,
    /// Largest body in bytes.
    pub(crate) limit: Option<u64>,
    /// The time there is; never more than a minute.
    pub(crate) time: Duration,
    /// Port that this service listens on.
    pub(crate) own_port: u16,
}

/// A file that was fetched.
#[derive(Debug)]
pub(crate) struct Fetched {
    /// Name that the server or the address gives it; may be empty.
    pub(crate) name: String,
    /// Its type, as the server says.
    pub(crate) content_type: Option<String>,
    /// Its content.
    pub(crate) bytes: Vec<u8>,
}

/// Why a file was not fetched.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FetchError {
    #[error("not an http or https address")]
    Scheme,
    #[error("{OWN_ADDRESS}")]
    OwnAddress,
    #[error("HTTP {0}")]
    Status(u16),
    #[error("more than {0} bytes")]
    TooLarge(u64),
    #[error("{0}")]
    Failed(String),
}

impl Fetch {
    /// Fetches. Blocks the thread.
    pub(crate) fn run(&self) -> Result<Fetched, FetchError> {
        let url = url::Url::parse(&self.url).map_err(|_| FetchError::Scheme)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(FetchError::Scheme);
        }
        let config = Config::builder()
            .timeout_connect(Some(CONNECT_LIMIT))
            .timeout_global(Some(self.time.min(TOTAL_LIMIT)))
            .max_redirects(MOST_REDIRECTS)
            .http_status_as_error(false)
            .proxy(None)
            .build();
        let resolver = Guarded {
            inner: DefaultResolver::default(),
            own_port: self.own_port,
        };
        let agent = Agent::with_parts(config, DefaultConnector::default(), resolver);
        let mut response = agent.get(url.as_str()).call().map_err(told)?;
        if !response.status().is_success() {
            return Err(FetchError::Status(response.status().as_u16()));
        }
        let name = name_of(&response, &url);
        let content_type = text_header(&response, header::CONTENT_TYPE.as_str());
        let bytes = self.read(&mut response)?;
        Ok(Fetched {
            name,
            content_type,
            bytes,
        })
    }

    fn read(&self, response: &mut Response<Body>) -> Result<Vec<u8>, FetchError> {
        let most = self.limit.unwrap_or(u64::MAX - 1);
        let mut bytes = Vec::new();
        let mut body = response
            .body_mut()
            .with_config()
            .limit(u64::MAX)
            .reader()
            .take(most + 1);
        body.read_to_end(&mut bytes)
            .map_err(|error| FetchError::Failed(error.to_string()))?;
        if bytes.len() as u64 > most {
            return Err(FetchError::TooLarge(most));
        }
        Ok(bytes)
    }
}

fn told(error: ureq::Error) -> FetchError {
    let text = error.to_string();
    if text.contains(OWN_ADDRESS) {
        FetchError::OwnAddress
    } else {
        FetchError::Failed(text)
    }
}

/// `filename` of `Content-Disposition`, else the last component of the address.
fn name_of(response: &Response<Body>, url: &url::Url) -> String {
    let disposition = text_header(response, header::CONTENT_DISPOSITION.as_str()).unwrap_or_default();
    let given = disposition.split(';').find_map(|part| {
        let (key, value) = part.trim().split_once('=')?;
        key.trim()
            .eq_ignore_ascii_case("filename")
            .then(|| value.trim().trim_matches('"').to_owned())
    });
    given.unwrap_or_else(|| {
        let last = url.path_segments().and_then(Iterator::last).unwrap_or_default();
        percent_decoded(last)
    })
}

fn percent_decoded(text: &str) -> String {
    // A query made of the text decodes it; a literal plus is kept apart from a space.
    let query = format!("n={}", text.replace('+', "%2B"));
    url::form_urlencoded::parse(query.as_bytes())
        .next()
        .map_or_else(String::new, |(_, value)| value.into_owned())
}

fn text_header(response: &Response<Body>, name: &str) -> Option<String> {
    let value = response.headers().get(name)?;
    value.to_str().ok().map(str::to_owned)
}

/// Resolves names and refuses those that lead to this service, on every hop.
#[derive(Debug)]
struct Guarded {
    inner: DefaultResolver,
    own_port: u16,
}

impl Resolver for Guarded {
    fn resolve(&self, uri: &Uri, config: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.inner.resolve(uri, config, timeout)?;
        if found.iter().any(|address| is_own(*address, self.own_port)) {
            return Err(ureq::Error::Io(io::Error::other(OWN_ADDRESS)));
        }
        Ok(found)
    }
}

/// True for this machine at the service's port. An address can be bound exactly when it is this machine's.
fn is_own(address: SocketAddr, own_port: u16) -> bool {
    let ip = address.ip().to_canonical();
    address.port() == own_port && (ip.is_loopback() || ip.is_unspecified() || is_local(ip))
}

fn is_local(ip: IpAddr) -> bool {
    UdpSocket::bind((ip, 0)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_address_is_known_in_every_spelling() {
        for text in [
            "127.0.0.1:7",
            "127.9.9.9:7",
            "0.0.0.0:7",
            "[::1]:7",
            "[::ffff:127.0.0.1]:7",
        ] {
            assert!(is_own(text.parse().unwrap(), 7), "{text}");
        }
        for text in ["127.0.0.1:8", "192.0.2.1:7"] {
            assert!(!is_own(text.parse().unwrap(), 7), "{text}");
        }
    }

    #[test]
    fn only_http_is_fetched() {
        for url in ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:,x", "no address"] {
            let fetch = Fetch {
                url: url.into(),
                limit: None,
                time: Duration::from_secs(1),
                own_port: 1,
            };
            assert!(matches!(fetch.run(), Err(FetchError::Scheme)), "{url}");
        }
    }

    #[test]
    fn names_are_decoded() {
        assert_eq!(percent_decoded("a%20b+c.txt"), "a b+c.txt");
    }
}
