//! Where settings come from: command line, environment, two property files.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::{Path, PathBuf};

/// The place that a value was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// `--key=value`
    CommandLine,
    /// An environment variable.
    Environment,
    /// `app.properties` in the working directory.
    AppProperties,
    /// `browser.properties` in the working directory.
    BrowserProperties,
    /// Nobody set the key.
    Default,
}

impl Source {
    /// The name shown to people; the same in every language.
    pub fn as_str(self) -> &'static str {
        match self {
            Source::CommandLine => "command line",
            Source::Environment => "environment",
            Source::AppProperties => "app.properties",
            Source::BrowserProperties => "browser.properties",
            Source::Default => "default",
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Everything that [`Config::load`](super::Config::load) reads, so that it never looks at the process itself.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// Key and value of each `--key=value`.
    pub cli: Vec<(String, String)>,
    /// Name and value of each environment variable.
    pub env: Vec<(String, String)>,
    /// The working directory, absolute; holds the property files.
    pub work_dir: PathBuf,
    /// The user's home directory.
    pub home: Option<PathBuf>,
}

impl Sources {
    /// The sources of this process: its environment and home directory. Variables that are not
    /// Unicode are left out.
    pub fn of_process(cli: Vec<(String, String)>, work_dir: PathBuf) -> Sources {
        let env = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        Sources {
            cli,
            env,
            work_dir,
            home: std::env::home_dir().filter(|home| !home.as_os_str().is_empty()),
        }
    }
}

/// What the property files of a directory said.
#[derive(Debug, Default)]
pub(super) struct Layers {
    pub(super) cli: BTreeMap<String, String>,
    pub(super) env: HashMap<String, String>,
    pub(super) app: BTreeMap<String, String>,
    pub(super) browser: BTreeMap<String, String>,
    pub(super) broken: Vec<Broken>,
}

/// A property file, or one line of it, that could not be read.
#[derive(Debug, PartialEq)]
pub(super) struct Broken {
    pub(super) source: Source,
    /// From 1; `None` when the whole file could not be read.
    pub(super) line: Option<usize>,
    pub(super) reason: String,
}

impl Layers {
    pub(super) fn read(cli: Vec<(String, String)>, env: Vec<(String, String)>, work_dir: &Path) -> Layers {
        let mut layers = Layers {
            cli: cli.into_iter().collect(),
            env: env.into_iter().collect(),
            ..Layers::default()
        };
        layers.app = layers.file(work_dir, Source::AppProperties);
        layers.browser = layers.file(work_dir, Source::BrowserProperties);
        layers
    }

    fn file(&mut self, work_dir: &Path, source: Source) -> BTreeMap<String, String> {
        let text = match std::fs::read(work_dir.join(source.as_str())) {
            Ok(bytes) => String::from_utf8(bytes).map_err(|error| error.to_string()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return BTreeMap::new(),
            Err(error) => Err(error.to_string()),
        };
        match text {
            Ok(text) => {
                let (values, lines) = properties(&text);
                self.broken.extend(lines.into_iter().map(|(line, text)| Broken {
                    source,
                    line: Some(line),
                    reason: text,
                }));
                values
            }
            Err(reason) => {
                self.broken.push(Broken {
                    source,
                    line: None,
                    reason,
                });
                BTreeMap::new()
            }
        }
    }

    /// The first value in the order of priority.
    pub(super) fn find(&self, key: &str, env_name: &str) -> Option<(Source, &str)> {
        let given = [
            (Source::CommandLine, self.cli.get(key)),
            (Source::Environment, self.env.get(env_name)),
            (Source::AppProperties, self.app.get(key)),
            (Source::BrowserProperties, self.browser.get(key)),
        ];
        given
            .into_iter()
            .find_map(|(source, value)| Some((source, value?.as_str())))
    }

    /// Every key that was given by name, with its source.
    pub(super) fn names(&self) -> impl Iterator<Item = (Source, &str)> {
        [
            (Source::CommandLine, &self.cli),
            (Source::AppProperties, &self.app),
            (Source::BrowserProperties, &self.browser),
        ]
        .into_iter()
        .flat_map(|(source, values)| values.keys().map(move |key| (source, key.as_str())))
    }
}

/// Reads `key=value` lines. `#` and `!` begin a comment line; the last of equal keys wins. Second:
/// the lines without `=` and their numbers.
fn properties(text: &str) -> (BTreeMap<String, String>, Vec<(usize, String)>) {
    let (mut values, mut broken) = (BTreeMap::new(), Vec::new());
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', '!']) {
            continue;
        }
        match line.split_once('=') {
            Some((key, value)) => {
                values.insert(key.trim().to_owned(), value.trim().to_owned());
            }
            None => broken.push((index + 1, line.chars().take(80).collect())),
        }
    }
    (values, broken)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn comments_blanks_and_equal_signs() {
        let text = "\u{feff}# note\n\n a.b = c=d \n! old\na.b=last\nempty=\nnonsense\n";
        let (values, broken) = properties(text);
        assert_eq!(
            values,
            BTreeMap::from([("a.b".into(), "last".into()), ("empty".into(), String::new())])
        );
        assert_eq!(broken, [(7, "nonsense".to_owned())]);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(key in "[a-z][a-zA-Z.]{0,20}", value in "[^\\s][^\\r\\n\\x0b\\x0c\u{85}\u{2028}\u{2029}]{0,30}") {
            let (values, broken) = properties(&format!("{key}={value}\n"));
            prop_assert_eq!(values.get(&key).map(String::as_str), Some(value.trim()));
            prop_assert!(broken.is_empty());
        }
    }
}
