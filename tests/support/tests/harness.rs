//! The process harness, held against a shell script that announces the fixture site's address: `sh serve …` runs the
//! file `serve` of the working directory. The product itself is tested where it is built.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests fail by panicking")]

use std::path::Path;
use std::time::Duration;
use support::{Dsb, Options, Site, eventually};

/// `first` runs before the announcement: what follows it may still be to come when `start` returns.
fn start(site: &Site, first: &str, then: &str) -> Dsb {
    let script = format!(
        "{first}\necho warning >&2\necho \"$@\"\nenv\necho 'listening on http://{}'\n{then}\n",
        site.addr_a
    );
    Dsb::start(
        &Options::new("/bin/sh")
            .file("serve", &script)
            .arg("--x.y=1")
            .env("BROWSER_Z", "z"),
    )
}

#[test]
fn starts_in_a_place_of_its_own() {
    let site = Site::start();
    let dsb = start(&site, "", "exec sleep 600");
    assert_eq!(dsb.addr(), site.addr_a);
    eventually("stderr in the output", Duration::from_secs(5), || {
        dsb.output().contains("warning").then_some(())
    });
    let output = dsb.output();
    assert!(output.contains("--server.port=0 --x.y=1\n"), "{output}");
    assert!(
        output.contains(&format!("HOME={}\n", dsb.home().display())) && output.contains("BROWSER_Z=z\n"),
        "{output}"
    );
    assert!(!output.contains("CARGO"), "nothing else is inherited: {output}");
}

#[test]
fn speaks_http_as_asked() {
    let site = Site::start();
    let dsb = start(&site, "", "exec sleep 600");
    let headers = [("content-type", "application/json"), ("host", "evil.example")];
    let echo = dsb.request("POST", "/echo?key=h", &headers, b"{}").body;
    assert_eq!((&echo["method"], &echo["body"]), (&"POST".into(), &"{}".into()));
    assert_eq!(
        echo["headers"]["host"], "evil.example",
        "forged headers arrive as they are"
    );
    assert_eq!(dsb.request("DELETE", "/echo", &[], &[]).body["method"], "DELETE");
    assert_eq!(dsb.get("/status/404").status, 404);
    let answer = dsb.raw(b"nonsense\r\n\r\n", Duration::from_secs(5));
    assert!(
        answer.starts_with(b"HTTP/1.1 400"),
        "{}",
        String::from_utf8_lossy(&answer)
    );
    assert_eq!(site.count("h"), 1);
}

#[test]
fn ends_and_leaves_nothing() {
    let site = Site::start();
    let dsb = start(&site, "", "exec sleep 600");
    let (pid, home) = (dsb.pid(), dsb.home().to_owned());
    dsb.kill();
    drop(dsb);
    assert!(!Path::new(&format!("/proc/{pid}")).exists() && !home.exists());
    let stubborn = start(&site, "trap '' TERM", "while :; do sleep 1; done");
    assert!(
        stubborn.stop(Duration::from_millis(100)).is_none(),
        "the polite signal is ignored"
    );
    stubborn.kill();
    let polite = start(&site, "", "exec sleep 600");
    assert!(polite.stop(Duration::from_secs(10)).is_some());
}

#[test]
#[should_panic(expected = "the port is taken")]
fn a_service_that_cannot_start_fails_with_its_output() {
    Dsb::start(&Options::new("/bin/sh").file("serve", "echo the port is taken >&2\nexit 1\n"));
}
