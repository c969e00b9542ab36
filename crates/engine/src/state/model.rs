//! Types of the page script's `snapshot` reply. Lines travel as compact arrays, because a page has thousands of them;
//! their shape is stated at [`Line`] and checked on the way in.

use std::fmt;

use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// How much is printed of a control's state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Detail {
    /// States that say something; what the tag implies and what repeats another line is left out.
    #[default]
    Brief,
    /// Every fact of every control.
    Full,
}

/// How much is known of who listens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ListenerDetection {
    /// All of it.
    #[default]
    Complete,
    /// More elements listen than one reading looks up.
    Partial,
    /// Asking would take too long.
    Skipped,
}

impl ListenerDetection {
    /// Name in replies; `None` when there is nothing to say.
    #[must_use]
    pub const fn as_str(self) -> Option<&'static str> {
        match self {
            Self::Complete => None,
            Self::Partial => Some("partial"),
            Self::Skipped => Some("skipped"),
        }
    }
}

/// Arguments of the `snapshot` entry point.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SnapshotArgs {
    /// CSS px around the viewport that are read too; -1 = the whole page.
    pub expansion: i64,
    /// Cap of `elements`; lines are never cut by it.
    pub max_elements: usize,
    /// Whether `elements` is wanted.
    pub include_elements: bool,
    /// How much is printed.
    pub detail: Detail,
    /// Only the subtree of this selector's match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// `[left, top, right, bottom]`: the part of the frame's viewport that shows through the frames above, in CSS px.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clip: Option<[f64; 4]>,
    /// Repeated siblings after the first few are left out.
    pub collapse: bool,
    /// The reading before did not reach the caller.
    pub again: bool,
    /// This reading will not reach the caller.
    pub silent: bool,
}

/// One document as it was read.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PageSnapshot {
    /// Token of the document; a new document has a new one.
    pub doc: String,
    /// Address of the document.
    pub url: String,
    /// Its title.
    pub title: String,
    /// `loading`, `interactive` or `complete`.
    pub ready_state: String,
    /// Size of this frame's viewport.
    pub viewport: Viewport,
    /// What lies outside the viewport.
    pub scroll: Scroll,
    /// Reading order.
    pub lines: Vec<Line>,
    /// Locator facts of the indexed elements, when asked for.
    pub elements: Vec<ElementRecord>,
    /// Indexed elements in total.
    pub element_count: usize,
    /// Controls left out because a layer over the page, a modal dialog or `inert` makes them unreachable.
    pub unreachable: usize,
    /// The layer that does so, in a few words; empty when there is none or it is not known.
    pub cover: String,
    /// Large pictures.
    pub media: Media,
    /// What happened to the document since it was read before.
    pub mutations_since: Mutations,
    /// Owners of child frames in document order.
    pub frames: Vec<FrameOwner>,
    /// Elements that may host a closed shadow root and have not been asked about yet.
    pub hosts: usize,
    /// How much was known of listeners when it was read.
    #[serde(skip)]
    pub listeners: ListenerDetection,
}

/// Size in CSS px.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Viewport {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// Vertical position in CSS px.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Scroll {
    /// Scrolled away above the viewport.
    pub above: f64,
    /// Still to come below it.
    pub below: f64,
    /// Height of the document.
    pub page_height: f64,
}

/// Pictures with both sides of at least 120 px and an area of at least 40 000 px².
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Media {
    /// Images, canvases and videos.
    pub count: usize,
    /// Images alone.
    pub images: usize,
    /// The first five.
    pub samples: Vec<MediaSample>,
}

/// One large picture.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MediaSample {
    /// Address; data URLs shortened.
    pub src: String,
    /// Width in CSS px.
    pub w: i64,
    /// Height in CSS px.
    pub h: i64,
}

/// Mutation records.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Mutations {
    /// Those that add or remove element nodes.
    pub structural: u64,
    /// All others.
    pub content: u64,
    /// Description of the newest: `type`, `tag`, `id?`, `attribute?`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<serde_json::Value>,
}

/// An element that holds a child frame.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct FrameOwner {
    /// Local reference of the frame element; for the engine only.
    #[serde(rename = "ref")]
    pub local: u32,
    /// `src` of the frame element.
    pub src: String,
    /// `name` of the frame element.
    pub name: String,
    /// Content box `[x, y, width, height]` in the viewport of the frame that holds it, in CSS px.
    pub rect: [f64; 4],
    /// Why a person cannot see any of it: `zero-size`, `hidden`, `inert`, `covered`; empty when it can be seen.
    pub hidden: String,
    /// CSS `zoom` in force on the frame element, its ancestors in its document included.
    pub zoom: Option<f64>,
}

/// Locator facts of one element.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ElementRecord {
    /// Local reference; replaced by the index before a caller sees it.
    #[serde(rename = "ref", skip_serializing)]
    pub local: u32,
    /// Tag name.
    pub tag: String,
    /// Path from the document; shadow roots are written `/#shadow-root`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub xpath: String,
    /// `id`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// `class`, at most 200 characters.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub class_name: String,
    /// Resolved address of a link.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub href: String,
    /// `name`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// `type`.
    #[serde(rename = "type", skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// Live value of a field, at most 120 characters, `[redacted]` for secrets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// State of a checkbox, radio or switch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<bool>,
    /// Text, at most 120 characters.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// It can be seen.
    pub visible: bool,
    /// `[x, y, width, height]` in this frame's viewport, in CSS px.
    pub rect: [f64; 4],
    /// False when the element is gone and the record holds only what was read before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolved: Option<bool>,
}

