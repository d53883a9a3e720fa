//! LibreOffice. Its documents are written here, so that what is in them is known.

use std::{fmt::Write, fs, path::Path, time::Duration};

use super::{Application, Ready, Turn};
use crate::{App, Desktop, wait};

pub const ALL: &[&Application] = &[&CALC, &WRITER];

pub const CALC: Application = Application {
    title: "LibreOffice Calc",
    name: "soffice",
    packages: &["libreoffice-calc", "libreoffice-gtk3"],
    program: "soffice",
    prepare: |directory| open(directory, "--calc", "stock.fods", &spreadsheet()),
    toolkit: "gtk 3.24",
    ready: Ready::Has("table", "Sheet Stock"),
    limits: &[
        "each cell of a sheet that is asked for costs LibreOffice 7.4.7 about 7 KB for good: a screen of 1,100 \
         cells 8 MB",
    ],
    least: 250,
    turns: &[Turn::passing("a menu", open_a_menu, close_the_menu)],
};

pub const WRITER: Application = Application {
    title: "LibreOffice Writer",
    name: "soffice",
    packages: &["libreoffice-writer", "libreoffice-gtk3"],
    program: "soffice",
    prepare: |directory| open(directory, "--writer", "report.fodt", &text_document()),
    toolkit: "gtk 3.24",
    ready: Ready::Has("table", "Places-1"),
    limits: &[],
    least: 250,
    turns: &[Turn::passing("a menu", open_a_menu, close_the_menu)],
};

/// A document of one paragraph, for tests that write into it.
pub const LETTER: Application = Application {
    title: "LibreOffice Writer with a letter",
    prepare: |directory| open(directory, "--writer", "letter.fodt", &letter()),
    ready: Ready::Titled("letter.fodt"),
    turns: &[],
    ..WRITER
};

/// A document of [`PARAGRAPHS`] numbered paragraphs, many more than a screen has room for.
pub const NOVEL: Application = Application {
    title: "LibreOffice Writer with a long text",
    prepare: |directory| open(directory, "--writer", "novel.fodt", &novel()),
    ready: Ready::Titled("novel.fodt"),
    ..LETTER
};

pub const PARAGRAPHS: usize = 600;

/// How many rows of the first sheet are filled: the header, and one for each thing.
pub const ROWS: u32 = 30;

/// What row `row` of the first sheet shows, counted from 1, and the formula of its last cell.
pub fn row(row: u32) -> ([String; 3], Option<String>) {
    if row == 1 {
        return (["Item", "Price", "Double"].map(str::to_owned), None);
    }
    let cells = [format!("thing {row}"), (row * 10).to_string(), (row * 20).to_string()];
    (cells, Some(format!("=B{row}*2")))
}

/// Arguments that open a document without greeting, recovering or locking anything.
fn open(directory: &Path, kind: &str, name: &str, document: &str) -> Vec<String> {
    let file = directory.join(name);
    fs::write(&file, document).expect("a document");
    let profile = directory.join("profile");
    let mut arguments = vec![format!("-env:UserInstallation=file://{}", profile.display())];
    let quiet = ["--norestore", "--nologo", "--nofirststartwizard", "--nolockcheck", kind];
    arguments.extend(quiet.map(str::to_owned));
    arguments.push(file.display().to_string());
    arguments
}

const NAMESPACES: &str = r#"xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" office:version="1.2""#;

/// Two sheets, `Stock` and `Other`.
fn spreadsheet() -> String {
    let mut sheet = String::new();
    for number in 1..=ROWS {
        let (cells, formula) = row(number);
        sheet += "<table:table-row>";
        for (column, text) in cells.iter().enumerate() {
            let formula = formula
                .as_ref()
                .filter(|_| column == 2)
                .map_or(String::new(), |_| format!(r#" table:formula="of:=[.B{number}]*2""#));
            let kind = match text.parse::<f64>() {
                Ok(value) => format!(r#" office:value-type="float" office:value="{value}""#),
                Err(_) => r#" office:value-type="string""#.to_owned(),
            };
            write!(
                sheet,
                "<table:table-cell{formula}{kind}><text:p>{text}</text:p></table:table-cell>"
            )
            .expect("a string");
        }
        sheet += "</table:table-row>";
    }
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?><office:document {NAMESPACES} office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet><table:table table:name="Stock">{sheet}</table:table><table:table table:name="Other"><table:table-row><table:table-cell office:value-type="string"><text:p>elsewhere</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document>"#
    )
}

/// A heading, a paragraph and a table of 4 rows and 3 columns.
fn text_document() -> String {
    let mut rows = String::new();
    for row in 1..=4 {
        rows += "<table:table-row>";
        for column in 1..=3 {
            write!(rows, r#"<table:table-cell office:value-type="string"><text:p>at {row}, {column}</text:p></table:table-cell>"#)
                .expect("a string");
        }
        rows += "</table:table-row>";
    }
    text_of(&format!(
        r#"<text:h text:outline-level="1">Report</text:h><text:p>Before the table.</text:p><table:table table:name="Places"><table:table-column table:number-columns-repeated="3"/>{rows}</table:table><text:p>After the table.</text:p>"#
    ))
}

fn letter() -> String {
    text_of("<text:p>Dear Sir</text:p>")
}

fn novel() -> String {
    let paragraph = |number| format!("<text:p>Paragraph {number}.</text:p>");
    text_of(&(1..=PARAGRAPHS).map(paragraph).collect::<String>())
}

fn text_of(body: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?><office:document {NAMESPACES} office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text>{body}</office:text></office:body></office:document>"#
    )
}

/// A menu that is opened by its own action keeps the keyboard until Escape closes it.
fn open_a_menu(desktop: &Desktop, app: &App) {
    desktop.press(app, "menu", "File");
    menu_is(desktop, app, true);
}

fn close_the_menu(desktop: &Desktop, app: &App) {
    let escape = desktop.command("xdotool").args(["key", "Escape"]).status();
    assert!(escape.expect("xdotool runs").success());
    menu_is(desktop, app, false);
    app.settle();
}

fn menu_is(desktop: &Desktop, app: &App, open: bool) {
    let what = if open { "an open menu" } else { "no open menu" };
    wait::until(what, Duration::from_secs(60), || {
        let tree = desktop.independent_tree(app);
        let item = tree.find(|node| {
            node.role_name == "menu item" && node.raw_name == "Save As..." && node.is("showing")
        });
        if item.is_some() == open { Ok(()) } else { Err("not so".into()) }
    });
}
