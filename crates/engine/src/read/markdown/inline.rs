//! Pieces of running text with their style, and the lines that they make. Invariant: white space is folded as a browser
//! folds it, also across pieces; marks stand directly around words, never around blanks.

use super::escape;
use crate::state::visible_text;

/// What is in force for a piece.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Style {
    /// Number of the link in the writer's list.
    pub link: Option<usize>,
    pub strong: bool,
    pub emphasis: bool,
    pub struck: bool,
    pub code: bool,
}

#[derive(Debug)]
enum Piece {
    /// Cleaned, not yet escaped.
    Text(String, Style),
    /// Ready Markdown.
    Ready(String, Style),
    Break,
}

/// Running text that is being gathered.
#[derive(Debug, Default)]
pub(super) struct Inline {
    pieces: Vec<Piece>,
    /// A blank is owed before the next word.
    gap: bool,
    /// Its lines do not stand at the start of a line of the document.
    inside: bool,
}

impl Inline {
    /// Running text of a cell or heading, whose lines cannot begin a block.
    pub(super) fn inside() -> Self {
        Self {
            inside: true,
            ..Self::default()
        }
    }

    pub(super) fn text(&mut self, text: &str, style: Style) {
        let words = visible_text(text);
        if words.is_empty() {
            self.gap |= text.contains(char::is_whitespace);
            return;
        }
        self.gap |= text.starts_with(char::is_whitespace);
        let lead = if self.takes_blank() { " " } else { "" };
        self.gap = text.ends_with(char::is_whitespace);
        match self.pieces.last_mut() {
            Some(Piece::Text(last, known)) if *known == style => {
                last.push_str(lead);
                last.push_str(&words);
            }
            _ => self.pieces.push(Piece::Text(format!("{lead}{words}"), style)),
        }
    }

    /// Markdown that is written as it is.
    pub(super) fn ready(&mut self, markdown: String, style: Style) {
        let lead = if self.takes_blank() { " " } else { "" };
        self.gap = false;
        self.pieces.push(Piece::Ready(format!("{lead}{markdown}"), style));
    }

    pub(super) fn line_break(&mut self) {
        self.gap = false;
        self.pieces.push(Piece::Break);
    }

    fn takes_blank(&self) -> bool {
        self.gap && !matches!(self.pieces.last(), None | Some(Piece::Break))
    }

    /// The gathered lines as Markdown, without blank ones at either end; what is gathered next starts anew.
    pub(super) fn finish(&mut self, links: &[String]) -> String {
        self.gap = false;
        let pieces = std::mem::take(&mut self.pieces);
        let lines: Vec<String> = pieces
            .split(|piece| matches!(piece, Piece::Break))
            .map(|line| markdown(line, Level::Link, links).trim().to_owned())
            .map(|line| if self.inside { line } else { escape::line_start(&line) })
            .collect();
        lines.join("\n").trim_matches('\n').to_owned()
    }
}

/// Marks from the outermost to the innermost.
#[derive(Clone, Copy)]
enum Level {
    Link,
    Strong,
    Emphasis,
    Struck,
    Words,
}

impl Level {
    fn inner(self) -> Self {
        match self {
            Self::Link => Self::Strong,
            Self::Strong => Self::Emphasis,
            Self::Emphasis => Self::Struck,
            Self::Struck | Self::Words => Self::Words,
        }
    }

    /// Key by which neighbours belong together at this level; `None` outside the mark.
    fn key(self, style: Style) -> Option<usize> {
        match self {
            Self::Link => style.link,
            Self::Strong => style.strong.then_some(0),
            Self::Emphasis => style.emphasis.then_some(0),
            Self::Struck => style.struck.then_some(0),
            Self::Words => None,
        }
    }
}

fn style_of(piece: &Piece) -> Style {
    match piece {
        Piece::Text(_, style) | Piece::Ready(_, style) => *style,
        Piece::Break => Style::default(),
    }
}

fn markdown(pieces: &[Piece], level: Level, links: &[String]) -> String {
    if matches!(level, Level::Words) {
        return pieces.iter().map(words).collect();
    }
    let mut out = String::new();
    for run in pieces.chunk_by(|a, b| level.key(style_of(a)) == level.key(style_of(b))) {
        let inner = markdown(run, level.inner(), links);
        match level.key(style_of(&run[0])) {
            Some(key) => {
                // An exclamation mark before a link would make a picture of it.
                if matches!(level, Level::Link) && out.ends_with('!') {
                    out.insert(out.len() - 1, '\\');
                }
                out.push_str(&wrapped(&inner, level, links.get(key)));
            }
            None => out.push_str(&inner),
        }
    }
    out
}

/// The mark around the words, blanks at either end left outside of it.
fn wrapped(inner: &str, level: Level, link: Option<&String>) -> String {
    let words = inner.trim();
    if words.is_empty() {
        return inner.to_owned();
    }
    let lead = &inner[..inner.len() - inner.trim_start().len()];
    let tail = &inner[inner.trim_end().len()..];
    match (level, link) {
        (Level::Link, Some(link)) => format!("{lead}[{words}]({}){tail}", escape::address(link)),
        (Level::Strong, _) => format!("{lead}**{words}**{tail}"),
        (Level::Emphasis, _) => format!("{lead}*{words}*{tail}"),
        (Level::Struck, _) => format!("{lead}~~{words}~~{tail}"),
        _ => inner.to_owned(),
    }
}

fn words(piece: &Piece) -> String {
    match piece {
        Piece::Text(text, style) if style.code => {
            let lead = if text.starts_with(' ') { " " } else { "" };
            format!("{lead}{}", escape::code_span(text.trim_start()))
        }
        Piece::Text(text, style) if style.link.is_some() => escape::label(text),
        Piece::Text(text, _) => escape::inline(text),
        Piece::Ready(markdown, _) => markdown.clone(),
        Piece::Break => String::new(),
    }
}
