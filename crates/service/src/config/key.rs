//! What a key is, and the macro that turns one declaration into a struct field and a table row.

use super::areas;

/// One row of the table of keys.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// The name in property files and on the command line, `browser.chrome.path`.
    pub name: &'static str,
    /// An older name that is read when the key itself is set nowhere.
    pub alias: Option<&'static str>,
    /// The default, in the same notation as a property file.
    pub default: &'static str,
    /// The values it takes, in words.
    pub kind: &'static str,
    /// Smallest and largest value of a number.
    pub bounds: Option<(u64, u64)>,
    /// The value must not be shown.
    pub secret: bool,
    pub(super) raw_doc: &'static str,
    pub(super) raw_area: &'static str,
}

impl Key {
    /// What the key is for, on one line.
    pub fn doc(&self) -> &'static str {
        self.raw_doc.trim()
    }

    /// The environment variable of the key: `browser.profileDir.perPort` → `BROWSER_PROFILE_DIR_PER_PORT`.
    pub fn env_name(&self) -> String {
        env_name(self.name)
    }

    /// What the area of the key is about: the documentation groups by it.
    pub fn area(&self) -> &'static str {
        self.raw_area.trim().trim_end_matches('.')
    }
}

/// Upper case, `.` → `_`, camel case split.
pub(super) fn env_name(key: &str) -> String {
    let mut name = String::with_capacity(key.len() + 4);
    for letter in key.chars() {
        match letter {
            '.' | '-' => name.push('_'),
            _ if letter.is_ascii_uppercase() => name.extend(['_', letter]),
            _ => name.push(letter.to_ascii_uppercase()),
        }
    }
    name
}

/// Every key, in the order of the documentation.
pub fn keys() -> impl Iterator<Item = &'static Key> {
    areas::ALL.iter().flat_map(|area| area.iter())
}

/// Declares one area: a struct whose fields are settings, and the rows of the table of keys.
///
/// `field: Type = "key", "default", low..=high, or "older key";` where bounds and older key are
/// optional; `with { … }` adds areas inside the area.
macro_rules! area {
    (
        $(#[doc = $about:literal])+
        $name:ident {
            $($(#[doc = $doc:literal])+ $field:ident: $type:ty = $key:literal, $default:literal
                $(, $low:literal..=$high:literal)? $(, or $alias:literal)?;)*
        }
        $(with { $($(#[doc = $inner_doc:literal])+ $inner:ident: $inner_type:ident;)* })?
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name {
            $($(#[doc = $doc])+ pub $field: $type,)*
            $($($(#[doc = $inner_doc])+ pub $inner: $inner_type,)*)?
        }

        impl $name {
            const ABOUT: &'static str = concat!($($about),+);

            pub(super) const KEYS: &'static [Key] = &[$(Key {
                name: $key,
                alias: area!(@optional $($alias)?),
                default: $default,
                kind: <$type as Setting>::KIND,
                bounds: area!(@optional $(($low, $high))?),
                secret: <$type as Setting>::SECRET,
                raw_doc: concat!($($doc),+),
                raw_area: Self::ABOUT,
            }),*];

            pub(super) fn read(reader: &mut Reader<'_>) -> Self {
                // Field initialisers run as written, which is the order of the rows.
                let mut rows = Self::KEYS.iter();
                $name {
                    $($field: reader.take::<$type>(rows.next()),)*
                    $($($inner: $inner_type::read(reader),)*)?
                }
            }
        }
    };
    (@optional) => { None };
    (@optional $value:expr) => { Some($value) };
}

pub(super) use area;
