//! Reading whole pages: frames of every kind, size control, differences, closed shadow roots, and indices that are
//! elements.

mod closed;
mod commands;
mod controls;
mod drawn;
mod frames;
mod identity;
mod listeners;
mod long;
mod members;
mod repeats;
mod shadow;
mod strange;
mod text;
mod unruly;
mod visibility;
