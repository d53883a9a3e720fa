//! What a run of the program under test came to.

use std::{process::Output, time::Duration};

use serde_json::Value;

/// One run, over.
#[derive(Debug)]
pub struct Outcome {
    pub arguments: Vec<String>,
    /// Exit status; none when a signal ended it.
    pub status: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
    pub elapsed: Duration,
}

impl Outcome {
    pub(crate) fn new(arguments: Vec<String>, output: Output, elapsed: Duration) -> Self {
        Self {
            arguments,
            status: output.status.code(),
            stdout: output.stdout,
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            elapsed,
        }
    }

    /// The envelope, after checking what holds for every one: a single line of JSON whose version,
    /// `ok` and exit status agree.
    #[track_caller]
    pub fn envelope(&self) -> Value {
        let text = std::str::from_utf8(&self.stdout)
            .unwrap_or_else(|error| panic!("standard output is not UTF-8 ({error}): {self}"));
        assert!(
            text.ends_with('\n') && text.matches('\n').count() == 1,
            "not exactly one line: {self}"
        );
        let envelope: Value =
            serde_json::from_str(text).unwrap_or_else(|error| panic!("not JSON ({error}): {self}"));
        assert_eq!(envelope["version"], "2.5", "{self}");
        let ok = envelope["ok"].as_bool().unwrap_or_else(|| panic!("no `ok`: {self}"));
        assert_eq!(self.status == Some(0), ok, "exit status and `ok` disagree: {self}");
        assert_eq!(envelope.get("data").is_some(), ok, "{self}");
        assert_eq!(envelope.get("error").is_some(), !ok, "{self}");
        envelope
    }

    /// The data of a success.
    #[track_caller]
    pub fn data(&self) -> Value {
        let mut envelope = self.envelope();
        assert_eq!(envelope["ok"], true, "failed: {self}");
        envelope["data"].take()
    }

    /// The error of a failure, after checking its code and what every error has.
    #[track_caller]
    pub fn error(&self, code: &str) -> Value {
        let mut envelope = self.envelope();
        let error = envelope["error"].take();
        assert_eq!(error["code"], code, "{self}");
        for text in ["message", "suggestion"] {
            assert!(error[text].as_str().is_some_and(|t| !t.is_empty()), "no {text}: {self}");
        }
        assert_eq!(error["disposition"]["delivery"], "not_delivered", "{self}");
        assert_eq!(error["disposition"]["retry"], "safe", "{self}");
        error
    }

    /// Fails unless the run ended within `limit` and the 2 s that a deadline may be passed by.
    #[track_caller]
    pub fn on_time(&self, limit: Duration) -> &Self {
        let allowed = limit + Duration::from_secs(2);
        assert!(self.elapsed <= allowed, "took {:?}, allowed {allowed:?}: {self}", self.elapsed);
        self
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let stdout = String::from_utf8_lossy(&self.stdout);
        let shown: String = stdout.chars().take(4000).collect();
        write!(
            f,
            "`agent-desktop {}` ended with {:?} after {:?}\n{shown}\n{}",
            self.arguments.join(" "),
            self.status,
            self.elapsed,
            self.stderr
        )
    }
}
