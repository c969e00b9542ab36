//! Small real commands: one that sleeps, one that panics, one that fails, one with every kind of parameter.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use service::command::{Class, Command, Declaration, Flags, Group, Nothing, declaration};
use service::commands::batch::Commands;
use service::context::Context;
use service::failure::{Code, Failure};
use service::files::TaskFiles;
use service::ids::TaskId;
use service::projection::CLICK_DIAGNOSTICS;
use service::text;

/// What happened on each task, in order.
static EVENTS: Mutex<Option<HashMap<TaskId, Vec<String>>>> = Mutex::new(None);

pub fn note(id: TaskId, event: impl Into<String>) {
    EVENTS
        .lock()
        .unwrap()
        .get_or_insert_default()
        .entry(id)
        .or_default()
        .push(event.into());
}

pub fn events(id: TaskId) -> Vec<String> {
    EVENTS
        .lock()
        .unwrap()
        .get_or_insert_default()
        .get(&id)
        .cloned()
        .unwrap_or_default()
}

pub fn all() -> Vec<Declaration> {
    vec![
        declaration::<Begin>(),
        declaration::<End>(),
        declaration::<Nap>(),
        declaration::<Act>(),
        declaration::<Look>(),
        declaration::<Trip>(),
        declaration::<Fall>(),
        declaration::<Flaky>(),
        declaration::<FlakyAct>(),
        declaration::<Everything>(),
        declaration::<PageValue>(),
        declaration::<Click>(),
        declaration::<Ping>(),
        declaration::<Commands>(),
    ]
}

/// Registers a task.
#[derive(Deserialize, JsonSchema)]
struct Begin {}

#[derive(Serialize, JsonSchema)]
struct Begun {
    id: String,
}

impl Command for Begin {
    const NAME: &'static str = "t_begin";
    const GROUP: Group = Group::Lifecycle;
    const CLASS: Class = Class::Admin;
    const FLAGS: Flags = Flags::SERVICE;
    type Output = Begun;

    async fn run(self, cx: &mut Context) -> Result<Begun, Failure> {
        let id = cx.task_id().unwrap_or_else(TaskId::generate);
        let files = TaskFiles::open(&cx.config().work_dir, id).unwrap();
        let task = cx.service().tasks().register(id, || Ok(files))?;
        cx.adopt(task);
        Ok(Begun { id: id.to_string() })
    }
}

/// Removes the task.
#[derive(Deserialize, JsonSchema)]
struct End {}

impl Command for End {
    const NAME: &'static str = "t_end";
    const GROUP: Group = Group::Lifecycle;
    const CLASS: Class = Class::Admin;
    const FLAGS: Flags = Flags::TASK.without_turn();
    type Output = Nothing;

    async fn run(self, cx: &mut Context) -> Result<Nothing, Failure> {
        let id = cx.task()?.id;
        cx.service().tasks().remove(id);
        Ok(Nothing {})
    }
}

/// Notes when a future is dropped before its end.
struct Watch(TaskId, String, bool);

impl Drop for Watch {
    fn drop(&mut self) {
        note(
            self.0,
            format!("{} {}", if self.2 { "leave" } else { "dropped" }, self.1),
        );
    }
}

async fn nap(cx: &Context, name: &str, ms: u64) -> Result<(), Failure> {
    let id = cx.task()?.id;
    note(id, format!("enter {name}"));
    let mut watch = Watch(id, name.to_owned(), false);
    tokio::time::sleep(Duration::from_millis(ms)).await;
    watch.2 = true;
    Ok(())
}

macro_rules! napping {
    ($struct:ident, $name:literal, $class:expr) => {
        /// Sleeps.
        #[derive(Deserialize, JsonSchema)]
        struct $struct {
            /// What it is noted as.
            #[serde(default)]
            name: String,
            /// Milliseconds.
            #[serde(default)]
            ms: u64,
        }

        impl Command for $struct {
            const NAME: &'static str = $name;
            const GROUP: Group = Group::Wait;
            const CLASS: Class = $class;
            const FLAGS: Flags = Flags::TASK;
            type Output = Nothing;

            async fn run(self, cx: &mut Context) -> Result<Nothing, Failure> {
                nap(cx, &self.name, self.ms).await.map(|()| Nothing {})
            }
        }
    };
}

napping!(Nap, "t_nap", Class::Wait);
napping!(Act, "t_act", Class::Action);
napping!(Look, "t_look", Class::Read);

macro_rules! tripping {
    ($struct:ident, $name:literal, $class:expr) => {
        /// Panics.
        #[derive(Deserialize, JsonSchema)]
        struct $struct {}

        impl Command for $struct {
            const NAME: &'static str = $name;
            const GROUP: Group = Group::Wait;
            const CLASS: Class = $class;
            const FLAGS: Flags = Flags::TASK;
            type Output = Nothing;

            async fn run(self, _: &mut Context) -> Result<Nothing, Failure> {
                tokio::task::yield_now().await;
                panic!("a defect, on purpose")
            }
        }
    };
}

