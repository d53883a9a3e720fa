//! LibreOffice, which draws its documents itself.

use std::{fs, path::Path};

use desktop_tests::applications::{Application, Ready, libreoffice};

use super::work::{Work, grabs, is, lists};

const OFFICE: &str = "LibreOffice 7.4";

/// A table of text, which Calc asks about before it shows it.
const IMPORT: Application = Application {
    title: "LibreOffice Calc, import",
    prepare: |directory: &Path| {
        office(directory, "--calc", "table.csv", "city,rain\nBergen,2250\n")
    },
    ready: Ready::Has("push button", "OK"),
    ..libreoffice::CALC
};

fn office(directory: &Path, kind: &str, name: &str, text: &str) -> Vec<String> {
    let file = directory.join(name);
    fs::write(&file, text).expect("a file");
    let profile = format!("-env:UserInstallation=file://{}/profile", directory.display());
    let file = file.display().to_string();
    ["--norestore", "--nologo", "--nolockcheck", &profile, kind, &file].map(str::to_owned).to_vec()
}

#[test]
fn import() {
    let work = Work::on(&IMPORT, OFFICE);
    work.task("spin button", "import from the second line on", |work| {
        work.does(&["set-value", &work.find_by(&["--role", "incrementor"]), "2"]);
        work.hears("spin button", |said| said.number == Some(2.0));
    });
    work.task("check box", "choose what separates columns", |work| {
        work.does(&["uncheck", &work.find("checkbox", "Semicolon")]);
        work.hears("check box", |said| said.name == "Semicolon" && !is(said, "checked"));
    });
    work.task("radio group", "choose between fixed widths and separators", |work| {
        for one in ["Fixed width", "Separated by"] {
            work.does(&["click", &work.find("radiobutton", one)]);
            work.hears("radio button", |said| said.name == one && is(said, "checked"));
        }
    });
    work.task("dialog", "import the table", |work| {
        work.acts_upon(&["click", &work.find("button", "OK")]);
        work.turn_to("table.csv");
        let imported = work.find("cell", "A1");
        let value = work.run(&["get", &imported, "--property", "value"]).data();
        assert_eq!(value["value"], "Bergen", "the first line was left out");
    });
    work.finish();
}

#[test]
fn sheet() {
    let work = Work::on(&libreoffice::CALC, OFFICE);
    // Used at the end, when the objects of this moment are long gone.
    let old = work.find("cell", "B2");
    work.task("table cell", "write a number into a cell, and have another computed", |work| {
        work.does(&["set-value", &work.find("cell", "B2"), "42.5"]);
        assert_eq!(work.cell(2, 2).text, "42.5");
        assert_eq!(work.cell(2, 3).text, "85");
    });
    work.impossible(
        "table cell",
        "write text into a cell",
        "refused: a cell of LibreOffice 7.4 takes numbers only",
        |work| {
            let cell = work.find("cell", "A2");
            work.refuses(&["set-value", &cell, "Oslo"], "INVALID_ARGS", "number");
            assert_eq!(work.cell(2, 1).text, "thing 2");
        },
    );
    work.task("table cell", "choose a cell", |work| {
        work.does(&["click", &work.find("cell", "A3")]);
        assert!(work.cell(3, 1).selected);
    });
    work.task("table cell", "choose a cell by a ref from long ago", |work| {
        work.does(&["click", &old]);
        assert!(work.cell(2, 2).selected && !work.cell(3, 1).selected);
    });
    work.task("menu", "open a menu and see what it holds", |work| {
        let opened = work.does(&["click", &work.find("menu", "Help")]);
        assert!(lists(&opened, "menu", Some("Help")) && grabs(&opened, "menu"), "{opened:#}");
        assert!(!work.keyboard_is_free(), "the menu holds the keyboard");
    });
    work.task("submenu", "open a submenu and close it", |work| {
        work.acts_upon(&["expand", &work.find("menu", "File")]);
        let new = work.find_by(&["--role", "menu", "--name", "New", "--exact", "--nth", "0"]);
        // As the first in its menu it may have opened by itself.
        work.run(&["expand", &new]).data();
        work.shows("Spreadsheet", "showing");
        work.does(&["collapse", &new]);
        work.hides("Spreadsheet");
    });
    work.finish();
}

/// A text of one paragraph: nothing tells paragraphs apart but what they say.
const NOTE: Application = Application {
    title: "LibreOffice Writer",
    prepare: |directory: &Path| office(directory, "--writer", "note.txt", "one"),
    ready: Ready::Has("toggle button", "Bold"),
    ..libreoffice::WRITER
};

#[test]
fn writer() {
    let work = Work::on(&NOTE, OFFICE);
    work.task("text", "edit a paragraph", |work| {
        let paragraph = work.find_by(&["--role", "textfield", "--value", "one"]);
        let write = ["set-value", &paragraph, "zwei 😀 שלום e\u{301}", "--timeout-ms", "20000"];
        work.does(&write);
        work.hears("paragraph", |said| said.text.as_deref() == Some("zwei 😀 שלום e\u{301}"));
        work.does(&["type", &paragraph, "!😀", "--timeout-ms", "20000"]);
    });
    work.finish();
}
