//! Chores of the project: `cargo xtask COMMAND`.

mod bench;
mod docs;
mod matrix;
mod record;
mod soak;

use std::{error::Error, process::ExitCode};

const USAGE: &str = "\
usage: cargo xtask bench [TITLE]... [--rounds N] [--starts N] [--peers DIR] [--write] [--check]
                                   measure the release build against a floor, or against the
                                   programs that scripts/peers put into DIR, on real windows;
                                   docs/performance.md says more
       cargo xtask matrix [SWITCH]...
                                   run every command against every switch of the misbehaving peer,
                                   or against these, and fail where a promise is broken; all of
                                   them: write docs/robustness.md
       cargo xtask record DIR [NAME]...
                                   record what real applications say while they are read, for
                                   desktop-tests/recordings
       cargo xtask soak [--minutes N] [--seed S] [--hands N] [--commands N]
                                   carry out commands of chance on applications that are killed and
                                   started again; fail if anything grows or breaks
       cargo xtask docs            write docs/commands.md
       cargo xtask manuals DIR     write manual pages and shell completions into DIR";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let result: Result<(), Box<dyn Error>> = match words[..] {
        ["bench", ref more @ ..] => {
            bench::Options::parse(more).and_then(|options| bench::run(&options))
        }
        ["matrix", ref only @ ..] => matrix::run(only),
        ["record", directory, ref names @ ..] => record::run(directory.as_ref(), names),
        ["soak", ref more @ ..] => {
            soak::Options::parse(more).and_then(|options| soak::run(&options))
        }
        ["docs"] => docs::write_reference(),
        ["manuals", directory] => docs::write_manuals(directory.as_ref()),
        _ => Err(USAGE.into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            #[expect(clippy::print_stderr, reason = "a tool for people")]
            {
                eprintln!("{error}");
            }
            ExitCode::FAILURE
        }
    }
}
