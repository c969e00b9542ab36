//! Blocks one below the other. Invariant: no trailing blanks, no two blank lines in a row, none at either end.

use super::inline::Inline;
use super::table::Table;

/// What lies between two blocks: a line end, or a blank line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    #[default]
    Line,
    Blank,
}

/// A column of blocks that is being written.
#[derive(Debug, Default)]
pub(super) struct Flow {
    text: String,
    owed: Gap,
    pub(super) inline: Inline,
    /// The table written last, as long as nothing follows it: its head may belong to the next one.
    last_table: Option<Table>,
}

impl Flow {
    /// The content of a cell or heading.
    pub(super) fn inside() -> Self {
        Self {
            inline: Inline::inside(),
            ..Self::default()
        }
    }

    /// Ends the running line; the next block comes after at least this gap.
    pub(super) fn boundary(&mut self, gap: Gap, links: &[String]) {
        let line = self.inline.finish(links);
        if !line.is_empty() {
            self.append(&line, Gap::Line);
        }
        self.owed = self.owed.max(gap);
    }

    /// Adds a block, with this gap on both sides.
    pub(super) fn block(&mut self, block: &str, gap: Gap, links: &[String]) {
        self.boundary(Gap::Line, links);
        if !block.is_empty() {
            self.append(block, gap);
            self.owed = gap;
        }
    }

    /// Adds a table; one that is only a head is joined with the body that follows in a table of its own.
    pub(super) fn table(&mut self, table: Table, links: &[String]) {
        self.boundary(Gap::Line, links);
        let table = match self.last_table.take() {
            Some(head) if head.heads(&table) => head.joined(table),
            Some(before) => {
                self.append_table(&before);
                table
            }
            None => table,
        };
        if !table.is_empty() {
            self.last_table = Some(table);
        }
    }

    fn append_table(&mut self, table: &Table) {
        let text = table.markdown();
        self.write(&text, Gap::Blank);
        self.owed = Gap::Blank;
    }

    fn append(&mut self, block: &str, gap: Gap) {
        if let Some(table) = self.last_table.take() {
            self.append_table(&table);
        }
        self.write(block, gap);
    }

    fn write(&mut self, block: &str, gap: Gap) {
        if !self.text.is_empty() {
            let gap = self.owed.max(gap);
            self.text.push_str(if gap == Gap::Blank { "\n\n" } else { "\n" });
        }
        self.text.push_str(block);
        self.owed = Gap::Line;
    }

    /// Everything written.
    pub(super) fn finish(mut self, links: &[String]) -> String {
        self.boundary(Gap::Line, links);
        if let Some(table) = self.last_table.take() {
            self.append_table(&table);
        }
        self.text
    }
}

/// Lines without trailing blanks, and one blank line where there are several.
pub(super) fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut blank = true;
    for line in text.lines() {
        let line = line.trim_end();
        if line.is_empty() && blank {
            continue;
        }
        blank = line.is_empty();
        out.push_str(line);
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out
}
