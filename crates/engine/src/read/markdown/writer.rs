//! From events to blocks: a stack of what is open. Invariant: an end closes what was opened last, an end too many does
//! nothing, and what is still open at the end is closed.

use super::escape;
use super::flow::{Flow, Gap, tidy};
use super::inline::Style;
use super::table::{Cell, Table};
use super::{CellSpan, Event};
use crate::read::clean;

/// What an end has to do.
#[derive(Debug)]
enum Open {
    Heading(usize),
    List {
        next: Option<i64>,
    },
    Item {
        value: Option<i64>,
    },
    Quote,
    Table(Table),
    Row,
    Cell(CellSpan),
    Caption,
    /// A mark inside lines, with the style around it.
    Mark(Style),
}

#[derive(Debug, Default)]
pub(super) struct Writer {
    /// What is open, each with the flow that its content goes to; marks use the one below.
    open: Vec<(Open, Flow)>,
    root: Flow,
    style: Style,
    links: Vec<String>,
    /// How many cells are open: a block in one has to fit into a line.
    cells: usize,
}

impl Writer {
    pub(super) fn take(&mut self, event: Event) {
        match event {
            Event::Text(text) => {
                let style = self.style;
                self.flow().inline.text(&text, style);
            }
            Event::End => self.end(),
            Event::Line => self.boundary(Gap::Line),
            Event::Paragraph => self.boundary(Gap::Blank),
            Event::Break => self.flow().inline.line_break(),
            Event::Rule if self.cells == 0 => self.block("---", Gap::Blank),
            Event::Rule => self.boundary(Gap::Line),
            Event::Code(language, text) => self.code(&language, &clean(&text)),
            Event::Image(alt, src) => self.image(&alt, &src),
            Event::Strong => self.mark(|style| style.strong = true),
            Event::Emphasis => self.mark(|style| style.emphasis = true),
            Event::Struck => self.mark(|style| style.struck = true),
            Event::InlineCode => self.mark(|style| style.code = true),
            Event::Link(address) => {
                self.links.push(address);
                let at = self.links.len() - 1;
                self.mark(|style| style.link = Some(at));
            }
            Event::Heading(level) => self.start(Open::Heading(usize::from(level.clamp(1, 6)))),
            Event::Bullets => self.start(Open::List { next: None }),
            Event::Numbers(first) => self.start(Open::List { next: Some(first) }),
            Event::Item(value) => self.start(Open::Item { value }),
            Event::Quote => self.start(Open::Quote),
            Event::Table => self.start(Open::Table(Table::default())),
            Event::Row(head) => {
                if let Some(table) = self.table() {
                    table.row(head);
                }
                self.start(Open::Row);
            }
            Event::Cell(span) => {
                self.cells += 1;
                self.start(Open::Cell(span));
            }
            Event::Caption => self.start(Open::Caption),
        }
    }

