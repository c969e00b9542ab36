//! The types of settings and how each is read from text.

use std::fmt;
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// What relative paths and `~` are resolved against.
pub struct Base<'a> {
    pub(super) work_dir: &'a Path,
    pub(super) home: Option<&'a Path>,
}

/// A type that a key can have.
pub trait Setting: Sized + Default {
    /// The accepted values in words, for messages and documentation.
    const KIND: &'static str;
    /// Values must not be shown.
    const SECRET: bool = false;

    /// Reads a trimmed text; `None` when it is not a value of this type.
    fn parse(text: &str, base: &Base<'_>) -> Option<Self>;

    /// The number that bounds apply to.
    fn number(&self) -> Option<u64> {
        None
    }
}

impl Setting for bool {
    const KIND: &'static str = "true/false, 1/0, yes/no, on/off";

    fn parse(text: &str, _: &Base<'_>) -> Option<Self> {
        match text.to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" | "on" => Some(true),
            "false" | "0" | "no" | "off" => Some(false),
            _ => None,
        }
    }
}

macro_rules! integers {
    ($($type:ty),*) => {$(
        impl Setting for $type {
            const KIND: &'static str = "integer";

            fn parse(text: &str, _: &Base<'_>) -> Option<Self> {
                text.parse().ok()
            }

            fn number(&self) -> Option<u64> {
                u64::try_from(*self).ok()
            }
        }
    )*};
}

integers!(u16, u32, u64, usize);

impl Setting for String {
    const KIND: &'static str = "text";

    fn parse(text: &str, _: &Base<'_>) -> Option<Self> {
        Some(text.to_owned())
    }
}

impl Setting for Option<String> {
    const KIND: &'static str = "text";

    fn parse(text: &str, _: &Base<'_>) -> Option<Self> {
        Some((!text.is_empty()).then(|| text.to_owned()))
    }
}

impl Setting for PathBuf {
    const KIND: &'static str = "path";

    fn parse(text: &str, base: &Base<'_>) -> Option<Self> {
        (!text.is_empty()).then(|| resolve(text, base))
    }
}

impl Setting for Option<PathBuf> {
    const KIND: &'static str = "path";

    fn parse(text: &str, base: &Base<'_>) -> Option<Self> {
        Some((!text.is_empty()).then(|| resolve(text, base)))
    }
}

/// `~` is the home directory; what is relative then starts at the working directory.
fn resolve(text: &str, base: &Base<'_>) -> PathBuf {
    let below_home = text
        .strip_prefix('~')
        .filter(|rest| rest.is_empty() || rest.starts_with(['/', '\\']));
    match (below_home, base.home) {
        (Some(rest), Some(home)) => home.join(rest.trim_start_matches(['/', '\\'])),
        _ => base.work_dir.join(text),
    }
}

impl Setting for Vec<String> {
    const KIND: &'static str = "comma-separated list";

    fn parse(text: &str, _: &Base<'_>) -> Option<Self> {
        Some(
            text.split(',')
                .map(str::trim)
                .filter(|item| !item.is_empty())
                .map(str::to_owned)
                .collect(),
        )
    }
}

/// A list of strings with a notation of its own.
macro_rules! lists {
    ($($(#[doc = $doc:literal])+ $name:ident, $kind:literal, $split:path;)*) => {$(
        $(#[doc = $doc])+
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct $name(pub Vec<String>);

        impl Deref for $name {
            type Target = [String];

            fn deref(&self) -> &[String] {
                &self.0
            }
        }

        impl Setting for $name {
            const KIND: &'static str = $kind;

            fn parse(text: &str, _: &Base<'_>) -> Option<Self> {
                Some($name($split(text)))
            }
        }
    )*};
}

lists! {
    /// Command-line flags. A comma separates only where another flag follows, so that
    /// `--disable-features=A,B,--mute-audio` is two flags.
    Arguments, "comma-separated flags", split_arguments;
    /// Regular expressions. A comma inside brackets or behind a backslash does not separate.
    Patterns, "comma-separated regular expressions", split_patterns;
}

fn split_arguments(text: &str) -> Vec<String> {
    let mut arguments: Vec<String> = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        match arguments.last_mut() {
            Some(last) if !part.starts_with('-') && last.starts_with('-') => {
                last.push(',');
                last.push_str(part);
            }
            _ => arguments.push(part.to_owned()),
        }
    }
    arguments
}

fn split_patterns(text: &str) -> Vec<String> {
    let mut patterns = vec![String::new()];
    let (mut depth, mut escaped) = (0_i32, false);
    for letter in text.chars() {
        match letter {
            ',' if depth == 0 && !escaped => {
                patterns.push(String::new());
                continue;
            }
            '{' | '[' | '(' if !escaped => depth += 1,
            '}' | ']' | ')' if !escaped => depth = (depth - 1).max(0),
            _ => {}
        }
        escaped = letter == '\\' && !escaped;
        if let Some(last) = patterns.last_mut() {
            last.push(letter);
        }
    }
    patterns
        .iter()
        .map(|pattern| pattern.trim().to_owned())
        .filter(|pattern| !pattern.is_empty())
        .collect()
}

/// A text that is never shown.
#[derive(Clone, PartialEq, Default)]
pub struct Secret(String);

impl Secret {
    /// Wraps a text.
    pub fn new(text: impl Into<String>) -> Secret {
        Secret(text.into())
    }

    /// Whether there is one at all.
    pub fn is_set(&self) -> bool {
        !self.0.is_empty()
    }

    /// The text itself, for the one place that needs it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Compares in a time that does not tell how many leading bytes were right.
    pub fn matches(&self, candidate: &str) -> bool {
        let (ours, theirs) = (self.0.as_bytes(), candidate.as_bytes());
        let differing = ours.iter().zip(theirs).fold(0_u8, |bits, (a, b)| bits | (a ^ b));
        self.is_set() && ours.len() == theirs.len() && std::hint::black_box(differing) == 0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_set() { "Secret(***)" } else { "Secret(unset)" })
    }
}

