//! What opens over a window is found, read on its own, and gone when it is closed.

use std::time::Duration;

use desktop_tests::{Desktop, Process, applications::libreoffice, tree, wait};

const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/programs/swatches.py");

/// What a key opens in one toolkit: the kind, how much is in it
/// if that is for certain, and the name of something in it.
struct Overlay {
    key: &'static str,
    kind: &'static str,
    items: Option<u64>,
    holds: &'static str,
}

const fn overlay(
    key: &'static str,
    kind: &'static str,
    items: Option<u64>,
    holds: &'static str,
) -> Overlay {
    Overlay { key, kind, items, holds }
}

#[test]
fn what_opens_over_a_window_is_a_surface_until_it_closes() {
    let desktop = Desktop::start();
    for (toolkit, overlays) in [
        (
            "gtk3",
            &[
                overlay("F2", "menu", Some(2), "Open"),
                overlay("F3", "popover", Some(1), "inside"),
                overlay("F4", "sheet", None, "Answer"),
                overlay("F5", "alert", None, "Answer"),
            ][..],
        ),
        (
            "gtk4",
            &[
                overlay("F2", "menu", Some(2), "Open"),
                overlay("F3", "popover", Some(1), "inside"),
                overlay("F4", "sheet", None, "Answer"),
            ],
        ),
        // Qt tells nobody of a context menu, and of no dialog that it is modal.
        ("qt5", &[overlay("F3", "popover", Some(3), "two"), overlay("F5", "alert", None, "OK")]),
        ("qt6", &[overlay("F3", "popover", Some(3), "two"), overlay("F5", "alert", None, "OK")]),
    ] {
        let mut command = desktop.command("/usr/bin/python3");
        command.args([PROGRAM, toolkit, "overlays"]).stderr(std::process::Stdio::null());
        let _app = desktop.await_window(toolkit, Process::spawn(&mut command).unwrap());
        await_focus(&desktop, "Swatches");
        let window = desktop.run(&["snapshot"]).data();
        assert_eq!(window["tree"]["role"], "window", "{toolkit}");
        for overlay in overlays {
            let Overlay { key, kind, items, holds } = *overlay;
            let what = format!("{kind} of {toolkit}");
            press(&desktop, key);
            let open = wait::until(&format!("the {what} to open"), Duration::from_secs(20), || {
                let open = surfaces(&desktop)?;
                let this = open.iter().find(|surface| surface["type"] == kind).cloned();
                this.ok_or_else(|| format!("{open:?}"))
            });
            if let Some(items) = items {
                assert_eq!(open["item_count"], items, "{what}: {open}");
            }
            let app = ["--app", "swatches.py", "--surface", kind];
            let read = desktop.run(&[&["snapshot"][..], &app].concat()).data();
            let names: Vec<_> = tree::all(&read["tree"]).map(|node| &node["name"]).collect();
            assert!(names.contains(&&holds.into()), "{what}: {names:?}");
            assert!(!names.contains(&&"crimson".into()), "{what} holds the window: {names:?}");
            let find = [&["find", "--name", holds, "--exact", "--count"][..], &app].concat();
            let count = desktop.run(&find).data()["count"].take();
            assert_ne!(count, 0, "{what}");
            // Its id is an aim as well, wherever a window or a surface is named.
            for flag in ["--surface", "--window-id"] {
                let id = open["id"].as_str().unwrap();
                let run = desktop.run(&["find", flag, id, "--name", holds, "--exact", "--count"]);
                assert_eq!(run.data()["count"], count, "{what}: {run}");
            }
            let focused = ["snapshot", "--app", "swatches.py", "--surface", "focused"];
            let focused = desktop.run(&focused).data();
            let same = tree::all(&focused["tree"]).any(|node| node["name"] == holds);
            assert!(same, "{what} is not the focused one: {focused:#}");
            let windows = desktop.run(&["list-windows"]).data();
            let focused =
                windows.as_array().unwrap().iter().filter(|one| one["is_focused"] == true);
            assert_eq!(focused.count(), 1, "{what}: {windows:#}");

            press(&desktop, "Escape");
            wait::until(&format!("the {what} to close"), Duration::from_secs(20), || {
                let open = surfaces(&desktop)?;
                match open.iter().all(|surface| surface["type"] != kind) {
                    true => Ok(()),
                    false => Err(format!("{open:?}")),
                }
            });
            await_focus(&desktop, "Swatches");
            desktop.run(&[&["snapshot"][..], &app].concat()).error("ELEMENT_NOT_FOUND");
        }
    }
}

#[test]
fn a_file_dialog_of_gtk_4_is_a_window() {
    let desktop = Desktop::start();
    let _editor = desktop.launch("gnome-text-editor", &[]);
    await_focus(&desktop, "New Document (Draft) - Text Editor");
    press(&desktop, "ctrl+shift+s");
    await_focus(&desktop, "Save As");
    let dialog = desktop.run(&["snapshot", "--include-bounds"]).data();
    let tree = &dialog["tree"];
    assert_eq!((&tree["role"], &tree["name"]), (&"window".into(), &"Save As".into()));
    assert!(tree::all(tree).any(|node| node["name"] == "Cancel"), "{dialog:#}");
    let windows = desktop.run(&["list-windows"]).data();
    let window = windows.as_array().unwrap().iter().find(|window| window["title"] == "Save As");
    assert_eq!(window.unwrap()["bounds"], tree["bounds"]);
}

