//! Every route against every kind of bad head. A good head for the route is spoilt in one way at a time, so that the
//! refusal can have one reason only.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode, Uri, header};
use service::config::{Config, Secret};

use super::*;
use crate::routes::Route;

const PATHS: &[(&str, Route)] = &[
    ("/playwright/command", Route::Command),
    ("/playwright/health", Route::Health),
    ("/playwright/methods", Route::Methods),
    ("/playwright/tasks", Route::Tasks),
    ("/playwright/config", Route::Config),
    ("/playwright/upload", Route::Upload),
    ("/data/1001/1.png", Route::Data),
];

/// A request head that a test spoils.
#[derive(Clone)]
struct Draft {
    method: Method,
    uri: Uri,
    headers: HeaderMap,
}

impl Draft {
    fn good(path: &str, route: Route) -> Self {
        let uri = path.parse().unwrap();
        let draft = Self {
            method: route.verbs()[0].clone(),
            uri,
            headers: HeaderMap::new(),
        };
        draft
            .with("host", "127.0.0.1:10049")
            .with("content-type", "application/json")
    }

    fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.insert(
            HeaderName::from_static(name),
            HeaderValue::from_bytes(value.as_bytes()).unwrap(),
        );
        self
    }

    fn and(mut self, name: &'static str, value: &str) -> Self {
        self.headers
            .append(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
        self
    }

    fn without(mut self, name: HeaderName) -> Self {
        self.headers.remove(name);
        self
    }

    fn using(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    fn verdict(&self, policy: &Policy) -> Result<Verdict, Refusal> {
        decide(
            policy,
            &Head {
                method: &self.method,
                uri: &self.uri,
                headers: &self.headers,
            },
        )
    }

    fn refused(&self, policy: &Policy) -> Option<(StatusCode, &'static str)> {
        self.verdict(policy)
            .err()
            .map(|refusal| (refusal.status(), refusal.reason()))
    }
}

fn policy(change: impl FnOnce(&mut Config)) -> Policy {
    bound_policy("127.0.0.1:10049", change)
}

fn bound_policy(address: &str, change: impl FnOnce(&mut Config)) -> Policy {
    let mut config = Config::defaults("/nowhere", None);
    change(&mut config);
    Policy::new(&config, address.parse().unwrap())
}

fn plain() -> Policy {
    policy(|_| {})
}

fn each_route(check: impl Fn(Draft, Route)) {
    PATHS
        .iter()
        .for_each(|(path, route)| check(Draft::good(path, *route), *route));
}

const FORBIDDEN: StatusCode = StatusCode::FORBIDDEN;

#[test]
fn good_heads_are_served() {
    each_route(|good, route| {
        let expected = Ok(Verdict::Serve { route, listed: false });
        for host in ["127.0.0.1", "localhost:1", "LocalHost", "[::1]:10049", "127.0.0.1:80"] {
            assert_eq!(
                good.clone().with("host", host).verdict(&plain()),
                expected,
                "{route:?} {host}"
            );
        }
        for method in route.verbs() {
            assert_eq!(
                good.clone().using(method.clone()).verdict(&plain()),
                expected,
                "{route:?} {method}"
            );
        }
        assert_eq!(
            good.with("sec-fetch-site", "none").verdict(&plain()),
            expected,
            "{route:?}"
        );
    });
}

#[test]
fn hosts_that_are_not_ours_are_refused() {
    each_route(|good, route| {
        let bad = [
            "",
            "evil.example",
            "localhost.evil.example",
            "evil.localhost",
            "localhost.",
            "127.0.0.1.nip.io",
            "127.0.0.2",
            "0.0.0.0",
            "192.168.1.5:10049",
            "[::]",
            "[::ffff:127.0.0.1]",
            "2130706433",
            "localhost:99999",
            "a@localhost",
            "localhost:1:2",
            "localhost, evil.example",
            "l\u{f6}calhost",
        ];
        for host in bad {
            let refused = good.clone().with("host", host).refused(&plain());
            assert_eq!(refused, Some((FORBIDDEN, "host")), "{route:?} {host}");
        }
        assert_eq!(
            good.clone().without(header::HOST).refused(&plain()),
            Some((FORBIDDEN, "host"))
        );
        assert_eq!(
            good.clone().and("host", "localhost").refused(&plain()),
            Some((FORBIDDEN, "host"))
        );
        let mut absolute = good;
        absolute.uri = format!("http://evil.example{}", absolute.uri.path()).parse().unwrap();
        assert_eq!(absolute.refused(&plain()), Some((FORBIDDEN, "host")));
    });
}

#[test]
fn foreign_origins_are_refused() {
    each_route(|good, route| {
        let bad = [
            "null",
            "",
            "http://evil.example",
            "https://127.0.0.1:10049",
            "http://127.0.0.1:3000",
            "http://localhost",
            "http://localhost:10049",
            "chrome-extension://abcdef",
            "file://",
            "http://127.0.0.1:10049/x",
            "http://127.0.0.1:10049@evil.example",
            "\u{ff}",
        ];
        for origin in bad {
            let refused = good.clone().with("origin", origin).refused(&plain());
            assert_eq!(refused, Some((FORBIDDEN, "origin")), "{route:?} {origin}");
        }
        let doubled = good
            .and("origin", "http://127.0.0.1:10049")
            .and("origin", "http://127.0.0.1:10049");
        assert_eq!(doubled.refused(&plain()), Some((FORBIDDEN, "origin")));
    });
}

#[test]
fn other_sites_are_refused() {
    each_route(|good, route| {
        for site in ["cross-site", "same-site", "", "None", "unheard-of", "none, none"] {
            let refused = good.clone().with("sec-fetch-site", site).refused(&plain());
            assert_eq!(refused, Some((FORBIDDEN, "fetchSite")), "{route:?} {site}");
        }
        let doubled = good.and("sec-fetch-site", "none").and("sec-fetch-site", "cross-site");
        assert_eq!(doubled.refused(&plain()), Some((FORBIDDEN, "fetchSite")));
    });
}

#[test]
fn our_own_pages_may_call_only_from_the_console() {
    each_route(|good, route| {
        for own in [
            good.clone().with("origin", "http://127.0.0.1:10049"),
            good.clone().with("sec-fetch-site", "same-origin"),
            good.clone()
                .with("origin", "http://127.0.0.1:10049")
                .with("sec-fetch-site", "same-origin"),
        ] {
            let expected = route.is_api().then_some((FORBIDDEN, "ownPage"));
            assert_eq!(own.refused(&plain()), expected, "{route:?}");
            for referrer in [
                "http://127.0.0.1:10049/data/1/x.html",
                "http://127.0.0.1:10049/console/x",
                "http://127.0.0.1:1/console",
                "https://127.0.0.1:10049/console",
                "http://evil.example/console",
                "/console",
                "",
            ] {
                assert_eq!(
                    own.clone().with("referer", referrer).refused(&plain()),
                    expected,
                    "{route:?} {referrer}"
                );
            }
            let console = own.with("referer", "http://127.0.0.1:10049/console?task=1");
            assert_eq!(console.refused(&plain()), None, "{route:?}");
        }
    });
}

#[test]
fn a_tunnel_keeps_the_console_working() {
    each_route(|good, route| {
        let through = good
            .with("host", "localhost:9999")
            .with("origin", "http://localhost:9999");
        let console = through.with("referer", "http://localhost:9999/console");
        assert_eq!(console.refused(&plain()), None, "{route:?}");
    });
}

#[test]
fn other_verbs_are_refused_with_the_right_ones() {
    let all = [
        Method::GET,
        Method::HEAD,
        Method::POST,
        Method::PUT,
        Method::PATCH,
        Method::DELETE,
        Method::OPTIONS,
        Method::TRACE,
        Method::CONNECT,
        Method::from_bytes(b"BREW").unwrap(),
    ];
    each_route(|good, route| {
        for method in all.iter().filter(|method| !route.verbs().contains(method)) {
            let draft = good.clone().using(method.clone());
            assert_eq!(
                draft.refused(&plain()),
                Some((StatusCode::METHOD_NOT_ALLOWED, "verb")),
                "{route:?} {method}"
            );
        }
    });
    let draft = Draft::good("/playwright/command", Route::Command).using(Method::GET);
    assert!(matches!(draft.verdict(&plain()), Err(Refusal::Verb { allowed, .. }) if allowed == "POST"));
}

#[test]
fn commands_must_be_declared_as_json() {
    each_route(|good, route| {
        let bad = [
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "application/jsonp",
            "",
            "application/json-patch+json",
            "text/plain; application/json",
            "application/json, text/plain",
        ];
        for given in bad {
            let expected = route
                .needs_json()
                .then_some((StatusCode::UNSUPPORTED_MEDIA_TYPE, "contentType"));
            assert_eq!(
                good.clone().with("content-type", given).refused(&plain()),
                expected,
                "{route:?} {given}"
            );
        }
        for given in [
            "Application/JSON",
            "application/json; charset=utf-8",
            "application/json ;charset=UTF-8",
        ] {
            assert_eq!(
                good.clone().with("content-type", given).refused(&plain()),
                None,
                "{route:?} {given}"
            );
        }
        if route.needs_json() {
            let unsupported = Some((StatusCode::UNSUPPORTED_MEDIA_TYPE, "contentType"));
            assert_eq!(
                good.clone().without(header::CONTENT_TYPE).refused(&plain()),
                unsupported
            );
            assert_eq!(good.and("content-type", "text/plain").refused(&plain()), unsupported);
        }
    });
}

#[test]
fn declared_sizes_are_limited() {
    let small = policy(|config| config.upload.max_bytes = 3_000_000);
    let limit = 4_000_000 + 1024 * 1024;
    let unlimited = policy(|config| config.upload.max_bytes = 0);
    each_route(|good, route| {
        let sized = |length: u64| good.clone().with("content-length", &length.to_string());
        assert_eq!(sized(limit).refused(&small), None, "{route:?}");
        let too_large = Some((StatusCode::PAYLOAD_TOO_LARGE, "size"));
        assert_eq!(sized(limit + 1).refused(&small), too_large, "{route:?}");
        assert_eq!(sized(u64::MAX).refused(&unlimited), None, "{route:?}");
    });
}

#[test]
fn a_token_is_asked_for_everywhere_but_at_health() {
    let guarded = policy(|config| config.server.token = Secret::new("s3cret"));
    each_route(|good, route| {
        let expected = route.needs_token().then_some((StatusCode::UNAUTHORIZED, "token"));
        assert_eq!(good.refused(&guarded), expected, "{route:?}");
        for wrong in [
            "Bearer",
            "Bearer ",
            "Bearer s3cre",
            "Bearer s3cret2",
            "Basic s3cret",
            "s3cret",
            "Bearer S3CRET",
        ] {
            assert_eq!(
                good.clone().with("authorization", wrong).refused(&guarded),
                expected,
                "{route:?} {wrong}"
            );
        }
        for right in ["Bearer s3cret", "bearer s3cret"] {
            assert_eq!(
                good.clone().with("authorization", right).refused(&guarded),
                None,
                "{route:?} {right}"
            );
        }
        let doubled = good
            .and("authorization", "Bearer s3cret")
            .and("authorization", "Bearer s3cret");
        assert_eq!(doubled.refused(&guarded), expected, "{route:?}");
    });
    let unknown = Draft::good("/playwright/command", Route::Command);
    let unknown = Draft {
        uri: "/nothing".parse().unwrap(),
        ..unknown
    };
    assert_eq!(unknown.refused(&guarded), Some((StatusCode::UNAUTHORIZED, "token")));
    assert_eq!(unknown.refused(&plain()), Some((StatusCode::NOT_FOUND, "route")));
}

#[test]
fn listed_origins_may_call_and_ask_first() {
    let listing = policy(|config| config.server.cors_origins = vec!["https://App.example/".into(), "nonsense".into()]);
    each_route(|good, route| {
        let called = good
            .clone()
            .with("origin", "https://app.example")
            .with("sec-fetch-site", "cross-site");
        assert_eq!(
            called.verdict(&listing),
            Ok(Verdict::Serve { route, listed: true }),
            "{route:?}"
        );
        assert_eq!(called.refused(&plain()), Some((FORBIDDEN, "origin")));
        for other in [
            "http://app.example",
            "https://app.example:444",
            "https://x.app.example",
            "https://nonsense",
        ] {
            assert_eq!(
                good.clone().with("origin", other).refused(&listing),
                Some((FORBIDDEN, "origin")),
                "{other}"
            );
        }
        let asked = called
            .using(Method::OPTIONS)
            .with("access-control-request-method", "POST");
        assert_eq!(asked.verdict(&listing), Ok(Verdict::Preflight { route }), "{route:?}");
        assert_eq!(asked.refused(&plain()), Some((FORBIDDEN, "origin")));
    });
}

#[test]
fn beyond_loopback_addresses_are_taken_and_names_only_when_listed() {
    let open = bound_policy("0.0.0.0:10049", |config| {
        config.server.cors_origins = vec!["https://box.example".into()];
        config.server.token = Secret::new("t");
    });
    each_route(|good, route| {
        let good = good.with("authorization", "Bearer t");
        for host in ["192.168.1.5:10049", "[fe80::1]", "localhost", "box.example"] {
            assert_eq!(good.clone().with("host", host).refused(&open), None, "{route:?} {host}");
        }
        let rebound = good.with("host", "evil.example");
        assert_eq!(rebound.refused(&open), Some((FORBIDDEN, "host")), "{route:?}");
    });
}

#[test]
fn what_a_refusal_repeats_is_short_and_printable() {
    let hostile = format!("evil\u{7f}{}", "x".repeat(5000));
    let request = Request::builder()
        .header("origin", hostile.replace('\u{7f}', "\t"))
        .body(())
        .unwrap();
    let (parts, ()) = request.into_parts();
    let mut draft = Draft::good("/playwright/health", Route::Health);
    draft.headers.extend(parts.headers);
    let Err(Refusal::Origin { given }) = draft.verdict(&plain()) else {
        panic!("not refused")
    };
    assert_eq!(given.len(), 120);
    assert!(given.starts_with("evil?xxx"), "{given}");
}
