//! Whether a file is of a kind that an input's `accept` names (HTML Standard, "File Upload state"), as far as a file's
//! name tells its type.

/// Extensions and types of the files that are commonly uploaded.
const TYPES: &[(&str, &str)] = &[
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
    ("svg", "image/svg+xml"),
    ("bmp", "image/bmp"),
    ("ico", "image/x-icon"),
    ("mp4", "video/mp4"),
    ("webm", "video/webm"),
    ("mov", "video/quicktime"),
    ("mp3", "audio/mpeg"),
    ("wav", "audio/wav"),
    ("ogg", "audio/ogg"),
    ("pdf", "application/pdf"),
    ("json", "application/json"),
    ("zip", "application/zip"),
    ("xml", "text/xml"),
    ("txt", "text/plain"),
    ("csv", "text/csv"),
    ("html", "text/html"),
    ("md", "text/markdown"),
    ("doc", "application/msword"),
    ("xls", "application/vnd.ms-excel"),
    ("ppt", "application/vnd.ms-powerpoint"),
    (
        "docx",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ),
    (
        "xlsx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ),
    (
        "pptx",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ),
];

/// Whether `accept` names the kind of a file; `None` when the name does not tell.
pub(crate) fn accepts(accept: &str, filename: &str) -> Option<bool> {
    let lower = filename.to_ascii_lowercase();
    let entries: Vec<String> = accept
        .split(',')
        .map(|entry| entry.trim().to_ascii_lowercase())
        .filter(|entry| !entry.is_empty())
        .collect();
    if entries.is_empty() || entries.iter().any(|entry| entry == "*/*" || entry == "*") {
        return Some(true);
    }
    if entries
        .iter()
        .any(|entry| entry.starts_with('.') && lower.ends_with(entry.as_str()))
    {
        return Some(true);
    }
    let types: Vec<&String> = entries.iter().filter(|entry| entry.contains('/')).collect();
    if types.is_empty() {
        return Some(false);
    }
    let known = lower.rsplit_once('.').and_then(|(_, extension)| type_of(extension))?;
    Some(types.iter().any(|wanted| match wanted.strip_suffix('*') {
        Some(family) => known.starts_with(family),
        None => wanted.as_str() == known,
    }))
}

/// The usual extension of a type.
pub(super) fn extension_of(content_type: &str) -> Option<&'static str> {
    let wanted = content_type.to_ascii_lowercase();
    TYPES.iter().find(|(_, kind)| *kind == wanted).map(|(name, _)| *name)
}

fn type_of(extension: &str) -> Option<&'static str> {
    TYPES.iter().find(|(name, _)| *name == extension).map(|(_, kind)| *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accept_is_read_as_browsers_do() {
        for (accept, name, answer) in [
            ("image/*", "a.PNG", Some(true)),
            ("image/*", "a.pdf", Some(false)),
            (".pdf, .docx", "A.DOCX", Some(true)),
            (".pdf", "a.txt", Some(false)),
            ("image/png,.txt", "a.txt", Some(true)),
            ("application/pdf", "a.pdf", Some(true)),
            ("application/pdf", "a.xyz", None),
            ("", "a.txt", Some(true)),
            ("*/*", "a", Some(true)),
        ] {
            assert_eq!(accepts(accept, name), answer, "{accept} {name}");
        }
        assert_eq!(extension_of("Image/JPEG"), Some("jpg"));
    }
}
