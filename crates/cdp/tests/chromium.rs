//! The client with a real Chromium over the pipe. `CHROMIUM` names the program; `chromium` on the path otherwise.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test may panic")]

mod support;

use cdp::protocol::{browser, dom, inspector, network, page, runtime, target};
use cdp::{CdpError, Connection, ConnectionOptions, EventReceiver, EventType, Pipe, Session, SessionEnd};
use std::process::Stdio;
use support::{ended, next, soon};
use tokio::process::{Child, Command};

/// A browser that was started for one test, in a directory of its own.
struct Browser {
    connection: Connection,
    process: Child,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// The shell moves the pipes from its standard descriptors to 3 and 4, where Chromium expects them.
    async fn launch() -> Self {
        let profile = tempfile::tempdir().unwrap();
        let (commands_out, commands_in) = std::io::pipe().unwrap();
        let (events_out, events_in) = std::io::pipe().unwrap();
        let program = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
        let process = Command::new("sh")
            .args(["-c", r#"exec "$0" "$@" 3<&0 4>&1 0</dev/null 1>/dev/null"#, &program])
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--remote-debugging-pipe",
                "--no-first-run",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::from(commands_out))
            .stdout(Stdio::from(events_in))
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let options = ConnectionOptions::default();
        let pipe = Pipe::new(commands_in.into(), events_out.into(), options.limits()).unwrap();
        Self {
            connection: Connection::start(Box::new(pipe), options),
            process,
            _profile: profile,
        }
    }

    /// A new page, attached to.
    async fn page(&self, url: &str) -> Session {
        let root = self.connection.root();
        let created = root
            .call(target::CreateTarget {
                url: url.to_owned(),
                ..Default::default()
            })
            .await
            .unwrap();
        let attach = target::AttachToTarget {
            target_id: created.target_id,
            flatten: Some(true),
        };
        let attached = root.call(attach).await.unwrap();
        self.connection.session(&attached.session_id).unwrap()
    }

    async fn end(mut self) {
        self.connection.close("the test is over");
        soon("the end of the browser", self.process.wait()).await.unwrap();
    }
}

async fn evaluate(session: &Session, expression: &str) -> runtime::EvaluateReply {
    let expression = expression.to_owned();
    session
        .call(runtime::Evaluate {
            expression,
            return_by_value: Some(true),
            ..Default::default()
        })
        .await
        .unwrap()
}

/// The next event of type `E`; others are passed over.
async fn wait_for<E: EventType>(events: &mut EventReceiver) -> E {
    loop {
        let event = next(events).await.expect("the session ended");
        if event.is::<E>() {
            return event.parse().unwrap();
        }
    }
}

#[tokio::test]
async fn the_browser_answers_and_ends_with_its_pipe() {
    let browser = Browser::launch().await;
    let version = browser.connection.root().call(browser::GetVersion {}).await.unwrap();
    assert!(version.product.contains("Chrome"), "{version:?}");
    assert_eq!(version.protocol_version, "1.3");
    let unknown = browser
        .connection
        .root()
        .call(target::CloseTarget {
            target_id: "none".to_owned(),
        })
        .await;
    assert!(matches!(unknown.unwrap_err(), CdpError::Protocol { code: -32602, .. }));
    browser.end().await;
}

#[tokio::test]
async fn a_killed_browser_fails_the_pending_call() {
    let mut browser = Browser::launch().await;
    let page = browser.page("about:blank").await;
    let endless = tokio::spawn(page.call(runtime::Evaluate {
        expression: "new Promise(() => {})".to_owned(),
        await_promise: Some(true),
        ..Default::default()
    }));
    evaluate(&page, "1").await;
    browser.process.kill().await.unwrap();
    assert!(matches!(
        ended(endless).await.unwrap_err(),
        CdpError::BrowserGone { .. }
    ));
    assert_eq!(soon("the end", page.ended()).await, SessionEnd::Closed);
}

#[tokio::test]
async fn a_page_navigates_and_tells_of_it() {
    let browser = Browser::launch().await;
    let page = browser.page("about:blank").await;
    let mut events = page.take_events().unwrap();
    let url = "data:text/html,<title>one</title><p id=x>text<iframe srcdoc='<b>inner'></iframe>".to_owned();
    let (enabled, lifecycle, network) = tokio::join!(
        page.call(page::Enable {}),
        page.call(page::SetLifecycleEventsEnabled { enabled: true }),
        page.call(network::Enable::default()),
    );
    assert!(enabled.is_ok() && lifecycle.is_ok() && network.is_ok());
    // Not sent together with the commands above: the navigation may go to a new process, which takes over only what the
    // old one has already confirmed, and the events of the first moments would be missing.
    let navigated = page
        .call(page::Navigate {
            url: url.clone(),
            ..Default::default()
        })
        .await
        .unwrap();
    let loader = navigated.loader_id.unwrap();
    let frame = wait_for::<page::FrameNavigated>(&mut events).await.frame;
    assert_eq!((&frame.id, &frame.loader_id), (&navigated.frame_id, &loader));
    wait_for::<page::FrameAttached>(&mut events).await;
    wait_for::<page::LoadEventFired>(&mut events).await;

    let tree = page.call(page::GetFrameTree {}).await.unwrap().frame_tree;
    assert_eq!((tree.frame.id, tree.child_frames.unwrap().len()), (frame.id.clone(), 1));
    let world = page::CreateIsolatedWorld {
        frame_id: frame.id,
        ..Default::default()
    };
    let context = page.call(world).await.unwrap().execution_context_id;
    let called = page.call(runtime::CallFunctionOn {
        function_declaration: "(id, n) => ({ text: document.getElementById(id).firstChild.data, n: n + 1 })".to_owned(),
        arguments: Some(vec![
            runtime::CallArgument::value("x").unwrap(),
            runtime::CallArgument::value(&41).unwrap(),
        ]),
        execution_context_id: Some(context),
        return_by_value: Some(true),
        ..Default::default()
    });
    assert_eq!(
        called.await.unwrap().result.value.unwrap().get(),
        r#"{"text":"text","n":42}"#
    );
    let document = page
        .call(dom::GetDocument {
            depth: Some(-1),
            pierce: Some(true),
        })
        .await
        .unwrap();
    assert_eq!((document.root.node_type, document.root.document_url), (9, Some(url)));
    browser.end().await;
}

#[tokio::test]
async fn exceptions_and_odd_values_are_read() {
    let browser = Browser::launch().await;
    let page = browser.page("about:blank").await;
    // Only an enabled domain collects stack traces.
    page.call(runtime::Enable {}).await.unwrap();
    let thrown = evaluate(&page, "(function named() { throw new TypeError('no') })()").await;
    let details = thrown.exception_details.unwrap();
    assert!(
        details
            .exception
            .unwrap()
            .description
            .unwrap()
            .starts_with("TypeError: no")
    );
    assert_eq!(details.stack_trace.unwrap().call_frames[0].function_name, "named");
    assert_eq!(evaluate(&page, "-0").await.result.unserializable_value.unwrap(), "-0");
    let null = evaluate(&page, "null").await.result;
    assert_eq!(
        (&*null.r#type, null.subtype.as_deref(), null.value.is_none()),
        ("object", Some("null"), true)
    );
    let half = evaluate(&page, r"'cut \ud83d'").await.result;
    let text: String = serde_json::from_str(half.value.unwrap().get()).unwrap();
    assert_eq!(text, "cut \u{fffd}");
    browser.end().await;
}

#[tokio::test]
async fn large_values_travel_both_ways() {
    const CHARACTERS: usize = 12_000_000;
    let browser = Browser::launch().await;
    let page = browser.page("about:blank").await;
    let sent = evaluate(&page, &format!("'{}'.length", "é".repeat(CHARACTERS))).await;
    assert_eq!(sent.result.value.unwrap().get(), CHARACTERS.to_string());
    let received = evaluate(&page, &format!("'é'.repeat({CHARACTERS})")).await;
    let text: String = serde_json::from_str(received.result.value.unwrap().get()).unwrap();
    assert_eq!(text.chars().count(), CHARACTERS);
    browser.end().await;
}

#[tokio::test]
async fn a_crash_fails_the_pending_call_and_a_reload_revives_the_session() {
    let browser = Browser::launch().await;
    let page = browser.page("about:blank").await;
    let mut events = page.take_events().unwrap();
    page.call(page::Enable {}).await.unwrap();
    page.call(inspector::Enable {}).await.unwrap();
    let url = "data:text/html,<title>alive</title>".to_owned();
    page.call(page::Navigate {
        url,
        ..Default::default()
    })
    .await
    .unwrap();
    wait_for::<page::LoadEventFired>(&mut events).await;
    let endless = tokio::spawn(page.call(runtime::Evaluate {
        expression: "new Promise(() => {})".to_owned(),
        await_promise: Some(true),
        ..Default::default()
    }));
    evaluate(&page, "1").await;
    page.notify(page::Crash {});
    let crashed = CdpError::SessionGone {
        reason: SessionEnd::Crashed,
    };
    assert_eq!(ended(endless).await.unwrap_err(), crashed);
    wait_for::<inspector::TargetCrashed>(&mut events).await;
    assert_eq!(page.end(), None);
    soon("the reload", page.call(page::Reload::default())).await.unwrap();
    wait_for::<page::LoadEventFired>(&mut events).await;
    assert_eq!(
        evaluate(&page, "document.title").await.result.value.unwrap().get(),
        r#""alive""#
    );
    browser.end().await;
}

#[tokio::test]
async fn a_worker_is_attached_by_itself_paused_and_ends_with_its_page() {
    let browser = Browser::launch().await;
    let page = browser.page("about:blank").await;
    let mut events = page.take_events().unwrap();
    let auto_attach = target::SetAutoAttach {
        auto_attach: true,
        wait_for_debugger_on_start: true,
        flatten: Some(true),
        filter: None,
    };
    page.call(auto_attach).await.unwrap();
    evaluate(
        &page,
        "globalThis.w = new Worker('data:text/javascript,globalThis.ran = 1')",
    )
    .await;
    let attached = wait_for::<target::AttachedToTarget>(&mut events).await;
    assert_eq!(
        (&*attached.target_info.r#type, attached.waiting_for_debugger),
        ("worker", true)
    );
    let worker = browser.connection.session(&attached.session_id).unwrap();
    worker.call(runtime::RunIfWaitingForDebugger {}).await.unwrap();
    assert_eq!(
        evaluate(&worker, "globalThis.constructor.name")
            .await
            .result
            .value
            .unwrap()
            .get(),
        r#""DedicatedWorkerGlobalScope""#
    );
    page.notify(page::Close {});
    assert_eq!(soon("the end of the page", page.ended()).await, SessionEnd::Detached);
    assert_eq!(
        soon("the end of the worker", worker.ended()).await,
        SessionEnd::Detached
    );
    let gone = worker.call(runtime::Enable {}).await.unwrap_err();
    assert_eq!(
        gone,
        CdpError::SessionGone {
            reason: SessionEnd::Detached
        }
    );
    browser.end().await;
}
