//! What the tabs of an owner ask of the network: the requests under way ([`InFlight`], for waits and receipts), the record
//! of what was asked and answered ([`NetworkBook`]), and the rules that change it ([`Rule`]). Invariants: recording waits
//! for nothing and nothing waits for it; what is kept is bounded in number and bytes and its losses are counted; a
//! request that was stopped for a rule always goes on.

mod bodies;
mod book;
mod feed;
mod glob;
mod in_flight;
mod intercept;
mod log;
mod patch;
mod record;
mod rules;

pub(crate) use book::NetworkBooks;
pub use book::{Budget, NetworkBook, Recorder, Recording};
pub use glob::Glob;
pub(crate) use in_flight::InFlight;
pub use in_flight::{LONG_POLL, OpenRequest, Traffic};
pub use log::Losses;
pub use patch::JsonPatch;
pub use record::{Answer, Body, Exchange, Message, PostData};
pub use rules::{Rule, RuleAction, RuleUse};