impl Setting for Secret {
    const KIND: &'static str = "text";
    const SECRET: bool = true;

    fn parse(text: &str, _: &Base<'_>) -> Option<Self> {
        Some(Secret(text.to_owned()))
    }
}

/// The port that a browser's debugging endpoint must use: none in particular, or one above 10000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DebugPort(Option<u16>);

impl DebugPort {
    /// The fixed port; `None` takes a free one.
    pub fn fixed(self) -> Option<u16> {
        self.0
    }
}

impl Setting for DebugPort {
    const KIND: &'static str = "0, or a port from 10001 to 65535";

    fn parse(text: &str, _: &Base<'_>) -> Option<Self> {
        match text.parse::<u16>().ok()? {
            0 => Some(DebugPort(None)),
            port if port > 10_000 => Some(DebugPort(Some(port))),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::config::{BrowserType, OcrEngine, SandboxMode, Viewport};
    use crate::messages::Language;

    fn read<T: Setting>(text: &str) -> Option<T> {
        T::parse(
            text,
            &Base {
                work_dir: Path::new("/srv/app"),
                home: Some(Path::new("/srv/me")),
            },
        )
    }

    #[test]
    fn paths_start_at_home_or_the_working_directory() {
        for (text, path) in [
            ("~", "/srv/me"),
            ("~/a/b", "/srv/me/a/b"),
            ("~other/a", "/srv/app/~other/a"),
            ("a", "/srv/app/a"),
            ("/abs", "/abs"),
        ] {
            assert_eq!(read::<PathBuf>(text), Some(PathBuf::from(path)), "{text}");
        }
        assert_eq!(read::<PathBuf>(""), None);
        assert_eq!(read::<Option<PathBuf>>(""), Some(None));
    }

    #[test]
    fn commas_separate_only_between_items() {
        let flags = read::<Arguments>("--disable-features=A,B, --mute-audio,,--x=1,2").unwrap();
        assert_eq!(*flags, ["--disable-features=A,B", "--mute-audio", "--x=1,2"]);
        let patterns = read::<Patterns>(r"\d{3,4}, [a,b](x,y),p\,q,").unwrap();
        assert_eq!(*patterns, [r"\d{3,4}", "[a,b](x,y)", r"p\,q"]);
    }

    #[test]
    fn sizes_take_three_signs_and_no_nonsense() {
        for text in ["1280x800", "1280*800", "1280×800", "1280X800", "1280 x 800"] {
            assert_eq!(read::<Viewport>(text), Some(Viewport::Size(1280, 800)), "{text}");
        }
        for text in ["", "1280", "0x800", "axb", "-1x5", "99999x1", "1x2x3"] {
            assert_eq!(read::<Viewport>(text), None, "{text}");
        }
    }

    #[test]
    fn words_are_read_in_any_case_and_written_as_documented() {
        assert_eq!(read::<BrowserType>("Chrome"), Some(BrowserType::Chrome));
        assert_eq!(read::<SandboxMode>("off"), Some(SandboxMode::Off));
        assert_eq!(read::<Language>("zh"), Some(Language::ZhCn));
        assert_eq!(read::<OcrEngine>("magic"), None);
        assert_eq!(BrowserType::Edge.to_string(), "edge");
        assert_eq!(read::<DebugPort>("9222"), None);
        assert_eq!(read::<DebugPort>("12345").and_then(DebugPort::fixed), Some(12345));
    }

    #[test]
    fn a_secret_is_compared_but_never_shown() {
        let secret = Secret::new("s3cret");
        assert!(secret.matches("s3cret"));
        assert!(!secret.matches("s3cre") && !secret.matches("s3creT") && !secret.matches(""));
        assert!(!Secret::default().matches(""));
        assert!(!format!("{secret:?}").contains("s3cret"));
    }

    proptest! {
        #[test]
        fn no_text_breaks_a_parser(text in ".{0,40}") {
            let _ = (read::<Patterns>(&text), read::<Arguments>(&text), read::<Viewport>(&text));
            let _ = (read::<PathBuf>(&text), read::<DebugPort>(&text), read::<bool>(&text));
        }
    }
}
