//! Names of stored files.
//!
//! Invariant: a name is one visible path component on every platform, at most [`LONGEST`] characters.

use crate::ids;

const LONGEST: usize = 120;
/// Longest extension that is kept when a name is cut.
const LONGEST_EXTENSION: usize = 16;
/// Names that Windows keeps for devices, with any extension.
const DEVICES: [&str; 22] = [
    "CON", "PRN", "AUX", "NUL", "COM1", "COM2", "COM3", "COM4", "COM5", "COM6", "COM7", "COM8", "COM9", "LPT1", "LPT2",
    "LPT3", "LPT4", "LPT5", "LPT6", "LPT7", "LPT8", "LPT9",
];

/// The name that a file is stored under: the last component of what was given, without what a file system refuses.
pub(crate) fn sanitised(name: &str, content_type: Option<&str>) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let kept: String = last
        .chars()
        .filter(|c| !c.is_control() && !"<>:\"/\\|?*".contains(*c))
        .collect();
    let trimmed = kept
        .trim_start_matches(|c: char| c == '.' || c.is_whitespace())
        .trim_end_matches(|c: char| c == '.' || c.is_whitespace());
    if trimmed.is_empty() {
        return format!("upload-{}.{}", ids::next(), extension_of(content_type));
    }
    let (stem, _) = trimmed.split_once('.').unwrap_or((trimmed, ""));
    let device = DEVICES.iter().any(|device| stem.trim().eq_ignore_ascii_case(device));
    cut(&if device {
        format!("_{trimmed}")
    } else {
        trimmed.to_owned()
    })
}

/// Stem and extension, the extension with its dot.
pub(super) fn split(name: &str) -> (&str, &str) {
    match name.rfind('.') {
        Some(at) if at > 0 => name.split_at(at),
        _ => (name, ""),
    }
}

fn cut(name: &str) -> String {
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    let (stem, extension) = split(name);
    let extension: String = extension.chars().take(LONGEST_EXTENSION).collect();
    let stem: String = stem.chars().take(LONGEST - extension.chars().count()).collect();
    format!("{}{extension}", stem.trim_end())
}

/// The usual extension of a content type; `bin` for one that is not known.
fn extension_of(content_type: Option<&str>) -> &'static str {
    let essence = content_type.unwrap_or_default().split(';').next().unwrap_or_default();
    super::accept::extension_of(essence.trim()).unwrap_or("bin")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_are_made_harmless() {
        for (given, kept) in [
            ("a.txt", "a.txt"),
            ("../../etc/passwd", "passwd"),
            ("C:\\x\\b.png", "b.png"),
            ("..hidden", "hidden"),
            ("a<b>:c?.txt. ", "abc.txt"),
            ("nul.txt", "_nul.txt"),
            ("合同.pdf", "合同.pdf"),
        ] {
            assert_eq!(sanitised(given, None), kept);
        }
        let made = sanitised("///", Some("image/png; charset=x"));
        assert!(made.starts_with("upload-") && made.ends_with(".png"), "{made}");
        assert!(sanitised("", None).ends_with(".bin"));
        let long = sanitised(&format!("{}.jpeg", "é".repeat(300)), None);
        assert!(long.chars().count() == LONGEST && long.ends_with(".jpeg"));
    }

    proptest! {
        #[test]
        fn a_name_is_one_short_component(name in r"[\x00-\x7fé/\\.:]{0,200}") {
            let kept = sanitised(&name, None);
            prop_assert!(!kept.is_empty() && kept.chars().count() <= LONGEST);
            prop_assert!(!kept.contains(['/', '\\', ':', '\0']) && !kept.starts_with('.'));
            prop_assert!(!kept.ends_with('.'));
        }
    }
}
