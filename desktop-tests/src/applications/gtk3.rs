//! GTK 3.

use std::{fs, path::Path};

use super::{Application, Ready, Turn, note, nothing, three_files, turns};

pub const ALL: &[&Application] =
    &[&WIDGET_FACTORY, &MOUSEPAD, &GEDIT, &THUNAR, &ZENITY_LIST, &ZENITY_FORMS, &ZENITY_FILES];

pub const WIDGET_FACTORY: Application = Application {
    title: "gtk3-widget-factory",
    name: "gtk3-widget-factory",
    packages: &["gtk-3-examples"],
    program: "gtk3-widget-factory",
    prepare: nothing,
    toolkit: "gtk 3.24",
    ready: Ready::AtOnce,
    limits: &[],
    least: 230,
    turns: &[
        Turn::passing(
            "a menu",
            |desktop, app| {
                turns::press(desktop, app, ("toggle button", "Menu"), ("Get Busy", "showing"));
            },
            |desktop, app| {
                turns::press_away(desktop, app, ("toggle button", "Menu"), ("Get Busy", "showing"));
            },
        ),
        Turn::to("another page", |desktop, app| {
            turns::press(desktop, app, ("radio button", "Page 2"), ("Page 2", "checked"));
        }),
    ],
};

pub const MOUSEPAD: Application = Application {
    title: "Mousepad",
    name: "mousepad",
    packages: &["mousepad"],
    program: "mousepad",
    prepare: note,
    toolkit: "gtk 3.24",
    ready: Ready::AtOnce,
    limits: &[],
    least: 50,
    turns: &[
        Turn::passing(
            "a menu",
            |desktop, app| {
                turns::press(desktop, app, ("menu", "File"), ("Quit Mousepad", "showing"));
            },
            |desktop, app| turns::key_away(desktop, app, "Escape", ("Quit Mousepad", "showing")),
        ),
        Turn::to("another tab", |desktop, app| {
            turns::key(desktop, app, "ctrl+n", ("Untitled 1", "showing"));
        }),
    ],
};

pub const GEDIT: Application = Application {
    title: "gedit",
    name: "gedit",
    packages: &["gedit"],
    program: "gedit",
    prepare: note,
    toolkit: "gtk 3.24",
    ready: Ready::AtOnce,
    limits: &[],
    least: 100,
    turns: &[
        Turn::passing(
            "a menu",
            |desktop, app| {
                turns::press(desktop, app, ("toggle button", "Menu"), ("Find…", "showing"));
            },
            |desktop, app| turns::key_away(desktop, app, "Escape", ("Find…", "showing")),
        ),
        Turn::to("another tab", |desktop, app| {
            turns::press(
                desktop,
                app,
                ("push button", "Create a new document"),
                ("Untitled Document 1", "showing"),
            );
        }),
    ],
};

pub const THUNAR: Application = Application {
    title: "Thunar",
    name: "thunar",
    packages: &["thunar"],
    program: "thunar",
    prepare: three_files,
    toolkit: "gtk 3.24",
    ready: Ready::AtOnce,
    limits: &[],
    least: 100,
    turns: &[
        Turn::passing(
            "a menu",
            |desktop, app| turns::press(desktop, app, ("menu", "File"), ("New Tab", "showing")),
            |desktop, app| turns::key_away(desktop, app, "Escape", ("New Tab", "showing")),
        ),
        Turn::to("another view", |desktop, app| {
            turns::key(desktop, app, "ctrl+2", ("one.txt", "showing"));
        }),
    ],
};

pub const ZENITY_LIST: Application = Application {
    title: "zenity --list",
    name: "zenity",
    packages: &["zenity"],
    program: "zenity",
    prepare: |_| {
        let fixed = ["--list", "--checklist", "--column=On", "--column=Fruit", "--column=Price"];
        let rows = (1..=40).flat_map(|row| {
            let on = if row % 3 == 0 { "TRUE" } else { "FALSE" };
            [on.to_owned(), format!("Fruit {row}"), format!("{row}.50")]
        });
        fixed.map(str::to_owned).into_iter().chain(rows).collect()
    },
    toolkit: "gtk 3.24",
    ready: Ready::AtOnce,
    limits: &[],
    least: 130,
    turns: &[],
};

pub const ZENITY_FORMS: Application = Application {
    title: "zenity --forms",
    name: "zenity",
    packages: &["zenity"],
    program: "zenity",
    prepare: |_| {
        ["--forms", "--add-entry=Name", "--add-password=Word", "--add-calendar=Day", "--text=Form"]
            .map(str::to_owned)
            .to_vec()
    },
    toolkit: "gtk 3.24",
    ready: Ready::AtOnce,
    limits: &[],
    least: 15,
    turns: &[],
};

pub const ZENITY_FILES: Application = Application {
    title: "zenity --file-selection",
    name: "zenity",
    packages: &["zenity"],
    program: "zenity",
    prepare: |directory: &Path| {
        for file in ["one.txt", "two.txt", "three.txt"] {
            fs::write(directory.join(file), file).expect("a file");
        }
        vec!["--file-selection".into(), format!("--filename={}/one.txt", directory.display())]
    },
    toolkit: "gtk 3.24",
    ready: Ready::AtOnce,
    limits: &[],
    least: 60,
    turns: &[],
};
