//! A service with the commands of [`crate::actors`], and a page whose behaviour a test decides.

use std::collections::VecDeque;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use service::config::Config;
use service::failure::{Code, Failure};
use service::files::TaskFiles;
use service::ids::TaskId;
use service::messages::Language;
use service::page::{Boxed, Page, PageFacts};
use service::registry::Registry;
use service::tasks::Task;
use service::{Incoming, Service, text};

use crate::actors;

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| Registry::of(actors::all()));

/// A service in a directory of its own.
pub struct Bench {
    pub service: Arc<Service>,
    pub dir: tempfile::TempDir,
}

impl Bench {
    pub fn new() -> Self {
        Bench::with(|_| {})
    }

    pub fn with(change: impl FnOnce(&mut Config)) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let mut config = Config::defaults(dir.path(), None);
        change(&mut config);
        Bench {
            service: Service::with_registry(config, &REGISTRY).unwrap(),
            dir,
        }
    }

    /// A task with an id of its own and a page on which everything works.
    pub fn task(&self) -> (TaskId, Arc<Task>, Arc<TestPage>) {
        let id = TaskId::generate();
        let task = self
            .service
            .tasks()
            .register(id, || Ok(TaskFiles::open(self.dir.path(), id).unwrap()))
            .unwrap();
        let page = Arc::new(TestPage::default());
        task.set_page(Some(page.clone()));
        (id, task, page)
    }

    pub async fn bytes(&self, body: &str) -> (u16, Value) {
        send(Arc::clone(&self.service), body.to_owned()).await
    }

    pub async fn call(&self, request: Value) -> Value {
        self.bytes(&request.to_string()).await.1
    }

    /// Sends a request without waiting for its reply. Its place in the queue is taken when the task is first polled.
    pub fn spawn(&self, request: Value) -> tokio::task::JoinHandle<Value> {
        let service = Arc::clone(&self.service);
        tokio::spawn(async move { send(service, request.to_string()).await.1 })
    }
}

async fn send(service: Arc<Service>, body: String) -> (u16, Value) {
    let outgoing = service
        .handle(Incoming {
            body: body.into_bytes(),
            language: Language::En,
        })
        .await;
    (outgoing.status, serde_json::from_slice(&outgoing.body).unwrap())
}

/// A page whose screenshots fail as often as told.
#[derive(Default)]
pub struct TestPage {
    pub failures: Mutex<VecDeque<Code>>,
    pub shots: Mutex<u32>,
}

impl TestPage {
    pub fn fail_next(&self, codes: &[Code]) {
        self.failures.lock().unwrap().extend(codes);
    }
}

impl Page for TestPage {
    fn facts(&self) -> PageFacts {
        PageFacts {
            url: Some("http://localhost/here".into()),
            title: Some("Here".into()),
            viewport: Some((1280, 800)),
            closed: false,
            browser_connected: true,
        }
    }

    fn settled(&self) -> Boxed<'_, ()> {
        Box::pin(async {})
    }

    fn capture(&self, _: Duration) -> Boxed<'_, Result<Vec<u8>, Failure>> {
        Box::pin(async {
            *self.shots.lock().unwrap() += 1;
            match self.failures.lock().unwrap().pop_front() {
                Some(code) => Err(Failure::new(code, text!("engine.navigating"))),
                None => Ok(b"\x89PNG".to_vec()),
            }
        })
    }

    /// The script is its own value, as JSON.
    fn evaluate<'a>(&'a self, script: &'a str, _: Option<Duration>) -> Boxed<'a, Result<Value, Failure>> {
        Box::pin(async move {
            serde_json::from_str(script)
                .map_err(|error| Failure::new(Code::ActionFailed, text!("params.malformed", reason = error)))
        })
    }
}

/// A request for a method of a task.
pub fn request(id: TaskId, method: &str, params: Value) -> Value {
    json!({"id": id.to_string(), "method": method, "params": params})
}

/// The data of a successful reply.
#[track_caller]
pub fn data(reply: &Value) -> &Value {
    assert_eq!(reply["ok"], true, "{reply}");
    &reply["data"]
}

/// The data of a failed reply with that code.
#[track_caller]
pub fn failed<'a>(reply: &'a Value, code: &str) -> &'a Value {
    assert_eq!(
        (&reply["ok"], &reply["data"]["errorCode"]),
        (&json!(false), &json!(code)),
        "{reply}"
    );
    &reply["data"]
}
