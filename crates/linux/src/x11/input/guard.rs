//! A process that watches over the one that has the pointer and the keys, and puts in order what that
//! leaves behind if it is killed: a key of another meaning, a button that is held down.

use std::{
    io::{self, Read, Write},
    path::{Path, PathBuf},
    process::{Child, Stdio},
    time::Duration,
};

use agent_desktop_engine::platform::{Deadline, Failure};
use serde::{Deserialize, Serialize};
use x11rb::protocol::xproto::AtomEnum;

use super::Display;
use crate::{environment::Environment, helper};

/// The display that a guard watches on.
#[derive(Debug, Serialize, Deserialize)]
pub struct Plan {
    display: Option<String>,
    xauthority: Option<PathBuf>,
}

impl Plan {
    /// The plan that `text` spells; none if it is something else.
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

/// How long it tries to put things in order.
const LIMIT_MS: u64 = 600_000;

/// How long it is waited for.
const ENDING: Duration = Duration::from_millis(300);

/// What it says when it watches.
const READY: &str = "watching";

/// A guard at work. It ends when this is dropped, or with this process.
pub(super) struct Guard(Child);

impl Guard {
    /// Starts `program` as one, and waits until it watches.
    pub(super) fn start(
        program: &Path,
        environment: &Environment,
        deadline: Deadline,
    ) -> Result<Self, Failure> {
        let failed = |error: io::Error| Failure::System(format!("the guard of the keys: {error}"));
        let Environment { display, xauthority, .. } = environment.clone();
        let plan = serde_json::to_string(&Plan { display, xauthority });
        let mut child = helper::command(program)
            .args(helper::GUARD)
            .arg(plan.map_err(|error| failed(error.into()))?)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let said = child.stdout.take();
        let guard = Self(child);
        let line = match said {
            Some(mut said) => helper::read_line(&mut said, deadline).map_err(failed)?,
            None => None,
        };
        match line.as_deref() {
            Some(READY) => Ok(guard),
            Some(_) => Err(failed(io::ErrorKind::InvalidData.into())),
            None => Err(Failure::Timeout),
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        // It has nothing to do as a rule. Where the X server hangs, it goes on without us.
        let deadline = Deadline::after(ENDING);
        while matches!(self.0.try_wait(), Ok(None)) && !deadline.passed() {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Is one, until `alive` ends, which is when the process that is watched over does. Says on `said`
/// when it begins.
pub fn watch(plan: &Plan, alive: &mut dyn Read, said: &mut dyn Write) -> Result<(), String> {
    let (display, xauthority) = (plan.display.clone(), plan.xauthority.clone());
    let environment = Environment { display, xauthority, ..Environment::default() };
    let display = Display::connect(&environment, Deadline::after_ms(LIMIT_MS)).map_err(words)?;
    writeln!(said, "{READY}").and_then(|()| said.flush()).map_err(|error| error.to_string())?;
    let mut nothing = [0; 64];
    while alive.read(&mut nothing).is_ok_and(|read| read > 0) {}

    let deadline = Deadline::after_ms(LIMIT_MS);
    display.connection.stream().ends_at(deadline);
    // Whoever ends by itself leaves nothing written down.
    let left = display.root_list(display.atoms._AGENT_DESKTOP_INPUT, AtomEnum::CARDINAL);
    match left.map_err(words)?.is_empty() {
        true => Ok(()),
        // Taking them puts them in order.
        false => display.input(None, deadline).map(drop).map_err(words),
    }
}

fn words(failure: Failure) -> String {
    failure.about("the keyboard", Deadline::after_ms(LIMIT_MS)).message
}
