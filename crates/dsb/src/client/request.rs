//! From subcommand to request.
//!
//! Invariant: everything but reading and waiting carries a `requestKey` of its own, so that sending it a second time
//! after a broken connection can never act a second time.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};
use service::command::Class;
use service::registry::registry;

use super::values;
use crate::cli::{Batch, Close, Common, Js, Methods, ResponseMode, Run, Start, State, Subcommand};

/// The task when nobody names one.
const DEFAULT_TASK: &str = "1001";

/// Subcommands that are not methods, with what to type instead of `run NAME`.
const NOT_METHODS: &[(&str, &str)] = &[
    ("health", "dsb health"),
    ("methods", "dsb methods [FILTER]"),
    ("state", "dsb state, or dsb run get_browser_state"),
    ("js", "dsb js SCRIPT"),
    ("batch", "dsb batch FILE"),
    ("run", "dsb run METHOD"),
    ("serve", "dsb serve"),
    ("demo", "dsb demo"),
];

/// What goes over the wire.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// A read-only route.
    Get(&'static str),
    /// An envelope for the command route.
    Command(Value),
}

/// Which part of the reply the subcommand shows when no option says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// Summary line and JSON.
    Both,
    /// Summary line.
    Line,
    /// `data.text` alone.
    Text,
}

/// A request with what is needed to report on its reply.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Name in the summary line.
    pub method: String,
    /// What to send.
    pub request: Request,
    /// What to show.
    pub view: View,
}

/// Makes the request of a client subcommand.
///
/// # Errors
/// The sentence for the user: a file that cannot be read, a value that is not JSON, a name that is no method.
pub fn build(common: &Common, command: &Subcommand) -> Result<Call, String> {
    match command {
        Subcommand::Health => Ok(get("health", "/playwright/health")),
        Subcommand::Methods(options) => Ok(methods(common, options)),
        Subcommand::Start(options) => Ok(call(common, "start", start(options))),
        Subcommand::Run(options) => run(common, options),
        Subcommand::State(options) => Ok(state(common, options)),
        Subcommand::Js(options) => Ok(call(common, "execute_js", js(options)?)),
        Subcommand::Batch(options) => Ok(call(common, "commands", batch(options)?)),
        Subcommand::Close(options) => Ok(call(common, "close", close(options))),
        Subcommand::Shutdown => Ok(call(common, "shutdown", Map::new())),
        Subcommand::Serve(_) | Subcommand::Demo(_) => Err("not a request".to_owned()),
    }
}

fn get(method: &str, path: &'static str) -> Call {
    Call {
        method: method.to_owned(),
        request: Request::Get(path),
        view: View::Both,
    }
}

fn call(common: &Common, method: &str, params: Map<String, Value>) -> Call {
    let task = common.id.as_deref().unwrap_or(DEFAULT_TASK);
    let mut body = envelope(Some(task), method, params);
    if common.response_mode == ResponseMode::Full {
        body["responseMode"] = json!("full");
    }
    if common.diagnostics {
        body["diagnostics"] = json!(true);
    }
    Call {
        method: method.to_owned(),
        request: Request::Command(body),
        view: View::Both,
    }
}

/// An envelope in compact mode, with a fresh `requestKey` where sending it twice could do something twice.
pub fn envelope(task: Option<&str>, method: &str, params: Map<String, Value>) -> Value {
    let mut body = Map::new();
    if let Some(task) = task {
        body.insert("id".into(), json!(task));
    }
    body.insert("method".into(), json!(method));
    body.insert("params".into(), Value::Object(params));
    body.insert("responseMode".into(), json!("compact"));
    if may_act(method) {
        body.insert("requestKey".into(), json!(request_key()));
    }
    Value::Object(body)
}

/// Whether the method is anything else than known to leave the page alone. A request with a key is not given up when
/// this program is interrupted, and its reply is kept: for reading both would be a waste.
fn may_act(method: &str) -> bool {
    registry()
        .get(method)
        .is_none_or(|command| !matches!(command.class, Class::Read | Class::Wait))
}

/// Unique over all processes: two hashes with keys from the system's random source, beside time and process.
fn request_key() -> String {
    let random = || RandomState::new().build_hasher().finish();
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_nanos();
    format!(
        "dsb-{:x}-{now:x}-{:016x}{:016x}",
        std::process::id(),
        random(),
        random()
    )
}