    pub(super) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.end();
        }
        tidy(&self.root.finish(&self.links))
    }

    /// The flow that content goes to.
    fn flow(&mut self) -> &mut Flow {
        let inner = self
            .open
            .iter_mut()
            .rev()
            .find(|(open, _)| !matches!(open, Open::Mark(_)));
        inner.map_or(&mut self.root, |(_, flow)| flow)
    }

    fn boundary(&mut self, gap: Gap) {
        let links = std::mem::take(&mut self.links);
        self.flow().boundary(gap, &links);
        self.links = links;
    }

    fn block(&mut self, block: &str, gap: Gap) {
        let links = std::mem::take(&mut self.links);
        self.flow().block(block, gap, &links);
        self.links = links;
    }

    fn mark(&mut self, set: impl FnOnce(&mut Style)) {
        self.open.push((Open::Mark(self.style), Flow::default()));
        set(&mut self.style);
    }

    fn start(&mut self, open: Open) {
        if !matches!(open, Open::Row | Open::Cell(_)) {
            self.boundary(Gap::Line);
        }
        let inside = matches!(open, Open::Cell(_) | Open::Heading(_));
        let flow = if inside { Flow::inside() } else { Flow::default() };
        self.open.push((open, flow));
    }

    /// The innermost open table.
    fn table(&mut self) -> Option<&mut Table> {
        self.open.iter_mut().rev().find_map(|(open, _)| match open {
            Open::Table(table) => Some(table),
            _ => None,
        })
    }

    fn end(&mut self) {
        let Some((open, flow)) = self.open.pop() else { return };
        let content = flow_content(&open, flow, &self.links);
        match open {
            Open::Mark(style) => self.style = style,
            Open::Heading(level) => self.heading(level, &content),
            Open::List { .. } => {
                let nested = matches!(self.innermost(), Some(Open::Item { .. }));
                self.block(&content, if nested { Gap::Line } else { Gap::Blank });
                // Text after a nested list would otherwise belong to its last item.
                self.boundary(Gap::Blank);
            }
            Open::Item { value } => self.item(value, &content),
            Open::Quote => self.quote(&content),
            Open::Table(table) => self.end_table(table, &content),
            // Text beside the cells of a row: a browser would show it, so it is kept.
            Open::Row if content.is_empty() => {}
            Open::Row => self.add_cell(content, CellSpan(1, 1, false)),
            Open::Cell(span) => {
                self.cells = self.cells.saturating_sub(1);
                self.add_cell(content, span);
            }
            Open::Caption => self.block(&content, Gap::Blank),
        }
    }

    fn innermost(&self) -> Option<&Open> {
        self.open
            .iter()
            .rev()
            .map(|(open, _)| open)
            .find(|open| !matches!(open, Open::Mark(_)))
    }

    fn heading(&mut self, level: usize, content: &str) {
        let line = content.split_whitespace().collect::<Vec<_>>().join(" ");
        if self.cells > 0 {
            self.block(&line, Gap::Line);
        } else if !line.is_empty() {
            self.block(&format!("{} {line}", "#".repeat(level)), Gap::Blank);
        }
    }

    fn item(&mut self, value: Option<i64>, content: &str) {
        let list = self.open.iter_mut().rev().find_map(|(open, _)| match open {
            Open::List { next } => Some(next),
            _ => None,
        });
        let marker = match list {
            Some(Some(next)) => {
                let number = value.unwrap_or(*next).clamp(0, 999_999_999);
                *next = number + 1;
                format!("{number}. ")
            }
            _ => String::from("- "),
        };
        if !content.is_empty() {
            let block = indented(content, &marker, &" ".repeat(marker.len()));
            self.block(&block, Gap::Line);
        }
    }

    fn quote(&mut self, content: &str) {
        if self.cells > 0 || content.is_empty() {
            return self.block(content, Gap::Line);
        }
        let block = indented(content, "> ", "> ");
        self.block(&block, Gap::Blank);
    }

    fn end_table(&mut self, table: Table, beside: &str) {
        if !beside.is_empty() {
            self.block(beside, Gap::Blank);
        }
        if self.cells > 0 {
            return self.block(&table.flat(), Gap::Line);
        }
        let links = std::mem::take(&mut self.links);
        self.flow().table(table, &links);
        self.links = links;
    }

    fn add_cell(&mut self, text: String, CellSpan(columns, rows, header): CellSpan) {
        let cell = Cell {
            text,
            columns: columns as usize,
            rows: rows as usize,
            header,
        };
        match self.table() {
            Some(table) => table.cell(cell),
            None => self.block(&cell.text, Gap::Line),
        }
    }

    fn code(&mut self, language: &str, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        if self.cells == 0 {
            return self.block(&escape::code_block(language, text), Gap::Blank);
        }
        let lines: Vec<_> = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(escape::code_span)
            .collect();
        self.block(&lines.join("\n"), Gap::Line);
    }

    fn image(&mut self, alt: &str, src: &str) {
        let style = self.style;
        let image = format!("![{}]({})", escape::label(&clean(alt)), escape::address(src));
        self.flow().inline.ready(image, style);
    }
}

fn flow_content(open: &Open, flow: Flow, links: &[String]) -> String {
    if matches!(open, Open::Mark(_)) {
        return String::new();
    }
    flow.finish(links)
}

/// A block with one mark before its first line and another before the others; blank lines keep only what shows.
fn indented(content: &str, first: &str, others: &str) -> String {
    let mut out = String::with_capacity(content.len() + first.len());
    for (at, line) in content.lines().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        out.push_str(if at == 0 { first } else { others });
        out.push_str(line);
    }
    out
}
