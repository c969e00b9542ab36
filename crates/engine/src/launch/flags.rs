//! The command line of a browser that we start. No flag hides the automation or lies to pages: flags that raise the
//! "unsupported command-line flag" banner are never passed.

use super::LaunchOptions;

/// Flags for every browser that we start: no first-run questions, no background work that the task did not ask for,
/// no throttling of tabs that are not in front, and no input thrown away because nothing was painted yet.
const BASE: [&str; 20] = [
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-search-engine-choice-screen",
    "--disable-breakpad",
    "--disable-popup-blocking",
    "--disable-hang-monitor",
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--metrics-recording-only",
    "--allow-pre-commit-input",
    "--force-color-profile=srgb",
    "--password-store=basic",
    "--no-pings",
    "--disable-features=Translate,MediaRouter,OptimizationHints,AutofillServerCommunication,DeferRendererTasksAfterInput",
    "--disable-field-trial-config",
];

/// The whole command line for `options`; `sandbox` is the decision already taken.
pub fn arguments(options: &LaunchOptions, sandbox: bool) -> Vec<String> {
    let (width, height) = options.viewport;
    let mut args: Vec<String> = vec![
        "--remote-debugging-pipe".into(),
        format!("--user-data-dir={}", options.profile_dir.display()),
        format!("--window-size={width},{height}"),
    ];
    args.extend(BASE.map(String::from));
    if let Some(folder) = &options.profile_directory {
        args.push(format!("--profile-directory={folder}"));
    }
    if options.headless {
        args.extend(["--headless=new", "--hide-scrollbars", "--mute-audio"].map(String::from));
        // A person can answer the "send the form again?" question of a window; nobody can without one.
        args.push("--disable-prompt-on-repost".into());
    }
    if !sandbox {
        args.push("--no-sandbox".into());
    }
    if cfg!(target_os = "linux") {
        // Containers give /dev/shm 64 MB, which big pages overrun.
        args.push("--disable-dev-shm-usage".into());
    }
    args.extend(options.extra_args.iter().cloned());
    args.push("about:blank".into());
    args
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launch::{BrowserKind, Installed, Sandbox};

    fn options(headless: bool) -> LaunchOptions {
        LaunchOptions {
            installed: Installed {
                kind: BrowserKind::Chromium,
                executable: "/bin/true".into(),
            },
            profile_dir: "/p".into(),
            profile_directory: None,
            headless,
            sandbox: Sandbox::Auto,
            viewport: (1280, 800),
            extra_args: vec!["--lang=de".into()],
            timeout: std::time::Duration::from_secs(1),
            download_dir: "/d".into(),
        }
    }

    #[test]
    fn never_hides_the_automation() {
        for headless in [true, false] {
            let line = arguments(&options(headless), true).join(" ");
            for banned in [
                "AutomationControlled",
                "--disable-infobars",
                "--enable-automation",
                "remote-debugging-port",
            ] {
                assert!(!line.contains(banned), "{banned} in {line}");
            }
        }
    }

    #[test]
    fn the_users_flags_come_after_ours() {
        let args = arguments(&options(true), false);
        assert!(args.contains(&"--no-sandbox".to_owned()));
        assert_eq!(args[args.len() - 2], "--lang=de");
    }
}
