//! The command line as data.
//!
//! Invariant: common options mean the same before and after a subcommand; a repeated option counts by its last value.

use std::path::PathBuf;

use clap::{Args, Parser, ValueEnum};

/// Drive a real browser for agents.
#[derive(Debug, Parser)]
#[command(
    name = "dsb",
    version,
    infer_long_args = true,
    args_override_self = true,
    max_term_width = 110
)]
#[command(
    after_help = "Exit codes: 0 success, 1 service not reachable, 2 the service answered with a failure, 3 usage"
)]
pub struct Cli {
    /// Options that every subcommand takes.
    #[command(flatten)]
    pub common: Common,
    /// What to do.
    #[command(subcommand)]
    pub command: Subcommand,
}

/// Options that every subcommand takes.
#[derive(Debug, Default, Clone, Args)]
#[command(next_help_heading = "Common options")]
pub struct Common {
    /// Address of the service [env: DSB_BASE_URL]
    #[arg(long, global = true, value_name = "URL")]
    pub base_url: Option<String>,
    /// Host of the service [env: DSB_HOST] [default: localhost]
    #[arg(long, global = true, value_name = "HOST")]
    pub host: Option<String>,
    /// Port of the service [env: DSB_PORT] [default: 10049]
    #[arg(long, global = true, value_name = "PORT")]
    pub port: Option<u16>,
    /// Task id, a signed 64-bit integer [default: 1001]
    #[arg(long, global = true, value_name = "N", env = "DSB_TASK_ID", hide_env_values = true)]
    #[arg(allow_negative_numbers = true, value_parser = task_id)]
    pub id: Option<String>,
    /// Longest wait for a reply, in seconds
    #[arg(long, global = true, value_name = "S", default_value_t = 300.0, value_parser = seconds)]
    pub timeout: f64,
    /// Print only the JSON of the reply
    #[arg(long, global = true)]
    pub json: bool,
    /// Print only the summary line
    #[arg(long, global = true, alias = "compact")]
    pub summary: bool,
    /// Print one part of the reply: dotted keys and array positions, as data.results.0.ok
    #[arg(long, global = true, value_name = "PATH", value_parser = selection)]
    pub select: Option<String>,
    /// How much the service puts into a reply
    #[arg(long, global = true, value_enum, value_name = "MODE", default_value = "compact")]
    pub response_mode: ResponseMode,
    /// Ask for untrimmed replies
    #[arg(long, global = true)]
    pub diagnostics: bool,
    /// Write the JSON of the reply to a file
    #[arg(long, global = true, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// `responseMode` of a request.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ResponseMode {
    /// Everything.
    Full,
    /// Without what an agent does not need.
    #[default]
    Compact,
}

/// What to do.
#[derive(Debug, clap::Subcommand)]
pub enum Subcommand {
    /// Run the service: any configuration key may be given as --key=value
    Serve(Serve),
    /// Show an agent's whole loop on a small application of our own
    Demo(Demo),
    /// Which process answers
    Health,
    /// Methods that the service knows
    Methods(Methods),
    /// Open a task, and the browser when it is not running
    Start(Start),
    /// Run any method
    Run(Run),
    /// Read the page as indexed text
    State(State),
    /// Run JavaScript in the page
    Js(Js),
    /// Run several commands in a row
    Batch(Batch),
    /// End the task
    Close(Close),
    /// End all tasks and the browser; the service stays up
    Shutdown,
}

/// Options of `serve`; its settings are taken out of the arguments before they are parsed.
#[derive(Debug, Args)]
#[command(after_help = crate::serve::KEYS_HINT, after_long_help = crate::serve::keys_help())]
pub struct Serve {}

/// Options of `demo`.
#[derive(Debug, Args)]
pub struct Demo {
    /// End after the tour instead of serving on
    #[arg(long)]
    pub once: bool,
}

/// Options of `methods`.
#[derive(Debug, Args)]
pub struct Methods {
    /// Only names that contain this
    pub filter: Option<String>,
}

/// Options of `start`.
#[derive(Debug, Args)]
pub struct Start {
    /// auto, chrome, edge, chromium or firefox
    #[arg(long, value_name = "V")]
    pub browser: Option<String>,
    /// With a window
    #[arg(long)]
    pub headful: bool,
    /// Named profile
    #[arg(long, value_name = "N", conflicts_with_all = ["user_data_dir", "profile_directory"])]
    pub profile: Option<String>,
    /// Absolute user data directory
    #[arg(long, value_name = "D")]
    pub user_data_dir: Option<String>,
    /// Profile folder inside it
    #[arg(long, value_name = "P")]
    pub profile_directory: Option<String>,
}

