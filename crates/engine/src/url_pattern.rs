//! Matching an address against what a caller wrote: a part of it, or a pattern with `*`. Pure.

/// True when `url` fits `pattern`: an empty pattern fits everything; else the pattern is a part of the address, or it
/// describes the address from its beginning, `*` and `**` standing for any characters, `/` included. What follows the
/// described part (a query, a fragment) is free. Case matters.
#[must_use]
pub fn url_matches(pattern: &str, url: &str) -> bool {
    if url.contains(pattern) {
        return true;
    }
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| url.strip_prefix(first)) else {
        return false;
    };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    // Without a star the pattern would have been a part of the address.
    pattern.contains('*')
}

#[cfg(test)]
mod tests {
    use super::url_matches;
    use proptest::prelude::*;

    #[test]
    fn parts_patterns_and_free_ends() {
        let url = "https://shop.example/orders/17?tab=open#row-3";
        for pattern in [
            "",
            "/orders/",
            "tab=open",
            "https://*/orders/*",
            "https://**/orders/17",
            "*orders/*#row-3",
            "https://shop.example/*",
            "*",
            "**?tab=*",
        ] {
            assert!(url_matches(pattern, url), "{pattern}");
        }
        for pattern in [
            "/Orders/",
            "orders/*",
            "https://*/orders/18",
            "https://shop.example/*/x",
            "*18*",
            "?ab=*",
        ] {
            assert!(!url_matches(pattern, url), "{pattern}");
        }
    }

    proptest! {
        #[test]
        fn any_cut_out_part_and_any_starred_gap_fit(url in "[a-z/:.?=*\u{e9}]{0,40}", from in 0usize..40, to in 0usize..40) {
            let chars: Vec<char> = url.chars().collect();
            let (from, to) = (from.min(chars.len()), to.min(chars.len()));
            let (from, to) = (from.min(to), from.max(to));
            let text = |part: &[char]| part.iter().collect::<String>();
            prop_assert!(url_matches(&text(&chars[from..to]), &url));
            let gap = format!("{}*{}", text(&chars[..from]), text(&chars[to..]));
            prop_assert!(url_matches(&gap, &url), "{gap}");
        }
    }
}
