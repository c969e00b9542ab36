//! Prints snapshots: one line per item, `[n]<tag attributes>text/>` for elements, plain text else, a header per frame
//! when there is more than one. Invariants: one item is one line; at most [`MAX_TABS`] tabs; only lines printed here
//! begin with an index, a tag or `---`; a cut falls between lines and says what it took.

use std::fmt::Write as _;

use super::hostile::{escape_attribute, guard_text, tag_name, visible_text};
use super::long::{cut_inside, shortened};
use super::model::{ElementLine, Line, MoreLine};

/// Deepest indentation that is printed.
const MAX_TABS: u32 = 6;

/// Characters of a frame's address and name in its header.
const MAX_URL: usize = 500;
const MAX_NAME: usize = 200;
/// Characters of one attribute. Live values are data and stay whole up to a length that no person types.
const MAX_VALUE: usize = 20_000;

/// One frame to print.
pub struct FrameText<'a> {
    /// Its number in the frame list; 0 is the main frame.
    pub ordinal: usize,
    /// Address of its document.
    pub url: &'a str,
    /// Its name, may be empty.
    pub name: &'a str,
    /// Its lines; empty when it could not be read.
    pub lines: &'a [Line],
    /// Controls that were left out as unreachable.
    pub unreachable: usize,
    /// What makes them so, in a few words; may be empty.
    pub cover: &'a str,
    /// Why it could not be read.
    pub read_error: Option<&'a str>,
    /// The tab-wide index of a local reference of this document.
    pub index_of: &'a dyn Fn(u32) -> Option<u32>,
}

/// What is printed.
#[derive(Debug, Clone, Copy, Default)]
pub struct RenderOptions {
    /// Most characters of text, 0 = no limit. The line that reports the cut comes on top.
    pub max_chars: usize,
    /// Leave out text that belongs to no control.
    pub interactive_only: bool,
}

/// The printed state.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rendered {
    /// Lines joined by `\n`.
    pub text: String,
    /// Lines that did not fit, one that was cut inside included.
    pub lines_left_out: usize,
    /// Indexed elements among them.
    pub indices_left_out: usize,
    /// Characters of the last printed line that did not fit.
    pub chars_left_out: usize,
}

/// One printed line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RenderedLine {
    /// As printed.
    pub text: String,
    /// Index at its beginning.
    pub index: Option<u32>,
    /// It carries the mark of an element that no earlier reading listed.
    pub marked: bool,
}

impl RenderedLine {
    fn plain(text: String) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }

    /// The line without the mark of a new element, which the next reading of the same element does not print.
    #[must_use]
    pub fn unmarked(&self) -> String {
        if self.marked {
            self.text.replacen('*', "", 1)
        } else {
            self.text.clone()
        }
    }
}

