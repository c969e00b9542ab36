//! What kind of picture a file is, told from its first bytes, which are what a program that opens it goes by.
//!
//! Invariant: pure; text of another kind (a login page, an error in JSON) is never taken for a picture, whatever its
//! header said.

/// A kind of picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ImageKind {
    /// Media type.
    pub mime: String,
    /// Extension of a file of that kind, without a dot.
    pub extension: String,
}

impl ImageKind {
    fn of(mime: &str, extension: &str) -> Self {
        Self {
            mime: mime.to_owned(),
            extension: extension.to_owned(),
        }
    }

    /// Whether a file name ends as files of this kind do.
    pub(super) fn names(&self, file_name: &str) -> bool {
        let Some((_, given)) = file_name.rsplit_once('.') else {
            return false;
        };
        let given = given.to_ascii_lowercase();
        let others: &[&str] = match self.extension.as_str() {
            "jpg" => &["jpeg", "jpe", "jfif"],
            "tiff" => &["tif"],
            "heic" => &["heif"],
            "png" => &["apng"],
            _ => &[],
        };
        given == self.extension || others.contains(&given.as_str())
    }
}

/// Signatures: offset, bytes, media type, extension. Sources: the MIME Sniffing standard and the formats' own.
const SIGNATURES: &[(usize, &[u8], &str, &str)] = &[
    (0, b"\x89PNG\r\n\x1a\n", "image/png", "png"),
    (0, b"\xff\xd8\xff", "image/jpeg", "jpg"),
    (0, b"GIF87a", "image/gif", "gif"),
    (0, b"GIF89a", "image/gif", "gif"),
    (8, b"WEBPVP", "image/webp", "webp"),
    (4, b"ftypavif", "image/avif", "avif"),
    (4, b"ftypavis", "image/avif", "avif"),
    (4, b"ftypheic", "image/heic", "heic"),
    (4, b"ftypheix", "image/heic", "heic"),
    (4, b"ftypmif1", "image/heif", "heic"),
    (0, b"II*\0", "image/tiff", "tiff"),
    (0, b"MM\0*", "image/tiff", "tiff"),
    (0, b"\xff\x0a", "image/jxl", "jxl"),
    (0, b"\0\0\0\x0cJXL \r\n\x87\n", "image/jxl", "jxl"),
    (0, b"\0\0\x01\0", "image/x-icon", "ico"),
    (0, b"\0\0\x02\0", "image/x-icon", "cur"),
    (0, b"BM", "image/bmp", "bmp"),
];

/// The kind of a file that came with this media type; `None` when it is no picture.
pub(super) fn image_kind(bytes: &[u8], told: Option<&str>) -> Option<ImageKind> {
    let signed = SIGNATURES
        .iter()
        .find(|(at, mark, _, _)| bytes.get(*at..*at + mark.len()) == Some(*mark));
    if let Some((_, _, mime, extension)) = signed {
        return Some(ImageKind::of(mime, extension));
    }
    if is_svg(bytes) {
        return Some(ImageKind::of("image/svg+xml", "svg"));
    }
    let told = told?.split(';').next()?.trim().to_ascii_lowercase();
    let name = told.strip_prefix("image/")?;
    // Of a format that is not known here; the formats that are have shown that this is none of them.
    let known =
        SIGNATURES.iter().any(|(_, _, mime, _)| *mime == told) || told == "image/svg+xml" || told == "image/jpg";
    let plain = !name.is_empty()
        && name.len() <= 40
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-.+".contains(&byte));
    if known || !plain || bytes.is_empty() || looks_like_text(bytes) {
        return None;
    }
    let extension: String = name
        .trim_start_matches("x-")
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .take(12)
        .collect();
    (!extension.is_empty()).then(|| ImageKind::of(&told, &extension))
}

/// Nothing but text in its beginning: no control characters but white space.
fn looks_like_text(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(512)];
    head.iter().all(|byte| *byte >= 0x20 || b"\t\r\n\x0c".contains(byte))
}

