//! `route`.

use std::time::Duration;

use engine::{Glob, JsonPatch, Rule, RuleAction};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::text;

/// How long the page may take to say whether a service worker controls it.
const LOOK: Duration = Duration::from_millis(500);

/// Changes what happens to matching requests of the task's tabs, later ones included. The newest rule that matches wins;
/// the same pattern again replaces its rule.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Route {
    /// Pattern for the whole address: * stands for anything but /, ** for anything, {a,b} for one of several; ? is itself. Example: **/api/list*
    pub url_pattern: String,
    /// `abort` fails the request, `mock` answers it, `resume` lets it through (an exception to a wider rule), `patch` sets fields of the server's JSON answer.
    #[serde(default = "abort")]
    #[schemars(extend("enum" = ["abort", "mock", "resume", "patch"], "default" = "abort"))]
    pub action: String,
    /// Body of a mock.
    pub body: Option<String>,
    /// Status of a mock.
    #[schemars(range(min = 200, max = 599), extend("default" = 200))]
    pub status: Option<u16>,
    /// Media type of a mock.
    #[schemars(extend("default" = "application/json"))]
    pub content_type: Option<String>,
    /// For `patch`: values by path, such as {"user.name": "Ann", "rows.*.price": 0}.
    pub patch: Option<Map<String, Value>>,
    /// Milliseconds that each request is held back first.
    #[serde(default)]
    #[schemars(range(max = 60_000))]
    pub delay_ms: u64,
}

fn abort() -> String {
    "abort".to_owned()
}

/// Reply of `route`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Routed {
    url_pattern: String,
    action: &'static str,
    /// Rules in force, this one included.
    rules: usize,
    /// A rule with the same pattern was replaced.
    replaced: Option<bool>,
}

impl Command for Route {
    const NAME: &'static str = "route";
    const GROUP: Group = Group::Network;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK;
    type Output = Routed;

    fn check(&self) -> Result<(), Failure> {
        self.rule().map(|_| ())
    }

    async fn run(self, cx: &mut Context) -> Result<Routed, Failure> {
        let rule = self.rule()?;
        let action = rule.action.as_str();
        let tabs = cx.tabs()?;
        let replaced = tabs.network().add_rule(rule);
        tabs.apply_rules(cx.until()).await;
        // A worker that was there before may answer out of what it has stored.
        let look = "!!(navigator.serviceWorker && navigator.serviceWorker.controller)";
        if cx
            .evaluate(look, Some(LOOK))
            .await
            .is_ok_and(|controlled| controlled == true)
        {
            cx.note(text!("network.service_worker"));
        }
        Ok(Routed {
            url_pattern: self.url_pattern,
            action,
            rules: tabs.network().rules().len(),
            replaced: replaced.map(|_| true),
        })
    }
}

impl Route {
    fn rule(&self) -> Result<Rule, Failure> {
        let glob = Glob::parse(&self.url_pattern)
            .ok_or_else(|| Failure::invalid(text!("network.pattern", pattern = self.url_pattern.as_str())))?;
        self.only("mock", self.body.is_some(), "body")?;
        self.only("mock", self.status.is_some(), "status")?;
        self.only("mock", self.content_type.is_some(), "contentType")?;
        self.only("patch", self.patch.is_some(), "patch")?;
        Ok(Rule {
            pattern: self.url_pattern.clone(),
            glob,
            action: self.action()?,
            delay: Duration::from_millis(self.delay_ms),
        })
    }

    /// A parameter that the action would ignore is refused.
    fn only(&self, action: &str, given: bool, name: &str) -> Result<(), Failure> {
        if !given || self.action == action {
            return Ok(());
        }
        let text = text!(
            "network.only_for",
            name = name,
            action = action,
            given = self.action.as_str()
        );
        Err(Failure::invalid(text))
    }

    fn action(&self) -> Result<RuleAction, Failure> {
        Ok(match self.action.as_str() {
            "mock" => RuleAction::Mock {
                status: self.status.unwrap_or(200),
                content_type: self
                    .content_type
                    .clone()
                    .unwrap_or_else(|| "application/json".to_owned()),
                body: self.body.clone().unwrap_or_default(),
            },
            "resume" => RuleAction::Resume,
            "patch" => self
                .patch
                .as_ref()
                .and_then(JsonPatch::parse)
                .map(RuleAction::Patch)
                .ok_or_else(|| Failure::invalid(text!("network.patch")))?,
            _ => RuleAction::Abort,
        })
    }
}