#[test]
fn what_opens_in_libreoffice_is_a_surface() {
    let desktop = Desktop::start();
    let app = desktop.open(&libreoffice::WRITER);
    await_focus(&desktop, "report.fodt - LibreOffice Writer");
    let kinds = |desktop: &Desktop| -> Result<Vec<String>, String> {
        let kind = |one: serde_json::Value| one["type"].as_str().unwrap().to_owned();
        Ok(surfaces_of(desktop, "soffice")?.into_iter().map(kind).collect())
    };
    // It draws one menu bar and keeps another.
    assert_eq!(kinds(&desktop).unwrap(), ["window", "menubar"]);

    // A context menu has a window of its own, which is none to the window manager. With the focus
    // elsewhere, the application still has but one window.
    let status =
        desktop.command("xdotool").args(["mousemove", "900", "500", "click", "3"]).status();
    assert!(status.expect("xdotool runs").success());
    let menu = ["snapshot", "--app", "soffice", "--surface", "menu", "--timeout-ms", "20000"];
    let menu = wait::until("the context menu", Duration::from_secs(30), || {
        let menu = desktop.run(&menu).envelope();
        let items =
            tree::all(&menu["data"]["tree"]).filter(|one| one["role"] == "menuitem").count();
        if items > 3 { Ok(menu) } else { Err(menu.to_string()) }
    });
    assert!(tree::all(&menu["data"]["tree"]).any(|one| one["name"] == "Paste"), "{menu:#}");
    assert_eq!(kinds(&desktop).unwrap(), ["window", "menubar", "menu"]);
    let find = ["find", "--app", "soffice", "--surface", "menu", "--name", "Paste", "--exact"];
    assert_eq!(desktop.run(&[&find[..], &["--count"]].concat()).data()["count"], 1);
    let window = desktop.run(&["snapshot", "--app", "soffice", "--skeleton"]).data();
    assert_eq!(window["window"]["id"], app.window_id(), "{window:#}");
    press(&desktop, "Escape");
    wait::until("the menu to close", Duration::from_secs(20), || {
        let open = kinds(&desktop)?;
        if open == ["window", "menubar"] { Ok(()) } else { Err(format!("{open:?}")) }
    });

    press(&desktop, "ctrl+h");
    await_focus(&desktop, "Find and Replace");
    let dialog = desktop.run(&["snapshot", "--surface", "focused", "--timeout-ms", "20000"]).data();
    assert!(tree::all(&dialog["tree"]).any(|one| one["name"] == "Match case"), "{dialog:#}");
    assert_eq!(kinds(&desktop).unwrap(), ["window", "menubar", "window"]);
}

/// As portals do: the dialog of one process stands over the window of another.
#[test]
fn a_dialog_over_the_window_of_another_process_is_its_own() {
    let desktop = Desktop::start();
    let _calculator = desktop.launch("gnome-calculator", &[]);
    await_focus(&desktop, "Calculator");
    let active = desktop.command("xdotool").arg("getactivewindow").output().expect("xdotool runs");
    let over = format!("--attach={}", String::from_utf8(active.stdout).unwrap().trim());
    let question = ["--question", "--title=Permission", "--text=May it?", "--modal", &over];
    let dialog = desktop.launch("zenity", &question);
    let mut transient = desktop.command("xprop");
    let transient = transient.args(["-name", "Permission", "WM_TRANSIENT_FOR"]).output().unwrap();
    let transient = String::from_utf8_lossy(&transient.stdout).into_owned();
    assert!(transient.contains("window id"), "it does not stand over it: {transient}");
    await_focus(&desktop, "Permission");

    let focused = desktop.run(&["snapshot"]).data();
    assert_eq!(
        (&focused["app"], &focused["window"]["id"]),
        (&"zenity".into(), &dialog.window_id().into())
    );
    assert!(tree::all(&focused["tree"]).any(|one| one["name"] == "Yes"), "{focused:#}");
    let windows = desktop.run(&["list-windows"]).data();
    let told = |title: &str| {
        let one = windows.as_array().unwrap().iter().find(|one| one["title"] == title).unwrap();
        (one["app_name"].as_str().unwrap(), one["is_focused"].as_bool().unwrap())
    };
    assert_eq!(told("Calculator"), ("gnome-calculator", false));
    assert_eq!(told("Permission"), ("zenity", true));
    // What is asked of the one is not answered by the other.
    let open = surfaces_of(&desktop, "gnome-calculator").unwrap();
    assert_eq!(open.len(), 1, "{open:?}");
    let open = surfaces_of(&desktop, "zenity").unwrap();
    assert_eq!(open.len(), 1, "{open:?}");
    let find = ["find", "--app", "gnome-calculator", "--name", "Yes", "--exact", "--count"];
    assert_eq!(desktop.run(&find).data()["count"], 0);
}

/// The open surfaces; none while the application is too busy to answer.
fn surfaces(desktop: &Desktop) -> Result<Vec<serde_json::Value>, String> {
    surfaces_of(desktop, "swatches.py")
}

fn surfaces_of(desktop: &Desktop, app: &str) -> Result<Vec<serde_json::Value>, String> {
    let listed = desktop.run(&["list-surfaces", "--app", app]).envelope();
    let open = listed["data"]["surfaces"].as_array();
    open.cloned().ok_or_else(|| listed.to_string())
}

fn press(desktop: &Desktop, key: &str) {
    let pressed = desktop.command("xdotool").args(["key", key]).status();
    assert!(pressed.expect("xdotool runs").success());
}

fn await_focus(desktop: &Desktop, title: &str) {
    wait::until(&format!("{title} to have the focus"), Duration::from_secs(20), || {
        let windows = desktop.run(&["list-windows"]).data();
        let all = windows.as_array().unwrap();
        match all.iter().find(|window| window["is_focused"] == true) {
            Some(window) if window["title"] == title => Ok(()),
            other => Err(format!("{other:?}")),
        }
    });
}
