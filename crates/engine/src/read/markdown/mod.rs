//! GitHub-flavoured Markdown from the stream of marks that the page script's walk yields (`page/markdown.js`). The walk
//! knows what can be seen; everything about Markdown is decided here, where it is pure and can be tested on any stream.
//!
//! Invariants: any stream is accepted, also an unbalanced one; a page's text never becomes markup of ours (see
//! [`escape`]); lines have no trailing blanks and blank lines never follow one another.
//!
//! Source of the syntax: GitHub Flavored Markdown Spec 0.29.

mod escape;
mod flow;
mod inline;
mod table;
mod writer;

use serde::Deserialize;

/// One event of the stream.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub enum Event {
    /// Text, white space as in the markup.
    #[serde(rename = "t")]
    Text(String),
    /// Ends the mark opened last.
    #[serde(rename = "/")]
    End,
    /// Boundary of lines.
    #[serde(rename = "n")]
    Line,
    /// Boundary of paragraphs.
    #[serde(rename = "p")]
    Paragraph,
    /// Line break inside a paragraph.
    #[serde(rename = "br")]
    Break,
    /// Thematic break.
    #[serde(rename = "rule")]
    Rule,
    /// Code block: language and text.
    #[serde(rename = "pre")]
    Code(String, String),
    /// Picture: alternative text and address.
    #[serde(rename = "img")]
    Image(String, String),
    /// Opens a heading of that level.
    #[serde(rename = "h")]
    Heading(u8),
    /// Opens a bulleted list.
    #[serde(rename = "ul")]
    Bullets,
    /// Opens a numbered list that starts there.
    #[serde(rename = "ol")]
    Numbers(i64),
    /// Opens an item, with a number of its own when it has one.
    #[serde(rename = "li")]
    Item(Option<i64>),
    /// Opens a block quotation.
    #[serde(rename = "quote")]
    Quote,
    /// Opens a table.
    #[serde(rename = "table")]
    Table,
    /// Opens a row; true inside the table's head.
    #[serde(rename = "row")]
    Row(bool),
    /// Opens a cell.
    #[serde(rename = "cell")]
    Cell(CellSpan),
    /// Opens a caption.
    #[serde(rename = "caption")]
    Caption,
    /// Opens strong emphasis.
    #[serde(rename = "strong")]
    Strong,
    /// Opens emphasis.
    #[serde(rename = "em")]
    Emphasis,
    /// Opens struck text.
    #[serde(rename = "del")]
    Struck,
    /// Opens code inside a line.
    #[serde(rename = "code")]
    InlineCode,
    /// Opens a link to that address.
    #[serde(rename = "a")]
    Link(String),
}

/// Columns and rows that a cell spans, and whether it is a heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct CellSpan(pub u32, pub u32, pub bool);

/// Writes a stream as Markdown.
#[must_use]
pub fn render(events: Vec<Event>) -> String {
    let mut writer = writer::Writer::default();
    for event in events {
        writer.take(event);
    }
    writer.finish()
}

/// Markdown of a stream in the page script's own form, for the fuzz targets; `None` when it is none.
#[doc(hidden)]
#[must_use]
pub fn markdown_of_stream(stream: &str) -> Option<String> {
    serde_json::from_str(stream).ok().map(render)
}

#[cfg(test)]
mod tests;
