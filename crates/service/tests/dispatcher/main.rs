//! The dispatcher from outside: every request goes through [`service::Service::handle`] as bytes and comes back as
//! bytes. The commands are small real ones declared here, so no browser is needed.

#![allow(clippy::unwrap_used)] // test code

mod actors;
mod arguments;
mod batches;
mod bench;
mod limits;
mod once;
mod pictures;
mod receipts;
mod return_state;
mod turns;
