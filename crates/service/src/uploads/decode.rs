//! Content that comes as text.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use crate::messages::Text;
use crate::text;

/// Bytes, and the type that a `data:` URI gives them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// The content.
    pub bytes: Vec<u8>,
    /// Its type, where one was given.
    pub content_type: Option<String>,
}

/// Decodes Base64 (RFC 4648 §4, white space allowed), also as a `data:` URI (RFC 2397).
///
/// # Errors
/// What is wrong with it.
pub fn decoded(content: &str) -> Result<Decoded, Text> {
    let (kind, payload) = match content.strip_prefix("data:").and_then(|rest| rest.split_once(',')) {
        Some((head, payload)) => match head.strip_suffix(";base64") {
            Some(kind) => (Some(kind).filter(|kind| !kind.is_empty()), payload),
            None => return Err(text!("upload.not_base64", reason = "data: URI without ;base64")),
        },
        None => (None, content),
    };
    let plain: String = payload.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    let bytes = BASE64_STANDARD
        .decode(plain)
        .map_err(|error| text!("upload.not_base64", reason = error))?;
    Ok(Decoded {
        bytes,
        content_type: kind.map(str::to_owned),
    })
}
