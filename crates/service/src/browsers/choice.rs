//! Which browser and which profile a `start` asks for, from its parameters and the configuration.

use std::path::PathBuf;
use std::time::Duration;

use engine::launch::{BrowserKind, Installed, LaunchError, LaunchOptions, Sandbox, find_browser};

use super::{Running, unsupported_engine};
use crate::config::{BrowserType, Config, SandboxMode, Viewport};
use crate::failure::{Code, Failure};
use crate::messages::Text;
use crate::text;

/// Page size of the `fixed` viewport, and of a browser without a window.
const FIXED: (u32, u32) = (1280, 800);

/// The values of `browser` in `start`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BrowserChoice {
    /// Any, in the order Chrome, Edge, Chromium.
    Auto,
    /// That one or none.
    Kind(BrowserKind),
    /// Known by name and not supported by this build.
    Firefox,
}

impl BrowserChoice {
    /// Reads a value of the wire or the configuration, aliases included; `None` for an unknown one.
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name.trim().to_ascii_lowercase().as_str() {
            "" | "auto" => Self::Auto,
            "chrome" | "google-chrome" => Self::Kind(BrowserKind::Chrome),
            "edge" | "msedge" => Self::Kind(BrowserKind::Edge),
            "chromium" | "bundled" => Self::Kind(BrowserKind::Chromium),
            "firefox" | "ff" | "gecko" => Self::Firefox,
            _ => return None,
        })
    }
}

/// What a `start` asks for at the level of the browser.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// Browser; `Auto` accepts whatever runs.
    pub browser: BrowserChoice,
    /// Window or not; `None` accepts whatever runs and starts without one.
    pub headless: Option<bool>,
}

/// A decision ready to be launched.
#[derive(Debug)]
pub(super) struct Choice {
    pub(super) options: LaunchOptions,
    pub(super) notes: Vec<Text>,
}

impl Wanted {
    /// True when the running browser is not what is wanted.
    pub(super) fn difference(&self, running: &Running) -> bool {
        let facts = running.browser.facts();
        let kind = matches!(self.browser, BrowserChoice::Kind(kind) if kind.as_str() != facts.kind);
        let firefox = self.browser == BrowserChoice::Firefox;
        kind || firefox || self.headless.is_some_and(|headless| headless != facts.headless)
    }

    pub(super) fn conflict(&self, running: &Running, holders: &[String]) -> Failure {
        let facts = running.browser.facts();
        let wanted = match self.browser {
            BrowserChoice::Auto => "auto",
            BrowserChoice::Kind(kind) => kind.as_str(),
            BrowserChoice::Firefox => "firefox",
        };
        Failure::new(
            Code::ActionFailed,
            text!(
                "browser.cannot_switch",
                wanted = format!("browser={wanted}, headless={}", self.headless.unwrap_or(facts.headless)),
                running = format!(
                    "browser={}, headless={}, profile={}",
                    facts.kind,
                    facts.headless,
                    running.profile_dir.display()
                ),
                tasks = holders.join(", ")
            ),
        )
        .with("started", false)
        .with("holders", holders.to_vec())
    }
}

/// Finds the browser and its profile.
pub(super) fn resolve(wanted: &Wanted, config: &Config) -> Result<Choice, Failure> {
    let (installed, notes) = match wanted.browser {
        BrowserChoice::Firefox => return Err(unsupported_engine("firefox")),
        BrowserChoice::Kind(kind) => (explicit(kind, config)?, Vec::new()),
        BrowserChoice::Auto => automatic(config)?,
    };
    let headless = wanted.headless.unwrap_or(true);
    Ok(Choice {
        options: options(installed, headless, config),
        notes,
    })
}

fn explicit(kind: BrowserKind, config: &Config) -> Result<Installed, Failure> {
    find_browser(kind, configured_path(kind, config)).map_err(|error| not_found(kind, &error))
}

