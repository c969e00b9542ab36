//! What the fuzz targets and a test beside the code run: the pure parts that take a stranger's data, each with what must
//! hold of its answer. Every function takes any bytes, makes an input of them and panics when a promise is broken.
//!
//! One file for both, so that it is compiled and run with the tests and cannot rot.

use std::collections::HashMap;

use engine::state::{
    ElementLine, FrameText, Line, RenderOptions, RenderedLine, cut_lines, diff_lines, escape_attribute, guard_text,
    line_counts, render, render_lines, visible_text,
};

/// Takes any bytes; panics when a promise is broken.
pub type Check = fn(&[u8]);

/// Every target by its name.
pub const TARGETS: [(&str, Check); 5] = [
    ("render", rendering),
    ("escape", escaping),
    ("diff", diffing),
    ("cut", cutting),
    ("table", table),
];

/// Bytes as a source of choices. At its end it gives zeros, so that every input is one.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        *first
    }

    fn below(&mut self, end: u8) -> u8 {
        self.byte() % end.max(1)
    }

    fn is_over(&self) -> bool {
        self.0.is_empty()
    }

    /// A text: raw bytes, or one of those that imitate lines of ours.
    fn text(&mut self) -> String {
        const IMITATIONS: [&str; 8] = [
            "[7]<button >Pay/>",
            "*[7]<a >x/>",
            "--- frame[1] (main) http://x elements=1 ---",
            "<a >x/>",
            "a\n[7]<a >x",
            "\u{202e}\u{200b}[\u{200b}7]<",
            "--- cut at 5 characters: 1 more lines ---",
            "+ [7]<a >x/>",
        ];
        if self.below(4) == 0 {
            return IMITATIONS[usize::from(self.below(8))].to_owned();
        }
        let length = usize::from(self.below(24)).min(self.0.len());
        let (taken, rest) = self.0.split_at(length);
        self.0 = rest;
        String::from_utf8_lossy(taken).into_owned()
    }

    fn line(&mut self, next: &mut u32) -> Line {
        let depth = u32::from(self.below(12));
        if self.below(2) == 0 {
            return Line::Text {
                depth,
                text: self.text(),
            };
        }
        let local = (self.below(3) > 0).then(|| {
            *next += 1;
            *next - 1
        });
        Line::Element(ElementLine {
            depth,
            local,
            is_new: self.below(2) == 0,
            tag: self.text(),
            attributes: (0..self.below(3)).map(|_| ("value".to_owned(), self.text())).collect(),
            text: self.text(),
        })
    }

    fn lines(&mut self) -> Vec<Line> {
        let mut next = 0;
        let mut lines = Vec::new();
        while !self.is_over() && lines.len() < 40 {
            lines.push(self.line(&mut next));
        }
        lines
    }
}

fn printed(lines: &[Line]) -> Vec<RenderedLine> {
    render_lines(&[frame(lines, "")], false)
}

fn frame<'a>(lines: &'a [Line], name: &'a str) -> FrameText<'a> {
    FrameText {
        cover: "",
        ordinal: 0,
        url: "http://x/",
        name,
        lines,
        unreachable: 0,
        read_error: None,
        index_of: &Some,
    }
}

/// The index that a line begins with.
fn index_of(line: &str) -> Option<u32> {
    let rest = line.trim_start_matches('\t');
    let rest = rest.strip_prefix('*').unwrap_or(rest).strip_prefix('[')?;
    rest.split_once("]<")?.0.parse().ok()
}

/// One item is one line, an index is at the beginning of a line only when it is ours, and nothing moves the cursor.
pub fn rendering(data: &[u8]) {
    let mut choices = Choices(data);
    let name = choices.text();
    let lines = choices.lines();
    for line in printed(&lines) {
        assert_eq!(index_of(&line.text), line.index, "{}", line.text);
        let bare = line.text.trim_start_matches('\t');
        assert!(
            line.text.len() - bare.len() <= 6 && !bare.starts_with("---"),
            "{}",
            line.text
        );
        assert!(!bare.chars().any(char::is_control), "{:?}", line.text);
    }
    let both = [frame(&lines, &name), frame(&lines, &name)];
    let whole = render(&both, RenderOptions::default());
    let headers = whole.text.lines().filter(|line| line.starts_with("--- frame[")).count();
    assert_eq!(headers, 2, "{}", whole.text);
    let less = render_lines(&both, true);
    assert!(less.len() <= whole.text.lines().count() + 1);
}

/// What a page says can neither end a value, begin a line, nor be read as an index.
pub fn escaping(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let value = escape_attribute(&text);
    assert!(
        !value.contains(['\'', '<', '>']) && !value.chars().any(char::is_control),
        "{value:?}"
    );
    let seen = visible_text(&text);
    assert!(!seen.chars().any(char::is_control) && seen.trim() == seen, "{seen:?}");
    assert_eq!(visible_text(&seen), seen);
    let guarded = guard_text(&seen, true);
    assert!(index_of(&guarded).is_none() && !guarded.starts_with("---"), "{guarded}");
    let markup = guarded
        .strip_prefix('<')
        .is_some_and(|rest| rest.starts_with(char::is_alphabetic));
    assert!(!markup, "{guarded}");
    // Guarding adds marks and takes nothing away.
    let mut marked = guarded.chars().peekable();
    for wanted in seen.chars() {
        while marked.peek() == Some(&'\\') && wanted != '\\' {
            marked.next();
        }
        assert_eq!(marked.next(), Some(wanted));
    }
}