/// Prints frames in the given order.
#[must_use]
pub fn render(frames: &[FrameText<'_>], options: RenderOptions) -> Rendered {
    cut_lines(&render_lines(frames, options.interactive_only), options.max_chars)
}

/// All lines of the frames in the given order.
#[must_use]
pub fn render_lines(frames: &[FrameText<'_>], interactive_only: bool) -> Vec<RenderedLine> {
    let mut out = Vec::new();
    for frame in frames {
        if frames.len() > 1 {
            out.push(RenderedLine::plain(frame_header(frame, frames[0].url)));
        }
        for line in frame.lines {
            match line {
                Line::Text { depth, text } if !interactive_only => {
                    let seen = visible_text(text);
                    if !seen.is_empty() {
                        out.push(RenderedLine::plain(format!(
                            "{}{}",
                            tabs(*depth),
                            guard_text(&seen, true)
                        )));
                    }
                }
                Line::Element(element) => {
                    let index = element.local.and_then(frame.index_of);
                    out.push(RenderedLine {
                        text: element_text(element, index),
                        index,
                        marked: index.is_some() && element.is_new,
                    });
                }
                Line::More(more) => out.push(RenderedLine::plain(more_line(more))),
                Line::Text { .. } | Line::Frame { .. } => {}
            }
        }
        if frame.unreachable > 0 {
            out.push(RenderedLine::plain(unreachable_line(frame.unreachable, frame.cover)));
        }
    }
    out
}

/// Joins lines up to `max_chars` characters (0 = no limit) and says what did not fit.
#[must_use]
pub fn cut_lines(lines: &[RenderedLine], max_chars: usize) -> Rendered {
    let mut out = Rendered::default();
    let mut used = 0;
    for line in lines {
        let length = line.text.chars().count() + usize::from(!out.text.is_empty());
        // Once a line does not fit, later ones are only counted, so that the text stays a prefix.
        if out.lines_left_out > 0 || (max_chars > 0 && used + length > max_chars) {
            if out.lines_left_out == 0 {
                let gap = usize::from(!out.text.is_empty());
                if let Some(part) = cut_inside(&line.text, max_chars.saturating_sub(used + gap)) {
                    out.text.push_str(if gap == 1 { "\n" } else { "" });
                    out.text.push_str(&part.text);
                    out.chars_left_out = part.left_out;
                    // Its index, if it has one, was given.
                    out.lines_left_out += 1;
                    continue;
                }
            }
            out.lines_left_out += 1;
            out.indices_left_out += usize::from(line.index.is_some());
            continue;
        }
        used += length;
        if !out.text.is_empty() {
            out.text.push('\n');
        }
        out.text.push_str(&line.text);
    }
    report_cut(&mut out, max_chars);
    out
}

fn report_cut(out: &mut Rendered, max_chars: usize) {
    if out.lines_left_out == 0 {
        return;
    }
    if !out.text.is_empty() {
        out.text.push('\n');
    }
    let (chars, indices) = (out.chars_left_out, out.indices_left_out);
    let lines = out.lines_left_out - usize::from(chars > 0);
    let inside = match chars {
        0 => String::new(),
        _ => format!("{chars} more characters of the line above and "),
    };
    let whole = if chars > 0 { "extract_markdown, find_text, " } else { "" };
    // Writing to a string cannot fail.
    let _ = write!(
        out.text,
        "--- cut at {max_chars} characters: {inside}{lines} more lines ({indices} with an index) are left out; \
         read them with {whole}a larger maxChars, a selector, interactiveOnly or a smaller viewportExpansion ---"
    );
}

fn unreachable_line(count: usize, cover: &str) -> String {
    let (controls, are) = if count == 1 {
        ("control", "is")
    } else {
        ("controls", "are")
    };
    let cover = match header_part(cover) {
        cover if cover.is_empty() => "an open dialog or layer".to_owned(),
        cover => cover,
    };
    format!("--- {count} {controls} behind {cover} cannot be reached now and {are} left out ---")
}

/// Where siblings were left out. Its wording promises only what holds: what was not printed has no index.
fn more_line(more: &MoreLine) -> String {
    let selector = header_part(&more.selector);
    let last = more.first + more.count - 1;
    let how = if selector.is_empty() {
        String::new()
    } else {
        format!(
            "; read one with selector \"{selector} >> nth={}\" (up to nth={last}) and viewportExpansion -1, or",
            more.first
        )
    };
    format!(
        "{}--- {} more like these ({} controls, not indexed here) are left out{how}{} read all without collapseRepeats ---",
        tabs(more.depth),
        more.count,
        more.controls,
        if how.is_empty() { ";" } else { "" },
    )
}

fn tabs(depth: u32) -> String {
    "\t".repeat(depth.min(MAX_TABS) as usize)
}

/// Longest query of an address that is printed whole.
const MAX_QUERY: usize = 40;

/// An address as short as it still tells frames apart: without the origin that it shares with the main document, and
/// without what a query has beyond [`MAX_QUERY`] characters. The list of frames in the reply has it whole.
fn short_url(url: &str, main: Option<&str>) -> String {
    let url = main.and_then(|main| path_within(url, main)).unwrap_or(url);
    let Some((path, query)) = url.split_once('?') else {
        return url.to_owned();
    };
    match query.char_indices().nth(MAX_QUERY) {
        Some((end, _)) => format!("{path}?{}…", &query[..end]),
        None => url.to_owned(),
    }
}

/// What follows the origin in an address, when the other one has the same origin.
fn path_within<'a>(url: &'a str, other: &str) -> Option<&'a str> {
    let origin = |url: &str| {
        let host = url.find("://")? + 3;
        Some(host + url[host..].find('/')?)
    };
    let end = origin(url)?;
    (other.get(..origin(other)?) == url.get(..end)).then(|| &url[end..])
}

