//! A dialog that somebody else closes: a person in the window, or another program at the same browser. The second
//! program is a session of its own here.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;
use std::time::Duration;

use cdp::Session;
use cdp::protocol::{page, runtime, target};

use super::Tab;
use crate::browser::Browser;
use crate::deadline::Deadline;
use crate::dialogs::Policy;
use crate::error::EngineError;
use crate::launch::{BrowserKind, LaunchOptions, Sandbox, find_browser};

fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(30))
}

async fn browser(dir: &tempfile::TempDir) -> Browser {
    let installed = [BrowserKind::Chromium, BrowserKind::Chrome, BrowserKind::Edge]
        .into_iter()
        .find_map(|kind| find_browser(kind, None).ok())
        .unwrap();
    let options = LaunchOptions {
        installed,
        profile_dir: dir.path().join("profile"),
        profile_directory: None,
        headless: true,
        sandbox: Sandbox::Auto,
        viewport: (800, 600),
        extra_args: Vec::new(),
        timeout: Duration::from_secs(60),
        download_dir: dir.path().join("downloads"),
    };
    Browser::launch(options).await.unwrap()
}

/// Attaches to a tab as another program at the same browser does.
async fn other_program(tab: &Arc<Tab>) -> Session {
    let inner = tab.browser.upgrade().unwrap();
    let attach = target::AttachToTarget {
        target_id: tab.id.clone(),
        flatten: Some(true),
    };
    let attached = inner.root().call(attach).await.unwrap();
    let other = inner.connection().session(&attached.session_id).unwrap();
    other.call(page::Enable::default()).await.unwrap();
    other
}

#[tokio::test]
async fn pain_57_a_dialog_that_a_person_closes_is_known_to_be_closed() {
    let dir = tempfile::tempdir().unwrap();
    let browser = browser(&dir).await;
    let book = browser.dialogs("t");
    book.set_policy(Policy::Ask);
    let tab = browser.new_tab("t", soon()).await.unwrap();
    tab.navigate("data:text/html,<title>x</title>", soon()).await.unwrap();
    let other = other_program(&tab).await;
    let main = tab.main_frame().unwrap();
    let opened = tab
        .evaluate(&main, "document.title = confirm('Sure?')", None, soon())
        .await;
    assert!(matches!(opened, Err(EngineError::DialogOpen(_))), "{opened:?}");
    let held = tab.evaluate(&main, "1", None, soon()).await;
    assert!(matches!(held, Err(EngineError::DialogOpen(_))), "{held:?}");
    let accept = page::HandleJavaScriptDialog {
        accept: true,
        prompt_text: None,
    };
    other.call(accept).await.unwrap();
    tab.until("the dialog to close", soon(), |state| {
        state.asking.is_none().then_some(())
    })
    .await
    .unwrap();
    let last = book.last().unwrap();
    assert_eq!(
        (last.open, last.accepted, last.closed_by),
        (false, Some(true), Some("person"))
    );
    let answer = tab.answer_dialog(false, None, soon()).await;
    assert!(matches!(answer, Err(EngineError::NoDialog)), "{answer:?}");
    let title = tab.evaluate(&main, "document.title", None, soon()).await.unwrap();
    assert_eq!(title.value, Some(serde_json::json!("true")));
    browser.close(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn a_dialog_ends_with_its_tab_and_holds_nobody_afterwards() {
    let dir = tempfile::tempdir().unwrap();
    let browser = browser(&dir).await;
    browser.dialogs("t").set_policy(Policy::Ask);
    let tab = browser.new_tab("t", soon()).await.unwrap();
    let other = browser.new_tab("t", soon()).await.unwrap();
    tab.session.notify(runtime::Evaluate {
        expression: "alert('held')".into(),
        ..Default::default()
    });
    tab.until("the dialog", soon(), |state| state.asking.is_some().then_some(()))
        .await
        .unwrap();
    tab.close(soon()).await.unwrap();
    assert!(tab.end().is_some());
    assert_eq!(tab.browser.upgrade().unwrap().dialogs().open_count(), 0);
    assert!(!browser.dialogs("t").last().unwrap().open);
    let main = other.main_frame().unwrap();
    assert!(other.evaluate(&main, "1", None, soon()).await.is_ok());
    browser.close(Duration::from_secs(5)).await;
}
