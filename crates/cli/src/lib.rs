//! The command line: argv in, one JSON line out. Only this crate prints, and only it chooses an
//! exit code.

mod argv;
mod closed;
mod dispatch;
mod environment;
mod hidden;
mod not_built;
#[cfg(any(test, fuzzing))]
pub mod properties;
mod render;
mod sandbox;
mod skills;

use std::{ffi::OsString, process::ExitCode};

/// Runs the program with `args`, the first of which is its own name.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    if let Some(ended) = hidden::run(&args) {
        return ended;
    }
    if closed::output() && !passes_output_on(&args) {
        render::log("standard output is closed, so nobody would get the answer; nothing was done");
        return ExitCode::FAILURE;
    }
    answer_panics(&args);
    match argv::parse(&args) {
        Ok(cli) => dispatch::run(cli),
        Err(argv::Ended::Text(text)) => render::text(&text),
        Err(argv::Ended::Failed { command, error }) => {
            render::envelope::<()>(&command, &Err(error));
            ExitCode::from(2)
        }
    }
}

/// Whether a program that is run has the output to itself.
fn passes_output_on(args: &[OsString]) -> bool {
    args.windows(2).any(|pair| pair[0] == "sandbox" && pair[1] == "exec")
}

pub use render::answer_panics;

/// Everything that argv accepts, for the generated manuals.
pub fn command() -> clap::Command {
    <argv::Cli as clap::CommandFactory>::command()
}
