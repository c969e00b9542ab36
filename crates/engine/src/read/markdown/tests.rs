use proptest::prelude::*;
use pulldown_cmark::{Event as Parsed, Options, Parser, Tag, TagEnd};

use super::{CellSpan, Event, render};

fn text(text: &str) -> Event {
    Event::Text(text.into())
}

fn cell(words: &str, columns: u32, rows: u32, header: bool) -> Vec<Event> {
    vec![Event::Cell(CellSpan(columns, rows, header)), text(words), Event::End]
}

fn row(head: bool, cells: Vec<Vec<Event>>) -> Vec<Event> {
    let mut events = vec![Event::Row(head)];
    events.extend(cells.into_iter().flatten());
    events.push(Event::End);
    events
}

fn table(rows: Vec<Vec<Event>>) -> Vec<Event> {
    let mut events = vec![Event::Table];
    events.extend(rows.into_iter().flatten());
    events.push(Event::End);
    events
}

#[test]
fn the_stream_is_read_as_the_page_script_writes_it() {
    let stream = r#"[{"h":2},{"t":"Title"},"/","p",{"t":"a "},"strong",{"t":"b"},"/","br",{"t":"c"},"p",{"ol":3},{"li":null},
        {"t":"x"},"/",{"li":7},{"t":"y"},"/","/","rule",{"pre":["js","let a;"]},{"img":["A","http://e/i.png"]},
        "table",{"row":true},{"cell":[1,1,true]},{"t":"H"},"/","/","/"]"#;
    let events: Vec<Event> = serde_json::from_str(stream).unwrap();
    let wanted =
        "## Title\n\na **b**\nc\n\n3. x\n7. y\n\n---\n\n```js\nlet a;\n```\n\n![A](http://e/i.png)\n\n| H |\n| --- |";
    assert_eq!(render(events), wanted);
}

#[test]
fn lists_nest_and_text_after_them_is_their_holders() {
    use Event::{Bullets, End, Item, Numbers};
    let events = vec![
        Bullets,
        Item(None),
        text("a "),
        Numbers(1),
        Item(None),
        text("one"),
        End,
        Item(None),
        text("two"),
        End,
        End,
        text("after"),
        End,
        Item(None),
        text("b"),
        End,
        End,
    ];
    assert_eq!(render(events), "- a\n  1. one\n  2. two\n\n  after\n- b");
}

#[test]
fn marks_stand_around_words_and_not_around_blocks() {
    use Event::{Code, End, Heading, Line, Link, Quote, Strong};
    let strong = vec![
        text("x"),
        Strong,
        text(" bold "),
        End,
        text("y"),
        Strong,
        text(" "),
        End,
    ];
    assert_eq!(render(strong), "x **bold** y");
    let card = vec![
        Link("http://e/a b".into()),
        Heading(3),
        text("Card"),
        End,
        Line,
        text("more"),
        Line,
        End,
    ];
    assert_eq!(render(card), "### [Card](http://e/a%20b)\n\n[more](http://e/a%20b)");
    let cheer = vec![text("Hi!"), Link("http://e".into()), text("a]b"), End, text("!")];
    assert_eq!(render(cheer), "Hi\\![a\\]b](http://e)!");
    let quote = vec![Quote, text("q"), Code(String::new(), "a\n\nb".into()), End];
    assert_eq!(render(quote), "> q\n>\n> ```\n> a\n>\n> b\n> ```");
}

#[test]
fn cells_that_span_leave_empty_places() {
    let events = table(vec![
        row(true, vec![cell("A", 2, 1, true), cell("B", 1, 1, true)]),
        row(
            false,
            vec![
                cell("tall", 1, 2, false),
                cell("x|y", 1, 1, false),
                cell("-", 1, 1, false),
            ],
        ),
        row(false, vec![cell("wide", 2, 1, false)]),
    ]);
    assert_eq!(
        render(events),
        "| A | | B |\n| --- | --- | --- |\n| tall | x\\|y | - |\n| | wide | |"
    );
}

#[test]
fn a_table_without_a_heading_has_an_empty_one() {
    let events = table(vec![row(false, vec![cell("1", 1, 1, false), cell("2", 1, 1, false)])]);
    assert_eq!(render(events), "| | |\n| --- | --- |\n| 1 | 2 |");
}

#[test]
fn a_heading_in_a_table_of_its_own_joins_the_body() {
    let head = row(
        true,
        vec![cell("No.", 1, 1, true), cell("Name", 1, 1, true), cell("", 1, 1, true)],
    );
    let body = row(false, vec![cell("1", 1, 1, false), cell("Ada", 1, 1, false)]);
    let mut events = vec![Event::Line];
    events.extend(table(vec![head.clone()]));
    events.push(Event::Line);
    events.extend(table(vec![body.clone()]));
    assert_eq!(render(events), "| No. | Name | |\n| --- | --- | --- |\n| 1 | Ada | |");
    let mut apart = table(vec![head]);
    apart.push(text("between"));
    apart.extend(table(vec![body]));
    assert!(render(apart).contains("\n\nbetween\n\n| | |"));
}

