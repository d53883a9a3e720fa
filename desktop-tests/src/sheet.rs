//! Cells of spreadsheets as libatspi reads and changes them.

use std::process::Stdio;

use serde::Deserialize;

use crate::{App, Desktop};

/// A cell of a table as libatspi shows it.
#[derive(Debug, Deserialize)]
pub struct Cell {
    /// What its table is called.
    pub table: String,
    pub name: String,
    pub text: String,
    pub selected: bool,
}

impl Desktop {
    /// The cell of the first table in the window, row and column counted from 1.
    #[track_caller]
    pub fn cell(&self, app: &App, (row, column): (u32, u32)) -> Cell {
        let cell = self.sheet(app, "cell", &[&row.to_string(), &column.to_string()]);
        serde_json::from_str(&cell).expect("a cell")
    }

    /// The same after `number` was put into it.
    #[track_caller]
    pub fn set_cell(&self, app: &App, (row, column): (u32, u32), number: f64) -> Cell {
        let place = [row.to_string(), column.to_string(), number.to_string()];
        let cell = self.sheet(app, "cell", &place.each_ref().map(String::as_str));
        serde_json::from_str(&cell).expect("a cell")
    }

    /// Selects the first accessible in the window that has that role name and raw name.
    #[track_caller]
    pub fn select(&self, app: &App, role: &str, name: &str) {
        self.sheet(app, "select", &[role, name]);
    }

    #[track_caller]
    fn sheet(&self, app: &App, what: &str, arguments: &[&str]) -> String {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/reader/sheet.py");
        let mut python = self.command("/usr/bin/python3");
        python.args([script, what, &app.pid.to_string(), &app.window]).args(arguments);
        let output =
            python.stdout(Stdio::piped()).stderr(Stdio::piped()).output().expect("python3 runs");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "the reader failed: {complaint}");
        String::from_utf8(output.stdout).expect("UTF-8")
    }
}
