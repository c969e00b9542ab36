//! Patterns over whole addresses: `*` stands for anything but `/`, `**` for anything, `{a,b}` for one of several, `\` takes
//! the next character as it is, and every other character, `?` included, for itself. Pure.

/// Alternatives that one pattern may have in all.
const MOST: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    Literal(char),
    /// Anything but `/`.
    Segment,
    /// Anything.
    Any,
}

/// A pattern, ready to match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    alternatives: Vec<Vec<Token>>,
}

impl Glob {
    /// Reads a pattern. `None` when it is empty, can fit no whole address, or has too many alternatives.
    #[must_use]
    pub fn parse(pattern: &str) -> Option<Self> {
        let mut expanded = vec![Vec::new()];
        let chars: Vec<char> = pattern.chars().collect();
        expand(&chars, &mut expanded)?;
        let alternatives: Vec<Vec<Token>> = expanded.iter().map(|chars| tokens(chars)).collect();
        let possible = alternatives.iter().any(|tokens| begins_an_address(tokens));
        possible.then_some(Self { alternatives })
    }

    /// True when the whole address fits.
    #[must_use]
    pub fn matches(&self, url: &str) -> bool {
        let url: Vec<char> = url.chars().collect();
        self.alternatives.iter().any(|tokens| fits(tokens, &url))
    }

    /// The same in the protocol's terms, one pattern for each alternative; wider where those terms are coarser.
    pub(crate) fn protocol_patterns(&self) -> Vec<String> {
        let shown = |tokens: &Vec<Token>| {
            let mut out = String::new();
            for token in tokens {
                match token {
                    Token::Literal(c) => {
                        if matches!(c, '*' | '?' | '\\') {
                            out.push('\\');
                        }
                        out.push(*c);
                    }
                    Token::Segment | Token::Any => out.push('*'),
                }
            }
            out
        };
        self.alternatives.iter().map(shown).collect()
    }
}

/// Writes the braces out. A character that was escaped keeps its `\` for [`tokens`].
fn expand(mut rest: &[char], out: &mut Vec<Vec<char>>) -> Option<()> {
    while let Some(first) = rest.first() {
        let closing = (*first == '{').then(|| closing(rest)).flatten();
        if let Some(end) = closing {
            let mut all = Vec::new();
            for choice in choices(&rest[1..end]) {
                let mut inner = vec![Vec::new()];
                expand(choice, &mut inner)?;
                for before in out.iter() {
                    all.extend(inner.iter().map(|after| [before.as_slice(), after].concat()));
                }
            }
            if all.len() > MOST {
                return None;
            }
            *out = all;
            rest = &rest[end + 1..];
            continue;
        }
        let taken = if *first == '\\' && rest.len() > 1 { 2 } else { 1 };
        out.iter_mut().for_each(|one| one.extend(&rest[..taken]));
        rest = &rest[taken..];
    }
    Some(())
}

/// Where the brace that opens `chars` is closed.
fn closing(chars: &[char]) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = 0;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 1,
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// The parts between the commas of one pair of braces.
fn choices(inner: &[char]) -> Vec<&[char]> {
    let (mut all, mut from, mut depth, mut at) = (Vec::new(), 0, 0usize, 0);
    while at < inner.len() {
        match inner[at] {
            '\\' => at += 1,
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                all.push(&inner[from..at]);
                from = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    all.push(&inner[from.min(inner.len())..]);
    all
}

fn tokens(chars: &[char]) -> Vec<Token> {
    let (mut out, mut at) = (Vec::new(), 0);
    while at < chars.len() {
        let next = chars.get(at + 1).copied();
        match chars[at] {
            '*' => {
                let any = next == Some('*');
                while chars.get(at + 1) == Some(&'*') {
                    at += 1;
                }
                out.push(if any { Token::Any } else { Token::Segment });
            }
            '\\' if next.is_some() => {
                at += 1;
                out.push(Token::Literal(chars[at]));
            }
            c => out.push(Token::Literal(c)),
        }
        at += 1;
    }
    out
}

/// An address begins with a scheme (RFC 3986, section 3.1): a letter, and a colon before any slash.
fn begins_an_address(tokens: &[Token]) -> bool {
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Segment | Token::Any => return true,
            Token::Literal(':') => return at > 0,
            Token::Literal(c) if c.is_ascii_alphabetic() || (at > 0 && (c.is_ascii_digit() || "+-.".contains(*c))) => {}
            Token::Literal(_) => return false,
        }
    }
    false
}