fn not_found(kind: BrowserKind, error: &LaunchError) -> Failure {
    let looked = match error {
        LaunchError::NotFound { looked, .. } => looked.join(", "),
        other => other.to_string(),
    };
    let key = format!("browser.{}.path", kind.as_str());
    let text = text!("browser.not_found", kind = kind.as_str(), looked = looked, key = key);
    Failure::new(Code::ActionFailed, text).with("started", false)
}

/// The configured type, else the first that is installed; a fall-back from a configured type is noted.
fn automatic(config: &Config) -> Result<(Installed, Vec<Text>), Failure> {
    let order = [BrowserKind::Chrome, BrowserKind::Edge, BrowserKind::Chromium];
    let configured = match config.browser.type_ {
        BrowserType::Auto => None,
        BrowserType::Chrome => Some(BrowserKind::Chrome),
        BrowserType::Edge => Some(BrowserKind::Edge),
        BrowserType::Chromium => Some(BrowserKind::Chromium),
        BrowserType::Firefox => return Err(unsupported_engine("firefox")),
    };
    let mut notes = Vec::new();
    if let Some(kind) = configured {
        match find_browser(kind, configured_path(kind, config)) {
            Ok(installed) => return Ok((installed, notes)),
            Err(_) => notes.push(text!("browser.configured_missing", kind = kind.as_str())),
        }
    }
    let enabled = |kind: &BrowserKind| match kind {
        BrowserKind::Chrome => config.browser.chrome.enabled,
        BrowserKind::Edge => config.browser.edge.enabled,
        BrowserKind::Chromium => true,
    };
    let found = order
        .into_iter()
        .filter(enabled)
        .find_map(|kind| find_browser(kind, configured_path(kind, config)).ok())
        .ok_or_else(|| Failure::new(Code::ActionFailed, text!("browser.none_found")).with("started", false))?;
    Ok((found, notes))
}

fn configured_path(kind: BrowserKind, config: &Config) -> Option<&std::path::Path> {
    match kind {
        BrowserKind::Chrome => config.browser.chrome.path.as_deref(),
        BrowserKind::Edge => config.browser.edge.path.as_deref(),
        BrowserKind::Chromium => config.browser.chromium.path.as_deref(),
    }
}

fn options(installed: Installed, headless: bool, config: &Config) -> LaunchOptions {
    let extra = match installed.kind {
        BrowserKind::Chrome => &config.browser.chrome.extra_args,
        BrowserKind::Edge => &config.browser.edge.extra_args,
        BrowserKind::Chromium => &config.browser.chromium.extra_args,
    };
    LaunchOptions {
        profile_dir: managed_profile(installed.kind, config),
        installed,
        profile_directory: None,
        headless,
        sandbox: match config.browser.chromium.sandbox {
            SandboxMode::Auto => Sandbox::Auto,
            SandboxMode::On => Sandbox::On,
            SandboxMode::Off => Sandbox::Off,
        },
        viewport: match config.browser.viewport {
            Viewport::Size(width, height) => (width, height),
            Viewport::Window | Viewport::Fixed => FIXED,
        },
        extra_args: extra.0.clone(),
        timeout: Duration::from_millis(config.browser.launch_timeout_ms),
        download_dir: config.download.dir.clone(),
    }
}

/// The profile that the service manages: one per port, so that two services never fight over its lock.
pub(crate) fn managed_profile(kind: BrowserKind, config: &Config) -> PathBuf {
    if kind == BrowserKind::Edge {
        return config.browser.edge.profile_dir.clone();
    }
    if let (BrowserKind::Chrome, Some(dir)) = (kind, &config.browser.chrome.cdp_profile_dir) {
        return dir.clone();
    }
    config.browser.profile_dir.clone().unwrap_or_else(|| {
        let name = if config.browser.profile_dir_per_port {
            format!("shared-{}", config.server.port)
        } else {
            "shared".into()
        };
        config.home.join(".config/browseruse/profiles").join(name)
    })
}
