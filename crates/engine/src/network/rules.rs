//! The rules of one owner, and which of them a request meets. Pure. Invariant: the newest rule that fits wins; a pattern
//! has one rule.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::glob::Glob;
use super::patch::JsonPatch;

/// What happens to a request that meets a rule.
#[derive(Debug, Clone, PartialEq)]
pub enum RuleAction {
    /// It fails as if something in the browser blocked it.
    Abort,
    /// It is answered without reaching the network.
    Mock {
        /// HTTP status.
        status: u16,
        /// Media type.
        content_type: String,
        /// Body.
        body: String,
    },
    /// It goes on unchanged: an exception to a wider rule.
    Resume,
    /// The server's answer is changed: fields of a JSON document.
    Patch(JsonPatch),
}

impl RuleAction {
    /// The word that callers use.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Abort => "abort",
            Self::Mock { .. } => "mock",
            Self::Resume => "resume",
            Self::Patch(_) => "patch",
        }
    }
}

/// One rule.
#[derive(Debug, Clone)]
pub struct Rule {
    /// As the caller wrote it.
    pub pattern: String,
    /// The same, ready to match.
    pub glob: Glob,
    /// What is done.
    pub action: RuleAction,
    /// How long a request waits before.
    pub delay: Duration,
}

/// What became of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleUse {
    /// The pattern.
    pub pattern: String,
    /// The word for its action.
    pub action: &'static str,
    /// Requests that met it.
    pub met: u64,
    /// Answers that it could not change as asked, and left alone.
    pub unchanged: u64,
}

/// A rule in force.
#[derive(Debug)]
pub(crate) struct Active {
    pub(crate) rule: Rule,
    pub(crate) met: AtomicU64,
    pub(crate) unchanged: AtomicU64,
}

impl Active {
    fn used(&self) -> RuleUse {
        RuleUse {
            pattern: self.rule.pattern.clone(),
            action: self.rule.action.as_str(),
            met: self.met.load(Relaxed),
            unchanged: self.unchanged.load(Relaxed),
        }
    }
}

/// The rules in force, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Rules {
    active: Vec<Arc<Active>>,
    /// Moves with every change.
    pub(crate) version: u64,
}

impl Rules {
    /// Puts a rule in force, in place of one with the same pattern, which is returned.
    pub(crate) fn add(&mut self, rule: Rule) -> Option<RuleUse> {
        let replaced = self.remove(Some(&rule.pattern)).pop();
        self.active.push(Arc::new(Active {
            rule,
            met: AtomicU64::new(0),
            unchanged: AtomicU64::new(0),
        }));
        self.version += 1;
        replaced
    }

    /// Takes back the rule with this pattern, or all of them.
    pub(crate) fn remove(&mut self, pattern: Option<&str>) -> Vec<RuleUse> {
        let (gone, kept): (Vec<_>, Vec<_>) = std::mem::take(&mut self.active)
            .into_iter()
            .partition(|one| pattern.is_none_or(|pattern| one.rule.pattern == pattern));
        self.active = kept;
        self.version += 1;
        gone.iter().map(|one| one.used()).collect()
    }

    /// The rule that a request meets.
    pub(crate) fn of(&self, url: &str) -> Option<Arc<Active>> {
        let url = url.split('#').next().unwrap_or_default();
        self.active.iter().rev().find(|one| one.rule.glob.matches(url)).cloned()
    }

    /// How each was used, oldest first.
    pub(crate) fn list(&self) -> Vec<RuleUse> {
        self.active.iter().map(|one| one.used()).collect()
    }

    /// What the browser has to stop for.
    pub(crate) fn protocol_patterns(&self) -> Vec<String> {
        self.active
            .iter()
            .flat_map(|one| one.rule.glob.protocol_patterns())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(pattern: &str, action: RuleAction) -> Rule {
        Rule {
            pattern: pattern.into(),
            glob: Glob::parse(pattern).unwrap(),
            action,
            delay: Duration::ZERO,
        }
    }

    #[test]
    fn the_newest_rule_that_fits_wins_and_a_pattern_has_one() {
        let mut rules = Rules::default();
        assert!(rules.of("http://x/a").is_none());
        rules.add(rule("**/a", RuleAction::Resume));
        rules.add(rule("**", RuleAction::Abort));
        let met = |rules: &Rules, url| rules.of(url).map(|one| one.rule.action.as_str());
        assert_eq!(met(&rules, "http://x/a#part"), Some("abort"));
        let replaced = rules.add(rule("**/a", RuleAction::Resume)).unwrap();
        assert_eq!((replaced.action, rules.list().len()), ("resume", 2));
        assert_eq!(met(&rules, "http://x/a"), Some("resume"));
        assert_eq!(rules.remove(Some("**/b")), []);
        assert_eq!(rules.remove(None).len(), 2);
        assert!(rules.of("http://x/a").is_none() && rules.protocol_patterns().is_empty());
    }
}
