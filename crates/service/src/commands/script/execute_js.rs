//! `execute_js`.

use std::path::{Component, Path};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::variables;
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::text;

/// Characters of a script that may be sent in `body`.
const BODY_LIMIT: usize = 100_000;
/// Characters of a failed script that are shown.
const PREVIEW: usize = 400;

/// Runs JavaScript in the page or a frame and returns its JSON value. An expression, a function (which is called) or
/// statements with `return`; promises are awaited.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExecuteJs {
    /// The script, at most 100000 characters. One of body and bodyFile is needed.
    pub body: Option<String>,
    /// A file under the script directory (`get_config.jsDir`).
    pub body_file: Option<String>,
    /// Values put in for `{{name}}`, as JSON literals.
    pub vars: Option<Map<String, Value>>,
    /// Frame by ordinal, or by a part of its address or name; the main frame when absent.
    pub frame: Option<String>,
    /// Limit in milliseconds; 0 leaves only the command's own limit.
    #[schemars(range(min = 0))]
    pub timeout_ms: Option<u64>,
}

/// Reply of `execute_js`.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Executed {
    result: Option<Value>,
    awaited: bool,
    vars_applied: Option<Vec<String>>,
    frame: Option<String>,
    frame_url: Option<String>,
}

impl Command for ExecuteJs {
    const NAME: &'static str = "execute_js";
    const GROUP: Group = Group::Script;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    const OPAQUE: &'static [&'static str] = &["result"];
    type Output = Executed;

    fn check(&self) -> Result<(), Failure> {
        let given = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.trim().is_empty());
        if !given(&self.body) && !given(&self.body_file) {
            return Err(Failure::invalid(text!("script.missing")));
        }
        let length = self.body.as_ref().map_or(0, |body| body.chars().count());
        if length > BODY_LIMIT {
            return Err(Failure::invalid(text!(
                "script.too_long",
                length = length,
                limit = BODY_LIMIT
            )));
        }
        Ok(())
    }

    async fn run(self, cx: &mut Context) -> Result<Executed, Failure> {
        let source = self.source(cx).await?;
        let vars = self.vars.unwrap_or_default();
        let (script, used) = variables::apply(&source, &vars);
        let limit_ms = self.timeout_ms.unwrap_or(cx.config().eval.timeout_ms);
        let limit = (limit_ms > 0).then(|| Duration::from_millis(limit_ms));
        let tab = cx.settled_tab().await?;
        let frame = tab
            .find_frame(self.frame.as_deref())
            .map_err(|error| Failure::from_engine(&error, false))?;
        let outcome = tab.evaluate(&frame, &script, limit, cx.until()).await;
        let evaluated = outcome.map_err(|error| explain(&error, &script))?;
        Ok(Executed {
            result: evaluated.value,
            awaited: true,
            vars_applied: (!used.is_empty()).then_some(used),
            frame_url: self.frame.is_some().then_some(frame.url),
            frame: self.frame,
        })
    }
}

impl ExecuteJs {
    async fn source(&self, cx: &Context) -> Result<String, Failure> {
        if let Some(body) = self.body.as_ref().filter(|body| !body.trim().is_empty()) {
            return Ok(body.clone());
        }
        let name = self.body_file.as_deref().unwrap_or_default();
        let dir = &cx.config().js.dir;
        let missing = || Failure::invalid(text!("script.no_file", name = name, dir = dir.display()));
        let inside = Path::new(name)
            .components()
            .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if !inside {
            return Err(missing());
        }
        let (root, file) = (
            tokio::fs::canonicalize(dir).await,
            tokio::fs::canonicalize(dir.join(name)).await,
        );
        let (Ok(root), Ok(file)) = (root, file) else {
            return Err(missing());
        };
        if !file.starts_with(&root) {
            return Err(missing());
        }
        tokio::fs::read_to_string(file).await.map_err(|_| missing())
    }
}

/// The failure of a script, with what helps to mend it.
fn explain(error: &engine::EngineError, script: &str) -> Failure {
    let mut failure = match error {
        // The script ran when the page went: what it did is done.
        engine::EngineError::Navigating => Failure::new(Code::PageNavigating, text!("script.navigated"))
            .not_retryable()
            .with("outcomeUnknown", true),
        other => Failure::from_engine(other, true),
    };
    if let engine::EngineError::Script(thrown) = error {
        failure = failure
            .with("scriptPreview", script.chars().take(PREVIEW).collect::<String>())
            .with("scriptLength", script.chars().count());
        if ["Unexpected end of input", "Unterminated", "Invalid or unexpected token"]
            .iter()
            .any(|part| thrown.message.contains(part))
        {
            failure = failure.with_text("hint", text!("script.cut_off"));
        }
    }
    failure
}
