//! The independent reader: libatspi through the system's own Python.

use std::process::Stdio;

use serde::Deserialize;

use crate::{App, Desktop};

/// An accessible as libatspi shows it.
#[derive(Debug, Deserialize)]
pub struct Node {
    /// Its object path.
    pub path: String,
    /// What libatspi calls its role.
    pub role_name: String,
    /// What the author of a page calls it: the ARIA role, else the type of the input.
    pub page_role: Option<String>,
    /// As the toolkit says it.
    pub raw_name: String,
    /// As a person reads it, by the reader's own version of the name rules.
    pub name: String,
    pub states: Vec<String>,
    /// Left, top, width and height as libatspi has it for the screen; none where the toolkit has
    /// no place for the element.
    pub bounds: Option<[i32; 4]>,
    /// How many children it claims to have.
    pub child_count: i64,
    /// None of them where there are more than anybody should list.
    pub children: Vec<Self>,
}

/// What libatspi says of one accessible besides its place in the tree.
#[derive(Debug, Deserialize)]
pub struct Said {
    pub name: String,
    pub text: Option<String>,
    pub number: Option<f64>,
    pub states: Vec<String>,
}

impl Node {
    /// The first, in document order, that is so.
    pub fn find(&self, is_so: impl Fn(&Self) -> bool + Copy) -> Option<&Self> {
        if is_so(self) {
            return Some(self);
        }
        self.children.iter().find_map(|child| child.find(is_so))
    }

    /// Whether the toolkit says that state of it.
    pub fn is(&self, state: &str) -> bool {
        self.states.iter().any(|one| one == state)
    }
}

impl Desktop {
    /// What libatspi reads below the window of `app`.
    #[track_caller]
    pub fn independent_tree(&self, app: &App) -> Node {
        let tree = self.reader(&["tree", &app.pid.to_string(), &app.window]);
        serde_json::from_str(&tree).expect("a tree")
    }

    /// Whether something in the window of `app` with that raw name or description has that state.
    #[track_caller]
    pub fn has(&self, app: &App, text: &str, state: &str) -> bool {
        self.reader(&["has", &app.pid.to_string(), &app.window, text, state]) == "true"
    }

    /// Does the first action of the first accessible in the window that has that role name and
    /// that raw name or description.
    #[track_caller]
    pub fn press(&self, app: &App, role: &str, name: &str) {
        self.reader(&["press", &app.pid.to_string(), &app.window, role, name]);
    }

    /// What all accessibles in the window say that have that role name.
    #[track_caller]
    pub fn said(&self, app: &App, role: &str) -> Vec<Said> {
        let said = self.reader(&["say", &app.pid.to_string(), &app.window, role]);
        serde_json::from_str(&said).expect("a list")
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
