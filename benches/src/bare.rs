//! A browser without the product: the same executable with the same flags and the same viewport, spoken to by the
//! protocol client alone. What it does is the least that the work takes.

use std::future::Future;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use cdp::protocol::input::DispatchMouseEvent;
use cdp::protocol::{browser, emulation, page, runtime, target};
use cdp::{Connection, ConnectionOptions, Pipe, Session};
use engine::launch::{BrowserKind, BrowserProcess, LaunchOptions, Sandbox, find_browser, spawn};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

/// Finds, scrolls into view, measures and hit-tests: what no click that means to hit can leave out.
const AIM: &str = "(selector) => {
  const el = document.querySelector(selector);
  el.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const box = el.getBoundingClientRect();
  const point = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  const hit = document.elementFromPoint(point.x, point.y);
  if (hit !== el && !el.contains(hit)) throw new Error('covered');
  return point;
}";

/// A walk over every element that measures and styles each, and gives the texts that can be seen as JSON: those in the
/// viewport, or those of the whole page.
const WALK: &str = "(whole) => {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT);
  for (let el = walker.currentNode; el; el = walker.nextNode()) {
    const box = el.getBoundingClientRect();
    const style = getComputedStyle(el);
    if (style.display === 'none' || style.visibility !== 'visible' || !box.width || !box.height) continue;
    if (!whole && (box.bottom <= 0 || box.top >= innerHeight || box.right <= 0 || box.left >= innerWidth)) continue;
    for (const node of el.childNodes) if (node.nodeType === 3 && node.data.trim()) texts.push(node.data.trim());
  }
  return JSON.stringify(texts);
}";

/// Time for the browser's first answer and for its end.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running bare browser with one tab.
pub(crate) struct Bare {
    runtime: Runtime,
    root: Session,
    page: Session,
    frame: String,
    world: i64,
    process: BrowserProcess,
    _profile: TempDir,
    _connection: Connection,
}

impl Bare {
    /// Starts the browser that `facts` (of the reply of `start`) tell of, once more.
    pub(crate) fn launch(facts: &Value) -> Result<Self> {
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let profile = tempfile::tempdir()?;
        let options = options(facts, profile.path().to_owned())?;
        let sandbox = facts["sandbox"] == true;
        let started = runtime.block_on(async {
            let (process, ends) = spawn(&options, sandbox)?;
            let limits = ConnectionOptions::default();
            let pipe = Pipe::new(ends.write, ends.read, limits.limits())?;
            let connection = Connection::start(Box::new(pipe), limits);
            let root = connection.root();
            root.call_within(browser::GetVersion {}, PATIENCE).await?;
            let (page, frame) = tab(&connection).await?;
            anyhow::Ok((process, connection, root, page, frame))
        });
        let (process, connection, root, page, frame) = started?;
        Ok(Self {
            runtime,
            root,
            page,
            frame,
            world: 0,
            process,
            _profile: profile,
            _connection: connection,
        })
    }

    /// Opens a page, waits for its load, and makes an isolated world in it.
    pub(crate) fn open(&mut self, url: &str) -> Result<()> {
        let loaded = "new Promise((done) => document.readyState === 'complete' ? done(location.href) : \
                      addEventListener('load', () => done(location.href)))";
        let (page, frame) = (&self.page, &self.frame);
        self.world = self.runtime.block_on(async {
            let navigate = page::Navigate {
                url: url.into(),
                ..Default::default()
            };
            page.call(navigate).await?;
            let wait = runtime::Evaluate {
                expression: loaded.into(),
                await_promise: Some(true),
                return_by_value: Some(true),
                ..Default::default()
            };
            let at = value(page.call(wait).await?.result)?;
            ensure!(at == url, "the bare browser is at {at}");
            let world = page::CreateIsolatedWorld {
                frame_id: frame.clone(),
                ..Default::default()
            };
            Ok(page.call(world).await?.execution_context_id)
        })?;
        Ok(())
    }

    /// One evaluation of an expression in the page.
    pub(crate) fn evaluate(&self, expression: &str) -> Result<(Duration, Value)> {
        let evaluate = runtime::Evaluate {
            expression: expression.into(),
            return_by_value: Some(true),
            ..Default::default()
        };
        self.timed(async { value(self.page.call(evaluate).await?.result) })
    }

