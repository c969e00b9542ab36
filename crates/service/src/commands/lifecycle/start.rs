//! `start`.

use std::sync::Arc;
use std::time::Duration;

use engine::{Budget, Deadline, Recorder, Recording};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::browsers::{BrowserChoice, Running, Wanted, browser_facts, profile_note, unsupported_engine};
use crate::command::{Class, Command, Flags, Group};
use crate::config::{NetworkConfig, NetworkRecord};
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::files::TaskFiles;
use crate::ids::TaskId;
use crate::tabs::TaskTabs;
use crate::text;

/// How long opening the task's first tab may take, once the browser runs.
const TAB_LIMIT: Duration = Duration::from_secs(20);

/// Begins a task: a set of tabs in the shared browser, which is started when it does not run. `id` is optional; a
/// snowflake id is made when it is missing.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Start {
    /// Run without a window. Concerns the browser: absent accepts what is running, and means true for a new one.
    pub headless: Option<bool>,
    /// Which browser. `auto` takes Chrome, else Edge, else Chromium; any other value is used or refused, never replaced.
    #[schemars(extend("enum" = ["auto", "chromium", "chrome", "edge", "firefox"], "default" = "auto",
        "x-aliases" = {"msedge": "edge", "google-chrome": "chrome", "bundled": "chromium", "ff": "firefox", "gecko": "firefox"}))]
    pub browser: Option<String>,
    /// Record the task's requests, or do not, whatever `browser.network.record` says.
    pub network_recording: Option<bool>,
    /// Named managed profile. Not built yet: refused, so that no other profile is used in its place.
    pub profile: Option<String>,
    /// Absolute user data directory. Not built yet: refused.
    pub user_data_dir: Option<String>,
    /// Profile folder inside userDataDir. Not built yet: refused.
    pub profile_directory: Option<String>,
}

/// Reply of `start`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Started {
    id: String,
    requested_browser: String,
    effective_browser: String,
    engine_honored: bool,
    engine_warning: Option<String>,
    network_recording: String,
    profile_seen_before: bool,
    profile_note: String,
    user_data_dir: String,
    browser: Value,
}

impl Command for Start {
    const NAME: &'static str = "start";
    const GROUP: Group = Group::Lifecycle;
    const CLASS: Class = Class::Admin;
    const FLAGS: Flags = Flags::SERVICE;
    type Output = Started;

    fn check(&self) -> Result<(), Failure> {
        match self.choice() {
            None => Err(Failure::invalid(text!(
                "browser.unknown",
                given = self.browser.clone().unwrap_or_default()
            ))),
            Some(BrowserChoice::Firefox) => Err(unsupported_engine("firefox")),
            Some(_) => self.refuse_planned(),
        }
    }

    async fn run(self, cx: &mut Context) -> Result<Started, Failure> {
        let service = Arc::clone(cx.service());
        let id = cx.task_id().unwrap_or_else(TaskId::generate);
        // The place is taken before the browser is touched: of two starts with one id, one is refused at once.
        let files = || {
            TaskFiles::open(&cx.config().work_dir, id).map_err(|error| {
                Failure::new(Code::ActionFailed, text!("tasks.no_directory", error = error)).with("started", false)
            })
        };
        let task = service.tasks().register(id, files)?;
        let undo = Registered {
            service: Arc::clone(&service),
            id,
            keep: false,
        };
        let wanted = Wanted {
            browser: self.choice().unwrap_or(BrowserChoice::Auto),
            headless: self.headless,
        };
        let holders = || {
            service
                .tasks()
                .all()
                .iter()
                .filter(|task| task.id != id)
                .map(|task| task.id.to_string())
                .collect()
        };
        let (running, launched) = service.browsers().acquire(&wanted, cx.config(), holders).await?;
        if launched {
            service.watch_browser(running.browser.clone());
        }
        let tabs = Arc::new(TaskTabs::new(
            running.browser.clone(),
            id.to_string(),
            self.recorder(&cx.config().network),
        ));
        tabs.open(Deadline::after(cx.within_deadline(TAB_LIMIT))).await?;
        task.set_tabs(tabs);
        // A shutdown may have come between: then this task is nobody's, whatever it has opened.
        if task.is_closed() || running.browser.gone_reason().is_some() {
            return Err(Failure::new(Code::ActionFailed, text!("tasks.ended_meanwhile")).with("started", false));
        }
        undo.succeeded();
        cx.adopt(task);
        service.trim_kept_tabs(&running.browser);
        Ok(self.receipt(cx, id, &running, launched))
    }
}

/// Takes the registration back unless the start succeeded; also when the start is dropped half way.
struct Registered {
    service: Arc<crate::Service>,
    id: TaskId,
    keep: bool,
}

impl Registered {
    fn succeeded(mut self) {
        self.keep = true;
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        if !self.keep {
            self.service.tasks().remove(self.id);
        }
    }
}

impl Start {
    /// An option that would be ignored is refused: a task in another profile than the one asked for is a wrong success.
    fn refuse_planned(&self) -> Result<(), Failure> {
        let planned = [
            ("profile", self.profile.is_some()),
            ("userDataDir", self.user_data_dir.is_some()),
            ("profileDirectory", self.profile_directory.is_some()),
        ];
        match planned.into_iter().find(|(_, given)| *given) {
            Some((name, _)) => Err(Failure::not_implemented(text!("params.planned", name = name))),
            None => Ok(()),
        }
    }

    fn recorder(&self, config: &NetworkConfig) -> Recorder {
        let recording = match (self.network_recording, config.record) {
            (Some(true), _) | (None, NetworkRecord::On) => Recording::On,
            (Some(false), _) | (None, NetworkRecord::Off) => Recording::Off,
            (None, NetworkRecord::Lazy) => Recording::Lazy,
        };
        Recorder {
            recording,
            budget: Budget {
                requests: config.max_requests,
                responses: config.max_responses,
                body_bytes: config.max_body_bytes,
            },
            next_id: crate::ids::next,
        }
    }

    fn recording_told(&self, config: &NetworkConfig) -> String {
        match self.network_recording {
            Some(true) => "on".to_owned(),
            Some(false) => "off".to_owned(),
            None => format!("{} (global)", config.record),
        }
    }

    fn choice(&self) -> Option<BrowserChoice> {
        BrowserChoice::parse(self.browser.as_deref().unwrap_or("auto"))
    }

    fn receipt(&self, cx: &Context, id: TaskId, running: &Running, launched: bool) -> Started {
        let facts = running.browser.facts();
        let requested = self.browser.as_deref().unwrap_or("auto").trim().to_ascii_lowercase();
        let honored = match self.choice() {
            Some(BrowserChoice::Kind(kind)) => kind.as_str() == facts.kind,
            _ => true,
        };
        Started {
            id: id.to_string(),
            requested_browser: requested,
            effective_browser: facts.kind.to_owned(),
            engine_honored: honored,
            engine_warning: None,
            network_recording: self.recording_told(&cx.config().network),
            profile_seen_before: facts.profile_seen_before || !launched,
            profile_note: cx.say(&profile_note(facts, launched)),
            user_data_dir: facts.profile_dir.display().to_string(),
            browser: browser_facts(running, cx.config(), cx.language()),
        }
    }
}
