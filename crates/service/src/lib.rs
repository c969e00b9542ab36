//! Tasks and the command table: everything that the product does, whatever door a request came through.
//!
//! Invariant: a command is declared once ([`command::Command`]) and every rule about it (arguments, turns, deadlines,
//! retries, screenshots, replies, catalogues) is applied by the same pipeline to all of them.

pub mod batch;
pub mod breaker;
pub mod browsers;
pub mod capture;
pub mod command;
pub mod commands;
pub mod config;
pub mod context;
mod engine_errors;
pub mod envelope;
pub mod failure;
pub mod files;
mod gate;
pub mod ids;
mod late;
pub mod messages;
pub mod near_miss;
pub mod page;
pub mod params;
mod pipeline;
pub mod planned;
pub mod projection;
mod receipts;
pub mod redact;
mod refusals;
pub mod registry;
mod replay;
pub mod return_state;
pub mod service;
pub mod tabs;
pub mod tasks;
pub mod trace;
pub mod turn;
pub mod uploads;

pub use envelope::{Incoming, Outgoing};
pub use service::Service;
