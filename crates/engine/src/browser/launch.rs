//! Bringing a browser up: the process, the first answer, the sandbox decision, the browser-level settings.

use std::sync::Arc;
use std::time::Duration;

use cdp::protocol::{browser, target};
use cdp::{Connection, ConnectionOptions, Pipe, Session};
use tokio::sync::watch;

use super::{Browser, BrowserFacts, Inner, Registry, events};
use crate::error::Result;
use crate::launch::{BrowserProcess, LaunchError, LaunchOptions, ProfileDir, Sandbox, spawn};
use crate::tab::Emulated;

/// How long the browser's own first tab may take to be announced.
const FIRST_TAB: Duration = Duration::from_secs(5);

/// Exit code by which Chromium says that another process owns the profile (`RESULT_CODE_PROFILE_IN_USE`).
const PROFILE_IN_USE: i32 = 21;

impl Browser {
    /// Starts a browser and waits for its first answer.
    ///
    /// # Errors
    /// [`LaunchError`], with the browser's last words.
    pub async fn launch(options: LaunchOptions) -> Result<Self> {
        let profile = ProfileDir::new(options.profile_dir.clone());
        let seen_before = profile.seen_before();
        let marker = profile.marker();
        profile
            .create()
            .map_err(|error| LaunchError::os(options.profile_dir.display().to_string(), &error))?;
        profile.remove_dead_lock();
        if !options.headless && cfg!(target_os = "linux") && !has_display() {
            return Err(LaunchError::NoDisplay.into());
        }
        if !options.headless && (marker.is_some() || !seen_before) {
            let folder = options.profile_directory.as_deref().unwrap_or("Default");
            if let Err(error) = profile.forbid_printing(folder) {
                tracing::warn!(%error, "printing stays on; a page that prints may hold its tab");
            }
        }
        let (started, sandbox, mut notes) = start(&options).await?;
        let kind = options.installed.kind.as_str();
        notes.extend(configure(&started.root, &options).await);
        let facts = BrowserFacts {
            product: started.version.product,
            protocol_version: started.version.protocol_version,
            executable: options.installed.executable.clone(),
            kind,
            pid: started.process.pid(),
            headless: options.headless,
            profile_dir: options.profile_dir.clone(),
            profile_directory: options.profile_directory.clone(),
            sandbox,
            profile_seen_before: seen_before,
            previous_browser: marker.map(|marker| marker.browser).filter(|previous| previous != kind),
            notes,
        };
        let _ = profile.mark(kind, crate::tab::now_ms());
        let (width, height) = options.viewport;
        let inner = Arc::new(Inner {
            connection: started.connection,
            root: started.root,
            process: started.process,
            facts,
            emulated: options.headless.then_some(Emulated { width, height }),
            download_dir: options.download_dir,
            registry: Registry::default(),
            dialogs: crate::dialogs::DialogBooks::default(),
            networks: crate::network::NetworkBooks::default(),
            consoles: std::sync::Mutex::default(),
            front: tokio::sync::Mutex::default(),
            gone: watch::Sender::new(None),
        });
        listen(&inner).await?;
        Ok(Self(inner))
    }
}

