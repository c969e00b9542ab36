//! What is told about the browser in replies.

use engine::BrowserFacts;
use serde_json::{Value, json};

use super::{Launching, Running};
use crate::config::Config;
use crate::messages::{Language, Text};
use crate::text;

/// `data.browser` of `start` and `get_config`.
pub fn browser_facts(running: &Running, config: &Config, language: Language) -> Value {
    let facts = running.browser.facts();
    let mut notes: Vec<String> = running.notes.iter().map(|note| note.render(language)).collect();
    notes.extend(facts.notes.iter().map(|id| engine_note(id).render(language)));
    json!({
        "type": facts.kind,
        "engine": "chromium",
        "chrome": facts.kind == "chrome",
        "userProfile": false,
        "profileDir": facts.profile_dir.display().to_string(),
        "profileDirectory": facts.profile_directory,
        "headless": facts.headless,
        "mode": if facts.kind == "chromium" { "managed" } else { "cdp" },
        "pid": facts.pid,
        "sandbox": facts.sandbox,
        "cdp": {"product": facts.product, "protocolVersion": facts.protocol_version, "notes": facts.notes},
        "viewport": viewport(facts, config, language),
        "executable": facts.executable.display().to_string(),
        "profileSeenBefore": facts.profile_seen_before,
        "previousBrowser": facts.previous_browser,
        "note": (!notes.is_empty()).then(|| notes.join(" ")),
        "trace": {"dir": config.trace.dir.display().to_string(), "enabled": config.trace.enabled,
                  "redact": config.trace.redact_enabled},
        "upload": {"dir": config.upload.dir.display().to_string(), "enabled": config.upload.enabled,
                   "maxBytes": config.upload.max_bytes},
    })
}

/// The short form in `list_tasks`.
pub fn short_facts(running: &Running) -> Value {
    let facts = running.browser.facts();
    json!({
        "type": facts.kind, "engine": "chromium", "profileDir": facts.profile_dir.display().to_string(),
        "headless": facts.headless, "mode": if facts.kind == "chromium" { "managed" } else { "cdp" },
        "pid": facts.pid, "keptTabs": running.browser.kept_tabs().len(),
    })
}

/// `launching` in `list_tasks`.
pub fn launching_facts(launching: &Launching, language: Language) -> Value {
    json!({
        "startedAt": crate::trace::iso_utc(launching.started),
        "elapsedMs": u64::try_from(launching.clock.elapsed().as_millis()).unwrap_or(u64::MAX),
        "browser": launching.browser, "headless": launching.headless,
        "note": text!("browser.launching").render(language),
    })
}

/// Whether a login can be expected in the profile. `launched`: the browser was started for this very task.
pub fn profile_note(facts: &BrowserFacts, launched: bool) -> Text {
    match (&facts.previous_browser, facts.profile_seen_before || !launched) {
        (Some(previous), _) => text!("browser.profile_other", previous = previous),
        (None, true) => text!("browser.profile_used"),
        (None, false) => text!("browser.profile_new"),
    }
}

fn viewport(facts: &BrowserFacts, config: &Config, language: Language) -> Value {
    use crate::config::Viewport;
    match config.browser.viewport {
        Viewport::Size(width, height) => {
            json!({"mode": format!("{width}x{height}"), "size": format!("{width}x{height}")})
        }
        Viewport::Fixed => json!({"mode": "fixed", "size": "1280x800"}),
        Viewport::Window if facts.headless => json!({
            "mode": "fixed", "size": "1280x800", "note": text!("browser.viewport_headless").render(language),
        }),
        Viewport::Window => json!({"mode": "window"}),
    }
}

fn engine_note(id: &str) -> Text {
    match id {
        "sandbox-off-as-root" => text!("browser.note_sandbox_root"),
        "sandbox-off-unavailable" => text!("browser.note_sandbox_unavailable"),
        "sandbox-off-by-configuration" => text!("browser.note_sandbox_config"),
        "download-directory-unusable" => text!("browser.note_download_dir"),
        "downloads-not-followed" => text!("browser.note_downloads"),
        _ => text!("browser.note_permissions"),
    }
}
