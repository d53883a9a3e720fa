//! The table of applications in docs/linux.md. Each row comes from the checks of its application;
//! `UPDATE_EXPECT=1` writes it.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use desktop_tests::applications::{self, Application};

use super::Asked;
use crate::reading::agreement::ACCEPTED;

const HEAD: &str = "\
| application | toolkit | snapshot, find, get, is, list-surfaces | same tree as libatspi | what \
opens is listed as | known limits |\n|---|---|---|---|---|---|\n";

static WRITING: Mutex<()> = Mutex::new(());

/// Fails if the row of an application that passed all its checks is not what they say.
#[track_caller]
pub(super) fn expect(
    application: &Application,
    asked: Asked,
    compared: &[String],
    opened: &BTreeSet<String>,
) {
    let mut limits: Vec<_> = ACCEPTED
        .iter()
        .filter(|row| row.application == application.title)
        .map(|row| row.cause)
        .collect();
    limits.extend(application.limits);
    let opened: Vec<_> = opened.iter().map(String::as_str).collect();
    let row = format!(
        "| {} | {} | {} | {} | {} | {} |\n",
        application.title,
        application.toolkit,
        match asked {
            Asked::Everything => "yes",
            Asked::Snapshots | Asked::FewCells => "snapshot; the others in tests of their own",
        },
        compared.join(", "),
        or(&opened.join(", "), "–"),
        or(&limits.join("; "), "none found"),
    );

    let _one_at_a_time = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let page = fs::read_to_string(path()).unwrap();
    let mut rows = rows(&page);
    if rows.get(application.title).is_some_and(|written| **written == *row) {
        return;
    }
    assert!(
        env::var_os("UPDATE_EXPECT").is_some(),
        "docs/linux.md is out of date; UPDATE_EXPECT=1 writes this into it:\n{row}"
    );
    rows.insert(application.title, &row);
    let table: String =
        applications::all().filter_map(|one| rows.get(one.title)).copied().collect();
    let (start, end) = place(&page);
    let page = [&page[..start], HEAD, &table, &page[end..]].concat();
    fs::write(path(), page).unwrap();
}

#[test]
fn the_table_has_a_row_for_every_application() {
    let page = fs::read_to_string(path()).unwrap();
    let written: Vec<_> = rows(&page).into_keys().collect();
    let mut expected: Vec<_> = applications::all().map(|one| one.title).collect();
    expected.sort_unstable();
    assert_eq!(written, expected);
}

/// The rows of the table, by what stands in their first cell.
fn rows(page: &str) -> BTreeMap<&str, &str> {
    let (start, end) = place(page);
    let body = page[start..end].split_inclusive('\n').skip(2);
    body.filter_map(|row| Some((row.split('|').nth(1)?.trim(), row))).collect()
}

/// Where the table stands.
fn place(page: &str) -> (usize, usize) {
    let start = page.find("| application | toolkit |").expect("a table of applications");
    let end = page[start..].find("\n\n").map_or(page.len(), |length| start + length + 1);
    (start, end)
}

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/linux.md")
}

fn or<'a>(text: &'a str, otherwise: &'a str) -> &'a str {
    if text.is_empty() { otherwise } else { text }
}
