//! The domain `Log`: what the browser itself writes to the console (network errors, violations, deprecations).

use super::Empty;
use super::runtime::{RemoteObject, StackTrace};

protocol! {
    domain "Log";

    command Enable = "enable" {} -> Empty
    command Disable = "disable" {} -> Empty
    command Clear = "clear" {} -> Empty
    event EntryAdded = "entryAdded" { entry: LogEntry }
    /// `level` is `verbose`, `info`, `warning` or `error`; `timestamp` in milliseconds since 1970.
    object LogEntry {
        source: String,
        level: String,
        text: String,
        category: Option<String>,
        timestamp: f64,
        url: Option<String>,
        line_number: Option<i64>,
        stack_trace: Option<StackTrace>,
        network_request_id: Option<String>,
        worker_id: Option<String>,
        args: Option<Vec<RemoteObject>>,
    }
}
