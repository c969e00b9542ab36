//! `dsb`: the service and its client in one binary.
//!
//! Invariant: a client subcommand starts no runtime and no browser; it speaks HTTP and ends with one of the exit codes
//! of [`exit::Exit`].

mod cli;
mod client;
mod demo;
mod exit;
mod serve;
mod settings;
mod terminal;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::{Cli, Subcommand};
use crate::exit::Exit;

fn main() -> ExitCode {
    run().into()
}

fn run() -> Exit {
    let (settings, rest) = match settings::split(std::env::args_os()) {
        Ok(parts) => parts,
        Err(problem) => return exit::usage(&problem),
    };
    let cli = match Cli::try_parse_from(rest) {
        Ok(cli) => cli,
        Err(error) => {
            // Writing help to a closed pipe is no reason to complain.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage } else { Exit::Done };
        }
    };
    match cli.command {
        Subcommand::Serve(_) => serve::run(settings, &cli.common),
        Subcommand::Demo(options) => demo::run(&options, settings, &cli.common),
        _ if !settings.is_empty() => exit::usage(&format!(
            "--{} is a key of the service: use it with `serve` or `demo`",
            settings[0].0
        )),
        command => client::run(&cli.common, &command),
    }
}