fn methods(common: &Common, options: &Methods) -> Call {
    match &options.filter {
        None => get("methods", "/playwright/methods"),
        Some(filter) => call(
            common,
            "list_methods",
            Map::from_iter([("filter".to_owned(), json!(filter))]),
        ),
    }
}

fn start(options: &Start) -> Map<String, Value> {
    let mut params = Map::from_iter([("headless".to_owned(), json!(!options.headful))]);
    let named = [
        ("browser", &options.browser),
        ("profile", &options.profile),
        ("userDataDir", &options.user_data_dir),
        ("profileDirectory", &options.profile_directory),
    ];
    for (name, value) in named {
        if let Some(value) = value {
            params.insert(name.to_owned(), json!(value));
        }
    }
    params
}

fn run(common: &Common, options: &Run) -> Result<Call, String> {
    let method = options.method.trim();
    if let Some((_, form)) = NOT_METHODS.iter().find(|(name, _)| *name == method) {
        return Err(format!("{method} is a subcommand, not a method: {form}"));
    }
    let mut params = match &options.params {
        Some(argument) => params_of(values::document(argument)?)?,
        None => Map::new(),
    };
    params.extend(values::pairs(&options.param)?);
    if options.retry_on_spurious {
        params.insert("retryOnSpurious".to_owned(), json!(true));
    }
    if method == "press_key" {
        if let Some(key) = params.shift_remove("key") {
            params.entry("keys").or_insert(key);
        }
        return Ok(call(common, "send_keys", params));
    }
    Ok(call(common, method, params))
}

/// The parameters themselves, or those of a whole request.
fn params_of(document: Value) -> Result<Map<String, Value>, String> {
    match document {
        Value::Object(mut whole) if whole.get("method").is_some_and(Value::is_string) => {
            match whole.shift_remove("params") {
                None | Some(Value::Null) => Ok(Map::new()),
                Some(Value::Object(params)) => Ok(params),
                Some(_) => Err("--params: the params of the request are not an object".to_owned()),
            }
        }
        Value::Object(params) => Ok(params),
        _ => Err("--params: not a JSON object".to_owned()),
    }
}

fn state(common: &Common, options: &State) -> Call {
    let mut params = Map::new();
    if !options.full {
        params.insert("includeElements".to_owned(), json!(false));
    }
    if let Some(most) = options.max_elements {
        params.insert("maxElements".to_owned(), json!(most));
    }
    if let Some(pixels) = options.viewport_expansion {
        params.insert("viewportExpansion".to_owned(), json!(pixels));
    }
    if options.include_frames {
        params.insert("includeFrames".to_owned(), json!(true));
    }
    let view = match (options.full, options.text_only) {
        (true, _) => View::Both,
        (false, true) => View::Text,
        (false, false) => View::Line,
    };
    Call {
        view,
        ..call(common, "get_browser_state", params)
    }
}

fn js(options: &Js) -> Result<Map<String, Value>, String> {
    let mut params = Map::from_iter([("body".to_owned(), json!(values::text(&options.script)?))]);
    let vars = values::pairs(&options.var)?;
    if !vars.is_empty() {
        params.insert("vars".to_owned(), Value::Object(vars));
    }
    if options.retry_on_spurious {
        params.insert("retryOnSpurious".to_owned(), json!(true));
    }
    Ok(params)
}

fn batch(options: &Batch) -> Result<Map<String, Value>, String> {
    let text = if options.input == "-" {
        values::standard_input()?
    } else {
        values::file(&options.input)?
    };
    let mut params = match values::json(&text).map_err(|why| format!("{}: {why}", options.input))? {
        list @ Value::Array(_) => Map::from_iter([("commands".to_owned(), list)]),
        Value::Object(whole) if whole.contains_key("method") => params_of(Value::Object(whole))?,
        Value::Object(params) => params,
        _ => return Err(format!("{}: neither an array of commands nor an object", options.input)),
    };
    if options.keep_going {
        params.insert("stopOnError".to_owned(), json!(false));
    }
    if options.stop_on_expect_failure {
        params.insert("stopOnExpectFailure".to_owned(), json!(true));
    }
    if let Some(most) = options.max_duration_ms {
        params.insert("maxDurationMs".to_owned(), json!(most));
    }
    Ok(params)
}

