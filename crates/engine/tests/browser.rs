//! The engine against a real browser, without the service: launching, tabs, navigation, scripts, pictures, ending.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

use std::time::Duration;

use engine::launch::{BrowserKind, Installed, LaunchOptions, Sandbox, find_browser};
use engine::{Browser, Deadline, EngineError, Shot};

fn installed() -> Installed {
    [BrowserKind::Chromium, BrowserKind::Chrome, BrowserKind::Edge]
        .into_iter()
        .find_map(|kind| find_browser(kind, None).ok())
        .expect("a browser is installed")
}

async fn launch(dir: &tempfile::TempDir) -> Browser {
    Browser::launch(LaunchOptions {
        installed: installed(),
        profile_dir: dir.path().join("profile"),
        profile_directory: None,
        headless: true,
        sandbox: Sandbox::Auto,
        viewport: (1280, 800),
        extra_args: Vec::new(),
        timeout: Duration::from_secs(60),
        download_dir: dir.path().join("downloads"),
    })
    .await
    .expect("the browser starts")
}

fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(20))
}

#[tokio::test]
async fn opens_pages_runs_scripts_and_takes_pictures() {
    let dir = tempfile::tempdir().unwrap();
    let browser = launch(&dir).await;
    let tab = browser.new_tab("t1", soon()).await.unwrap();
    let landed = tab
        .navigate("data:text/html,<title>One</title><body><p id=p>hello</p>", soon())
        .await
        .unwrap();
    assert!(landed.url.starts_with("data:text/html"), "{landed:?}");
    let main = tab.main_frame().unwrap();
    for (source, expected) in [
        ("document.title", serde_json::json!("One")),
        ("({a: [1, null, 'x']})", serde_json::json!({"a": [1, null, "x"]})),
        ("() => 6 * 7", serde_json::json!(42)),
        ("const a = 1; return a + 1;", serde_json::json!(2)),
        ("const a = await Promise.resolve(3); return a;", serde_json::json!(3)),
        ("Promise.resolve('later')", serde_json::json!("later")),
        ("document.getElementById('p')", serde_json::json!("ref: <p>")),
        ("10n ** 20n", serde_json::json!("100000000000000000000")),
        ("new Date(0)", serde_json::json!("1970-01-01T00:00:00.000Z")),
    ] {
        let got = tab.evaluate(&main, source, None, soon()).await.unwrap();
        assert_eq!(got.value, Some(expected), "{source}");
    }
    for source in ["undefined", "null", "NaN", "1/0", "void 0"] {
        assert_eq!(
            tab.evaluate(&main, source, None, soon()).await.unwrap().value,
            None,
            "{source}"
        );
    }
    let thrown = tab.evaluate(&main, "JSON.parse('{')", None, soon()).await.unwrap_err();
    assert!(
        matches!(&thrown, EngineError::Script(error) if error.name == "SyntaxError"),
        "{thrown:?}"
    );
    let cycle = tab
        .evaluate(&main, "const a = {}; a.a = a; return a", None, soon())
        .await
        .unwrap_err();
    assert!(
        matches!(&cycle, EngineError::Script(error) if error.name == "TypeError"),
        "{cycle:?}"
    );
    let picture = tab.screenshot(Shot::Viewport, soon()).await.unwrap();
    assert_eq!(&picture[..8], b"\x89PNG\r\n\x1a\n");
    browser.close(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn a_loop_is_stopped_and_the_page_stays_usable() {
    let dir = tempfile::tempdir().unwrap();
    let browser = launch(&dir).await;
    let tab = browser.new_tab("t1", soon()).await.unwrap();
    let main = tab.main_frame().unwrap();
    let limit = Some(Duration::from_millis(300));
    let error = tab.evaluate(&main, "while (true) {}", limit, soon()).await.unwrap_err();
    assert!(
        matches!(error, EngineError::ScriptTimeout { limit_ms: 300 }),
        "{error:?}"
    );
    let never = tab
        .evaluate(&main, "new Promise(() => {})", limit, soon())
        .await
        .unwrap_err();
    assert!(matches!(never, EngineError::ScriptTimeout { .. }), "{never:?}");
    assert_eq!(
        tab.evaluate(&main, "1 + 1", None, soon()).await.unwrap().value,
        Some(serde_json::json!(2))
    );
    browser.close(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn tabs_belong_to_their_owner_and_popups_to_their_openers_owner() {
    let dir = tempfile::tempdir().unwrap();
    let browser = launch(&dir).await;
    let one = browser.new_tab("t1", soon()).await.unwrap();
    let two = browser.new_tab("t2", soon()).await.unwrap();
    assert_ne!(one.id(), two.id());
    let main = one.main_frame().unwrap();
    one.evaluate(&main, "void window.open('about:blank')", None, soon())
        .await
        .unwrap();
    one.until("the popup", soon(), |state| state.popups.first().cloned())
        .await
        .unwrap();
    assert_eq!(browser.tabs("t1").len(), 2);
    assert_eq!(browser.tabs("t2").len(), 1);
    browser.tabs("t1")[1].close(soon()).await.unwrap();
    assert_eq!(browser.tabs("t1").len(), 1);
    browser.close(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn a_killed_browser_is_noticed_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let browser = launch(&dir).await;
    let tab = browser.new_tab("t1", soon()).await.unwrap();
    let main = tab.main_frame().unwrap();
    let pid = rustix::process::Pid::from_raw(i32::try_from(browser.facts().pid).unwrap()).unwrap();
    let waiting = tab.evaluate(&main, "new Promise(() => {})", None, soon());
    let kill = async {
        tokio::task::yield_now().await;
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
        std::time::Instant::now()
    };
    let (error, killed) = tokio::join!(waiting, kill);
    assert!(matches!(error, Err(EngineError::BrowserGone { .. })), "{error:?}");
    assert!(killed.elapsed() < Duration::from_secs(1));
    assert!(browser.gone_reason().is_some());
    assert!(browser.tabs("t1").is_empty());
}
