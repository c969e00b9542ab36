//! What black-box tests share: the fixture site ([`Site`]) and the product's own process ([`Dsb`]).
//!
//! Invariant: nothing here knows the product's insides. A test sees what a user sees: a process, its output and HTTP.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a harness fails its test by panicking"
)]

mod dsb;
mod process;
mod reply;
mod site;
mod wait;

pub use dsb::{Dsb, Options, Task};
pub use process::Process;
pub use reply::Reply;
pub use site::{Site, TlsSite};
pub use wait::eventually;