tripping!(Trip, "t_trip", Class::Read);
tripping!(Fall, "t_fall", Class::Action);

/// What still has to fail, by task.
static TROUBLE: Mutex<Option<HashMap<TaskId, Vec<Code>>>> = Mutex::new(None);

/// Lets the next runs of the flaky commands on a task fail.
pub fn trouble(id: TaskId, codes: &[Code]) {
    TROUBLE
        .lock()
        .unwrap()
        .get_or_insert_default()
        .insert(id, codes.iter().rev().copied().collect());
}

fn flaky(cx: &mut Context) -> Result<Nothing, Failure> {
    let id = cx.task()?.id;
    note(id, "flaky");
    cx.note(text!("batch.empty"));
    match TROUBLE
        .lock()
        .unwrap()
        .get_or_insert_default()
        .get_mut(&id)
        .and_then(Vec::pop)
    {
        Some(code) => Err(Failure::new(code, text!("engine.navigating"))),
        None => Ok(Nothing {}),
    }
}

/// Fails as often as told.
#[derive(Deserialize, JsonSchema)]
struct Flaky {}

impl Command for Flaky {
    const NAME: &'static str = "t_flaky";
    const GROUP: Group = Group::Wait;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe();
    type Output = Nothing;

    async fn run(self, cx: &mut Context) -> Result<Nothing, Failure> {
        flaky(cx)
    }
}

/// Fails as often as told, and may not be run twice.
#[derive(Deserialize, JsonSchema)]
struct FlakyAct {}

impl Command for FlakyAct {
    const NAME: &'static str = "t_flaky_act";
    const GROUP: Group = Group::Wait;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK;
    type Output = Nothing;

    async fn run(self, cx: &mut Context) -> Result<Nothing, Failure> {
        flaky(cx)
    }
}

/// Takes every kind of parameter and gives it back.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Everything {
    /// A required integer.
    page_index: u32,
    /// A required text.
    text: String,
    /// A choice.
    #[serde(default)]
    mode: Mode,
    /// A number.
    factor: Option<f64>,
    /// A flag.
    #[serde(default)]
    force: bool,
    /// A list.
    items: Option<Vec<Value>>,
    /// A map.
    vars: Option<Map<String, Value>>,
    /// A page's own value.
    page: Option<Value>,
}

#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Mode {
    #[default]
    Auto,
    Js,
}

impl Command for Everything {
    const NAME: &'static str = "t_everything";
    const GROUP: Group = Group::Wait;
    const CLASS: Class = Class::Admin;
    const FLAGS: Flags = Flags::SERVICE;
    const OPAQUE: &'static [&'static str] = &["page"];
    type Output = Everything;

    async fn run(self, _: &mut Context) -> Result<Everything, Failure> {
        Ok(self)
    }
}

/// Gives back a value as if a page had produced it.
#[derive(Serialize, Deserialize, JsonSchema)]
struct PageValue {
    /// The value.
    result: Option<Value>,
}

impl Command for PageValue {
    const NAME: &'static str = "t_page_value";
    const GROUP: Group = Group::Script;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK;
    const OPAQUE: &'static [&'static str] = &["result"];
    type Output = PageValue;

    async fn run(self, _: &mut Context) -> Result<PageValue, Failure> {
        Ok(self)
    }
}

/// Clicks, or claims to.
#[derive(Deserialize, JsonSchema)]
struct Click {
    /// The outcome is not known.
    #[serde(default)]
    uncertain: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Clicked {
    changed: bool,
    hit: &'static str,
    action_status: Option<&'static str>,
}

impl Command for Click {
    const NAME: &'static str = "t_click";
    const GROUP: Group = Group::ElementInteraction;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    const COMPACT_OMITS: &'static [&'static str] = CLICK_DIAGNOSTICS;
    type Output = Clicked;

    async fn run(self, cx: &mut Context) -> Result<Clicked, Failure> {
        let task = Arc::clone(cx.task()?);
        note(task.id, "click");
        cx.conceal("hunter22");
        tokio::time::sleep(Duration::from_millis(50)).await;
        Ok(Clicked {
            changed: true,
            hit: "a",
            action_status: self.uncertain.then_some("unknown"),
        })
    }
}

/// Answers without the task's turn.
#[derive(Deserialize, JsonSchema)]
struct Ping {}

impl Command for Ping {
    const NAME: &'static str = "t_ping";
    const GROUP: Group = Group::Human;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.without_turn();
    type Output = Nothing;

    async fn run(self, _: &mut Context) -> Result<Nothing, Failure> {
        Ok(Nothing {})
    }
}
