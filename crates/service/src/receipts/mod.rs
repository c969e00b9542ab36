//! What actions reply: how it was done, what was in the way, what changed. Invariant: nothing is claimed that was not
//! observed, and "no change seen" is never told as "did not happen".

mod choice;
mod choose;
mod click;
mod input;
mod keys;

pub(crate) use choose::{ChooseReply, choose};
pub(crate) use click::{ClickReply, click};
pub(crate) use input::{InputReply, Wish, input};
pub(crate) use keys::{KeysReply, keys};