#[test]
fn blocks_in_a_cell_are_lines() {
    use Event::{Break, Bullets, Cell, Code, End, Item, Row, Table};
    let mut events = vec![
        Table,
        Row(false),
        Cell(CellSpan(1, 1, true)),
        text("h"),
        End,
        End,
        Row(false),
        Cell(CellSpan(1, 1, false)),
    ];
    events.extend([
        text("one"),
        Break,
        text("two"),
        Bullets,
        Item(None),
        text("three"),
        End,
        End,
    ]);
    events.extend([Code(String::new(), "a|b".into()), Table, Row(false)]);
    events.extend(cell("in", 1, 1, false));
    events.extend(cell("side", 1, 1, false));
    events.extend([End, End, End, End, End]);
    assert_eq!(
        render(events),
        "| h |\n| --- |\n| one<br>two<br>- three<br>`a\\|b`<br>in side |"
    );
}

#[test]
fn text_cannot_become_markup() {
    let events = vec![
        text("# not a heading"),
        Event::Line,
        text("![x](http://evil/track.png)"),
        Event::Line,
        text("| a |"),
        Event::Line,
        text("| --- |"),
    ];
    assert_eq!(
        render(events),
        "\\# not a heading\n\\!\\[x\\](http://evil/track.png)\n| a |\n\\| --- |"
    );
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z*_~`<>&;!#+=|().:\\\\\\[\\]0-9 -]{0,24}",
        "[ \n\t]{1,3}",
        any::<String>().prop_map(|text| text.chars().take(12).collect()),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        8 => words().prop_map(Event::Text),
        6 => Just(Event::End),
        2 => prop_oneof![Just(Event::Line), Just(Event::Paragraph), Just(Event::Break), Just(Event::Rule)],
        1 => (words(), words()).prop_map(|(a, b)| Event::Code(a.chars().filter(char::is_ascii_alphanumeric).collect(), b)),
        1 => (words(), words()).prop_map(|(alt, src)| Event::Image(alt, src)),
        2 => prop_oneof![Just(Event::Heading(2)), Just(Event::Bullets), Just(Event::Item(None)), Just(Event::Quote), Just(Event::Caption)],
        2 => prop_oneof![(-2_i64..12).prop_map(Event::Numbers), (-2_i64..12).prop_map(|n| Event::Item(Some(n)))],
        3 => prop_oneof![Just(Event::Table), any::<bool>().prop_map(Event::Row)],
        3 => (0_u32..1200, 0_u32..4, any::<bool>()).prop_map(|(c, r, h)| Event::Cell(CellSpan(c % 5 + c / 1100 * 1000, r, h))),
        2 => prop_oneof![Just(Event::Strong), Just(Event::Emphasis), Just(Event::Struck), Just(Event::InlineCode)],
        1 => words().prop_map(Event::Link),
    ]
}

/// What a reader of the Markdown sees as text, blanks left out.
fn read_back(markdown: &str) -> String {
    let parts = Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH);
    let mut out = String::new();
    for part in parts {
        match part {
            Parsed::Text(text) | Parsed::Code(text) => out.push_str(&text),
            Parsed::Html(html) | Parsed::InlineHtml(html) => panic!("markup {html:?} in {markdown:?}"),
            Parsed::Start(Tag::Paragraph | Tag::TableHead) | Parsed::End(_) | Parsed::SoftBreak => {}
            other => panic!("{other:?} in {markdown:?}"),
        }
    }
    out.retain(|c| !c.is_whitespace());
    out
}

proptest! {
    #[test]
    fn any_stream_gives_tidy_lines(events in proptest::collection::vec(event(), 0..40)) {
        let markdown = render(events);
        prop_assert!(!markdown.contains("\n\n\n"), "{markdown:?}");
        prop_assert!(!markdown.starts_with('\n') && !markdown.ends_with('\n'));
        prop_assert!(markdown.lines().all(|line| line.trim_end() == line), "{markdown:?}");
    }

    #[test]
    fn a_paragraph_reads_as_the_text_it_was(line in "[a-zé中*_~`<>&;!#+=|().:\\\\\\[\\]0-9 -]{1,40}") {
        let markdown = render(vec![text(&line)]);
        let mut wanted = line.clone();
        wanted.retain(|c| !c.is_whitespace());
        prop_assert_eq!(read_back(&markdown), wanted, "{}", markdown);
    }

    #[test]
    fn every_line_of_a_table_has_the_same_cells(
        rows in proptest::collection::vec(proptest::collection::vec(("[a-z|`\\\\*_ -]{0,8}", 1_u32..4, 1_u32..4), 1..5), 1..5)
    ) {
        let rows = rows.into_iter().map(|cells| {
            row(false, cells.into_iter().map(|(words, columns, rows)| cell(&words, columns, rows, false)).collect())
        });
        let markdown = render(table(rows.collect()));
        let parts: Vec<_> = Parser::new_ext(&markdown, Options::ENABLE_TABLES).collect();
        let lines: Vec<usize> = parts
            .split(|part| matches!(part, Parsed::End(TagEnd::TableRow | TagEnd::TableHead)))
            .map(|line| line.iter().filter(|part| matches!(part, Parsed::Start(Tag::TableCell))).count())
            .filter(|cells| *cells > 0)
            .collect();
        prop_assert_eq!(lines.len(), markdown.lines().count() - 1, "{}", markdown);
        prop_assert!(lines.windows(2).all(|pair| pair[0] == pair[1]), "{}", markdown);
        // A parser pads short rows and drops what is too much, so the bars are counted as well.
        let bars = |line: &str| line.replace("\\\\", "").replace("\\|", "").matches('|').count();
        let counts: Vec<usize> = markdown.lines().map(bars).collect();
        prop_assert!(counts.windows(2).all(|pair| pair[0] == pair[1]), "{}", markdown);
    }
}