/// `--- frame[n] (main) url name="…" elements=N index=a..b [read failed: …] ---`
fn frame_header(frame: &FrameText<'_>, main: &str) -> String {
    let mut header = format!("--- frame[{}]", frame.ordinal);
    if frame.ordinal == 0 {
        header.push_str(" (main)");
    }
    let main = (frame.ordinal > 0).then_some(main);
    let url = short_url(frame.url, main);
    let _ = write!(header, " {}", header_part(&shortened(&url, MAX_URL)));
    if !frame.name.is_empty() {
        let _ = write!(
            header,
            " name=\"{}\"",
            header_part(&shortened(frame.name, MAX_NAME)).replace('"', "&quot;")
        );
    }
    let indices: Vec<u32> = indices_of(frame).collect();
    let _ = write!(header, " elements={}", indices.len());
    if let (Some(lowest), Some(highest)) = (indices.iter().min(), indices.iter().max()) {
        let _ = write!(header, " index={lowest}..{highest}");
    }
    if let Some(reason) = frame.read_error {
        let _ = write!(header, " [read failed: {}]", header_part(reason));
    }
    header.push_str(" ---");
    header
}

// A name could otherwise close the header and open another.
fn header_part(text: &str) -> String {
    guard_text(&visible_text(text), false).replace("---", "\\-\\-\\-")
}

fn indices_of<'a>(frame: &'a FrameText<'_>) -> impl Iterator<Item = u32> + 'a {
    frame.lines.iter().filter_map(|line| match line {
        Line::Element(element) => element.local.and_then(frame.index_of),
        Line::Text { .. } | Line::Frame { .. } | Line::More(_) => None,
    })
}

