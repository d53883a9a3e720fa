//! Web browsers, with a page that holds something of everything.

use std::{fs, path::Path};

use super::{Application, Ready, Turn, turns};
use crate::web::Kind;

pub const ALL: &[&Application] = &[&CHROMIUM, &FIREFOX];

pub const CHROMIUM: Application = Application {
    title: "Chromium",
    name: "Chromium",
    packages: &["chromium"],
    program: "chromium",
    prepare: |directory| show_page(Kind::Chromium, directory),
    toolkit: "Chromium",
    ready: Ready::Has("heading", "Rich page"),
    limits: &[],
    least: 130,
    turns: TURNS,
};

pub const FIREFOX: Application = Application {
    title: "Firefox",
    name: "Firefox",
    packages: &["firefox-esr"],
    program: "firefox-esr",
    prepare: |directory| show_page(Kind::Firefox, directory),
    toolkit: "Gecko",
    ready: Ready::Has("heading", "Rich page"),
    limits: &[],
    least: 80,
    turns: TURNS,
};

const TURNS: &[Turn] = &[
    Turn::passing(
        "a menu",
        |desktop, app| {
            turns::press(desktop, app, ("push button", "Actions"), ("Copy", "showing"));
        },
        |desktop, app| {
            turns::press_away(desktop, app, ("push button", "Actions"), ("Copy", "showing"));
        },
    ),
    Turn::to("another page", |desktop, app| {
        let next = ("Back to the rich page", "showing");
        turns::press(desktop, app, ("link", "Next page"), next);
    }),
];

/// Pages as files, since a catalogue has no server.
fn show_page(kind: Kind, directory: &Path) -> Vec<String> {
    for page in ["rich.html", "frame.html", "next.html"] {
        let from = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/pages")).join(page);
        fs::copy(from, directory.join(page)).expect("a page");
    }
    let mut arguments = kind.arguments(directory);
    arguments.push(format!("file://{}", directory.join("rich.html").display()));
    arguments
}
