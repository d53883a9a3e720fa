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
        self.read().unwrap_or_else(|why| panic!("{why}: {self}"))
    }

    /// The same, or what does not hold.
    pub fn read(&self) -> Result<Value, String> {
        let text = std::str::from_utf8(&self.stdout)
            .map_err(|error| format!("standard output is not UTF-8 ({error})"))?;
        if !text.ends_with('\n') || text.matches('\n').count() != 1 {
            return Err("not exactly one line".to_owned());
        }
        let envelope: Value =
            serde_json::from_str(text).map_err(|error| format!("not JSON ({error})"))?;
        let ok = envelope["ok"].as_bool().ok_or("no `ok`")?;
        for (holds, what) in [
            (envelope["version"] == "2.5", "another version"),
            ((self.status == Some(0)) == ok, "exit status and `ok` disagree"),
            (envelope.get("data").is_some() == ok, "data and `ok` disagree"),
            (envelope.get("error").is_some() != ok, "error and `ok` disagree"),
        ] {
            if !holds {
                return Err(what.to_owned());
            }
        }
        Ok(envelope)
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
