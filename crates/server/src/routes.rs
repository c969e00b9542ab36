//! The HTTP routes and what each of them accepts.
//!
//! Invariant: this table is the only place that knows a path, its verbs and its demands; the router and the security
//! layer both read it, so that no path can be served without having been judged.

use axum::http::Method;

/// One thing that the service offers over HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// Runs one command.
    Command,
    /// Says which process answers.
    Health,
    /// The same data as `list_methods`.
    Methods,
    /// The same data as `list_tasks`.
    Tasks,
    /// The same data as `get_config`.
    Config,
    /// The upload store.
    Upload,
    /// Files of tasks.
    Data,
}

/// Path of [`Route::Command`].
pub const COMMAND: &str = "/playwright/command";
/// Path of [`Route::Health`].
pub const HEALTH: &str = "/playwright/health";
/// Path of [`Route::Methods`].
pub const METHODS: &str = "/playwright/methods";
/// Path of [`Route::Tasks`].
pub const TASKS: &str = "/playwright/tasks";
/// Path of [`Route::Config`].
pub const CONFIG: &str = "/playwright/config";
/// Path of [`Route::Upload`].
pub const UPLOAD: &str = "/playwright/upload";
/// What the path of every task file begins with.
pub const DATA_PREFIX: &str = "/data/";
/// The live console: the only page of ours that may call the service.
pub const CONSOLE: &str = "/console";

const READ_ONLY: &[Method] = &[Method::GET, Method::HEAD];
const POST_ONLY: &[Method] = &[Method::POST];
const STORE: &[Method] = &[Method::GET, Method::HEAD, Method::POST, Method::DELETE];

/// Every route with its exact path; [`Route::Data`] is matched by its prefix instead.
const TABLE: &[(&str, Route)] = &[
    (COMMAND, Route::Command),
    (HEALTH, Route::Health),
    (METHODS, Route::Methods),
    (TASKS, Route::Tasks),
    (CONFIG, Route::Config),
    (UPLOAD, Route::Upload),
];

impl Route {
    /// The route of a request path as it stands in the request line (not decoded).
    pub fn of(path: &str) -> Option<Self> {
        if path.starts_with(DATA_PREFIX) {
            return Some(Self::Data);
        }
        TABLE.iter().find(|(known, _)| *known == path).map(|(_, route)| *route)
    }

    /// The verbs that the route answers; `HEAD` goes wherever `GET` goes (RFC 9110 §9.1).
    pub fn verbs(self) -> &'static [Method] {
        match self {
            Self::Command => POST_ONLY,
            Self::Upload => STORE,
            Self::Health | Self::Methods | Self::Tasks | Self::Config | Self::Data => READ_ONLY,
        }
    }

    /// Whether a body must be declared as JSON. This is what forces a foreign page into a preflight.
    pub fn needs_json(self) -> bool {
        self == Self::Command
    }

    /// Whether a configured token is asked for; health stays open so that a client can tell who answers.
    pub fn needs_token(self) -> bool {
        self != Self::Health
    }

    /// Whether the route reaches the browser or the service's records, as opposed to plain files.
    pub fn is_api(self) -> bool {
        self != Self::Data
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_exact() {
        for (path, route) in TABLE {
            assert_eq!(Route::of(path), Some(*route));
            assert_eq!(Route::of(&format!("{path}/")), None);
            assert_eq!(Route::of(&path.to_uppercase()), None);
            assert_eq!(Route::of(&format!("/{path}")), None);
        }
        assert_eq!(Route::of("/data/1001/1.png"), Some(Route::Data));
        assert_eq!(Route::of("/data"), None);
        assert_eq!(Route::of("/"), None);
    }

    #[test]
    fn only_health_is_open_and_only_commands_demand_json() {
        let open: Vec<_> = TABLE
            .iter()
            .filter(|(_, route)| !route.needs_token())
            .map(|(path, _)| *path)
            .collect();
        assert_eq!(open, [HEALTH]);
        let json: Vec<_> = TABLE
            .iter()
            .filter(|(_, route)| route.needs_json())
            .map(|(path, _)| *path)
            .collect();
        assert_eq!(json, [COMMAND]);
    }
}
