//! The table of tasks in docs/tasks.md. Each row comes from a task that was done;
//! `UPDATE_EXPECT=1` writes it.

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// A task as the page tells of it.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) application: &'static str,
    pub(super) toolkit: &'static str,
    pub(super) control: &'static str,
    pub(super) task: &'static str,
    pub(super) result: &'static str,
    pub(super) commands: String,
}

impl Row {
    pub(super) fn line(&self) -> String {
        let Self { application, toolkit, control, task, result, commands } = self;
        format!("| {application} | {toolkit} | {control} | {task} | {result} | {commands} |\n")
    }
}

const HEAD: &str = "| application | toolkit | what | task | result | commands |\n\
                    |---|---|---|---|---|---|\n";

static WRITING: Mutex<()> = Mutex::new(());

/// Fails if the rows of an application whose tasks were done are not those of the page.
#[track_caller]
pub(super) fn expect(rows: &[Row]) {
    let application = rows.first().expect("a task").application;
    let new: Vec<String> = rows.iter().map(Row::line).collect();
    let _one_at_a_time = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let page = fs::read_to_string(path()).unwrap();
    let (start, body) = body(&page);
    let is_theirs = |line: &&str| cell(line, 1) == application;
    let old: Vec<&str> = body.iter().copied().filter(is_theirs).collect();
    if old == new {
        return;
    }
    assert!(
        env::var_os("UPDATE_EXPECT").is_some(),
        "docs/tasks.md is out of date; UPDATE_EXPECT=1 writes this into it:\n{}",
        new.concat()
    );
    let mut lines: Vec<&str> = body.into_iter().filter(|line| !is_theirs(line)).collect();
    lines.extend(new.iter().map(String::as_str));
    // By toolkit, then by application; the tasks of one stay in the order in which they are done.
    lines.sort_by_key(|line| (cell(line, 2), cell(line, 1)));
    let page = [&page[..start], HEAD, &lines.concat()].concat();
    fs::write(path(), page).unwrap();
}

/// What is to be in the page at least: in each toolkit, the kinds of control that it has.
const COVERED: &[(&str, &[&str])] = &[
    ("GTK 3.24", GTK),
    ("GTK 4.8", GTK),
    ("Qt 5.15", QT),
    ("Qt 6.4", QT),
    ("Chromium 156", PAGE),
    ("Firefox 153", PAGE),
    ("LibreOffice 7.4", &["check box", "menu", "radio group", "spin button", "table cell", "text"]),
    ("Swing", &["check box", "combo box", "menu", "slider", "text"]),
];

const GTK: &[&str] = &[
    "button",
    "check box",
    "check menu item",
    "combo box",
    "file dialog",
    "link",
    "list row",
    "notebook tab",
    "popover",
    "radio group",
    "slider",
    "spin button",
    "submenu",
    "switch",
    "table cell",
    "text",
    "tree row",
];

const QT: &[&str] = &[
    "button",
    "check box",
    "check menu item",
    "combo box",
    "dialog",
    "link",
    "list row",
    "notebook tab",
    "radio group",
    "slider",
    "spin button",
    "submenu",
    "table cell",
    "text",
    "tree row",
];

const PAGE: &[&str] = &[
    "button",
    "check box",
    "combo box",
    "link",
    "list row",
    "menu",
    "notebook tab",
    "radio group",
    "slider",
    "spin button",
    "switch",
    "table cell",
    "text",
    "tree row",
];

#[test]
fn the_page_covers_what_there_is() {
    let page = fs::read_to_string(path()).unwrap();
    let (_, body) = body(&page);
    assert!(body.len() >= 60, "only {} tasks", body.len());
    let missing: Vec<(&str, &str)> = COVERED
        .iter()
        .flat_map(|(toolkit, controls)| controls.iter().map(move |control| (*toolkit, *control)))
        .filter(|(toolkit, control)| {
            !body.iter().any(|line| cell(line, 2) == *toolkit && cell(line, 3) == *control)
        })
        .collect();
    assert!(missing.is_empty(), "no task for {missing:?}");
}

/// Where the table begins, and its rows.
fn body(page: &str) -> (usize, Vec<&str>) {
    let start = page.find("| application | toolkit |").expect("a table of tasks");
    (start, page[start..].split_inclusive('\n').skip(2).collect())
}

/// What stands in a cell of a row, counted from 1.
fn cell(line: &str, at: usize) -> &str {
    line.split('|').nth(at).unwrap_or_default().trim()
}

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/tasks.md")
}
