//! The declaration of every key. Nothing about a key is said anywhere else.

use std::path::PathBuf;

use super::choices::{BrowserType, EngineKind, NetworkRecord, OcrEngine, SandboxMode, Transport, Viewport};
use super::key::{Key, area};
use super::reader::Reader;
use super::values::{Arguments, DebugPort, Patterns, Secret, Setting};
use crate::messages::Language;

/// The rows of all areas, in the order of the documentation.
pub(super) const ALL: &[&[Key]] = &[
    ServerConfig::KEYS,
    JsonConfig::KEYS,
    BrowserConfig::KEYS,
    ChromeConfig::KEYS,
    EdgeConfig::KEYS,
    FirefoxConfig::KEYS,
    ChromiumConfig::KEYS,
    ActionConfig::KEYS,
    CaptureConfig::KEYS,
    EvalConfig::KEYS,
    CommandConfig::KEYS,
    StateConfig::KEYS,
    NetworkConfig::KEYS,
    ExtractConfig::KEYS,
    DownloadConfig::KEYS,
    OcrConfig::KEYS,
    TraceConfig::KEYS,
    UploadConfig::KEYS,
    RecipesConfig::KEYS,
    JsConfig::KEYS,
    JobsConfig::KEYS,
];

area! {
    /// How the service is reached.
    ServerConfig {
        /// HTTP port, also part of the managed profile's name; 0 takes a free one.
        port: u16 = "server.port", "10049";
        /// Address to listen on. One that is not loopback needs `server.token`.
        host: String = "server.host", "127.0.0.1";
        /// Bearer token that every route but health asks for; empty asks for none.
        token: Secret = "server.token", "";
        /// Origins that web pages may call from, comma-separated; empty sends no CORS headers.
        cors_origins: Vec<String> = "server.cors.origins", "";
        /// Language of messages where the caller asks for none.
        language: Language = "server.language", "en";
    }
}

area! {
    /// How replies are written.
    JsonConfig {
        /// Leave members without a value out of replies.
        skip_null: bool = "browser.json.skipNull", "true", or "tio.json.skipNull";
    }
}

area! {
    /// Which browser is used and how it is started.
    BrowserConfig {
        /// Browser for a `start` that names none; `auto` takes Chrome, else Edge, else Chromium.
        type_: BrowserType = "browser.type", "auto";
        /// Engine to use when the type is `auto`.
        engine: EngineKind = "browser.engine", "chromium";
        /// Page size: `window` follows the window, `fixed` is a preset, or `1280x800`.
        viewport: Viewport = "browser.viewport", "window";
        /// Limit of a browser's start, in milliseconds.
        launch_timeout_ms: u64 = "browser.launch.timeoutMs", "60000", 1000..=600000;
        /// Directory of the managed profile, instead of the one derived from the port.
        profile_dir: Option<PathBuf> = "browser.profileDir", "";
        /// One managed profile per port, so that two services never fight over its lock.
        profile_dir_per_port: bool = "browser.profileDir.perPort", "true";
        /// Directory that holds the named profiles.
        profiles_dir: PathBuf = "browser.profiles.dir", "~/.config/browseruse/profiles/named";
        /// Keep the cookies of a managed profile, session cookies included, over a restart of the browser.
        keep_session_cookies: bool = "browser.profile.keepSessionCookies", "true";
        /// Pages left open by ended tasks: the newest so many stay.
        kept_tabs_max: usize = "browser.keptTabs.max", "8";
        /// How the service talks to a browser that it starts: `auto`, `pipe` or `websocket`.
        transport: Transport = "browser.transport", "auto";
        /// Debugging address of a running browser to attach to, `ws://…` or `http://…`.
        cdp_url: Option<String> = "browser.cdpUrl", "";
    }
    with {
        /// `browser.chrome.*`
        chrome: ChromeConfig;
        /// `browser.edge.*`
        edge: EdgeConfig;
        /// `browser.firefox.*`
        firefox: FirefoxConfig;
        /// `browser.chromium.*`
        chromium: ChromiumConfig;
    }
}

