//! Which service is spoken to.
//!
//! Invariant: `--base-url`, then `--host`/`--port`, then `DSB_BASE_URL`, then `DSB_HOST`/`DSB_PORT`, then the default;
//! a value that is not an address is an error, never a reason to try the next one.

use crate::cli::Common;

const DEFAULT_HOST: &str = "localhost";
const DEFAULT_PORT: u16 = 10049;

/// An address and how it came about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// `http://host:port`, without a slash at the end.
    pub base: String,
    /// Whether it was given as a whole URL.
    pub by_url: bool,
    /// Whether anything named it at all.
    pub named: bool,
}

/// Finds the address; `environment` looks up a variable.
///
/// # Errors
/// The sentence for the user, naming the option or variable at fault.
pub fn resolve(common: &Common, environment: &dyn Fn(&str) -> Option<String>) -> Result<Target, String> {
    if let Some(url) = &common.base_url {
        return whole(url, "--base-url");
    }
    let flagged = common.host.is_some() || common.port.is_some();
    if let Some(url) = environment("DSB_BASE_URL").filter(|_| !flagged) {
        return whole(&url, "DSB_BASE_URL");
    }
    let variable = environment("DSB_HOST");
    let host = common.host.clone().or_else(|| variable.clone());
    let port_text = environment("DSB_PORT").filter(|_| common.port.is_none());
    let port = match &port_text {
        Some(text) => Some(
            text.parse::<u16>()
                .map_err(|_| format!("DSB_PORT={text} is not a port"))?,
        ),
        None => common.port,
    };
    let named = host.is_some() || port.is_some();
    let base = join(host.as_deref().unwrap_or(DEFAULT_HOST), port.unwrap_or(DEFAULT_PORT))?;
    Ok(Target {
        base,
        by_url: false,
        named,
    })
}

fn whole(url: &str, origin: &str) -> Result<Target, String> {
    let base = url.trim_end_matches('/');
    let Some(rest) = base.strip_prefix("http://") else {
        return Err(format!("{origin}: {url} is not of the form http://host:port"));
    };
    let odd = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '@' | '?' | '#');
    if rest.is_empty() || rest.starts_with(['/', ':']) || rest.contains(odd) {
        return Err(format!("{origin}: {url} is not of the form http://host:port"));
    }
    Ok(Target {
        base: base.to_owned(),
        by_url: true,
        named: true,
    })
}

fn join(host: &str, port: u16) -> Result<String, String> {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    if bare.is_empty()
        || !bare
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':'))
    {
        return Err(format!("{host} is not a host name or address"));
    }
    Ok(if bare.contains(':') {
        format!("http://[{bare}]:{port}")
    } else {
        format!("http://{bare}:{port}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(common: &Common, variables: &[(&str, &str)]) -> Result<String, String> {
        let look_up = |name: &str| {
            variables
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| (*value).to_owned())
        };
        resolve(common, &look_up).map(|target| target.base)
    }

    fn flags(base_url: Option<&str>, host: Option<&str>, port: Option<u16>) -> Common {
        Common {
            base_url: base_url.map(str::to_owned),
            host: host.map(str::to_owned),
            port,
            ..Common::default()
        }
    }

    #[test]
    fn the_nearer_source_wins() {
        let all = [("DSB_BASE_URL", "http://u:1/"), ("DSB_HOST", "h"), ("DSB_PORT", "2")];
        assert_eq!(
            base(&flags(Some("http://a:9"), Some("b"), Some(8)), &all).unwrap(),
            "http://a:9"
        );
        assert_eq!(base(&flags(None, Some("b"), Some(8)), &all).unwrap(), "http://b:8");
        assert_eq!(base(&flags(None, None, Some(8)), &all).unwrap(), "http://h:8");
        assert_eq!(base(&flags(None, None, None), &all).unwrap(), "http://u:1");
        assert_eq!(base(&flags(None, None, None), &all[1..]).unwrap(), "http://h:2");
        assert_eq!(base(&flags(None, None, None), &[]).unwrap(), "http://localhost:10049");
    }

    #[test]
    fn addresses_of_version_six_get_brackets() {
        for host in ["::1", "[::1]"] {
            assert_eq!(base(&flags(None, Some(host), Some(1)), &[]).unwrap(), "http://[::1]:1");
        }
    }

    #[test]
    fn what_is_no_address_is_named() {
        assert!(
            base(&flags(Some("https://a"), None, None), &[])
                .unwrap_err()
                .contains("--base-url")
        );
        for bad in [
            "http://",
            "http://a b",
            "http://u@h",
            "ftp://h",
            "h:1",
            "http://:1",
            "http://h?x",
        ] {
            assert!(base(&flags(Some(bad), None, None), &[]).is_err(), "{bad}");
        }
        assert!(
            base(&flags(None, None, None), &[("DSB_PORT", "x")])
                .unwrap_err()
                .contains("DSB_PORT")
        );
        assert!(base(&flags(None, Some("a/b"), None), &[]).is_err());
    }
}
