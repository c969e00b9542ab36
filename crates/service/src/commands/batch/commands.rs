//! `commands`.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::batch::{self, BatchReply, Rules};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::text;

/// Runs several commands in order in one request. Each item is an object with one method as its key and its parameters
/// as the value, and optionally `expect`: a script whose value must meet a condition afterwards.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Commands {
    /// The items, in order.
    pub commands: Vec<Value>,
    /// Stop at the first command that fails.
    #[serde(default = "yes")]
    pub stop_on_error: bool,
    /// Stop at the first expectation that is not met.
    #[serde(default)]
    pub stop_on_expect_failure: bool,
    /// Run as a job and answer at once with its id.
    #[serde(default, rename = "async")]
    pub run_async: bool,
    /// Start no further item once this many milliseconds have passed.
    #[schemars(range(min = 1))]
    pub max_duration_ms: Option<u64>,
}

fn yes() -> bool {
    true
}

impl Command for Commands {
    const NAME: &'static str = "commands";
    const GROUP: Group = Group::Batch;
    const CLASS: Class = Class::Admin;
    const FLAGS: Flags = Flags {
        takes_turn: true,
        ..Flags::SERVICE.long_running().not_batchable()
    };
    const OPAQUE: &'static [&'static str] = batch::OPAQUE;
    const HOLDS_STEPS: bool = true;
    type Output = BatchReply;

    fn check(&self) -> Result<(), Failure> {
        if self.run_async {
            return Err(Failure::not_implemented(text!("batch.async_not_built")));
        }
        Ok(())
    }

    async fn run(self, cx: &mut Context) -> Result<BatchReply, Failure> {
        let steps = batch::parse(
            self.commands,
            cx.config().command.max_per_batch,
            cx.service().registry(),
        )?;
        let rules = Rules {
            stop_on_error: self.stop_on_error,
            stop_on_expect_failure: self.stop_on_expect_failure,
            max_duration: self.max_duration_ms.map(Duration::from_millis),
        };
        batch::run_steps(cx, steps, rules).await
    }
}
