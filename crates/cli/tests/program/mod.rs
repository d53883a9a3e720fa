//! The real binary in an environment of its own: nothing of the user's home, session or displays
//! reaches it.
#![allow(dead_code, reason = "each test file uses a part of it")]
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

use serde_json::Value;

/// The binary with its environment.
pub(crate) struct Program {
    home: tempfile::TempDir,
    env: Vec<(String, String)>,
}

/// Where a bus listens.
pub(crate) struct Socket {
    pub(crate) address: String,
    pub(crate) path: PathBuf,
}

/// What it printed.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: Option<i32>,
    pub(crate) envelope: Value,
    pub(crate) stderr: String,
    pub(crate) elapsed: Duration,
}

impl Program {
    pub(crate) fn new() -> Self {
        Self { home: tempfile::tempdir().unwrap(), env: Vec::new() }
    }

    /// A directory that only this program knows.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// A place for a bus in the program's own directory.
    pub(crate) fn socket(&self, name: &str) -> Socket {
        let path = self.home().join(name);
        Socket { address: format!("unix:path={}", path.display()), path }
    }

    pub(crate) fn env(&mut self, key: &str, value: &str) {
        self.env.push((key.to_owned(), value.to_owned()));
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agent-desktop"));
        self.prepare(&mut command);
        command
    }

    /// Gives any command the environment of this program.
    pub(crate) fn prepare(&self, command: &mut Command) {
        command.env_clear().env("HOME", self.home()).env("XDG_RUNTIME_DIR", self.home());
        command.env("PATH", "/usr/bin:/bin:/usr/sbin:/sbin").current_dir(self.home());
        command.envs(self.env.iter().map(|(key, value)| (key, value))).stdin(Stdio::null());
    }

    pub(crate) fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Answer {
        let mut command = self.command();
        command.args(args);
        Answer::of(&mut command)
    }
}

impl Answer {
    /// Runs `command`, which must print exactly one line of JSON.
    pub(crate) fn of(command: &mut Command) -> Self {
        let start = Instant::now();
        let Output { status, stdout, stderr } = command.output().unwrap();
        let stdout = String::from_utf8(stdout).unwrap();
        let line = stdout.strip_suffix('\n').unwrap_or_else(|| panic!("{command:?}: {stdout:?}"));
        assert!(!line.contains('\n'), "{command:?}: {stdout}");
        Self {
            status: status.code(),
            envelope: serde_json::from_str(line).unwrap(),
            stderr: String::from_utf8_lossy(&stderr).into_owned(),
            elapsed: start.elapsed(),
        }
    }

    pub(crate) fn message(&self) -> &str {
        self.envelope["error"]["message"].as_str().unwrap_or_default()
    }

    pub(crate) fn suggestion(&self) -> &str {
        self.envelope["error"]["suggestion"].as_str().unwrap_or_default()
    }

    /// An error before anything was delivered.
    pub(crate) fn assert_refused(&self, status: i32, code: &str) {
        assert_eq!(self.status, Some(status), "{self:?}");
        assert_eq!(self.envelope["ok"], false, "{self:?}");
        assert_eq!(self.envelope["version"], "2.5");
        assert!(self.envelope["data"].is_null(), "{self:?}");
        let error = &self.envelope["error"];
        assert_eq!(error["code"], code, "{self:?}");
        let disposition = serde_json::json!({"delivery": "not_delivered", "retry": "safe"});
        assert_eq!(error["disposition"], disposition, "{self:?}");
        let strategy = match code {
            "STALE_REF" | "SNAPSHOT_NOT_FOUND" => "refresh_snapshot_then_retry_original",
            "POLICY_DENIED" => "request_explicit_policy_then_retry_original",
            "APP_UNRESPONSIVE" | "TIMEOUT" => "inspect_state_then_retry_original",
            _ => return assert!(error["recovery"].is_null(), "{self:?}"),
        };
        assert_eq!(error["recovery"]["strategy"], strategy, "{self:?}");
    }
}