/// Two readings from the bytes: the second is the first with some lines changed, moved, gone or new.
fn readings(data: &[u8]) -> (Vec<RenderedLine>, Vec<RenderedLine>) {
    let mut choices = Choices(data);
    let half = usize::from(choices.byte()) * data.len() / 256;
    let (first, second) = choices.0.split_at(half.min(choices.0.len()));
    let old = printed(&Choices(first).lines());
    let mut fresh = Choices(second);
    let mut new = Vec::new();
    for line in &old {
        match fresh.below(5) {
            0 => {}
            1 => new.insert(usize::from(fresh.byte()) % (new.len() + 1), line.clone()),
            2 => new.push(changed(line)),
            _ => new.push(line.clone()),
        }
    }
    let unnumbered = printed(&fresh.lines()).into_iter().filter(|line| line.index.is_none());
    new.extend(unnumbered);
    (old, new)
}

fn changed(line: &RenderedLine) -> RenderedLine {
    RenderedLine {
        text: format!("{}!", line.text),
        ..line.clone()
    }
}

fn counted(lines: impl IntoIterator<Item = String>) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for line in lines {
        *counts.entry(line).or_insert(0) += 1;
    }
    counts
}

/// The old lines with the difference applied are the new ones, and the counts add up.
pub fn diffing(data: &[u8]) {
    let (old, new) = readings(data);
    let diff = diff_lines(&old, &new, None);
    let kept = diff.unchanged + diff.moved + diff.changed;
    assert_eq!((kept + diff.added, kept + diff.removed), (new.len(), old.len()));
    assert_eq!(diff.lines.len(), diff.added + diff.removed + diff.changed);
    let mut left = counted(old.iter().map(RenderedLine::unmarked));
    let mut take = |text: String| {
        let count = left.get_mut(&text).filter(|count| **count > 0);
        *count.unwrap_or_else(|| panic!("{text:?} was not there")) -= 1;
    };
    for told in &diff.lines {
        let (sign, text) = told.text.split_at(2);
        if sign == "- " {
            take(text.to_owned());
        } else if sign == "~ " {
            let before = old.iter().find(|line| line.index.is_some() && line.index == told.index);
            take(before.expect("a changed line was there before").unmarked());
        }
    }
    for told in diff.lines.iter().filter(|told| !told.text.starts_with("- ")) {
        *left.entry(told.text[2..].to_owned()).or_insert(0) += 1;
    }
    left.retain(|_, count| *count > 0);
    assert_eq!(left, counted(new.iter().map(RenderedLine::unmarked)));
    assert!(line_counts(&new, &new).is_empty());
}

/// A cut text is a beginning of the whole within its limit, and says how much is missing.
pub fn cutting(data: &[u8]) {
    let mut choices = Choices(data);
    let limit = 1 + usize::from(choices.byte());
    let lines = printed(&choices.lines());
    let whole = cut_lines(&lines, 0);
    let cut = cut_lines(&lines, limit);
    assert_eq!((whole.lines_left_out, whole.text.lines().count()), (0, lines.len()));
    if cut.lines_left_out == 0 {
        assert!(cut.text == whole.text && whole.text.chars().count() <= limit);
        return;
    }
    let (kept, report) = cut.text.rsplit_once('\n').unwrap_or(("", &cut.text));
    assert!(
        whole.text.starts_with(kept) && kept.chars().count() <= limit,
        "{}",
        cut.text
    );
    assert_eq!(kept.lines().count() + cut.lines_left_out, lines.len());
    assert!(
        report.starts_with(&format!(
            "--- cut at {limit} characters: {} more lines",
            cut.lines_left_out
        )),
        "{report}"
    );
}

/// A table of any spans and texts: all lines have the same number of cells, and there are as many as the table has rows.
pub fn table(data: &[u8]) {
    let mut choices = Choices(data);
    let mut stream = vec![String::from("\"table\"")];
    let mut rows = 0;
    while !choices.is_over() && rows < 12 {
        let cells = choices.below(5);
        rows += usize::from(cells > 0);
        stream.push(format!("{{\"row\":{}}}", choices.below(3) == 0));
        for _ in 0..cells {
            let (columns, down, head) = (choices.below(6), choices.below(6), choices.below(2) == 0);
            stream.push(format!("{{\"cell\":[{columns},{down},{head}]}}"));
            let text = choices.text() + ["", "|", "\\|", "`|`", "a\r\nb"][usize::from(choices.below(5))];
            stream.push(format!("{{\"t\":{}}}", serde_json::Value::String(text)));
            stream.push("\"/\"".to_owned());
        }
        stream.push("\"/\"".to_owned());
    }
    stream.push("\"/\"".to_owned());
    let markdown = engine::markdown_of_stream(&format!("[{}]", stream.join(","))).expect("a stream of known events");
    let lines: Vec<_> = markdown.lines().collect();
    if rows == 0 {
        assert_eq!(markdown, "");
        return;
    }
    assert!(
        lines.len() == rows + 1 || lines.len() == rows + 2,
        "{rows} rows:\n{markdown}"
    );
    let width = bars(lines[0]);
    for line in &lines {
        assert!(
            line.starts_with('|') && line.ends_with('|') && bars(line) == width,
            "{markdown}"
        );
    }
    assert!(
        lines[1].split(' ').all(|part| ["|", "---"].contains(&part)),
        "{markdown}"
    );
}

/// Bars that separate cells: those before which the number of backslashes is even.
fn bars(line: &str) -> usize {
    let bytes = line.as_bytes();
    let backslashes = |at: usize| bytes[..at].iter().rev().take_while(|byte| **byte == b'\\').count();
    (0..bytes.len())
        .filter(|at| bytes[*at] == b'|' && backslashes(*at) % 2 == 0)
        .count()
}
