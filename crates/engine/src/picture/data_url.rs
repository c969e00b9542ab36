//! `data:` addresses (RFC 2397, read as leniently as the Fetch standard does). Invariant: pure; never panics.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

/// The content and its media type; `None` when it is not such an address.
pub(super) fn decode(address: &str) -> Option<(Vec<u8>, Option<String>)> {
    let (scheme, rest) = address.split_once(':')?;
    if !scheme.eq_ignore_ascii_case("data") {
        return None;
    }
    let (head, body) = rest.split_once(',')?;
    let head = head.trim();
    let (kind, encoded) = match head.rsplit_once(';') {
        Some((kind, last)) if last.trim().eq_ignore_ascii_case("base64") => (kind.trim_end(), true),
        _ => (head, false),
    };
    let bytes = unescaped(body);
    let bytes = if encoded { from_base64(&bytes)? } else { bytes };
    Some((bytes, (!kind.is_empty()).then(|| kind.to_owned())))
}

fn from_base64(text: &[u8]) -> Option<Vec<u8>> {
    let mut text: Vec<u8> = text
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    while text.last() == Some(&b'=') {
        text.pop();
    }
    STANDARD_NO_PAD.decode(text).ok()
}

/// Percent escapes replaced; a sign that begins none stands for itself. A fragment is not part of the content.
fn unescaped(text: &str) -> Vec<u8> {
    let bytes = text.split('#').next().unwrap_or_default().as_bytes();
    let digit = |at: usize| bytes.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push(u8::try_from(high * 16 + low).unwrap_or_default());
                at += 3;
            }
            _ => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use base64::engine::general_purpose::STANDARD;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn reads_the_usual_forms() {
        let of = |address| decode(address).unwrap();
        assert_eq!(
            of("data:image/png;base64,aGk="),
            (b"hi".to_vec(), Some("image/png".into()))
        );
        assert_eq!(of("DATA:;base64,aG%6B"), (b"hi".to_vec(), None));
        assert_eq!(
            of("data:image/svg+xml;charset=utf-8,%3Csvg/%3E#top"),
            (b"<svg/>".to_vec(), Some("image/svg+xml;charset=utf-8".into()))
        );
        assert_eq!(of("data:,100%").0, b"100%");
        assert_eq!(of("data:image/png; base64 , aG k ").0, b"hi");
        assert!(decode("data:image/png;base64").is_none() && decode("data:;base64,*").is_none());
        assert!(decode("http://x/,").is_none());
    }

    proptest! {
        #[test]
        fn any_content_comes_back(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let address = format!("data:image/x;base64,{}", STANDARD.encode(&bytes));
            prop_assert_eq!(decode(&address).unwrap().0, bytes.clone());
            let escaped: String = bytes.iter().map(|byte| format!("%{byte:02x}")).collect();
            prop_assert_eq!(decode(&format!("data:,{escaped}")).unwrap().0, bytes);
        }

        #[test]
        fn any_address_is_survived(text in any::<String>()) {
            let _ = decode(&text);
            let _ = decode(&format!("data:{text}"));
        }
    }
}
