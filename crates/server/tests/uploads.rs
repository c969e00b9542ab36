//! The upload route over real HTTP requests: three forms of a body, names that are made harmless, and what is refused.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use std::fs;
use std::net::SocketAddr;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};
use server::router;
use service::Service;
use service::config::Config;
use tower::ServiceExt;

const ROUTE: &str = "/playwright/upload";
const FORM: &str = "multipart/form-data; boundary=cut";

struct Store {
    routes: Router,
    dir: tempfile::TempDir,
}

impl Store {
    fn new(change: impl FnOnce(&mut Config)) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let mut config = Config::defaults(dir.path(), Some(dir.path().to_owned()));
        change(&mut config);
        let service = Service::start(config.clone()).unwrap();
        let address: SocketAddr = "127.0.0.1:10049".parse().unwrap();
        let routes = router(service, &config, address);
        Self { routes, dir }
    }

    async fn send(
        &self,
        method: &str,
        query: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> (StatusCode, Value) {
        let mut request = Request::builder().method(method).uri(format!("{ROUTE}{query}"));
        request = request.header("host", "localhost:10049");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(body.into()).unwrap();
        let response = self.routes.clone().oneshot(request).await.unwrap();
        let status = response.status();
        let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        (status, serde_json::from_slice(&bytes).unwrap())
    }

    fn content(&self, name: &str) -> Vec<u8> {
        fs::read(self.dir.path().join("upload").join(name)).unwrap()
    }
}

fn form(field: &str, name: &str, content: &str) -> String {
    let head = format!("content-disposition: form-data; name=\"{field}\"; filename=\"{name}\"");
    format!("--cut\r\n{head}\r\ncontent-type: text/plain\r\n\r\n{content}\r\n--cut--\r\n")
}

#[tokio::test]
async fn a_file_comes_in_three_forms() {
    let store = Store::new(|_| {});
    let (status, reply) = store
        .send("POST", "", &[("content-type", FORM)], form("file", "../a.txt", "one"))
        .await;
    assert_eq!((status, &reply["ok"]), (StatusCode::OK, &json!(true)), "{reply}");
    let data = &reply["data"];
    assert_eq!(
        (
            &data["filename"],
            &data["relativePath"],
            &data["size"],
            &data["existed"],
            &data["contentType"]
        ),
        (
            &json!("a.txt"),
            &json!("a.txt"),
            &json!(3),
            &json!(false),
            &json!("text/plain")
        )
    );
    assert_eq!(
        data["sha256"],
        "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"
    );
    assert_eq!(fs::read(data["path"].as_str().unwrap()).unwrap(), b"one");
    store
        .send(
            "POST",
            "?field=doc",
            &[("content-type", FORM)],
            form("doc", "b.txt", "two"),
        )
        .await;
    assert_eq!(store.content("b.txt"), b"two");
    store.send("POST", "?filename=c.bin", &[], "raw\0bytes").await;
    assert_eq!(store.content("c.bin"), b"raw\0bytes");
    let body = json!({"filename": "d.txt", "contentBase64": "aGVsbG8="}).to_string();
    store
        .send("POST", "", &[("content-type", "application/json")], body)
        .await;
    assert_eq!(store.content("d.txt"), b"hello");
    let (_, again) = store.send("POST", "?filename=c.bin", &[], "new").await;
    assert_eq!(
        (again["data"]["existed"].clone(), store.content("c.bin")),
        (json!(true), b"new".to_vec())
    );
}

#[tokio::test]
async fn files_larger_than_the_frameworks_own_limit_are_whole() {
    let store = Store::new(|_| {});
    let content = "x".repeat(3 * 1024 * 1024);
    let (_, reply) = store
        .send(
            "POST",
            "",
            &[("content-type", FORM)],
            form("file", "large.txt", &content),
        )
        .await;
    assert_eq!(reply["data"]["size"], 3 * 1024 * 1024, "{reply}");
}

#[tokio::test]
async fn files_are_listed_and_deleted_within_the_folder_alone() {
    let store = Store::new(|_| {});
    let (_, empty) = store.send("GET", "", &[], "").await;
    assert_eq!(empty["data"]["count"], 0, "{empty}");
    store.send("POST", "?filename=a.txt", &[], "one").await;
    fs::write(store.dir.path().join("secret.txt"), "x").unwrap();
    let (_, listed) = store.send("GET", "", &[], "").await;
    let files = &listed["data"]["files"];
    assert_eq!(
        (&listed["data"]["count"], &files[0]["name"], &files[0]["size"]),
        (&json!(1), &json!("a.txt"), &json!(3))
    );
    for name in ["../secret.txt", "..%2Fsecret.txt", "none.txt", "."] {
        let (_, reply) = store.send("DELETE", &format!("?name={name}"), &[], "").await;
        assert_eq!(reply["ok"], false, "{name}: {reply}");
    }
    let (status, _) = store.send("DELETE", "", &[], "").await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let (_, reply) = store.send("DELETE", "?name=a.txt", &[], "").await;
    assert_eq!(reply["data"], json!({"deleted": true, "name": "a.txt"}));
    assert!(store.dir.path().join("secret.txt").exists() && !store.dir.path().join("upload/a.txt").exists());
}

#[tokio::test]
async fn what_cannot_be_kept_is_refused() {
    let store = Store::new(|config| config.upload.max_bytes = 3);
    let (status, reply) = store.send("POST", "?filename=a.txt", &[], "four").await;
    assert_eq!(
        (status, &reply["ok"]),
        (StatusCode::PAYLOAD_TOO_LARGE, &json!(false)),
        "{reply}"
    );
    for (kind, body) in [
        (FORM, form("other", "a.txt", "1")),
        (FORM, "no parts".to_owned()),
        ("application/json", "{}".to_owned()),
        ("application/json", json!({"contentBase64": "!"}).to_string()),
    ] {
        let (status, reply) = store.send("POST", "", &[("content-type", kind)], body).await;
        assert_eq!(
            (status, &reply["data"]["invalidArgument"]),
            (StatusCode::BAD_REQUEST, &json!(true)),
            "{reply}"
        );
    }
    let off = Store::new(|config| config.upload.enabled = false);
    for method in ["GET", "POST", "DELETE"] {
        let (_, reply) = off.send(method, "?filename=a.txt&name=a.txt", &[], "x").await;
        assert!(
            reply["msg"].as_str().unwrap().contains("browser.upload.enabled"),
            "{method}: {reply}"
        );
    }
}

#[tokio::test]
async fn foreign_pages_reach_no_form_of_it() {
    let store = Store::new(|_| {});
    let foreign = [("origin", "https://evil.example"), ("sec-fetch-site", "cross-site")];
    for header in foreign {
        for kind in ["text/plain", FORM, "application/json"] {
            let headers = [header, ("content-type", kind)];
            let (status, _) = store
                .send("POST", "?filename=a.txt", &headers, form("file", "a.txt", "x"))
                .await;
            assert_eq!(status, StatusCode::FORBIDDEN);
        }
    }
    assert!(!store.dir.path().join("upload").exists());
}
