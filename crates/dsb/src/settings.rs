//! Configuration keys on the command line: `--server.port=10050`.
//!
//! Invariant: an argument is a setting exactly when its name has a dot in it; no option of the client has one, so the
//! two can stand in any order.

use std::ffi::OsString;

/// A key and its value, in the order given.
pub type Settings = Vec<(String, String)>;

/// Takes the settings out of the arguments; what is left is for the option parser. Nothing behind `--` is touched.
///
/// # Errors
/// The sentence for the user, when a setting has no value.
pub fn split(arguments: impl IntoIterator<Item = OsString>) -> Result<(Settings, Vec<OsString>), String> {
    let mut settings = Settings::new();
    let mut rest = Vec::new();
    let mut only_values = false;
    for argument in arguments {
        only_values |= argument == "--";
        match argument.to_str().filter(|_| !only_values).and_then(setting) {
            None => rest.push(argument),
            Some((key, Some(value))) => settings.push((key.to_owned(), value.to_owned())),
            Some((key, None)) => return Err(format!("--{key} needs a value: --{key}=VALUE")),
        }
    }
    Ok((settings, rest))
}

fn setting(argument: &str) -> Option<(&str, Option<&str>)> {
    let body = argument.strip_prefix("--")?;
    let (key, value) = match body.split_once('=') {
        Some((key, value)) => (key, Some(value)),
        None => (body, None),
    };
    let dotted = key.contains('.') && key.split('.').all(is_key_part);
    dotted.then_some((key, value))
}

fn is_key_part(part: &str) -> bool {
    part.starts_with(|c: char| c.is_ascii_alphabetic()) && part.chars().all(|c| c.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split_words(words: &str) -> Result<(Settings, Vec<OsString>), String> {
        split(words.split(' ').map(OsString::from))
    }

    #[test]
    fn settings_are_found_wherever_they_stand() {
        let (settings, rest) = split_words("dsb --server.port=0 serve --browser.chrome.path=/a=b --json").unwrap();
        assert_eq!(
            settings,
            [
                ("server.port".into(), "0".into()),
                ("browser.chrome.path".into(), "/a=b".into())
            ]
        );
        assert_eq!(rest, ["dsb", "serve", "--json"]);
    }

    #[test]
    fn options_and_values_are_left_alone() {
        for words in [
            "--out=a.b",
            "--select a.b",
            "-p url=http://h.x",
            "-- --server.port=1",
            "--.x=1",
            "--a..b=1",
        ] {
            let (settings, rest) = split_words(words).unwrap();
            assert!(settings.is_empty(), "{words}");
            assert_eq!(rest.len(), words.split(' ').count());
        }
    }

    #[test]
    fn a_setting_without_a_value_is_an_error() {
        assert!(
            split_words("serve --server.port 1")
                .unwrap_err()
                .contains("--server.port=VALUE")
        );
    }
}
