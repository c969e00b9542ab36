//! The page as text and numbers: what the page script's walk answers ([`model`]), how it is printed ([`render`]), what
//! is done to a stranger's words on the way ([`hostile`]), and which number stands for which element ([`index`]).
//!
//! Everything here is pure: no page, no clock but the one passed in.

mod hostile;
mod index;
mod model;
mod render;

pub use hostile::{escape_attribute, guard_text, visible_text};
pub use index::{IndexTable, Listed, Place, Stale};
pub use model::{
    Detail, ElementLine, ElementRecord, FrameOwner, Line, Media, MediaSample, Mutations, PageSnapshot, Scroll,
    SnapshotArgs, Viewport,
};
pub use render::{FrameText, RenderOptions, Rendered, render};
