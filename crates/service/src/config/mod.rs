//! The service's settings: typed, read once at start, never changed afterwards.
//!
//! Invariant: a key is declared in one place (`areas.rs`), and its type, default, bounds and meaning
//! are taken from there by loading, `--help`, the documentation and `get_config` alike.
//! A bad value never stops the service: it is warned about and the default is used.

mod areas;
mod choices;
mod docs;
mod key;
mod origins;
mod reader;
#[cfg(test)]
mod tests;
mod values;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub use areas::*;
pub use choices::{BrowserType, EngineKind, NetworkRecord, OcrEngine, SandboxMode, Transport, Viewport};
pub use docs::{help, markdown};
pub use key::{Key, keys};
pub use origins::{Source, Sources};
pub use reader::Warning;
pub use values::{Arguments, DebugPort, Patterns, Secret, Setting};

/// Every setting, by area. Paths are absolute.
#[derive(Debug, Clone)]
pub struct Config {
    /// The directory that relative paths start from; holds `data/` and `logs/`.
    pub work_dir: PathBuf,
    /// The user's home directory; the working directory where there is none.
    pub home: PathBuf,
    /// `server.*`
    pub server: ServerConfig,
    /// `browser.*`: which browser, and how it is started.
    pub browser: BrowserConfig,
    /// `browser.action.*`
    pub action: ActionConfig,
    /// `browser.capture.*`
    pub capture: CaptureConfig,
    /// `browser.eval.*`
    pub eval: EvalConfig,
    /// `browser.command.*`
    pub command: CommandConfig,
    /// `browser.state.*`
    pub state: StateConfig,
    /// `browser.network.*`
    pub network: NetworkConfig,
    /// `browser.extract.*`
    pub extract: ExtractConfig,
    /// `browser.download.*`
    pub download: DownloadConfig,
    /// `browser.ocr.*`
    pub ocr: OcrConfig,
    /// `browser.trace.*`
    pub trace: TraceConfig,
    /// `browser.upload.*`
    pub upload: UploadConfig,
    /// `browser.recipes.*`
    pub recipes: RecipesConfig,
    /// `browser.js.*`
    pub js: JsConfig,
    /// `browser.jobs.*`
    pub jobs: JobsConfig,
    /// `browser.json.*`
    pub json: JsonConfig,
    effective: BTreeMap<&'static str, Effective>,
}

/// What a key came to, as text, and where that text came from.
#[derive(Debug, Clone)]
struct Effective {
    text: String,
    source: Source,
}

impl Config {
    /// Reads every key from `sources` in their order of priority. Never fails: what could not be
    /// used stands in the warnings, with key and source.
    pub fn load(sources: Sources) -> (Config, Vec<Warning>) {
        reader::load(sources)
    }

    /// The configuration with nothing but defaults, for a given working directory and home.
    pub fn defaults(work_dir: impl Into<PathBuf>, home: Option<PathBuf>) -> Config {
        Config::load(Sources {
            work_dir: work_dir.into(),
            home,
            ..Sources::default()
        })
        .0
    }

    /// Where the effective value of a key came from; [`Source::Default`] for a key that nobody set,
    /// whose value was refused, or that does not exist.
    pub fn origin_of(&self, key: &str) -> Source {
        self.effective.get(key).map_or(Source::Default, |found| found.source)
    }

    /// Every key with its effective value as text and its source, in the order of the documentation.
    /// Secrets are masked.
    pub fn effective(&self) -> Vec<(&'static Key, String, Source)> {
        keys()
            .filter_map(|key| {
                let found = self.effective.get(key.name)?;
                let masked = key.secret && !found.text.is_empty();
                let text = if masked { "***".to_owned() } else { found.text.clone() };
                Some((key, text, found.source))
            })
            .collect()
    }

    /// The directory of the managed profile for a service that listens on `port` (which the
    /// configuration does not know when it says 0): `browser.profileDir`, else `shared-<port>`, or
    /// `shared` when `browser.profileDir.perPort` is off.
    pub fn managed_profile_dir(&self, port: u16) -> PathBuf {
        if let Some(dir) = &self.browser.profile_dir {
            return dir.clone();
        }
        let name = if self.browser.profile_dir_per_port {
            format!("shared-{port}")
        } else {
            "shared".to_owned()
        };
        self.home.join(".config/browseruse/profiles").join(name)
    }

    /// The root of the task files that are served under `/data/`.
    pub fn data_dir(&self) -> PathBuf {
        data_dir(&self.work_dir)
    }
}

/// `data/` of a working directory.
pub(crate) fn data_dir(work_dir: &Path) -> PathBuf {
    work_dir.join("data")
}