    /// One click: a call that finds the place, then three events sent together.
    pub(crate) fn click(&self, selector: &str) -> Result<Duration> {
        let click = async {
            let point = self.call(AIM, &[json!(selector)]).await?;
            let (x, y) = (point["x"].as_f64(), point["y"].as_f64());
            let (x, y) = (x.context("no place")?, y.context("no place")?);
            let event = |kind: &str, button: Option<&str>, buttons: i64, count: i64| {
                self.page.call(DispatchMouseEvent {
                    r#type: kind.into(),
                    x,
                    y,
                    button: button.map(String::from),
                    buttons: Some(buttons),
                    click_count: Some(count),
                    ..Default::default()
                })
            };
            tokio::try_join!(
                event("mouseMoved", None, 0, 0),
                event("mousePressed", Some("left"), 1, 1),
                event("mouseReleased", Some("left"), 0, 1),
            )?;
            Ok(())
        };
        Ok(self.timed(click)?.0)
    }

    /// One walk over the page; gives the texts of the viewport or of the `whole` page.
    pub(crate) fn walk(&self, whole: bool) -> Result<(Duration, Vec<String>)> {
        let (took, texts) = self.timed(self.call(WALK, &[json!(whole)]))?;
        Ok((took, serde_json::from_str(texts.as_str().unwrap_or_default())?))
    }

    async fn call(&self, function: &str, args: &[Value]) -> Result<Value> {
        let arguments: serde_json::Result<Vec<_>> = args.iter().map(runtime::CallArgument::value).collect();
        let call = runtime::CallFunctionOn {
            function_declaration: function.into(),
            execution_context_id: Some(self.world),
            arguments: Some(arguments?),
            return_by_value: Some(true),
            ..Default::default()
        };
        let reply = self.page.call(call).await?;
        ensure!(reply.exception_details.is_none(), "{:?}", reply.exception_details);
        value(reply.result)
    }

    fn timed<T>(&self, work: impl Future<Output = Result<T>>) -> Result<(Duration, T)> {
        self.runtime.block_on(async {
            let began = Instant::now();
            let got = work.await?;
            Ok((began.elapsed(), got))
        })
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        self.runtime.block_on(async {
            // What does not end by itself is killed with its group.
            let _ = self.root.call_within(browser::Close {}, PATIENCE).await;
            self.process.finish(PATIENCE).await;
        });
    }
}

/// The flags of the service's own launch.
fn options(facts: &Value, profile_dir: PathBuf) -> Result<LaunchOptions> {
    let kinds = [BrowserKind::Chrome, BrowserKind::Edge, BrowserKind::Chromium];
    let kind = kinds.into_iter().find(|kind| facts["type"] == kind.as_str());
    let executable = facts["executable"].as_str().map(PathBuf::from);
    Ok(LaunchOptions {
        installed: find_browser(kind.context("a browser of no known kind")?, executable.as_deref())?,
        download_dir: profile_dir.join("downloads"),
        profile_dir,
        profile_directory: None,
        headless: true,
        sandbox: Sandbox::Auto,
        viewport: (1280, 800),
        extra_args: Vec::new(),
        timeout: PATIENCE,
    })
}

/// A tab with the viewport and the focus that the service gives its own.
async fn tab(connection: &Connection) -> Result<(Session, String)> {
    let create = target::CreateTarget {
        url: "about:blank".into(),
        ..Default::default()
    };
    let target_id = connection.root().call(create).await?.target_id;
    let attach = target::AttachToTarget {
        target_id: target_id.clone(),
        flatten: Some(true),
    };
    let session = connection.root().call(attach).await?.session_id;
    let page = connection.session(&session).context("the session was not announced")?;
    let metrics = emulation::SetDeviceMetricsOverride {
        width: 1280,
        height: 800,
        device_scale_factor: 1.0,
        mobile: false,
        ..Default::default()
    };
    tokio::try_join!(
        page.call(metrics),
        page.call(emulation::SetFocusEmulationEnabled { enabled: true }),
    )?;
    let tree = page.call(page::GetFrameTree {}).await?;
    Ok((page, tree.frame_tree.frame.id))
}

fn value(object: runtime::RemoteObject) -> Result<Value> {
    let value = object.value.context("no value")?;
    Ok(serde_json::from_str(value.get())?)
}
