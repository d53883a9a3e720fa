//! Windows with a great deal in them, for the benchmark.

use std::{fs, path::Path};

use super::{Application, Ready, gtk4};
use crate::web::{Kind, server};

pub const ALL: &[&Application] = &[&TREE_VIEW, &LIST_VIEW, &FOLDER, &PAGE_5_000, &PAGE_20_000];

const LONG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/programs/long.py");

pub const TREE_VIEW: Application = Application {
    title: "GTK 3 tree view, 10,000 rows",
    name: "long",
    packages: &["python3-gi", "gir1.2-gtk-3.0"],
    program: "/usr/bin/python3",
    prepare: |_| vec![LONG.into(), "tree".into()],
    toolkit: "gtk 3.24",
    ready: Ready::AtOnce,
    limits: &[],
    least: 10,
    turns: &[],
};

pub const LIST_VIEW: Application = Application {
    title: "GTK 4 list view, 10,000 rows",
    packages: &["python3-gi", "gir1.2-gtk-4.0"],
    prepare: |_| vec![LONG.into(), "list".into()],
    toolkit: "GTK 4.8",
    ..TREE_VIEW
};

pub const FOLDER: Application = Application {
    title: "Nautilus, 1,000 files",
    prepare: |directory| {
        let files = directory.join("files");
        fs::create_dir(&files).expect("a directory");
        for number in 1..=1_000 {
            fs::write(files.join(format!("file {number}.txt")), "").expect("a file");
        }
        vec![files.display().to_string()]
    },
    turns: &[],
    ..gtk4::NAUTILUS
};

pub const PAGE_5_000: Application = Application {
    title: "Chromium, a page of 5,000 elements",
    name: "Chromium",
    packages: &["chromium"],
    program: "chromium",
    prepare: |directory| show_page(directory, 715),
    toolkit: "Chromium",
    ready: Ready::Titled(LOADED),
    limits: &[],
    least: 5_000,
    turns: &[],
};

pub const PAGE_20_000: Application = Application {
    title: "Chromium, a page of 20,000 elements",
    prepare: |directory| show_page(directory, 2_858),
    least: 20_000,
    ..PAGE_5_000
};

/// Chromium's cache keeps a page as it was when somebody first asked, so nobody may before then;
/// and it begins to build the tree of the page when somebody does.
const LOADED: &str = "All of it";

/// A page of so many rows, each of which is seven elements to Chromium. It is called [`LOADED`] once it is.
fn show_page(directory: &Path, rows: usize) -> Vec<String> {
    let file = directory.join("dense.html");
    let then = format!("<script>onload = () => document.title = '{LOADED}'</script>");
    fs::write(&file, server::dense(rows) + &then).expect("a page");
    let mut arguments = Kind::Chromium.arguments(directory);
    arguments.push(format!("file://{}", file.display()));
    arguments
}
