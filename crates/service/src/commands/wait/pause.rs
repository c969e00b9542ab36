//! `wait`.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::text;

/// Waits for a number of seconds. Prefer a wait for a condition: it ends as soon as the condition is met. A native dialog that opens meanwhile and is left open ends it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Wait {
    /// Seconds, a positive whole number.
    #[schemars(range(min = 1, max = 3600))]
    pub seconds: u64,
}

/// Reply of `wait`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Waited {
    waited_seconds: u64,
}

impl Command for Wait {
    const NAME: &'static str = "wait";
    const GROUP: Group = Group::PageState;
    const CLASS: Class = Class::Wait;
    const FLAGS: Flags = Flags::TASK.capture().resend_safe().long_running();
    type Output = Waited;

    async fn run(self, cx: &mut Context) -> Result<Waited, Failure> {
        let task = std::sync::Arc::clone(cx.task()?);
        let tab = cx.tabs()?.current();
        let dialog = async {
            match &tab {
                Some(tab) => tab.next_dialog_left_open().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = tokio::time::sleep(Duration::from_secs(self.seconds)) => Ok(Waited { waited_seconds: self.seconds }),
            () = task.ended() => Err(Failure::new(Code::ActionFailed, text!("tasks.ended_meanwhile"))),
            // The page stands still: nothing is worth waiting for before the dialog is answered.
            error = dialog => Err(Failure::from_engine(&error, false)),
        }
    }
}