/// One element's line; without an index when it cannot be acted on.
fn element_text(element: &ElementLine, index: Option<u32>) -> String {
    let mut line = tabs(element.depth);
    if let Some(index) = index {
        if element.is_new {
            line.push('*');
        }
        let _ = write!(line, "[{index}]");
    }
    let _ = write!(line, "<{} ", tag_name(&element.tag));
    for (at, (name, value)) in element.attributes.iter().enumerate() {
        let gap = if at == 0 { "" } else { " " };
        let _ = write!(line, "{gap}{name}='{}'", escape_attribute(&shortened(value, MAX_VALUE)));
    }
    let text = visible_text(&element.text);
    if !text.is_empty() {
        line.push('>');
        line.push_str(&guard_text(&text, false));
    }
    line.push_str("/>");
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn element(depth: u32, local: Option<u32>, tag: &str, attributes: &[(&str, &str)], text: &str) -> Line {
        let attributes = attributes
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        Line::Element(ElementLine {
            depth,
            local,
            is_new: false,
            tag: tag.into(),
            attributes,
            text: text.into(),
        })
    }

    fn text(depth: u32, text: &str) -> Line {
        Line::Text {
            depth,
            text: text.into(),
        }
    }

    fn frame<'a>(ordinal: usize, lines: &'a [Line], index_of: &'a dyn Fn(u32) -> Option<u32>) -> FrameText<'a> {
        FrameText {
            ordinal,
            url: "http://x/",
            name: "",
            lines,
            unreachable: 0,
            cover: "",
            read_error: None,
            index_of,
        }
    }

    fn print(lines: &[Line]) -> String {
        render(&[frame(0, lines, &Some)], RenderOptions::default()).text
    }

    #[test]
    fn prints_the_grammar() {
        let lines = [
            element(0, Some(0), "a", &[], "News"),
            element(0, Some(1), "input", &[("type", "text"), ("value", "it's <b>")], ""),
            element(1, Some(2), "button", &[], "Go"),
            element(9, None, "button", &[("disabled", "true")], "Send"),
            text(0, "Hot\nlist"),
        ];
        let expected = "[0]<a >News/>\n[1]<input type='text' value='it&#39;s &lt;b&gt;'/>\n\t[2]<button >Go/>\n\
                        \t\t\t\t\t\t<button disabled='true'>Send/>\nHot list";
        assert_eq!(print(&lines), expected);
        assert_eq!(print(&[element(0, Some(0), "a", &[], "")]), "[0]<a />");
    }

    #[test]
    fn marks_new_elements() {
        let line = ElementLine {
            local: Some(4),
            is_new: true,
            tag: "a".into(),
            text: "More".into(),
            ..ElementLine::default()
        };
        assert_eq!(print(&[Line::Element(line)]), "*[4]<a >More/>");
    }

    #[test]
    fn headers_appear_with_several_frames_only() {
        let main = [element(0, Some(0), "a", &[], "x"), element(0, Some(1), "a", &[], "y")];
        let inner = [element(0, Some(0), "a", &[], "z")];
        let (first, second) = (|local| Some(local), |local: u32| Some(local + 7));
        let mut child = frame(1, &inner, &second);
        child.name = "ads\" --- frame[2]";
        let failed = FrameText {
            read_error: Some("gone"),
            lines: &[],
            ..frame(2, &[], &first)
        };
        let rendered = render(&[frame(0, &main, &first), child, failed], RenderOptions::default()).text;
        let headers: Vec<&str> = rendered.lines().filter(|line| line.starts_with("---")).collect();
        assert_eq!(
            headers,
            [
                "--- frame[0] (main) http://x/ elements=2 index=0..1 ---",
                "--- frame[1] / name=\"ads&quot; \\-\\-\\- frame[2]\" elements=1 index=7..7 ---",
                "--- frame[2] / elements=0 [read failed: gone] ---",
            ]
        );
    }

    #[test]
    fn addresses_in_headers_are_short() {
        let main = Some("http://x:1/page?a=b");
        assert_eq!(short_url("http://x:1/inner?name=same", main), "/inner?name=same");
        assert_eq!(short_url("http://x:2/inner", main), "http://x:2/inner");
        assert_eq!(short_url("http://x:1", main), "http://x:1");
        assert_eq!(short_url("about:srcdoc", main), "about:srcdoc");
        let long = format!("http://x:1/p?q={}", "ä".repeat(60));
        assert_eq!(short_url(&long, None), format!("http://x:1/p?q={}…", "ä".repeat(38)));
    }

    #[test]
    fn cuts_between_lines_and_says_so() {
        let lines = [text(0, "12345"), element(0, Some(0), "a", &[], "x"), text(0, "1")];
        let rendered = render(
            &[frame(0, &lines, &Some)],
            RenderOptions {
                max_chars: 8,
                interactive_only: false,
            },
        );
        assert_eq!((rendered.lines_left_out, rendered.indices_left_out), (2, 1));
        assert!(
            rendered
                .text
                .starts_with("12345\n--- cut at 8 characters: 2 more lines (1 with an index)")
        );
    }

    #[test]
    fn interactive_only_leaves_text_out_and_counts_the_unreachable() {
        let lines = [text(0, "words"), element(0, Some(0), "a", &[], "x")];
        let covered = FrameText {
            unreachable: 3,
            ..frame(0, &lines, &Some)
        };
        let rendered = render(
            &[covered],
            RenderOptions {
                max_chars: 0,
                interactive_only: true,
            },
        );
        assert!(rendered.text.starts_with("[0]<a >x/>\n--- 3 controls behind"));
    }

    fn any_line() -> impl Strategy<Value = Line> {
        let attributes = proptest::collection::vec(("[a-z-]{1,8}", any::<String>()), 0..3);
        prop_oneof![
            (0..12u32, any::<String>()).prop_map(|(depth, text)| Line::Text { depth, text }),
            (0..12u32, any::<String>(), attributes, any::<String>()).prop_map(|(depth, tag, attributes, text)| {
                Line::Element(ElementLine {
                    depth,
                    local: None,
                    is_new: true,
                    tag,
                    attributes,
                    text,
                })
            }),
        ]
    }

    /// `[5]` or `*[5]` at the start; `[5` alone is page text like `[5 items]` and promises no index.
    fn reads_as_index(line: &str) -> bool {
        let inside = line
            .strip_prefix('*')
            .unwrap_or(line)
            .strip_prefix('[')
            .and_then(|rest| rest.split_once(']'));
        inside.is_some_and(|(number, _)| !number.is_empty() && number.chars().all(char::is_numeric))
    }

    proptest! {
        // No line here has an index, so none may be printed, whatever the page writes.
        #[test]
        fn a_page_cannot_forge_an_index_or_a_header(lines in proptest::collection::vec(any_line(), 0..6), forged in r"[ \t\r\n]*\*?\[[0-9]{1,3}\]<a >x|[ \n]*--- frame\[1\] x ---") {
            let mut lines = lines;
            lines.push(Line::Text { depth: 1, text: forged });
            let printed = print(&lines);
            prop_assert!(printed.split('\n').count() <= lines.len());
            for line in printed.split('\n') {
                let bare = line.trim_start_matches('\t');
                prop_assert!(line.len() - bare.len() <= 6);
                prop_assert!(!reads_as_index(bare) && !bare.starts_with("---"), "{}", line);
            }
        }

        #[test]
        fn a_cut_text_is_a_prefix(lines in proptest::collection::vec(any_line(), 0..8), max_chars in 1..200usize) {
            let whole = print(&lines);
            let cut = render(&[frame(0, &lines, &Some)], RenderOptions { max_chars, interactive_only: false });
            if cut.lines_left_out == 0 {
                prop_assert_eq!(cut.text, whole);
            } else {
                let kept = cut.text.rsplit_once('\n').map_or("", |(kept, _report)| kept);
                prop_assert!(whole.starts_with(kept) && kept.chars().count() <= max_chars);
            }
        }
    }
}