/// Options of `run`.
#[derive(Debug, Args)]
pub struct Run {
    /// Method name
    pub method: String,
    /// Parameter: k=v (JSON values are recognised), k:=JSON, or k=@FILE
    #[arg(short = 'p', long = "param", value_name = "K=V")]
    pub param: Vec<String>,
    /// All parameters: a JSON object, @FILE, or - for standard input
    #[arg(long, value_name = "JSON")]
    pub params: Option<String>,
    /// Let the service run the method again after a transient failure
    #[arg(long)]
    pub retry_on_spurious: bool,
}

/// Options of `state`.
#[derive(Debug, Args)]
pub struct State {
    /// Most elements in the list
    #[arg(long, value_name = "N")]
    pub max_elements: Option<u64>,
    /// Print elements and text too
    #[arg(long, conflicts_with = "text_only")]
    pub full: bool,
    /// Print nothing but the page's text
    #[arg(long)]
    pub text_only: bool,
    /// Pixels above and below the viewport to include; -1 is the whole page
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub viewport_expansion: Option<i64>,
    /// Read frames of other origins too
    #[arg(long)]
    pub include_frames: bool,
}

/// Options of `js`.
#[derive(Debug, Args)]
pub struct Js {
    /// The script, @FILE, or - for standard input
    #[arg(allow_hyphen_values = true)]
    pub script: String,
    /// Value for {{k}} in the script
    #[arg(long, value_name = "K=V")]
    pub var: Vec<String>,
    /// Let the service run the script again after a transient failure
    #[arg(long)]
    pub retry_on_spurious: bool,
}

/// Options of `batch`.
#[derive(Debug, Args)]
pub struct Batch {
    /// File with an array of commands, {"commands":[…]} or a whole request; - is standard input
    #[arg(default_value = "-")]
    pub input: String,
    /// Go on after a failed command
    #[arg(long)]
    pub keep_going: bool,
    /// Stop at the first failed expectation
    #[arg(long)]
    pub stop_on_expect_failure: bool,
    /// Start no further command after this many milliseconds
    #[arg(long, value_name = "N")]
    pub max_duration_ms: Option<u64>,
}

/// Options of `close`.
#[derive(Debug, Args)]
pub struct Close {
    /// Close the browser too, when no other task uses it
    #[arg(long)]
    pub close_browser: bool,
}

/// The digits stay as they were typed; only their range is checked.
fn task_id(text: &str) -> Result<String, String> {
    text.parse::<i64>()
        .map(|_| text.to_owned())
        .map_err(|_| "not a signed 64-bit integer".to_owned())
}

fn seconds(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    if value > 0.0 && value <= 86_400.0 {
        Ok(value)
    } else {
        Err("must be above 0 and at most 86400".to_owned())
    }
}

fn selection(text: &str) -> Result<String, String> {
    if text.contains(',') {
        return Err("one path only: use --out and pick the parts from the file".to_owned());
    }
    if text.split('.').any(str::is_empty) {
        Err("empty step in the path".to_owned())
    } else {
        Ok(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn parse(words: &[&str]) -> Cli {
        Cli::try_parse_from(std::iter::once(&"dsb").chain(words)).unwrap()
    }

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn common_options_stand_on_both_sides_and_the_last_wins() {
        let cli = parse(&["--port", "1", "close", "--id=-7", "--port=2", "--js"]);
        assert_eq!(
            (cli.common.port, cli.common.id.as_deref(), cli.common.json),
            (Some(2), Some("-7"), true)
        );
    }

    #[test]
    fn ids_keep_their_spelling_and_their_range() {
        assert_eq!(parse(&["close", "--id", "0042"]).common.id.as_deref(), Some("0042"));
        assert_eq!(
            parse(&["close", "--id", "-9223372036854775808"]).common.id.as_deref(),
            Some("-9223372036854775808")
        );
        for bad in ["9223372036854775808", "1.5", "a", ""] {
            assert!(Cli::try_parse_from(["dsb", "close", "--id", bad]).is_err(), "{bad}");
        }
    }

    #[test]
    fn parameters_may_be_glued_to_their_flag_and_numbers_may_be_negative() {
        let Subcommand::Run(run) = parse(&["run", "scroll", "-px=1", "-p", "y=-2"]).command else {
            panic!()
        };
        assert_eq!(run.param, ["x=1", "y=-2"]);
        let Subcommand::State(state) = parse(&["state", "--viewport-expansion", "-1"]).command else {
            panic!()
        };
        assert_eq!(state.viewport_expansion, Some(-1));
    }

    #[test]
    fn a_list_of_paths_is_refused() {
        for bad in ["a,b", "a..b", ""] {
            assert!(
                Cli::try_parse_from(["dsb", "health", "--select", bad]).is_err(),
                "{bad}"
            );
        }
    }
}
