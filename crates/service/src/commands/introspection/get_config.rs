//! `get_config`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::browsers::browser_facts;
use crate::command::{Class, Command, Flags, Group};
use crate::config::{Config, OcrEngine};
use crate::context::Context;
use crate::failure::Failure;
use crate::text;

/// Tells the effective configuration, the paths in use and the running browser.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GetConfig {}

/// Reply of `get_config`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Effective {
    work_dir: String,
    /// Where `bodyFile` scripts are looked for.
    js_dir: String,
    recipes_dir: String,
    engine: String,
    /// `browser.type`.
    configured_type: String,
    type_choices: [&'static str; 5],
    profile_dir: Value,
    action: Value,
    launch_timeout_ms: u64,
    trace: Value,
    upload: Value,
    extract: Value,
    ocr: Value,
    capture: Value,
    eval: Value,
    command: Value,
    network: Value,
    /// How many tasks there are.
    tasks: usize,
    /// Methods that are built.
    commands: Vec<&'static str>,
    /// Version of the service.
    version: &'static str,
    /// The running browser, as `start` tells of it.
    browser: Option<Value>,
}

impl Command for GetConfig {
    const NAME: &'static str = "get_config";
    const GROUP: Group = Group::Introspection;
    const CLASS: Class = Class::Admin;
    const FLAGS: Flags = Flags::SERVICE.resend_safe();
    type Output = Effective;

    async fn run(self, cx: &mut Context) -> Result<Effective, Failure> {
        let (config, service) = (cx.config(), cx.service());
        let running = service.browsers().running();
        Ok(Effective {
            work_dir: config.work_dir.display().to_string(),
            js_dir: config.js.dir.display().to_string(),
            recipes_dir: config.recipes.dir.display().to_string(),
            engine: config.browser.engine.to_string(),
            configured_type: config.browser.type_.to_string(),
            type_choices: ["auto", "chromium", "chrome", "edge", "firefox"],
            profile_dir: profile_dir(cx),
            action: json!({
                "timeoutMs": config.action.timeout_ms,
                "jsFallback": config.action.js_fallback,
                "mouseFallback": config.action.mouse_fallback,
            }),
            launch_timeout_ms: config.browser.launch_timeout_ms,
            trace: json!({
                "dir": config.trace.dir.display().to_string(),
                "enabled": config.trace.enabled,
                "redact": config.trace.redact_enabled,
            }),
            upload: json!({
                "dir": config.upload.dir.display().to_string(),
                "enabled": config.upload.enabled,
                "maxBytes": config.upload.max_bytes,
            }),
            extract: json!({
                "maxChars": config.extract.max_chars,
                "key": "browser.extract.maxChars",
                "note": cx.say(&text!("introspection.extract")),
            }),
            ocr: ocr(cx),
            capture: capture(config),
            eval: json!({"timeoutMs": config.eval.timeout_ms}),
            command: command(config),
            network: json!({"record": config.network.record.to_string()}),
            tasks: service.tasks().count(),
            commands: service.registry().built().collect(),
            version: env!("CARGO_PKG_VERSION"),
            browser: running
                .as_ref()
                .map(|running| browser_facts(running, config, cx.language())),
        })
    }
}

fn profile_dir(cx: &Context) -> Value {
    let config = cx.config();
    let shown = |path: &std::path::PathBuf| path.display().to_string();
    json!({
        "resolved": shown(&config.managed_profile_dir(config.server.port)),
        "forType": config.browser.type_.to_string(),
        "perPort": config.browser.profile_dir_per_port,
        "configured": config.browser.profile_dir.as_ref().map(shown),
        "cdpConfigured": config.browser.chrome.cdp_profile_dir.as_ref().map(shown),
        "note": cx.say(&text!("introspection.profile_dir")),
    })
}

fn ocr(cx: &Context) -> Value {
    let ocr = &cx.config().ocr;
    let engine = match (ocr.engine, cfg!(windows)) {
        (OcrEngine::Auto, true) => "windows".to_owned(),
        (OcrEngine::Auto, false) => "tesseract".to_owned(),
        (chosen, _) => chosen.to_string(),
    };
    json!({
        "engine": ocr.engine.to_string(),
        "describe": cx.say(&text!("introspection.ocr", engine = engine)),
        "command": ocr.command,
        "timeoutMs": ocr.timeout_ms,
        "windowsAvailable": cfg!(windows),
    })
}

fn capture(config: &Config) -> Value {
    json!({
        "enabled": config.capture.enabled,
        "timeoutMs": config.capture.timeout_ms,
        "failThreshold": config.capture.fail_threshold,
        "cooldownMs": config.capture.cooldown_ms,
        "spuriousCooldownMs": config.capture.spurious_cooldown_ms,
    })
}

fn command(config: &Config) -> Value {
    json!({
        "timeoutMs": config.command.timeout_ms,
        "hardTimeoutMs": config.command.hard_timeout_ms,
        "maxStuck": config.command.max_stuck,
        "maxPerBatch": config.command.max_per_batch,
        "spuriousMaxAttempts": config.command.spurious_max_attempts,
        "spuriousRetryDelayMs": config.command.spurious_retry_delay_ms,
    })
}
