//! GTK 4. It says of nothing but windows that it shows; a closed popover is not there at all.

use super::{Application, Ready, Turn, note, nothing, three_files, turns};

pub const ALL: &[&Application] =
    &[&CALCULATOR, &TEXT_EDITOR, &WIDGET_FACTORY, &NAUTILUS, &ADWAITA_DEMO];

/// Pixels have shown it, see the documentation of bounds.
const POPOVERS: &str =
    "GTK 4.8 tells places in popovers and menus that are off by up to some ten pixels";

pub const CALCULATOR: Application = Application {
    title: "gnome-calculator",
    name: "gnome-calculator",
    packages: &["gnome-calculator"],
    program: "gnome-calculator",
    prepare: nothing,
    toolkit: "GTK 4.8",
    ready: Ready::AtOnce,
    limits: &[POPOVERS],
    least: 90,
    turns: &[
        Turn::passing(
            "a menu",
            |desktop, app| {
                let menu = ("push button", "Primary menu");
                turns::press(desktop, app, menu, ("Preferences", "visible"));
            },
            |desktop, app| {
                let menu = ("push button", "Primary menu");
                turns::press_away(desktop, app, menu, ("Preferences", "visible"));
            },
        ),
        Turn::to("another mode", |desktop, app| {
            turns::key(desktop, app, "ctrl+alt+p", ("Two’s Complement", "visible"));
        }),
    ],
};

pub const TEXT_EDITOR: Application = Application {
    title: "gnome-text-editor",
    name: "gnome-text-editor",
    packages: &["gnome-text-editor"],
    program: "gnome-text-editor",
    prepare: note,
    toolkit: "GTK 4.8",
    ready: Ready::AtOnce,
    limits: &[POPOVERS],
    least: 100,
    turns: &[
        Turn::passing(
            "a menu",
            |desktop, app| {
                turns::press(desktop, app, ("push button", "Menu"), ("Preferences", "visible"));
            },
            |desktop, app| {
                turns::press_away(
                    desktop,
                    app,
                    ("push button", "Menu"),
                    ("Preferences", "visible"),
                );
            },
        ),
        Turn::to("another tab", |desktop, app| {
            turns::key(desktop, app, "ctrl+t", ("New Document", "visible"));
        }),
    ],
};

pub const WIDGET_FACTORY: Application = Application {
    title: "gtk4-widget-factory",
    name: "gtk4-widget-factory",
    packages: &["gtk-4-examples"],
    program: "gtk4-widget-factory",
    prepare: nothing,
    toolkit: "GTK 4.8",
    ready: Ready::AtOnce,
    limits: &[POPOVERS],
    least: 800,
    turns: &[Turn::to("another page", |desktop, app| {
        turns::press(desktop, app, ("page tab", "Page _2"), ("Page _2", "selected"));
    })],
};

pub const NAUTILUS: Application = Application {
    title: "Nautilus",
    name: "org.gnome.Nautilus",
    packages: &["nautilus"],
    program: "nautilus",
    prepare: three_files,
    toolkit: "GTK 4.8",
    ready: Ready::AtOnce,
    limits: &[POPOVERS],
    least: 150,
    turns: &[
        Turn::passing(
            "a menu",
            |desktop, app| {
                turns::press(
                    desktop,
                    app,
                    ("push button", "Main Menu"),
                    ("Preferences", "visible"),
                );
            },
            |desktop, app| {
                turns::press_away(
                    desktop,
                    app,
                    ("push button", "Main Menu"),
                    ("Preferences", "visible"),
                );
            },
        ),
        Turn::to("another view", |desktop, app| {
            turns::key(desktop, app, "ctrl+1", ("Size", "visible"));
        }),
    ],
};

pub const ADWAITA_DEMO: Application = Application {
    title: "adwaita-1-demo",
    name: "adwaita-1-demo",
    packages: &["libadwaita-1-examples"],
    program: "adwaita-1-demo",
    prepare: nothing,
    toolkit: "GTK 4.8",
    ready: Ready::AtOnce,
    limits: &[],
    least: 300,
    turns: &[],
};
