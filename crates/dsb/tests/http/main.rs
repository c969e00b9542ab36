//! The product as its users meet it: the binary, HTTP, a real browser, pages of the fixture site. One module per area.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod arguments;
mod batch;
mod capture;
mod clicking;
mod clobbering;
mod console;
mod control;
mod dialog_matrix;
mod dialogs;
mod editors;
mod extraction;
mod faults;
mod fixture_pages;
mod harness;
mod hostile;
mod images;
mod inputs;
mod keys;
mod lifecycle;
mod modals;
mod navigation;
mod page_state;
mod pain;
mod pickers;
mod projection;
mod reading;
mod return_state;
mod scenes;
mod scripts;
mod selects;
mod tabs;
mod typing;
mod waits;
