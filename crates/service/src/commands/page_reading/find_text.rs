//! `find_text`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::scope::{scope, source};
use super::search::{Match, Pattern, search};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::text;

/// The most context on either side of a match.
const MAX_CONTEXT: u32 = 2000;
/// The most matches in one reply.
const MAX_MATCHES: u32 = 1000;

/// Searches the text of the page or of an element, literally and minding case, or by a regular expression.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FindText {
    /// What to look for.
    pub text: String,
    /// Take `text` as a regular expression: `^` and `$` match at lines, `(?i)` ignores case; no look-around and no
    /// back-references.
    #[serde(default)]
    pub regex: bool,
    /// Characters of context on each side, from 1 to 2000.
    #[serde(default = "context_chars")]
    pub context_chars: u32,
    /// How many matches are listed, at most 1000; all are counted.
    #[serde(default = "max_matches")]
    pub max_matches: u32,
    /// CSS selector of the element to search; `css >> nth=N` takes a certain match. The whole page when absent.
    pub selector: Option<String>,
    /// Frame by ordinal, or by a part of its address or name; the main frame when absent.
    pub frame: Option<String>,
}

fn context_chars() -> u32 {
    80
}

fn max_matches() -> u32 {
    20
}

/// Reply of `find_text`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TextMatches {
    match_count: usize,
    returned: usize,
    truncated: bool,
    matches: Vec<Match>,
    pattern: String,
    regex: bool,
    context_chars: u32,
    hint: Option<String>,
    source: String,
    /// Characters of the text that was searched.
    text_length: usize,
}

impl FindText {
    fn pattern(&self) -> Result<Pattern, Failure> {
        if self.text.is_empty() {
            return Err(Failure::invalid(text!("reading.empty_text")));
        }
        if !self.regex {
            return Ok(Pattern::Literal(engine::clean(&self.text).into_owned()));
        }
        Pattern::regex(&self.text).map_err(|reason| {
            Failure::invalid(text!(
                "reading.bad_pattern",
                pattern = self.text.as_str(),
                reason = reason
            ))
        })
    }
}

impl Command for FindText {
    const NAME: &'static str = "find_text";
    const GROUP: Group = Group::PageReading;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe();
    const OPAQUE: &'static [&'static str] = &["matches", "pattern"];
    type Output = TextMatches;

    fn check(&self) -> Result<(), Failure> {
        self.pattern().map(|_| ())
    }

    async fn run(self, cx: &mut Context) -> Result<TextMatches, Failure> {
        let pattern = self.pattern()?;
        let context_chars = self.context_chars.clamp(1, MAX_CONTEXT);
        let max = self.max_matches.min(MAX_MATCHES);
        let scope = scope(self.selector, None, self.frame);
        let tab = cx.settled_tab().await?;
        let read = tab.scope_text(&scope, false, cx.until()).await;
        let read = read.map_err(|error| Failure::from_engine(&error, false))?;
        let found = search(&read.text, &pattern, context_chars as usize, max as usize);
        let returned = found.matches.len();
        let hint = match (found.count, found.count > returned) {
            (0, _) if self.regex => Some(text!("reading.no_match_regex")),
            (0, _) => Some(text!("reading.no_match")),
            (count, true) => Some(text!("reading.more_matches", count = count, returned = returned)),
            _ => None,
        };
        Ok(TextMatches {
            match_count: found.count,
            returned,
            truncated: found.count > returned,
            matches: found.matches,
            pattern: self.text,
            regex: self.regex,
            context_chars,
            hint: hint.map(|hint| cx.say(&hint)),
            source: source("body", read.chosen.as_ref()),
            text_length: read.text.chars().count(),
        })
    }
}