fn has_display() -> bool {
    ["DISPLAY", "WAYLAND_DISPLAY"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

struct Started {
    process: BrowserProcess,
    connection: Connection,
    root: Session,
    version: browser::GetVersionReply,
}

/// Decides the sandbox by trying it, except where it is known not to work.
async fn start(options: &LaunchOptions) -> Result<(Started, bool, Vec<String>), LaunchError> {
    match options.sandbox {
        Sandbox::On => Ok((attempt(options, true).await?, true, Vec::new())),
        Sandbox::Off => Ok((
            attempt(options, false).await?,
            false,
            vec!["sandbox-off-by-configuration".into()],
        )),
        Sandbox::Auto if rustix::process::geteuid().is_root() => Ok((
            attempt(options, false).await?,
            false,
            vec!["sandbox-off-as-root".into()],
        )),
        Sandbox::Auto => match attempt(options, true).await {
            Err(error) if error.names_sandbox() => Ok((
                attempt(options, false).await?,
                false,
                vec!["sandbox-off-unavailable".into()],
            )),
            other => Ok((other?, true, Vec::new())),
        },
    }
}

async fn attempt(options: &LaunchOptions, sandbox: bool) -> Result<Started, LaunchError> {
    let (process, ends) = spawn(options, sandbox)?;
    let limits = ConnectionOptions::default();
    let pipe =
        Pipe::new(ends.write, ends.read, limits.limits()).map_err(|error| LaunchError::os("debugging pipe", &error))?;
    let connection = Connection::start(Box::new(pipe), limits);
    let root = connection.root();
    let answer = tokio::select! {
        biased;
        answer = root.call_within(browser::GetVersion {}, options.timeout) => answer.ok(),
        _ = process.exited() => None,
    };
    if let Some(version) = answer {
        return Ok(Started {
            process,
            connection,
            root,
            version,
        });
    }
    let exited = tokio::time::timeout(Duration::from_millis(500), process.exited()).await;
    // One turn of the reader, so that the last words have arrived.
    tokio::task::yield_now().await;
    let stderr = process.last_words();
    match exited {
        Ok(status) if status.code() == Some(PROFILE_IN_USE) => Err(LaunchError::ProfileInUse {
            profile: options.profile_dir.clone(),
        }),
        Ok(status) => Err(LaunchError::Exited {
            status: status.to_string(),
            stderr,
        }),
        Err(_) => Err(LaunchError::Timeout {
            after: options.timeout,
            stderr,
        }),
    }
}

/// Browser-wide settings, best effort: what failed is a note, never a failed start.
async fn configure(root: &Session, options: &LaunchOptions) -> Vec<String> {
    let mut notes = Vec::new();
    if std::fs::create_dir_all(&options.download_dir).is_err() {
        notes.push("download-directory-unusable".into());
    }
    let downloads = browser::SetDownloadBehavior {
        behavior: "allowAndName".into(),
        download_path: Some(options.download_dir.display().to_string()),
        events_enabled: Some(true),
        ..Default::default()
    };
    let permissions = browser::GrantPermissions {
        permissions: ["clipboardReadWrite", "clipboardSanitizedWrite", "notifications"]
            .map(String::from)
            .to_vec(),
        ..Default::default()
    };
    let (downloads, permissions) = tokio::join!(root.call(downloads), root.call(permissions));
    if downloads.is_err() {
        notes.push("downloads-not-followed".into());
    }
    if permissions.is_err() {
        notes.push("permissions-not-granted".into());
    }
    notes
}

/// Starts the event loop and attaches to every page, present and future.
async fn listen(inner: &Arc<Inner>) -> Result<()> {
    if let Some(events) = inner.root.take_events() {
        events::pump(inner, events);
    }
    let watched = Arc::downgrade(inner);
    let connection = inner.connection.clone();
    tokio::spawn(async move {
        let reason = connection.closed().await;
        if let Some(inner) = watched.upgrade() {
            mark_gone(&inner, &reason);
        }
    });
    let only = |kind: &str| target::FilterEntry {
        r#type: Some(kind.into()),
        exclude: Some(false),
    };
    let attach = target::SetAutoAttach {
        auto_attach: true,
        wait_for_debugger_on_start: true,
        flatten: Some(true),
        filter: Some(vec![only("page"), only("shared_worker")]),
    };
    let discover = target::SetDiscoverTargets {
        discover: true,
        filter: Some(vec![only("page")]),
    };
    let (discover, attach) = tokio::join!(inner.root.call(discover), inner.root.call(attach));
    discover?;
    attach?;
    // The blank tab of the launch is the first task's: it must be known before anyone asks for a tab.
    let _ = tokio::time::timeout(FIRST_TAB, inner.registry.any()).await;
    Ok(())
}

fn mark_gone(inner: &Inner, reason: &str) {
    inner.gone.send_replace(Some(reason.to_owned()));
    for tab in inner.registry.all() {
        tab.update(|state| state.end.get_or_insert(crate::tab::TabEnd::Closed).to_owned());
        inner.registry.remove(tab.id());
    }
}
