//! A process that stays and keeps its connection, as a server does, for `cargo xtask bench`. It is
//! told ids of windows, a line each, and says in how many microseconds it had the answer to
//! `snapshot -i --compact`. Its argument is the state root.

use std::{error::Error, io, path::PathBuf, time::Instant};

use agent_desktop_engine::{
    commands::{Context, snapshot, target},
    store::Store,
};
use agent_desktop_linux::{Linux, environment::Environment};
use agent_desktop_model::wire::Envelope;

#[expect(clippy::print_stdout, reason = "it answers there")]
fn main() -> Result<(), Box<dyn Error>> {
    let root: PathBuf = std::env::args_os().nth(1).ok_or("no state root")?.into();
    let platform = Linux::new(Environment::from_process(), None);
    let store = Store { root, namespace: None };
    let context = Context {
        platform: &platform,
        store: &store,
        headed: false,
        input: || io::read_to_string(io::stdin()),
    };
    for window in io::stdin().lines() {
        let window_id = Some(window?);
        let arguments = snapshot::Args {
            target: target::Args { window_id, ..target::Args::default() },
            interactive_only: true,
            compact: true,
            timeout_ms: 60_000,
            ..snapshot::Args::default()
        };
        let start = Instant::now();
        let answer = snapshot::run(&arguments, &context);
        let text = serde_json::to_string(&Envelope::new("snapshot", &answer))?;
        match answer {
            Ok(_) => println!("{}", start.elapsed().as_micros()),
            Err(_) => println!("{text}"),
        }
    }
    Ok(())
}