/// Whether the first element is `svg`: after a byte order mark, declarations, comments and a document type.
fn is_svg(bytes: &[u8]) -> bool {
    let mut rest = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    loop {
        rest = rest.trim_ascii_start();
        let end: &[u8] = if rest.starts_with(b"<?") {
            b"?>"
        } else if rest.starts_with(b"<!--") {
            b"-->"
        } else if rest
            .get(..9)
            .is_some_and(|head| head.eq_ignore_ascii_case(b"<!doctype"))
        {
            if rest[9..].trim_ascii_start().get(..3) != Some(b"svg") {
                return false;
            }
            b">"
        } else {
            break;
        };
        match rest.windows(end.len()).position(|window| window == end) {
            Some(at) => rest = &rest[at + end.len()..],
            None => return false,
        }
    }
    let Some(name) = rest.strip_prefix(b"<") else {
        return false;
    };
    let length = name
        .iter()
        .position(|byte| b" \t\r\n/>".contains(byte))
        .unwrap_or(name.len());
    let local = name[..length].rsplit(|byte| *byte == b':').next();
    length < name.len() && local == Some(b"svg")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn extension(bytes: &[u8], told: Option<&str>) -> Option<String> {
        image_kind(bytes, told).map(|kind| kind.extension)
    }

    #[test]
    fn the_content_decides() {
        assert_eq!(
            extension(b"\x89PNG\r\n\x1a\n...", Some("text/html")).as_deref(),
            Some("png")
        );
        assert_eq!(
            extension(b"\xff\xd8\xff\xe0", Some("image/png")).as_deref(),
            Some("jpg")
        );
        assert_eq!(extension(b"RIFF\x10\0\0\0WEBPVP8 ", None).as_deref(), Some("webp"));
        assert_eq!(extension(b"\0\0\0\x1cftypavif", None).as_deref(), Some("avif"));
        assert_eq!(extension(b"<html>", Some("image/png")), None);
        assert_eq!(extension(b"{\"error\":1}", Some("image/x-new")), None);
        assert_eq!(
            extension(b"\0\x01\x02new", Some("image/x-new; q=1")).as_deref(),
            Some("new")
        );
        assert_eq!(extension(b"\0\x01\x02new", Some("application/pdf")), None);
        assert_eq!(extension(b"\0\x01\x02new", Some("image/../../etc")), None);
        assert_eq!(extension(b"", Some("image/x-new")), None);
    }

    #[test]
    fn an_svg_begins_with_its_own_element() {
        for svg in [
            "<svg/>",
            "\u{feff}<?xml version='1.0'?>\n<!-- a > b -->\n<!DOCTYPE svg PUBLIC 'x'>\n<svg xmlns='y'>",
            "<svg:svg xmlns:svg='y'/>",
        ] {
            assert_eq!(extension(svg.as_bytes(), None).as_deref(), Some("svg"), "{svg}");
        }
        for other in [
            "<svgx/>",
            "<!-- <svg/> --><html><svg/></html>",
            "<!doctype html><svg/>",
            "<!-- <svg>",
            "svg",
            "<svg",
        ] {
            assert_eq!(extension(other.as_bytes(), Some("image/svg+xml")), None, "{other}");
        }
    }

    #[test]
    fn names_of_a_kind() {
        let kind = image_kind(b"\xff\xd8\xff", None).unwrap();
        assert!(kind.names("a.JPG") && kind.names("a.b.jpeg") && !kind.names("a.png") && !kind.names("jpg"));
    }

    proptest! {
        #[test]
        fn printable_text_is_no_picture_unless_it_is_an_svg(text in "[ -~\n]{0,80}", told in "image/[a-z+]{1,8}") {
            let kind = image_kind(text.as_bytes(), Some(&told));
            let marks = ["GIF8", "BM", "WEBPVP", "ftyp"];
            prop_assume!(!marks.iter().any(|mark| text.contains(mark)));
            prop_assert!(kind.is_none_or(|kind| kind.extension == "svg"));
        }

        #[test]
        fn an_extension_is_always_harmless(bytes in proptest::collection::vec(any::<u8>(), 0..40), told in any::<String>()) {
            if let Some(kind) = image_kind(&bytes, Some(&told)) {
                prop_assert!(kind.extension.chars().all(|c| c.is_ascii_alphanumeric()) && kind.mime.starts_with("image/"));
            }
        }
    }
}
