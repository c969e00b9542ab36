//! The fixture site itself: a test that trusts a page must be able to trust what serves it.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests fail by panicking")]

use serde_json::Value;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use support::Site;

fn agent() -> ureq::Agent {
    ureq::Agent::config_builder()
        .http_status_as_error(false)
        .proxy(None)
        .max_redirects(0)
        .build()
        .new_agent()
}

fn get(url: &str) -> (u16, String) {
    let mut response = agent().get(url).call().expect(url);
    (
        response.status().as_u16(),
        response.body_mut().read_to_string().expect("a body"),
    )
}

fn json(url: &str) -> Value {
    serde_json::from_str(&get(url).1).expect("JSON")
}

#[test]
fn both_origins_serve_the_same_pages() {
    let site = Site::start();
    assert_ne!(site.addr_a.port(), site.addr_b.port());
    assert!(site.addr_a.ip().is_loopback() && site.addr_b.ip().is_loopback());
    let pages = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/plain")).expect("the plain pages");
    let names: Vec<String> = pages
        .map(|page| page.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    assert!(names.len() >= 16, "{names:?}");
    for name in names {
        let path = format!("/plain/{name}");
        let (status, text) = get(&site.a(&path));
        assert_eq!(status, 200, "{path}");
        assert!(text.starts_with("<!doctype html>") || name.ends_with(".js"), "{path}");
        assert_eq!(get(&site.b(&path)).1, text, "{path}");
    }
    assert_eq!(get(&site.a("/plain/none.html")).0, 404);
    assert!(get(&site.a("/")).1.contains("/plain/form.html"));
}

/// Every bundled application.
const APPLICATIONS: [&str; 20] = [
    "antd",
    "antd-overlays",
    "bootstrap",
    "codemirror",
    "downshift",
    "element-plus",
    "element-plus-overlays",
    "jquery-ui",
    "layui",
    "lexical",
    "monaco",
    "mui",
    "quill",
    "select2",
    "slate",
    "sortable",
    "tinymce",
    "tiptap",
    "vxe-modal",
    "vxe-table",
];

#[test]
fn bundled_applications_are_there() {
    let site = Site::start();
    for name in APPLICATIONS {
        let url = site.app(name);
        assert!(get(&url).1.contains("main.js"), "{url}");
        let script = agent().get(format!("{url}main.js")).call().expect("the bundle");
        assert_eq!(script.headers()["content-type"], "text/javascript; charset=utf-8");
    }
    let redirected = agent().get(site.a("/antd")).call().expect("a reply");
    assert_eq!(redirected.headers()["location"], "/antd/");
}

#[test]
fn slow_waits_and_status_redirects_as_asked() {
    let site = Site::start();
    let start = Instant::now();
    assert_eq!(get(&site.a("/slow?ms=120")).0, 200);
    assert!(start.elapsed() >= Duration::from_millis(120));
    for code in [204, 404, 500, 503] {
        assert_eq!(get(&site.a(&format!("/status/{code}"))).0, code);
    }
    let reply = agent()
        .get(site.a("/redirect?to=/plain/form.html"))
        .call()
        .expect("a reply");
    assert_eq!(
        (reply.status().as_u16(), &reply.headers()["location"]),
        (302, &"/plain/form.html".parse().unwrap())
    );
    let reply = agent().get(site.a("/redirect?to=/&code=308")).call().expect("a reply");
    assert_eq!(reply.status().as_u16(), 308);
    assert_eq!(reply.headers()["cache-control"], "no-store");
}

#[test]
fn echo_and_counters_tell_what_came() {
    let site = Site::start();
    let mut reply = agent()
        .post(site.a("/echo?key=e&x=1"))
        .header("x-test", "yes")
        .send("hello")
        .expect("a reply");
    let echo: Value = serde_json::from_str(&reply.body_mut().read_to_string().expect("a body")).expect("JSON");
    assert_eq!(echo["method"], "POST");
    assert_eq!(echo["query"], "key=e&x=1");
    assert_eq!(echo["headers"]["x-test"], "yes");
    assert_eq!(echo["body"], "hello");
    assert_eq!((site.count("e"), site.count("s")), (1, 0));
    for _ in 0..2 {
        agent().post(site.b("/submit?key=s")).send("a=b").expect("a reply");
    }
    assert_eq!(site.await_count("s", 2, Duration::from_secs(5)), 2);
    assert_eq!(json(&site.a("/counter?key=s")), 2);
    assert_eq!(get(&site.a("/submit?key=s")).0, 405, "only a POST counts");
}

#[test]
fn rows_come_as_json() {
    let site = Site::start();
    let answer = json(&site.a("/xhr?n=3&q=screw"));
    assert_eq!(answer["rows"].as_array().map(Vec::len), Some(3));
    assert_eq!(answer["rows"][2]["name"], "screw 3");
}

#[test]
fn downloads_are_attachments_of_the_asked_size() {
    let site = Site::start();
    for path in [
        "/download?name=a.txt&bytes=5000",
        "/download?name=a.txt&bytes=5000&ms=60",
    ] {
        let mut reply = agent().get(site.a(path)).call().expect("a reply");
        assert_eq!(
            reply.headers()["content-disposition"],
            "attachment; filename*=UTF-8''a.txt"
        );
        assert_eq!(reply.headers()["content-length"], "5000");
        assert_eq!(reply.body_mut().read_to_vec().expect("a body").len(), 5000, "{path}");
    }
}

#[test]
fn drop_resets_the_connection_without_an_answer() {
    let site = Site::start();
    let mut stream = TcpStream::connect(site.addr_a).expect("a connection");
    stream
        .write_all(b"GET /drop HTTP/1.1\r\nHost: x\r\n\r\n")
        .expect("a request");
    let mut answer = Vec::new();
    let error = stream.read_to_end(&mut answer).expect_err("a reset, not an end");
    assert_eq!(error.kind(), ErrorKind::ConnectionReset);
    assert!(answer.is_empty(), "{}", String::from_utf8_lossy(&answer));
    assert_eq!(get(&site.a("/plain/form.html")).0, 200, "only that connection is gone");
}
