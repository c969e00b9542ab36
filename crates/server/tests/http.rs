//! The routes over real HTTP requests, with a real service behind them and no browser.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use serde_json::Value;
use server::{BindError, bind, router};
use service::Service;
use service::config::Config;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tower::ServiceExt;

struct Site {
    routes: Router,
    work_dir: tempfile::TempDir,
}

impl Site {
    fn new(change: impl FnOnce(&mut Config)) -> Self {
        let work_dir = tempfile::tempdir().unwrap();
        let mut config = Config::defaults(work_dir.path(), Some(work_dir.path().to_owned()));
        change(&mut config);
        let service = Service::start(config.clone()).unwrap();
        let address: SocketAddr = "127.0.0.1:10049".parse().unwrap();
        Self {
            routes: router(service, &config, address),
            work_dir,
        }
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.work_dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Body) -> Answer {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", "localhost:10049");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = self.routes.clone().oneshot(request.body(body).unwrap()).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.unwrap().to_vec();
        Answer {
            status: parts.status,
            headers: parts.headers,
            bytes,
        }
    }

    async fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], Body::empty()).await
    }

    async fn command(&self, body: &str) -> Answer {
        let headers = [("content-type", "application/json")];
        self.send("POST", "/playwright/command", &headers, Body::from(body.to_owned()))
            .await
    }
}

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    bytes: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    fn envelope(&self) -> Value {
        assert_eq!(self.header("content-type"), "application/json; charset=utf-8");
        let envelope: Value = serde_json::from_slice(&self.bytes).unwrap();
        assert_eq!(envelope["code"], i32::from(envelope["ok"].as_bool().unwrap()));
        envelope
    }

    fn assert_refused(&self, status: StatusCode, reason: &str) {
        let envelope = self.envelope();
        assert_eq!(
            (self.status, envelope["data"]["refused"].as_str()),
            (status, Some(reason)),
            "{envelope}"
        );
        assert_eq!(
            (&envelope["ok"], &envelope["data"]["started"]),
            (&Value::Bool(false), &Value::Bool(false))
        );
        let message = envelope["msg"].as_str().unwrap();
        assert!(
            message.contains(' ') && !message.contains("%{") && !message.contains("server.refused"),
            "{message}"
        );
    }

    fn assert_hardened(&self) {
        assert_eq!(self.header("x-content-type-options"), "nosniff");
        assert_eq!(self.header("cache-control"), "no-store");
        assert_eq!(self.header("cross-origin-resource-policy"), "same-origin");
        assert!(self.header("content-security-policy").contains("default-src 'none'"));
        assert!(self.headers.get("access-control-allow-origin").is_none());
    }
}

#[tokio::test]
async fn reading_routes_answer_in_the_envelope() {
    let site = Site::new(|_| {});
    for path in [
        "/playwright/health",
        "/playwright/methods",
        "/playwright/tasks",
        "/playwright/config",
    ] {
        let answer = site.get(path).await;
        assert_eq!(
            (answer.status, &answer.envelope()["ok"]),
            (StatusCode::OK, &Value::Bool(true)),
            "{path}"
        );
        answer.assert_hardened();
    }
    let health = site.get("/playwright/health").await.envelope();
    assert_eq!(health["data"]["name"], "playwright-server");
    assert_eq!(health["data"]["pid"], std::process::id());
}

#[tokio::test]
async fn bad_bodies_are_argument_errors() {
    let site = Site::new(|_| {});
    for body in [
        "",
        "{",
        "[]",
        "3",
        "{}",
        r#"{"method":"no_such_method_at_all"}"#,
        r#"{"method":"start","params":[]}"#,
    ] {
        let answer = site.command(body).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body}");
        assert_eq!(answer.envelope()["ok"], false, "{body}");
        answer.assert_hardened();
    }
}

