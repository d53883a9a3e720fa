//! A process that stays and keeps its connection, as a server does.

use std::{path::Path, process::Stdio, time::Duration};

use desktop_tests::{Desktop, Process};

use super::Failure;

/// The process; it ends when this is dropped.
pub(super) struct Warm(Process);

impl Warm {
    pub(super) fn start(desktop: &Desktop, program: &Path) -> Result<Self, Failure> {
        let mut command = desktop.command(program);
        command.arg(desktop.state_root()).stdin(Stdio::piped()).stdout(Stdio::piped());
        Ok(Self(Process::spawn(&mut command)?))
    }

    /// How long `snapshot -i --compact` of that window takes it, up to the text of its answer.
    pub(super) fn snapshot(&mut self, window: &str) -> Result<Duration, Failure> {
        let micros = self.0.ask(window);
        Ok(Duration::from_micros(micros.parse().map_err(|_| micros)?))
    }
}
