//! `unroute`.

use engine::RuleUse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::text;

/// Takes back the rule with this pattern, or all rules.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Unroute {
    /// The pattern as it was given to route; all rules when absent.
    pub url_pattern: Option<String>,
}

/// A rule that was taken back.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Gone {
    url_pattern: String,
    action: &'static str,
    /// Requests that met it.
    matched: u64,
    /// Answers that it could not change as asked, and left alone.
    unchanged: Option<u64>,
}

/// Reply of `unroute`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Unrouted {
    removed: Vec<Gone>,
    /// Rules still in force.
    rules: usize,
}

impl Command for Unroute {
    const NAME: &'static str = "unroute";
    const GROUP: Group = Group::Network;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK;
    type Output = Unrouted;

    async fn run(self, cx: &mut Context) -> Result<Unrouted, Failure> {
        let tabs = cx.tabs()?;
        let removed = tabs.network().remove_rules(self.url_pattern.as_deref());
        tabs.apply_rules(cx.until()).await;
        let left = tabs.network().rules();
        if removed.is_empty() {
            let patterns: Vec<&str> = left.iter().map(|rule| rule.pattern.as_str()).collect();
            let patterns = if patterns.is_empty() {
                "-".to_owned()
            } else {
                patterns.join("; ")
            };
            cx.note(text!("network.nothing_removed", patterns = patterns));
        }
        Ok(Unrouted {
            removed: removed.into_iter().map(gone).collect(),
            rules: left.len(),
        })
    }
}

fn gone(rule: RuleUse) -> Gone {
    Gone {
        url_pattern: rule.pattern,
        action: rule.action,
        matched: rule.met,
        unchanged: (rule.unchanged > 0).then_some(rule.unchanged),
    }
}
