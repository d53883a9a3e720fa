//! Qt 5 and Qt 6.

use super::{Application, Ready, Turn, note, nothing, turns};

pub const ALL: &[&Application] = &[&FEATHERPAD, &KCALC, &QT6CT];

pub const FEATHERPAD: Application = Application {
    title: "FeatherPad",
    name: "FeatherPad",
    packages: &["featherpad"],
    program: "featherpad",
    prepare: note,
    toolkit: "Qt 5.15",
    // Said for ten seconds, to root only.
    ready: Ready::Lacks("Root Instance"),
    limits: &[],
    least: 60,
    turns: &[
        Turn::passing(
            "a menu",
            |desktop, app| turns::press(desktop, app, ("menu item", "File"), ("Quit", "showing")),
            |desktop, app| turns::key_away(desktop, app, "Escape", ("Quit", "showing")),
        ),
        Turn::to("another tab", |desktop, app| {
            turns::press(desktop, app, ("push button", "New"), ("Untitled", "showing"));
        }),
    ],
};

pub const KCALC: Application = Application {
    title: "KCalc",
    name: "kcalc",
    packages: &["kcalc"],
    program: "kcalc",
    prepare: nothing,
    toolkit: "Qt 5.15",
    ready: Ready::AtOnce,
    limits: &[],
    least: 170,
    turns: &[
        Turn::passing(
            "a menu",
            |desktop, app| {
                let menu = ("menu item", "Settings");
                turns::press(desktop, app, menu, ("Science Mode", "showing"));
            },
            |desktop, app| turns::key_away(desktop, app, "Escape", ("Science Mode", "showing")),
        ),
        Turn::to("another mode", |desktop, app| {
            turns::press(desktop, app, ("menu item", "Science Mode"), ("Sine", "showing"));
        }),
    ],
};

pub const QT6CT: Application = Application {
    title: "qt6ct",
    name: "qt6ct",
    packages: &["qt6ct"],
    program: "qt6ct",
    prepare: nothing,
    toolkit: "Qt 6.",
    ready: Ready::AtOnce,
    limits: &[],
    least: 150,
    turns: &[Turn::to("another page", |desktop, app| {
        turns::press(desktop, app, ("page tab", "Fonts"), ("Fixed width:", "showing"));
    })],
};