/// One line of a snapshot.
///
/// On the wire: text `[depth, "text"]`, frame `[depth, -2, order]`, siblings left out
/// `[depth, -3, count, controls, "selector", first]`, element
/// `[depth, ref | -1, flags, "tag", [name, value, …], "text"]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// Text outside of any control.
    Text {
        /// Indentation.
        depth: u32,
        /// The text as the page has it, white space folded.
        text: String,
    },
    /// An element.
    Element(ElementLine),
    /// Repeated siblings that were left out.
    More(MoreLine),
    /// The place of a child frame.
    Frame {
        /// Position in [`PageSnapshot::frames`].
        order: usize,
    },
}

/// An element's line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ElementLine {
    /// Indentation.
    pub depth: u32,
    /// Local reference; `None` for a control whose state is shown but that cannot be acted on.
    pub local: Option<u32>,
    /// An earlier snapshot of the document did not list it.
    pub is_new: bool,
    /// Tag name.
    pub tag: String,
    /// Facts in printing order, values as the page has them.
    pub attributes: Vec<(String, String)>,
    /// Its text.
    pub text: String,
}

/// Siblings that were left out because they repeat those before them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MoreLine {
    /// Indentation.
    pub depth: u32,
    /// How many.
    pub count: usize,
    /// Controls in them.
    pub controls: usize,
    /// Selector of all siblings, those before included.
    pub selector: String,
    /// Number of the first one left out among its matches.
    pub first: usize,
}

/// Flag of an element that no earlier snapshot of the document listed.
const NEW: u32 = 1;
/// In place of a reference: a frame's place.
const FRAME: i64 = -2;
/// In place of a reference: siblings left out.
const MORE: i64 = -3;

impl<'de> Deserialize<'de> for Line {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(LineVisitor)
    }
}

/// The second member decides what kind of line it is.
#[derive(Deserialize)]
#[serde(untagged)]
enum Second {
    Number(i64),
    Text(String),
}

struct LineVisitor;

impl<'de> Visitor<'de> for LineVisitor {
    type Value = Line;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a line of a snapshot")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Line, A::Error> {
        let depth = member(&mut seq, 0)?;
        match member(&mut seq, 1)? {
            Second::Text(text) => Ok(Line::Text { depth, text }),
            Second::Number(FRAME) => Ok(Line::Frame {
                order: member(&mut seq, 2)?,
            }),
            Second::Number(MORE) => Ok(Line::More(MoreLine {
                depth,
                count: member(&mut seq, 2)?,
                controls: member(&mut seq, 3)?,
                selector: member(&mut seq, 4)?,
                first: member(&mut seq, 5)?,
            })),
            Second::Number(number) => {
                let flags: u32 = member(&mut seq, 2)?;
                let tag = member(&mut seq, 3)?;
                let flat: Vec<String> = member(&mut seq, 4)?;
                let text = member(&mut seq, 5)?;
                let local = u32::try_from(number).ok();
                Ok(Line::Element(ElementLine {
                    depth,
                    local,
                    is_new: flags & NEW != 0,
                    tag,
                    attributes: pairs(flat),
                    text,
                }))
            }
        }
    }
}

fn member<'de, A: SeqAccess<'de>, T: Deserialize<'de>>(seq: &mut A, at: usize) -> Result<T, A::Error> {
    seq.next_element()?
        .ok_or_else(|| de::Error::invalid_length(at, &"a longer line"))
}

fn pairs(flat: Vec<String>) -> Vec<(String, String)> {
    let mut flat = flat.into_iter();
    std::iter::from_fn(|| Some((flat.next()?, flat.next()?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(json: &str) -> Line {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn reads_every_kind_of_line() {
        assert_eq!(
            line(r#"[2,"hello"]"#),
            Line::Text {
                depth: 2,
                text: "hello".into()
            }
        );
        assert_eq!(line("[0,-2,3]"), Line::Frame { order: 3 });
        let Line::More(more) = line(r##"[1,-3,5,7,"#a > li",3]"##) else {
            panic!("nothing left out")
        };
        assert_eq!((more.count, more.controls, more.first), (5, 7, 3));
        let Line::Element(element) = line(r#"[1,7,1,"input",["value","a","label","Name"],""]"#) else {
            panic!("not an element")
        };
        assert_eq!((element.local, element.is_new), (Some(7), true));
        assert_eq!(
            element.attributes,
            [("value".into(), "a".into()), ("label".into(), "Name".into())]
        );
    }

    #[test]
    fn a_reference_below_zero_is_no_index() {
        let Line::Element(element) = line(r#"[1,-1,0,"button",["disabled","true"],"Send"]"#) else {
            panic!("not an element")
        };
        assert_eq!(element.local, None);
    }

    #[test]
    fn refuses_a_line_that_is_too_short() {
        assert!(serde_json::from_str::<Line>(r#"[1,7,0,"a"]"#).is_err());
        assert!(serde_json::from_str::<Line>("[1]").is_err());
    }

    #[test]
    fn reads_a_reply() {
        let reply = r#"{"doc":"d","url":"http://x/","title":"t","readyState":"complete","viewport":{"width":1280,"height":800},
            "scroll":{"above":0,"below":12.5,"pageHeight":812.5},"lines":[[0,"a"]],"elements":[],"elementCount":0,"unreachable":2,
            "media":{"count":1,"images":1,"samples":[{"src":"http://x/i","w":200,"h":300}]},
            "mutationsSince":{"structural":1,"content":2,"last":{"type":"childList","tag":"ul"}},
            "frames":[{"ref":4,"src":"http://y/","name":"n","rect":[1,2.5,3,4],"hidden":"covered"}]}"#;
        let snapshot: PageSnapshot = serde_json::from_str(reply).unwrap();
        assert_eq!(snapshot.frames[0].local, 4);
        assert_eq!((snapshot.unreachable, snapshot.mutations_since.structural), (2, 1));
    }
}