area! {
    /// Google Chrome.
    ChromeConfig {
        /// Consider Chrome when the type is `auto`.
        enabled: bool = "browser.chrome.enabled", "true";
        /// Executable, when it is not in a usual place.
        path: Option<PathBuf> = "browser.chrome.path", "";
        /// The user's own Chrome data directory; empty takes the platform's.
        user_data_dir: Option<PathBuf> = "browser.chrome.userDataDir", "";
        /// Folder inside it; `auto` takes the last used profile, empty passes no flag.
        profile_directory: String = "browser.chrome.profileDirectory", "Default";
        /// Use the user's own profile instead of a managed one.
        use_user_profile: bool = "browser.chrome.useUserProfile", "false";
        /// Fall back to the managed profile when the user's own is locked.
        profile_fallback: bool = "browser.chrome.profileFallback", "true";
        /// Managed Chrome profile at an explicit place.
        cdp_profile_dir: Option<PathBuf> = "browser.chrome.cdpProfileDir", "";
        /// Debugging port of a browser that needs one; 0 takes a free one.
        debug_port: DebugPort = "browser.chrome.debugPort", "0";
        /// Extra command-line flags, comma-separated.
        extra_args: Arguments = "browser.chrome.extraArgs", "";
    }
}

area! {
    /// Microsoft Edge.
    EdgeConfig {
        /// Consider Edge when the type is `auto`.
        enabled: bool = "browser.edge.enabled", "true";
        /// Executable, when it is not in a usual place.
        path: Option<PathBuf> = "browser.edge.path", "";
        /// Directory of Edge's managed profile.
        profile_dir: PathBuf = "browser.edge.profileDir", "~/.config/browseruse/profiles/edge";
        /// Extra command-line flags, comma-separated.
        extra_args: Arguments = "browser.edge.extraArgs", "";
    }
}

area! {
    /// Mozilla Firefox.
    FirefoxConfig {
        /// Executable, when it is not in a usual place.
        path: Option<PathBuf> = "browser.firefox.path", "";
        /// Extra command-line flags, comma-separated.
        extra_args: Arguments = "browser.firefox.extraArgs", "";
    }
}

area! {
    /// Open-source Chromium builds, and what all Chromium browsers share.
    ChromiumConfig {
        /// Executable, when it is not in a usual place.
        path: Option<PathBuf> = "browser.chromium.path", "";
        /// The browser's sandbox: `auto` keeps it on wherever it works.
        sandbox: SandboxMode = "browser.chromium.sandbox", "auto";
        /// Extra command-line flags, comma-separated.
        extra_args: Arguments = "browser.chromium.extraArgs", "";
    }
}

area! {
    /// Clicking, typing and the like.
    ActionConfig {
        /// Limit of one action, in milliseconds.
        timeout_ms: u64 = "browser.action.timeoutMs", "5000", 1..=600000;
        /// Mode `auto` may use the real mouse.
        mouse_fallback: bool = "browser.action.mouseFallback", "true";
        /// Mode `auto` may use JavaScript.
        js_fallback: bool = "browser.action.jsFallback", "true";
    }
}

area! {
    /// Screenshots.
    CaptureConfig {
        /// Take a screenshot after each successful page-changing command.
        enabled: bool = "browser.capture.enabled", "true";
        /// Limit of one screenshot, in milliseconds.
        timeout_ms: u64 = "browser.capture.timeoutMs", "8000", 1..=120000;
        /// Failures in a row after which automatic screenshots pause.
        fail_threshold: u32 = "browser.capture.failThreshold", "3", 1..=1000;
        /// Length of that pause, in milliseconds.
        cooldown_ms: u64 = "browser.capture.cooldownMs", "120000";
        /// Pause after a transient error, in milliseconds.
        spurious_cooldown_ms: u64 = "browser.capture.spuriousCooldownMs", "15000";
    }
}

area! {
    /// Scripts of the caller.
    EvalConfig {
        /// Limit of one script, in milliseconds; 0 sets none.
        timeout_ms: u64 = "browser.eval.timeoutMs", "60000";
    }
}

