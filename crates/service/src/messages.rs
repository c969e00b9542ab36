//! Texts for people: a typed key with arguments, rendered at the edge in the reader's language.
//!
//! Invariant: no other module holds a sentence for the user. A [`Text`] names a key of both
//! catalogues in `locales/`; the tests below read the sources of the service, the server and the
//! binary and hold every `text!` call against the catalogues, key and placeholders.

use std::fmt;

#[cfg(test)]
mod tests;

/// The catalogues as compiled in. Its own module, because the macro generates public functions.
mod catalogue {
    #![allow(missing_docs)]

    rust_i18n::i18n!("../../locales");

    // The macro reads the files behind the compiler's back; naming them makes an edit rebuild this crate.
    const _: [&str; 2] = [
        include_str!("../../../locales/en.yml"),
        include_str!("../../../locales/zh-CN.yml"),
    ];

    /// The sentence behind a key, placeholders still in it.
    pub(super) fn template(locale: &str, key: &str) -> Option<String> {
        _rust_i18n_try_translate(locale, key).map(|found| found.into_owned())
    }
}

/// A language that the product speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Language {
    /// English, the default.
    #[default]
    En,
    /// Simplified Chinese.
    ZhCn,
}

impl Language {
    /// Every language, in the order of the documentation.
    pub const ALL: [Language; 2] = [Language::En, Language::ZhCn];

    /// The BCP 47 tag, which is also the name of the catalogue file.
    pub fn tag(self) -> &'static str {
        match self {
            Language::En => "en",
            Language::ZhCn => "zh-CN",
        }
    }

    /// The language of a BCP 47 tag by its primary subtag (`zh`, `zh_TW`, `EN-gb`), if we speak it.
    pub fn from_tag(tag: &str) -> Option<Language> {
        let primary = tag.trim().split(['-', '_']).next().unwrap_or_default();
        match primary.to_ascii_lowercase().as_str() {
            "en" => Some(Language::En),
            "zh" => Some(Language::ZhCn),
            _ => None,
        }
    }

    /// The best language for an `Accept-Language` header (RFC 9110 §12.5.4): highest weight first,
    /// earlier entries win ties, weight 0 excludes. `default` when no entry names a language of ours
    /// or when there is no header.
    pub fn from_accept_language(header: Option<&str>, default: Language) -> Language {
        let mut best: Option<(f32, Language)> = None;
        for entry in header.unwrap_or_default().split(',') {
            let (tag, weight) = weighted(entry);
            let language = if tag == "*" {
                Some(default)
            } else {
                Language::from_tag(tag)
            };
            if let Some(language) = language
                && weight > 0.0
                && best.is_none_or(|(known, _)| weight > known)
            {
                best = Some((weight, language));
            }
        }
        best.map_or(default, |(_, language)| language)
    }
}

/// Tag and weight of one `Accept-Language` entry; a malformed weight counts as 0.
fn weighted(entry: &str) -> (&str, f32) {
    let mut parts = entry.split(';');
    let tag = parts.next().unwrap_or_default().trim();
    let weight = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        name.trim()
            .eq_ignore_ascii_case("q")
            .then(|| value.trim().parse().unwrap_or(0.0))
    });
    (tag, weight.unwrap_or(1.0))
}

/// One argument of a [`Text`]: words that are the same in every language, or a text of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arg {
    /// A value as it is: names, numbers, addresses.
    Plain(String),
    /// A nested message, rendered in the language of the outer one.
    Text(Box<Text>),
}

/// What may stand behind `name =` in [`text!`](crate::text).
pub trait IntoArg {
    /// The argument.
    fn into_arg(self) -> Arg;
}

impl<T: fmt::Display> IntoArg for T {
    fn into_arg(self) -> Arg {
        Arg::Plain(self.to_string())
    }
}

impl IntoArg for Text {
    fn into_arg(self) -> Arg {
        Arg::Text(Box::new(self))
    }
}

/// A message that has not met its reader yet. It has no `Display` on purpose: rendering needs a language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// Key in the catalogues, `area.name`.
    pub key: &'static str,
    /// Values of the placeholders `%{name}`.
    pub args: Vec<(&'static str, Arg)>,
}

impl Text {
    /// Use the macro [`text!`](crate::text): only its calls are held against the catalogues.
    pub fn new(key: &'static str, args: Vec<(&'static str, Arg)>) -> Self {
        Text { key, args }
    }

    /// The sentence in `language`. Falls back to the key itself when the catalogue lacks it, so
    /// that a slip never costs a reply.
    pub fn render(&self, language: Language) -> String {
        let Some(template) = catalogue::template(language.tag(), self.key) else {
            return self.key.to_owned();
        };
        fill(&template, |name| {
            self.args
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, arg)| match arg {
                    Arg::Plain(value) => value.clone(),
                    Arg::Text(text) => text.render(language),
                })
        })
    }
}

/// Replaces each `%{name}` once, left to right; values are never scanned again, so a page cannot
/// smuggle a placeholder in. Unknown placeholders stay as they are.
fn fill(template: &str, value_of: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(template.len() + 64);
    let mut rest = template;
    while let Some(start) = rest.find("%{") {
        let Some(length) = rest[start..].find('}') else { break };
        let (before, marker) = (&rest[..start], &rest[start..=start + length]);
        out.push_str(before);
        match value_of(&marker[2..marker.len() - 1]) {
            Some(value) => out.push_str(&value),
            None => out.push_str(marker),
        }
        rest = &rest[start + length + 1..];
    }
    out.push_str(rest);
    out
}

/// Builds a [`Text`]: `text!("params.missing", name = "index")`. The key must be a literal that
/// stands in both catalogues; values are anything with `Display`, or another `Text`.
#[macro_export]
macro_rules! text {
    ($key:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::messages::Text::new(
            $key,
            vec![$((stringify!($name), $crate::messages::IntoArg::into_arg($value))),*],
        )
    };
}
