//! Puts the layers together into a [`Config`] and says what it could not use.

use std::collections::BTreeMap;

use super::areas::*;
use super::key::{Key, env_name, keys};
use super::origins::{Layers, Source, Sources};
use super::values::{Base, Setting};
use super::{Config, Effective};
use crate::messages::{Language, Text};
use crate::near_miss::levenshtein;
use crate::text;

/// Something in the configuration that was not used as written.
#[derive(Debug, Clone, PartialEq)]
pub struct Warning {
    /// The key, or the file's name when no single key is to blame.
    pub key: String,
    /// Where it was found.
    pub source: Source,
    /// What is wrong and what was done instead; names key and source.
    pub text: Text,
}

impl Warning {
    /// The sentence for the start-up log.
    pub fn render(&self, language: Language) -> String {
        self.text.render(language)
    }
}

/// Reads one key after the other.
pub(super) struct Reader<'a> {
    layers: &'a Layers,
    base: Base<'a>,
    warnings: Vec<Warning>,
    effective: BTreeMap<&'static str, Effective>,
}

pub(super) fn load(sources: Sources) -> (Config, Vec<Warning>) {
    let Sources {
        cli,
        env,
        work_dir,
        home,
    } = sources;
    let layers = Layers::read(cli, env, &work_dir);
    let base = Base {
        work_dir: &work_dir,
        home: home.as_deref(),
    };
    let mut reader = Reader {
        layers: &layers,
        base,
        warnings: Vec::new(),
        effective: BTreeMap::new(),
    };
    let mut config = Config {
        server: ServerConfig::read(&mut reader),
        json: JsonConfig::read(&mut reader),
        browser: BrowserConfig::read(&mut reader),
        action: ActionConfig::read(&mut reader),
        capture: CaptureConfig::read(&mut reader),
        eval: EvalConfig::read(&mut reader),
        command: CommandConfig::read(&mut reader),
        state: StateConfig::read(&mut reader),
        network: NetworkConfig::read(&mut reader),
        extract: ExtractConfig::read(&mut reader),
        download: DownloadConfig::read(&mut reader),
        ocr: OcrConfig::read(&mut reader),
        trace: TraceConfig::read(&mut reader),
        upload: UploadConfig::read(&mut reader),
        recipes: RecipesConfig::read(&mut reader),
        js: JsConfig::read(&mut reader),
        jobs: JobsConfig::read(&mut reader),
        work_dir: work_dir.clone(),
        home: home.clone().unwrap_or_else(|| work_dir.clone()),
        effective: BTreeMap::new(),
    };
    let Reader {
        warnings, effective, ..
    } = reader;
    config.effective = effective;
    let mut all = broken_lines(&layers);
    all.extend(unknown_keys(&layers));
    all.extend(warnings);
    all.extend(bad_patterns(&config));
    (config, all)
}

impl Reader<'_> {
    /// The value of a row: the first source that has one, unless it is not a value; else the default.
    pub(super) fn take<T: Setting>(&mut self, key: Option<&'static Key>) -> T {
        let Some(key) = key else { return T::default() };
        let names = [Some(key.name), key.alias];
        let given = names.into_iter().flatten().find_map(|name| {
            let (source, text) = self.layers.find(name, &env_name(name))?;
            Some((name, source, text.trim()))
        });
        if let Some((name, source, text)) = given {
            match T::parse(text, &self.base).filter(|value| within(value, key)) {
                Some(value) => return self.keep(key, value, text, source),
                None => self.warnings.push(refused(key, name, source, text)),
            }
        }
        // A test holds every default against its type, so `T::default()` is never reached.
        let value = T::parse(key.default, &self.base).unwrap_or_default();
        self.keep(key, value, key.default, Source::Default)
    }

    fn keep<T>(&mut self, key: &'static Key, value: T, text: &str, source: Source) -> T {
        self.effective.insert(
            key.name,
            Effective {
                text: text.to_owned(),
                source,
            },
        );
        value
    }
}

fn within<T: Setting>(value: &T, key: &Key) -> bool {
    match (value.number(), key.bounds) {
        (Some(number), Some((low, high))) => (low..=high).contains(&number),
        _ => true,
    }
}

fn refused(key: &Key, name: &str, source: Source, given: &str) -> Warning {
    let value = if key.secret { "***" } else { given };
    let text = match key.bounds {
        Some((low, high)) => text!(
            "config.out_of_bounds",
            key = name,
            source = source,
            value = value,
            low = low,
            high = high,
            default = key.default
        ),
        None => text!(
            "config.bad_value",
            key = name,
            source = source,
            value = value,
            expected = key.kind,
            default = key.default
        ),
    };
    Warning {
        key: name.to_owned(),
        source,
        text,
    }
}

fn broken_lines(layers: &Layers) -> Vec<Warning> {
    let warning = |broken: &super::origins::Broken| {
        let (source, reason) = (broken.source, &broken.reason);
        let text = match broken.line {
            Some(line) => text!("config.bad_line", source = source, line = line, content = reason),
            None => text!("config.unreadable_file", source = source, reason = reason),
        };
        Warning {
            key: source.to_string(),
            source,
            text,
        }
    };
    layers.broken.iter().map(warning).collect()
}

/// Keys that nothing reads: ours by their prefix in files, all of them on the command line, and
/// environment variables that look like a slip of ours (others may own the prefix).
fn unknown_keys(layers: &Layers) -> Vec<Warning> {
    let known = |name: &str| keys().any(|key| key.name == name || key.alias == Some(name));
    let ours = |source, name: &str| {
        source == Source::CommandLine || name.starts_with("browser.") || name.starts_with("server.")
    };
    let by_name = layers
        .names()
        .filter(|(source, name)| ours(*source, name) && !known(name))
        .map(|(source, name)| {
            let text = match nearest(name, |key| key.name.to_owned()) {
                Some(near) => text!("config.unknown_key_near", key = name, source = source, near = near),
                None => text!("config.unknown_key", key = name, source = source),
            };
            Warning {
                key: name.to_owned(),
                source,
                text,
            }
        });
    let mut warnings: Vec<Warning> = by_name.collect();
    let mut slips: Vec<&String> = layers.env.keys().filter(|name| name.starts_with("BROWSER_")).collect();
    slips.sort();
    for name in slips {
        let exact = keys().any(|key| key.env_name() == *name);
        if let Some(near) = nearest(name, Key::env_name).filter(|_| !exact) {
            let source = Source::Environment;
            let text = text!("config.unknown_key_near", key = name, source = source, near = near);
            warnings.push(Warning {
                key: name.clone(),
                source,
                text,
            });
        }
    }
    warnings
}

/// The known name at the smallest edit distance, if that is at most 3.
fn nearest(name: &str, spelling: impl Fn(&Key) -> String) -> Option<String> {
    let scored = keys().map(|key| {
        let known = spelling(key);
        (levenshtein(&known.to_lowercase(), &name.to_lowercase()), known)
    });
    scored
        .filter(|(distance, _)| *distance <= 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

/// A regular expression that does not compile is left out alone, not with its neighbours.
fn bad_patterns(config: &Config) -> Vec<Warning> {
    let key = "browser.trace.redact";
    let source = config.origin_of(key);
    let broken = config
        .trace
        .redact_extra
        .iter()
        .filter(|pattern| regex::Regex::new(pattern).is_err());
    broken
        .map(|pattern| {
            let text = text!("config.bad_pattern", key = key, source = source, value = pattern);
            Warning {
                key: key.to_owned(),
                source,
                text,
            }
        })
        .collect()
}