/// Both stars remember where they were last tried: linear in practice, quadratic at worst.
fn fits(tokens: &[Token], url: &[char]) -> bool {
    // `reached[n]`: the first n tokens describe what was read so far.
    let mut reached = vec![false; tokens.len() + 1];
    reached[0] = true;
    skip_stars(tokens, &mut reached);
    for c in url {
        let mut next = vec![false; tokens.len() + 1];
        for (n, token) in tokens.iter().enumerate() {
            match token {
                Token::Literal(literal) => next[n + 1] |= reached[n] && literal == c,
                Token::Segment => next[n] |= reached[n] && *c != '/',
                Token::Any => next[n] |= reached[n],
            }
        }
        skip_stars(tokens, &mut next);
        reached = next;
    }
    reached[tokens.len()]
}

/// A star may stand for nothing.
fn skip_stars(tokens: &[Token], reached: &mut [bool]) {
    for (n, token) in tokens.iter().enumerate() {
        if reached[n] && *token != Token::Segment && *token != Token::Any {
            continue;
        }
        if reached[n] {
            reached[n + 1] = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Glob;
    use proptest::prelude::*;

    fn fits(pattern: &str, url: &str) -> bool {
        Glob::parse(pattern).is_some_and(|glob| glob.matches(url))
    }

    #[test]
    fn one_star_stays_in_its_segment_and_two_do_not() {
        for (pattern, url) in [
            ("**/api/list", "https://x/api/list"),
            ("https://x/api/*", "https://x/api/list"),
            ("https://x/**", "https://x/a/b?c=d"),
            ("**", "https://x/"),
            ("**/*.{png,jpg}", "https://x/a/b.jpg"),
            ("https://x/a?b=1", "https://x/a?b=1"),
            ("**/a\\*b", "https://x/a*b"),
            ("http{s,}://x/*", "http://x/y"),
            ("**/{a,{b,c}}/d", "https://x/c/d"),
            ("**/a{b", "https://x/a{b"),
            ("**/e*", "https://x/e"),
        ] {
            assert!(fits(pattern, url), "{pattern} {url}");
        }
        for (pattern, url) in [
            ("https://x/api/*", "https://x/api/list/1"),
            ("**/api/list", "https://x/api/list?page=2"),
            ("https://x/a?b=1", "https://x/aab=1"),
            ("**/*.png", "https://x/a.jpg"),
            ("**/API/list", "https://x/api/list"),
        ] {
            assert!(!fits(pattern, url), "{pattern} {url}");
        }
    }

    #[test]
    fn a_pattern_that_fits_no_address_is_none() {
        for pattern in ["", "/api/list", "/api/*", "api/list", "?a=*", "example.com/*", ":x"] {
            assert!(Glob::parse(pattern).is_none(), "{pattern}");
        }
        let many = "{a,b}".repeat(7);
        assert!(Glob::parse(&format!("**{many}")).is_none());
    }

    #[test]
    fn the_protocol_is_asked_for_no_less() {
        let glob = Glob::parse("https://x/{a,b}?q=*").expect("a pattern");
        assert_eq!(glob.protocol_patterns(), ["https://x/a\\?q=*", "https://x/b\\?q=*"]);
    }

    proptest! {
        #[test]
        fn any_address_fits_itself_and_any_starred_gap(url in "https://[a-z/?=&.]{0,30}", from in 8usize..40, to in 8usize..40) {
            prop_assert!(fits(&url, &url));
            let (from, to) = (from.min(url.len()), to.min(url.len()));
            let (from, to) = (from.min(to), from.max(to));
            let (head, tail) = (&url[..from], &url[to..]);
            let gap = format!("{head}**{tail}");
            prop_assert!(fits(&gap, &url), "{gap}");
        }
    }
}
