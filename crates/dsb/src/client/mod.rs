//! The client: one subcommand, one request, one reply.
//!
//! Invariant: everything that can be wrong with the command line is found before anything is sent.

mod address;
mod json_text;
mod output;
mod request;
mod summary;
mod transport;
mod values;

use std::time::Duration;

pub use address::{Target, resolve as resolve_address};
pub use request::envelope;
pub use summary::line as summary_line;
pub use transport::{Client, Reply, SendError};

use crate::cli::{Common, Subcommand};
use crate::exit::{self, Exit};

/// Runs one client subcommand.
pub fn run(common: &Common, command: &Subcommand) -> Exit {
    let call = match request::build(common, command) {
        Ok(call) => call,
        Err(problem) => return exit::usage(&problem),
    };
    let client = match client(common) {
        Ok(client) => client,
        Err(problem) => return exit::usage(&problem),
    };
    let sent = match &call.request {
        request::Request::Get(path) => client.get(path),
        request::Request::Command(envelope) => client.command(envelope),
    };
    match sent {
        Ok(reply) => output::report(common, &call, &reply),
        Err(error) => exit::transport(&error.to_string()),
    }
}

/// A client for the address and the token that options and environment name.
///
/// # Errors
/// The sentence for the user.
pub fn client(common: &Common) -> Result<Client, String> {
    let target = resolve_address(common, &environment)?;
    Ok(Client::new(
        &target.base,
        token(),
        Duration::from_secs_f64(common.timeout),
    ))
}

/// The token of a service that asks for one.
pub fn token() -> Option<String> {
    environment("DSB_TOKEN")
}

/// One environment variable; an empty one counts as absent.
pub fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