area! {
    /// The life of a command.
    CommandConfig {
        /// Limit of a normal command, in milliseconds; 0 sets none.
        timeout_ms: u64 = "browser.command.timeoutMs", "90000";
        /// Limit of a long-running command or batch, in milliseconds; 0 sets none.
        hard_timeout_ms: u64 = "browser.command.hardTimeoutMs", "900000";
        /// Commands in execution at the same time.
        max_stuck: usize = "browser.command.maxStuck", "24", 1..=10000;
        /// Commands in one batch.
        max_per_batch: usize = "browser.command.maxPerBatch", "200", 1..=100000;
        /// Attempts of a command that is safe to send again.
        spurious_max_attempts: u32 = "browser.command.spuriousMaxAttempts", "3", 1..=20;
        /// Pause before such another attempt, in milliseconds.
        spurious_retry_delay_ms: u64 = "browser.command.spuriousRetryDelayMs", "120", 0..=10000;
    }
}

area! {
    /// Reading a page.
    StateConfig {
        /// Largest page text in a reply, in characters, whatever the caller asks for.
        hard_max_chars: usize = "browser.state.hardMaxChars", "400000", 1000..=100000000;
    }
}

area! {
    /// The request log.
    NetworkConfig {
        /// Record requests: `on` from the first tab, `lazy` from the first question, `off` never.
        record: NetworkRecord = "browser.network.record", "on";
        /// Requests that are kept of a task.
        max_requests: usize = "browser.network.maxRequests", "200", 1..=100000;
        /// Responses of a task whose bodies can be had.
        max_responses: usize = "browser.network.maxResponses", "100", 1..=100000;
        /// Bytes of copied bodies that are kept of a task.
        max_body_bytes: usize = "browser.network.maxBodyBytes", "16777216", 0..=1073741824;
    }
}

area! {
    /// Text extraction.
    ExtractConfig {
        /// Characters after which extracted text is cut.
        max_chars: usize = "browser.extract.maxChars", "20000", 1..=100000000;
    }
}

area! {
    /// Downloads.
    DownloadConfig {
        /// Where downloads are put.
        dir: PathBuf = "browser.download.dir", "~/Downloads/broswer";
    }
}

area! {
    /// Text recognition.
    OcrConfig {
        /// `auto` is tesseract on Linux and macOS and the built-in engine on Windows.
        engine: OcrEngine = "browser.ocr.engine", "auto";
        /// Command line of the engine `command`, with {input}, {output} and {language}.
        command: Option<String> = "browser.ocr.command", "";
        /// Limit of one recognition, in milliseconds.
        timeout_ms: u64 = "browser.ocr.timeoutMs", "120000", 1..=3600000;
    }
}

area! {
    /// The record of every call.
    TraceConfig {
        /// Write the trace.
        enabled: bool = "browser.trace.enabled", "true";
        /// Where it is written, one folder a day.
        dir: PathBuf = "browser.trace.dir", "logs/trace";
        /// Characters after which one record is cut.
        max_record_chars: usize = "browser.trace.maxRecordChars", "8000000", 1000..=1000000000;
        /// Mask personal data in the trace. Passwords and other secrets are masked always.
        redact_enabled: bool = "browser.trace.redact.enabled", "true";
        /// More regular expressions to mask, comma-separated.
        redact_extra: Patterns = "browser.trace.redact", "";
        /// What stands in place of a masked value.
        redact_mask: String = "browser.trace.redact.mask", "***";
    }
}

area! {
    /// The upload store.
    UploadConfig {
        /// Accept uploads.
        enabled: bool = "browser.upload.enabled", "true";
        /// Where they are put.
        dir: PathBuf = "browser.upload.dir", "upload";
        /// Largest file in bytes; 0 sets no limit.
        max_bytes: u64 = "browser.upload.maxBytes", "67108864";
        /// A file of the same name replaces the earlier one; else it gets a number.
        overwrite: bool = "browser.upload.overwrite", "true";
    }
}

area! {
    /// Recipes.
    RecipesConfig {
        /// Where recipes are kept.
        dir: PathBuf = "browser.recipes.dir", "recipes";
    }
}

area! {
    /// Script files.
    JsConfig {
        /// Where `execute_js` finds script files.
        dir: PathBuf = "browser.js.dir", "scripts/js";
    }
}

area! {
    /// Asynchronous jobs.
    JobsConfig {
        /// Jobs that are kept.
        max: usize = "browser.jobs.max", "50", 1..=100000;
        /// Jobs that run at the same time.
        max_concurrency: usize = "browser.jobs.maxConcurrency", "2", 1..=1000;
    }
}