fn close(options: &Close) -> Map<String, Value> {
    if options.close_browser {
        Map::from_iter([("closeBrowser".to_owned(), json!(true))])
    } else {
        Map::new()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use clap::Parser;

    use super::*;
    use crate::cli::Cli;

    fn built(words: &[&str]) -> Result<Call, String> {
        let cli = Cli::try_parse_from(std::iter::once(&"dsb").chain(words)).unwrap();
        build(&cli.common, &cli.command)
    }

    /// The envelope without its key.
    fn sent(words: &[&str]) -> Value {
        match built(words).unwrap().request {
            Request::Command(mut body) => {
                body.as_object_mut().unwrap().shift_remove("requestKey");
                body
            }
            Request::Get(path) => json!(path),
        }
    }

    #[test]
    fn subcommands_become_envelopes() {
        assert_eq!(sent(&["health"]), json!("/playwright/health"));
        assert_eq!(
            sent(&["start", "--headful", "--browser", "chrome", "--id", "7"]),
            json!({"id": "7", "method": "start", "params": {"headless": false, "browser": "chrome"},
                   "responseMode": "compact"})
        );
        assert_eq!(
            sent(&[
                "run",
                "wait",
                "-p",
                "seconds=2",
                "--response-mode",
                "full",
                "--diagnostics"
            ]),
            json!({"id": "1001", "method": "wait", "params": {"seconds": 2}, "responseMode": "full",
                   "diagnostics": true})
        );
        assert_eq!(
            sent(&["close", "--close-browser"])["params"],
            json!({"closeBrowser": true})
        );
        assert_eq!(
            sent(&["state", "--viewport-expansion=-1"])["params"],
            json!({"includeElements": false, "viewportExpansion": -1})
        );
        assert_eq!(
            sent(&["js", "-1", "--var", "a=1"])["params"],
            json!({"body": "-1", "vars": {"a": 1}})
        );
    }

    #[test]
    fn params_come_whole_and_are_overridden_singly() {
        let whole = r#"{"method":"x","id":"9","params":{"a":1,"b":2}}"#;
        let body = sent(&["run", "y", "--params", whole, "-p", "b=3"]);
        assert_eq!(
            (&body["method"], &body["params"]),
            (&json!("y"), &json!({"a": 1, "b": 3}))
        );
        assert!(built(&["run", "y", "--params", "[]"]).unwrap_err().contains("object"));
        assert!(built(&["run", "y", "--params", "{"]).unwrap_err().contains("JSON"));
    }

    #[test]
    fn keys_are_sent_under_one_method() {
        let body = sent(&["run", "press_key", "-p", "key=Enter"]);
        assert_eq!(
            (&body["method"], &body["params"]),
            (&json!("send_keys"), &json!({"keys": "Enter"}))
        );
    }

    #[test]
    fn a_subcommand_is_no_method() {
        assert!(built(&["run", "js"]).unwrap_err().contains("dsb js SCRIPT"));
        assert!(built(&["run", "start"]).is_ok());
    }

    #[test]
    fn what_may_act_carries_a_key() {
        let has_key = |method: &str| envelope(None, method, Map::new()).get("requestKey").is_some();
        for acting in [
            "navigate",
            "click_element_by_index",
            "start",
            "close",
            "commands",
            "unheard_of",
        ] {
            assert!(has_key(acting), "{acting}");
        }
        for harmless in ["get_browser_state", "get_title", "wait_for_text", "screenshot"] {
            assert!(!has_key(harmless), "{harmless}");
        }
    }

    #[test]
    fn keys_never_repeat_and_are_short_enough() {
        let keys: HashSet<_> = (0..1000).map(|_| request_key()).collect();
        assert_eq!(keys.len(), 1000);
        assert!(keys.iter().all(|key| key.len() <= 128));
    }

    #[test]
    fn a_batch_is_read_from_a_list_an_object_or_a_request() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("batch.json");
        let name = path.to_str().unwrap();
        for text in [
            r#"[{"wait":{}}]"#,
            r#"{"commands":[{"wait":{}}]}"#,
            r#"{"method":"commands","params":{"commands":[{"wait":{}}]}}"#,
        ] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(
                sent(&["batch", name, "--keep-going"])["params"],
                json!({"commands": [{"wait": {}}], "stopOnError": false}),
                "{text}"
            );
        }
        std::fs::write(&path, "3").unwrap();
        assert!(built(&["batch", name]).is_err());
        assert!(built(&["batch", "/nowhere/at/all"]).is_err());
    }
}
