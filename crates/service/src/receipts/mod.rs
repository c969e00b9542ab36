//! What actions reply: how it was done, what was in the way, what changed. Invariant: nothing is claimed that was not
//! observed, and "no change seen" is never told as "did not happen".

mod choice;
mod choose;
mod click;
mod drag;
mod effects;
mod input;
mod keys;
mod mark;
mod seen;
mod upload;

pub(crate) use choose::{ChooseReply, choose};
pub(crate) use click::{Wanted, button_of, click, click_at, click_outlined, focus, hover};
pub(crate) use drag::{Drag, DragReply, drag};
pub(crate) use effects::ClickReply;
pub(crate) use input::{InputReply, Wish, input};
pub(crate) use keys::{KeysReply, keys};
pub(crate) use mark::{MarkReply, mark};
pub(crate) use upload::{Files, UploadReply, upload};
