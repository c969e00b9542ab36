//! Tables. Invariant: every line of a table has the same number of cells, whatever the spans and the texts are.

/// A cell: its lines as Markdown, and what it spans.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Cell {
    pub text: String,
    pub columns: usize,
    pub rows: usize,
    pub header: bool,
}

#[derive(Debug, Clone, Default)]
struct Row {
    cells: Vec<Cell>,
    head: bool,
}

/// A table that is being gathered.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    rows: Vec<Row>,
}

/// The most columns that are written: a span may claim any number.
const MAX_COLUMNS: usize = 1000;

impl Table {
    pub(super) fn row(&mut self, head: bool) {
        self.rows.push(Row {
            cells: Vec::new(),
            head,
        });
    }

    pub(super) fn cell(&mut self, cell: Cell) {
        if self.rows.is_empty() {
            self.row(false);
        }
        if let Some(row) = self.rows.last_mut() {
            row.cells.push(cell);
        }
    }

    /// No row has a cell.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.iter().all(|row| row.cells.is_empty())
    }

    /// Whether the first row is a heading: it stands in the head, or has nothing but heading cells.
    fn has_head(&self) -> bool {
        self.rows
            .iter()
            .find(|row| !row.cells.is_empty())
            .is_some_and(|row| row.head || row.cells.iter().all(|cell| cell.header))
    }

    /// Whether this is the head of `body`, as component libraries make two tables of one: nothing but a heading here,
    /// none there, and the same columns but for an empty one above the scroll bar.
    pub(super) fn heads(&self, body: &Table) -> bool {
        let (own, other) = (self.grid(), body.grid());
        let (Some(head), Some(first)) = (own.last(), other.first()) else {
            return false;
        };
        let filled = head.iter().rposition(|text| !text.is_empty()).map_or(0, |at| at + 1);
        let heading = self
            .rows
            .iter()
            .all(|row| row.head || row.cells.iter().all(|cell| cell.header));
        heading && !body.has_head() && first.len() >= filled && first.len() <= head.len()
    }

    /// This head over the rows of `body`.
    pub(super) fn joined(mut self, body: Table) -> Table {
        self.rows.extend(body.rows);
        self
    }

    /// The texts by row and column. A cell that spans fills its first place; the others are empty.
    fn grid(&self) -> Vec<Vec<String>> {
        let mut grid = Vec::new();
        // Rows that a cell above still takes, by column.
        let mut taken: Vec<usize> = Vec::new();
        for row in self.rows.iter().filter(|row| !row.cells.is_empty()) {
            let line = place(row, &mut taken);
            grid.push(line);
        }
        let width = grid.iter().map(Vec::len).max().unwrap_or(0);
        for line in &mut grid {
            line.resize(width, String::new());
        }
        grid
    }

    /// The table in lines; one without a heading gets an empty one, which the syntax demands.
    pub(super) fn markdown(&self) -> String {
        let mut grid = self.grid();
        if grid.is_empty() {
            return String::new();
        }
        let width = grid[0].len();
        if !self.has_head() {
            grid.insert(0, vec![String::new(); width]);
        }
        let mut lines: Vec<String> = grid.iter().map(|cells| line(cells)).collect();
        lines.insert(1, format!("|{}", " --- |".repeat(width)));
        lines.join("\n")
    }

    /// The table as lines of text, for one inside a cell of another.
    pub(super) fn flat(&self) -> String {
        let words = |cells: &Vec<String>| {
            let filled: Vec<&str> = cells
                .iter()
                .map(String::as_str)
                .filter(|text| !text.is_empty())
                .collect();
            filled.join(" ")
        };
        self.grid().iter().map(words).collect::<Vec<_>>().join("\n")
    }
}

/// Puts the cells of a row beside what cells above still take.
fn place(row: &Row, taken: &mut Vec<usize>) -> Vec<String> {
    let mut line: Vec<String> = Vec::new();
    let mut cells = row.cells.iter();
    let mut next = cells.next();
    while line.len() < MAX_COLUMNS {
        let at = line.len();
        if let Some(rows) = taken.get_mut(at).filter(|rows| **rows > 0) {
            *rows -= 1;
            line.push(String::new());
            continue;
        }
        let Some(cell) = next else {
            if at < taken.len() {
                line.push(String::new());
                continue;
            }
            break;
        };
        let columns = cell.columns.clamp(1, MAX_COLUMNS - at);
        taken.resize(taken.len().max(at + columns), 0);
        taken[at..at + columns].fill(cell.rows.max(1) - 1);
        line.push(cell.text.clone());
        line.resize(at + columns, String::new());
        next = cells.next();
    }
    line
}

fn line(cells: &[String]) -> String {
    let mut out = String::from("|");
    for cell in cells {
        out.push(' ');
        out.push_str(&one_line(cell));
        out.push_str(if cell.is_empty() { "|" } else { " |" });
    }
    out
}

/// Lines joined by `<br>`, bars escaped: inside code too, as the syntax of tables has it.
fn one_line(cell: &str) -> String {
    let lines: Vec<&str> = cell
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty())
        .collect();
    lines.join("<br>").replace('|', "\\|")
}