#[tokio::test]
async fn refusals_are_envelopes_in_the_language_asked_for() {
    let site = Site::new(|_| {});
    site.get("/").await.assert_refused(StatusCode::NOT_FOUND, "route");
    let verb = site.get("/playwright/command").await;
    verb.assert_refused(StatusCode::METHOD_NOT_ALLOWED, "verb");
    assert_eq!(verb.header("allow"), "POST");
    let foreign = [("origin", "http://evil.example"), ("content-type", "application/json")];
    let refused = site
        .send("POST", "/playwright/command", &foreign, Body::from("{}"))
        .await;
    refused.assert_refused(StatusCode::FORBIDDEN, "origin");
    refused.assert_hardened();
    let chinese = [("accept-language", "zh-CN,zh;q=0.9"), ("sec-fetch-site", "cross-site")];
    let message = site
        .send("GET", "/playwright/health", &chinese, Body::empty())
        .await
        .envelope();
    assert!(message["msg"].as_str().unwrap().contains("拒绝"), "{message}");
}

#[tokio::test]
async fn a_missing_token_is_asked_for() {
    let site = Site::new(|config| config.server.token = service::config::Secret::new("t"));
    let answer = site.get("/playwright/tasks").await;
    answer.assert_refused(StatusCode::UNAUTHORIZED, "token");
    assert_eq!(answer.header("www-authenticate"), "Bearer");
    assert_eq!(site.get("/playwright/health").await.status, StatusCode::OK);
}

#[tokio::test]
async fn listed_origins_can_read_replies() {
    let site = Site::new(|config| config.server.cors_origins = vec!["https://app.example".into()]);
    let from = [
        ("origin", "https://app.example"),
        ("access-control-request-method", "POST"),
    ];
    let asked = site.send("OPTIONS", "/playwright/command", &from, Body::empty()).await;
    assert_eq!(asked.status, StatusCode::NO_CONTENT);
    assert_eq!(asked.header("access-control-allow-methods"), "POST");
    assert!(asked.header("access-control-allow-headers").contains("content-type"));
    let read = site.send("GET", "/playwright/health", &from[..1], Body::empty()).await;
    assert_eq!(read.header("access-control-allow-origin"), "https://app.example");
    assert_eq!(read.header("vary"), "Origin");
}

#[tokio::test]
async fn a_body_without_a_length_is_counted() {
    let site = Site::new(|config| config.upload.max_bytes = 3);
    let chunks = futures_util::stream::iter((0..40).map(|_| Ok::<_, std::io::Error>(vec![b' '; 32 * 1024])));
    let headers = [("content-type", "application/json")];
    let answer = site
        .send("POST", "/playwright/command", &headers, Body::from_stream(chunks))
        .await;
    answer.assert_refused(StatusCode::PAYLOAD_TOO_LARGE, "size");
}

#[tokio::test]
async fn task_files_are_sent_inert() {
    let site = Site::new(|_| {});
    let cases = [
        ("1.png", "image/png", true),
        ("2.jpg", "image/jpeg", true),
        ("3.webp", "image/webp", true),
        ("4.txt", "text/plain; charset=utf-8", true),
        ("5.pdf", "application/pdf", true),
        ("6.html", "text/html; charset=utf-8", false),
        ("7.svg", "image/svg+xml", false),
        ("8", "application/octet-stream", false),
        ("字 9.png", "image/png", true),
    ];
    for (name, media_type, inline) in cases {
        site.write(&format!("data/1001/{name}"), name.as_bytes());
        let path = format!("/data/1001/{}", name.replace(' ', "%20").replace('字', "%E5%AD%97"));
        let answer = site.get(&path).await;
        assert_eq!(
            (answer.status, &answer.bytes[..]),
            (StatusCode::OK, name.as_bytes()),
            "{name}"
        );
        assert_eq!(answer.header("content-type"), media_type);
        assert_eq!(
            answer.header("content-disposition"),
            if inline { "" } else { "attachment" },
            "{name}"
        );
        assert!(
            answer.header("content-security-policy").starts_with("sandbox;"),
            "{name}"
        );
        assert_eq!(answer.header("content-length"), name.len().to_string());
        answer.assert_hardened();
    }
    let head = site.send("HEAD", "/data/1001/1.png", &[], Body::empty()).await;
    assert_eq!(
        (head.status, head.header("content-length"), head.bytes.len()),
        (StatusCode::OK, "5", 0)
    );
}

