//! `shutdown`.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// Ends every task and closes the shared browser. The service keeps running and accepts a new `start`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Shutdown {}

/// Reply of `shutdown`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShutDown {
    closed_tasks: Vec<String>,
    remaining_tasks: usize,
}

impl Command for Shutdown {
    const NAME: &'static str = "shutdown";
    const GROUP: Group = Group::Lifecycle;
    const CLASS: Class = Class::Admin;
    const FLAGS: Flags = Flags::SERVICE;
    type Output = ShutDown;

    async fn run(self, cx: &mut Context) -> Result<ShutDown, Failure> {
        let service = Arc::clone(cx.service());
        let ids = service.tasks().all().into_iter().map(|task| task.id);
        let mut closed: Vec<String> = ids
            .filter_map(|id| service.tasks().remove(id))
            .map(|task| task.id.to_string())
            .collect();
        service.browsers().close().await;
        // Tasks that were being started on that browser while it was closed.
        let late = service
            .tasks()
            .all()
            .into_iter()
            .filter(|task| task.tabs().is_some_and(|tabs| tabs.browser().gone_reason().is_some()));
        closed.extend(
            late.filter_map(|task| service.tasks().remove(task.id))
                .map(|task| task.id.to_string()),
        );
        Ok(ShutDown {
            closed_tasks: closed,
            remaining_tasks: service.tasks().count(),
        })
    }
}
