//! Bounds are pixels of the screen: the rectangle that is told of a button is the one that is
//! drawn in its colour, whatever the toolkit, the scale and the place of the window.

use std::{collections::BTreeMap, fs, time::Duration};

use desktop_tests::{App, Desktop, Process, tree, wait};

/// The buttons of the window and of the page, each of one colour all over.
const COLOURS: [(&str, u32); 4] =
    [("crimson", 0xDC143C), ("lime", 0x32FF32), ("royal", 0x4169E1), ("gold", 0xFFD700)];

const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/programs/swatches.py");

#[test]
fn buttons_of_toolkits_are_where_they_are_drawn() {
    let desktop = Desktop::start();
    // Toolkit with its switches, variables, and how far buttons may be off.
    for (arguments, variables) in [
        (&["gtk3"][..], &[][..]),
        (&["gtk3", "headerbar"], &[("GDK_SCALE", "2")]),
        (&["gtk4"], &[("GDK_SCALE", "2")]),
        (&["gtk4", "headerbar"], &[]),
        (&["qt5"], &[("QT_SCALE_FACTOR", "2")]),
        (&["qt5", "maximized"], &[]),
        (&["qt6"], &[("QT_SCALE_FACTOR", "1.25")]),
    ] {
        let _app = start(&desktop, arguments, variables);
        let what = format!("{arguments:?} with {variables:?}");
        compare(&desktop, "swatches.py", &what, 0);
        if !arguments.contains(&"maximized") {
            move_window(&desktop, "-133", "701");
            compare(&desktop, "swatches.py", &format!("{what}, partly off the screen"), 0);
        }
    }
}

#[test]
fn shadows_that_an_application_draws_are_no_part_of_its_window() {
    let desktop = Desktop::start();
    // Under a manager that knows them, GTK draws shadows once something composes the screen.
    let mut support = desktop.command("xprop");
    let property = ["-f", "_NET_SUPPORTED", "32a", "-set", "_NET_SUPPORTED", "_GTK_FRAME_EXTENTS"];
    assert!(support.arg("-root").args(property).status().expect("xprop runs").success());
    let _compositor = Process::spawn(&mut desktop.command("xcompmgr")).expect("xcompmgr starts");
    for (toolkit, scale) in [("gtk3", "2"), ("gtk4", "1"), ("gtk4", "2")] {
        let _app = start(&desktop, &[toolkit, "headerbar"], &[("GDK_SCALE", scale)]);
        compare(&desktop, "swatches.py", &format!("{toolkit} at scale {scale}"), 0);
        let window = desktop.run(&["list-windows"]).data()[0]["bounds"].clone();
        let [width, height] = ["width", "height"].map(|side| window[side].as_i64().unwrap());
        // The window's own content is 300 by 220 and a header bar.
        let scale: i64 = scale.parse().unwrap();
        assert!((300 * scale..=370 * scale).contains(&width), "{toolkit}: {window}");
        assert!((250 * scale..=300 * scale).contains(&height), "{toolkit}: {window}");
    }
}

#[test]
fn elements_of_pages_are_where_they_are_drawn() {
    let desktop = Desktop::start();
    let page = desktop.state_root().join("page.html");
    let mut text = String::from(
        "<!doctype html><title>Swatches</title><style>\
         button { display: block; border: 0; margin: 7px; overflow: hidden }</style>",
    );
    for (at, (name, colour)) in COLOURS.iter().enumerate() {
        let (width, height) = (31 + 20 * at, 33 + 2 * at);
        text += &format!(
            "<button style='width:{width}px; height:{height}px; background:#{colour:06x}; \
             color:#{colour:06x}'>{name}</button>"
        );
    }
    fs::write(&page, text).unwrap();
    let page = format!("file://{}", page.display());
    let profile = desktop.state_root().join("profile");
    fs::create_dir(&profile).unwrap();
    let profile = profile.to_str().unwrap();

    let chromium = [
        "--no-sandbox",
        "--no-first-run",
        "--force-renderer-accessibility",
        "--force-device-scale-factor=2",
        &format!("--user-data-dir={profile}/chromium"),
        &page,
    ];
    let app = desktop.launch("chromium", &chromium);
    compare(&desktop, "Chromium", "Chromium at scale 2", 1);
    // What is around the page has another scale.
    let reload = every_bounds(&desktop, "Chromium").unwrap()["Reload"];
    assert!(reload[2] > 50 && reload[1] > 60, "{reload:?}");
    drop(app);

    let mut firefox = desktop.command("firefox-esr");
    firefox.args(["--profile", profile, "--no-remote", &page]).env("GDK_SCALE", "2");
    let _app = desktop.await_window("firefox", Process::spawn(&mut firefox).unwrap());
    compare(&desktop, "Firefox", "Firefox at scale 2", 1);
}

fn start(desktop: &Desktop, arguments: &[&str], variables: &[(&str, &str)]) -> App {
    let mut command = desktop.command("/usr/bin/python3");
    command.arg(PROGRAM).args(arguments).envs(variables.iter().copied());
    command.stderr(std::process::Stdio::null());
    desktop.await_window("the swatches", Process::spawn(&mut command).unwrap())
}

fn move_window(desktop: &Desktop, x: &str, y: &str) {
    let mut xdotool = desktop.command("xdotool");
    xdotool.args(["search", "--onlyvisible", "--name", "Swatches", "windowmove", "--", x, y]);
    assert!(xdotool.output().expect("xdotool runs").status.success());
}

/// Waits until what is told and what is drawn agree; a window is drawn when it gets to it.
#[track_caller]
fn compare(desktop: &Desktop, name: &str, what: &str, tolerance: i32) {
    wait::until(&format!("the bounds of {what}"), Duration::from_secs(60), || {
        let all = every_bounds(desktop, name)?;
        let picture = desktop.picture();
        for (name, colour) in COLOURS {
            let told = *all.get(name).ok_or_else(|| format!("no bounds of {name}"))?;
            let drawn = picture.area_of(colour);
            let near = match (picture.visible_part(told), drawn) {
                (Some(told), Some(drawn)) => {
                    told.iter().zip(drawn).all(|(told, drawn)| (told - drawn).abs() <= tolerance)
                }
                (told, drawn) => told == drawn,
            };
            if !near {
                return Err(format!("{name}: told {told:?}, drawn {drawn:?}"));
            }
        }
        Ok(())
    });
}

/// The bounds of everything that has a name.
fn every_bounds(desktop: &Desktop, app: &str) -> Result<BTreeMap<String, [i32; 4]>, String> {
    let run = desktop.run(&["snapshot", "--app", app, "--max-depth", "50", "--include-bounds"]);
    let envelope = run.envelope();
    if envelope["ok"] == false {
        return Err(envelope["error"].to_string());
    }
    let named = tree::all(&envelope["data"]["tree"]).filter_map(|node| {
        let sides = ["x", "y", "width", "height"];
        let sides = sides.map(|side| node["bounds"][side].as_i64().map(|side| side as i32));
        let [Some(x), Some(y), Some(width), Some(height)] = sides else { return None };
        Some((node["name"].as_str()?.to_owned(), [x, y, width, height]))
    });
    Ok(named.collect())
}
