//! The independent reader: libatspi through the system's own Python.

use std::process::Stdio;

use serde::Deserialize;

use crate::Desktop;

/// An accessible as libatspi shows it.
#[derive(Debug, Deserialize)]
pub struct Node {
    /// The number of the AT-SPI role.
    pub role: u32,
    /// As the toolkit says it.
    pub raw_name: String,
    /// As a person reads it, by the reader's own version of the name rules.
    pub name: String,
    pub states: Vec<String>,
    /// Left, top, width and height as libatspi has it for the screen; none where the toolkit has
    /// no place for the element.
    pub bounds: Option<[i32; 4]>,
    pub children: Vec<Self>,
}

impl Desktop {
    /// What libatspi reads below the first window of the application with this process id.
    #[track_caller]
    pub fn independent_tree(&self, pid: u32) -> Node {
        serde_json::from_str(&self.reader(&["tree", &pid.to_string()])).expect("a tree")
    }

    /// Presses the first accessible of that role name whose raw name is `name`.
    #[track_caller]
    pub fn press(&self, pid: u32, role: &str, name: &str) {
        self.reader(&["press", &pid.to_string(), role, name]);
    }

    #[track_caller]
    fn reader(&self, arguments: &[&str]) -> String {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/reader/tree.py");
        let mut python = self.command("/usr/bin/python3");
        python.arg(script).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        let output = python.output().expect("python3 runs");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "the reader failed: {complaint}");
        String::from_utf8(output.stdout).expect("UTF-8")
    }
}
