//! The page as text and numbers: what the page script's walk answers ([`model`]), how it is printed ([`render`]), what
//! is done to a stranger's words on the way ([`hostile`]), which number stands for which element
//! ([`index`]), and what differs between two readings ([`diff`]).
//!
//! Everything here is pure: no page, no clock but the one passed in.

mod diff;
mod hostile;
mod index;
mod long;
mod model;
mod render;

pub use diff::{LineDiff, diff_lines, line_counts};
pub use hostile::{escape_attribute, guard_text, visible_text};
pub use index::{IndexTable, Listed, ListedElement, Place, Stale};
pub use model::{
    Detail, ElementLine, ElementRecord, FrameOwner, Line, ListenerDetection, Media, MediaSample, MoreLine, Mutations,
    PageSnapshot, Scroll, SnapshotArgs, Viewport,
};
pub use render::{FrameText, RenderOptions, Rendered, RenderedLine, cut_lines, render, render_lines};