#[tokio::test]
async fn large_files_arrive_whole() {
    let site = Site::new(|_| {});
    let bytes: Vec<u8> = (0..300_000u32).map(|number| (number % 251) as u8).collect();
    site.write("data/1001/1.png", &bytes);
    assert!(site.get("/data/1001/1.png").await.bytes == bytes);
}

#[tokio::test]
async fn nothing_else_is_sent() {
    let site = Site::new(|_| {});
    site.write("secret.txt", b"secret");
    site.write("data/1001/1.png", b"x");
    link(
        &site.work_dir.path().join("secret.txt"),
        &site.work_dir.path().join("data/1001/2.png"),
    );
    link(site.work_dir.path(), &site.work_dir.path().join("data/1002"));
    for path in [
        "/data/",
        "/data/1001",
        "/data/1001/",
        "/data/1001/2.png",
        "/data/1001/9.png",
        "/data/1002/secret.txt",
        "/data/../secret.txt",
        "/data/1001/../../secret.txt",
        "/data/1001/..%2f..%2fsecret.txt",
        "/data/%2e%2e/secret.txt",
        "/data/1001%2f..%2f..%2fsecret.txt",
        "/data/1001/%2e%2e%2f%2e%2e%2fsecret.txt",
        "/data/1001/..%5c..%5csecret.txt",
        "/data//etc/passwd",
        "/data/1001//etc/passwd",
        "/data/1001/1.png%00",
        "/data/1001/%ff",
        "/data/1001/.",
        "/data/.",
    ] {
        let answer = site.get(path).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(answer.envelope()["ok"], false, "{path}");
    }
}

fn link(target: &Path, name: &Path) {
    std::os::unix::fs::symlink(target, name).unwrap();
}

#[tokio::test]
async fn the_network_is_not_let_in_without_a_token() {
    let mut config = Config::defaults("/nowhere", None);
    config.server.port = 0;
    for host in ["0.0.0.0", "::", "[::]"] {
        config.server.host = host.into();
        assert!(
            matches!(bind(&config).await.unwrap_err(), BindError::TokenRequired { .. }),
            "{host}"
        );
    }
    config.server.token = service::config::Secret::new("t");
    config.server.host = "0.0.0.0".into();
    assert_ne!(bind(&config).await.unwrap().addr().port(), 0);
}

#[tokio::test]
async fn a_taken_port_is_named() {
    let mut config = Config::defaults("/nowhere", None);
    config.server.port = 0;
    let first = bind(&config).await.unwrap();
    config.server.port = first.addr().port();
    let error = bind(&config).await.unwrap_err();
    assert!(error.to_string().contains(&first.addr().port().to_string()), "{error}");
}

#[tokio::test]
async fn a_refusal_reaches_a_client_that_writes_first() {
    let work_dir = tempfile::tempdir().unwrap();
    let mut config = Config::defaults(work_dir.path(), None);
    config.server.port = 0;
    config.upload.max_bytes = 3;
    let bound = bind(&config).await.unwrap();
    let address = bound.addr();
    let service: Arc<Service> = Service::start(config.clone()).unwrap();
    let serving = tokio::spawn(async move { bound.serve(service, &config, std::future::pending()).await });
    let mut stream = TcpStream::connect(address).await.unwrap();
    let length = 16 * 1024 * 1024;
    let head = format!(
        "POST /playwright/command HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&vec![b' '; length]).await.unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).await.unwrap();
    assert!(reply.starts_with("HTTP/1.1 413"), "{reply}");
    serving.abort();
}
