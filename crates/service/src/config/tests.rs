//! Loading as a whole: priorities, warnings, and the one declaration behind every output.

use std::collections::BTreeSet;
use std::path::Path;

use super::*;
use crate::messages::Language;

fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, content) in files {
        std::fs::write(dir.path().join(name), content).unwrap();
    }
    dir
}

fn load(dir: &Path, cli: &[(&str, &str)], env: &[(&str, &str)]) -> (Config, Vec<String>) {
    let owned = |pairs: &[(&str, &str)]| pairs.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
    let sources = Sources {
        cli: owned(cli),
        env: owned(env),
        work_dir: dir.into(),
        home: Some("/srv/me".into()),
    };
    let (config, warnings) = Config::load(sources);
    (
        config,
        warnings.iter().map(|warning| warning.render(Language::En)).collect(),
    )
}

#[test]
fn every_default_is_a_valid_value_of_its_key() {
    for key in keys().filter(|key| !key.default.is_empty()) {
        let dir = folder(&[]);
        let (config, warnings) = load(dir.path(), &[(key.name, key.default)], &[]);
        assert_eq!(warnings, [""; 0], "{}", key.name);
        assert_eq!(config.origin_of(key.name), Source::CommandLine, "{}", key.name);
    }
}

#[test]
fn defaults_are_those_of_the_documents() {
    let dir = folder(&[]);
    let (config, warnings) = load(dir.path(), &[], &[]);
    assert_eq!(warnings, [""; 0]);
    assert_eq!((config.server.port, config.server.host.as_str()), (10049, "127.0.0.1"));
    assert_eq!(config.command.hard_timeout_ms, 900_000);
    assert_eq!(config.browser.chromium.sandbox, SandboxMode::Auto);
    assert_eq!(
        config.browser.profiles_dir,
        Path::new("/srv/me/.config/browseruse/profiles/named")
    );
    assert_eq!(config.trace.dir, dir.path().join("logs/trace"));
    assert!(config.json.skip_null && !config.server.token.is_set());
    assert_eq!(config.origin_of("server.port"), Source::Default);
    assert_eq!(
        config.managed_profile_dir(7),
        Path::new("/srv/me/.config/browseruse/profiles/shared-7")
    );
}

#[test]
fn sources_win_in_their_order() {
    let key = "browser.profileDir.perPort";
    let env = ("BROWSER_PROFILE_DIR_PER_PORT", "no");
    let dir = folder(&[
        ("app.properties", b"server.port=3\n"),
        ("browser.properties", b"server.port=4\nserver.host=::1\n"),
    ]);
    let (config, _) = load(dir.path(), &[("server.port", "1")], &[("SERVER_PORT", "2"), env]);
    assert_eq!(
        (config.server.port, config.origin_of("server.port")),
        (1, Source::CommandLine)
    );
    assert_eq!(
        (config.browser.profile_dir_per_port, config.origin_of(key)),
        (false, Source::Environment)
    );
    assert_eq!(config.origin_of("server.host"), Source::BrowserProperties);
    let (config, _) = load(dir.path(), &[], &[]);
    assert_eq!(
        (config.server.port, config.origin_of("server.port")),
        (3, Source::AppProperties)
    );
    assert!(config.managed_profile_dir(3).ends_with("shared-3"));
}

#[test]
fn the_older_null_key_counts_only_alone() {
    let dir = folder(&[]);
    let (config, _) = load(dir.path(), &[("tio.json.skipNull", "false")], &[]);
    assert!(!config.json.skip_null);
    let file = folder(&[("browser.properties", b"browser.json.skipNull=true\n")]);
    let (config, _) = load(file.path(), &[("tio.json.skipNull", "false")], &[]);
    assert!(config.json.skip_null);
}

#[test]
fn what_is_not_used_is_said_with_key_and_source() {
    let dir = folder(&[
        (
            "app.properties",
            b"browser.action.timeoutMs=soon\nbrowser.capture.timeoutMs=0\njust words\nother.key=1\n",
        ),
        ("browser.properties", &[0xff, 0xfe]),
    ]);
    let cli = [
        ("browser.eval.timoutMs", "1"),
        ("browser.trace.redact", r"\d+,(,x{2,3}"),
        ("browser.nothing.like.it", "1"),
    ];
    let (config, warnings) = load(
        dir.path(),
        &cli,
        &[("BROWSER_CHROM_PATH", "/x"), ("BROWSER_FOR_OTHERS", "y")],
    );
    assert_eq!(
        (
            config.action.timeout_ms,
            config.capture.timeout_ms,
            config.eval.timeout_ms
        ),
        (5000, 8000, 60_000)
    );
    assert_eq!(config.origin_of("browser.action.timeoutMs"), Source::Default);
    let said = |parts: &[&str]| {
        warnings
            .iter()
            .any(|warning| parts.iter().all(|part| warning.contains(part)))
    };
    assert!(said(&["app.properties", "line 3", "just words"]), "{warnings:#?}");
    assert!(said(&["browser.properties could not be read"]), "{warnings:#?}");
    assert!(
        said(&["browser.eval.timoutMs", "command line", "browser.eval.timeoutMs"]),
        "{warnings:#?}"
    );
    assert!(said(&["browser.nothing.like.it", "command line"]), "{warnings:#?}");
    assert!(
        said(&["BROWSER_CHROM_PATH", "environment", "BROWSER_CHROME_PATH"]),
        "{warnings:#?}"
    );
    assert!(
        said(&["browser.action.timeoutMs", "app.properties", "soon", "5000"]),
        "{warnings:#?}"
    );
    assert!(
        said(&["browser.capture.timeoutMs", "from 1 to 120000"]),
        "{warnings:#?}"
    );
    assert!(said(&["browser.trace.redact", "(,x{2,3}"]), "{warnings:#?}");
    assert_eq!(warnings.len(), 8, "{warnings:#?}");
}

#[test]
fn the_token_is_shown_nowhere() {
    let dir = folder(&[]);
    let (config, _) = load(dir.path(), &[("server.token", "hunter2-hunter2")], &[]);
    assert!(config.server.token.matches("hunter2-hunter2"));
    let shown: Vec<String> = config.effective().into_iter().map(|(_, text, _)| text).collect();
    assert!(!shown.join(" ").contains("hunter2"));
    assert!(!format!("{:?}", config.server).contains("hunter2"));
}

#[test]
fn names_are_unique_everywhere() {
    let names: Vec<_> = keys().map(|key| key.name).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    let variables: BTreeSet<_> = keys().map(Key::env_name).collect();
    assert_eq!(variables.len(), names.len());
    assert!(variables.contains("BROWSER_CHROME_USER_DATA_DIR") && variables.contains("BROWSER_CDP_URL"));
}

#[test]
fn documents_name_every_key_once() {
    let (table, help) = (markdown(), help());
    for key in keys() {
        assert_eq!(table.matches(&format!("`{}`<br>", key.name)).count(), 1, "{}", key.name);
        assert!(help.contains(&format!("  --{}=", key.name)), "{}", key.name);
        assert!(key.doc().ends_with('.') && !key.doc().contains('\n'), "{}", key.name);
    }
    assert_eq!(
        table.matches("\n## ").count(),
        keys().map(Key::area).collect::<BTreeSet<_>>().len()
    );
}
