//! What pages ask of the network: the record of it, and the rules that change it.

mod bodies;
mod har;
mod modes;
mod pain;
mod record;
mod routes;
mod waits;

use std::time::Duration;

use serde_json::{Value, json};
use support::{Task, eventually};

/// The recorded requests that fit.
pub fn requests(task: &Task<'_>, filter: &str) -> Vec<Value> {
    task.ok("get_requests", json!({"filter": filter}))["requests"]
        .as_array()
        .unwrap()
        .clone()
}

/// Waits until a recorded request that fits is finished, and gives it.
pub fn finished(task: &Task<'_>, filter: &str) -> Value {
    eventually(filter, Duration::from_secs(10), || {
        let all = requests(task, filter);
        all.into_iter().find(|one| one["finishedAt"].is_u64())
    })
}

/// Has the page fetch something; gives the text of the answer, or `failed`.
pub fn fetched(task: &Task<'_>, url: &str, options: &str) -> String {
    let body = format!("return fetch({url:?}, {options}).then((r) => r.text(), () => 'failed')");
    let out = task.ok("execute_js", json!({"body": body}));
    out["result"].as_str().unwrap_or_default().to_owned()
}
