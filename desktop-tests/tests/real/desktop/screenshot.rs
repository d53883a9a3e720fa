//! Pictures: pixel by pixel what xwd sees, of windows also where they are covered or off the screen.

use std::{fs, process::Stdio, time::Duration};

use desktop_tests::{App, Desktop, Picture, Process, wait};
use serde_json::{Value, json};

const SWATCHES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/programs/swatches.py");
const SOON: Duration = Duration::from_secs(20);

/// The picture that a command takes, with its answer.
#[track_caller]
fn shot(desktop: &Desktop, flags: &[&str]) -> (Picture, Value) {
    let file = desktop.state_root().join("shot.png");
    // Pictures take long where nothing is optimised and the machine is busy.
    let patience = ["--timeout-ms", "30000"];
    let line = [&["screenshot", file.to_str().unwrap()], flags, &patience].concat();
    let data = desktop.run(&line).data();
    let picture = Picture::of_png(&fs::read(&file).unwrap());
    let [width, height] = picture.size();
    assert_eq!((&data["width"], &data["height"]), (&json!(width), &json!(height)));
    assert_eq!(data["path"], file.to_str().unwrap());
    (picture, data)
}

fn swatches(desktop: &Desktop, toolkit: &str, switches: &[&str]) -> App {
    desktop.launch("/usr/bin/python3", &[&[SWATCHES, toolkit][..], switches].concat())
}

/// A window of a program without accessibility, on top of the others.
struct Plain<'a> {
    desktop: &'a Desktop,
    process: Process,
    xid: String,
}

impl<'a> Plain<'a> {
    fn start(desktop: &'a Desktop, program: &str) -> Self {
        let mut command = desktop.command(program);
        command.args(["-geometry", "200x150+1500+800"]);
        let process = Process::spawn(&mut command).unwrap();
        let xid = wait::until("a window of it", SOON, || {
            let ids = xdotool(desktop, &["search", "--onlyvisible", "--class", program]);
            if ids.lines().count() == 1 { Ok(ids) } else { Err(ids) }
        });
        let plain = Self { desktop, process, xid };
        xdotool(desktop, &["windowraise", &plain.xid]);
        plain
    }

    fn id(&self) -> String {
        format!("w-x11-{}", self.xid)
    }

    fn place(&self, x: i32, y: i32) {
        let [x, y] = [x, y].map(|number| number.to_string());
        xdotool(self.desktop, &["windowmove", "--sync", &self.xid, &x, &y]);
    }
}

fn xdotool(desktop: &Desktop, arguments: &[&str]) -> String {
    let output = desktop.command("xdotool").args(arguments).stderr(Stdio::null()).output();
    String::from_utf8(output.unwrap().stdout).unwrap().trim().to_owned()
}

fn bounds(data: &Value) -> [i32; 4] {
    ["x", "y", "width", "height"].map(|key| data[key].as_i64().unwrap().try_into().unwrap())
}

/// What xwd sees of the screen, once it stays the same.
fn still(desktop: &Desktop) -> Picture {
    let mut last = desktop.picture();
    wait::until("the screen to stand still", SOON, || {
        std::thread::sleep(Duration::from_millis(300));
        let now = desktop.picture();
        let before = std::mem::replace(&mut last, now.clone());
        if before == now { Ok(now) } else { Err("it changes".to_owned()) }
    })
}

#[test]
fn the_screen_is_what_xwd_sees() {
    let desktop = Desktop::start();
    let app = swatches(&desktop, "gtk3", &[]);
    let seen = still(&desktop);
    let (whole, data) = shot(&desktop, &[]);
    assert_eq!(whole.differing(&seen), 0);
    assert_eq!((&data["scale_factor"], &data["format"]), (&json!(1.0), &json!("png")));
    assert_eq!(bounds(&data["bounds"]), [0, 0, 1920, 1080]);
    assert_eq!(shot(&desktop, &["--screen", "0"]).0.differing(&seen), 0);
    desktop.run(&["screenshot", "--screen", "1"]).error("INVALID_ARGS");

    // Without a file the answer holds it.
    let data = desktop.run(&["screenshot", "--window-id", &app.window_id()]).data();
    let file = desktop.state_root().join("text");
    fs::write(&file, data["data"].as_str().unwrap()).unwrap();
    let decoded = desktop.command("base64").arg("-d").arg(&file).output().unwrap();
    let part = seen.part(bounds(&data["bounds"]));
    assert_eq!(Picture::of_png(&decoded.stdout).differing(&part), 0);

    let (small, data) = shot(&desktop, &["--max-size", "480"]);
    assert_eq!((small.size(), &data["scale_factor"]), ([480, 270], &json!(0.25)));
    // A button is as large as four of its pixels at least, so its middle keeps its colour.
    let [left, top, width, height] = seen.area_of(0xDC143C).unwrap();
    let middle = |start: i32, length: i32| usize::try_from((start + length / 2) / 4).unwrap();
    assert_eq!(small.at(middle(left, width), middle(top, height)), 0xDC143C);
    // What cannot be written leaves nothing behind.
    let missing = desktop.state_root().join("missing/shot.png");
    desktop.run(&["screenshot", missing.to_str().unwrap()]).error("INVALID_ARGS");
}

#[test]
fn a_covered_window_is_pictured_as_one_that_is_not() {
    let desktop = Desktop::start();
    // xeyes is no rectangle, so that not all of what it is in front of is covered.
    for (toolkit, switches, cover) in [
        ("gtk3", &["headerbar"][..], "xlogo"),
        ("gtk4", &["headerbar"], "xeyes"),
        ("qt5", &[], "xlogo"),
        ("qt6", &[], "xeyes"),
    ] {
        let app = swatches(&desktop, toolkit, switches);
        let cover = Plain::start(&desktop, cover);
        app.settle();
        let id = app.window_id();
        let flags = ["--window-id", id.as_str()];
        let seen = still(&desktop);
        let (open, data) = shot(&desktop, &flags);
        let place = bounds(&data["bounds"]);
        assert_eq!(open.differing(&seen.part(place)), 0, "{toolkit}");
        assert_eq!(data["window"]["id"], *id);

        let focus = || xdotool(&desktop, &["getactivewindow", "getwindowfocus"]);
        let focused = focus();
        cover.place(place[0] + 20, place[1] + 40);
        let before = still(&desktop);
        assert_ne!(before.part(place).differing(&open), 0, "it is not covered");
        assert_eq!(shot(&desktop, &flags).0.differing(&open), 0, "{toolkit}, covered");
        // Nothing of it was to be seen, and nobody has another focus.
        assert_eq!(still(&desktop).differing(&before), 0, "{toolkit}");
        assert_eq!(focus(), focused);

        cover.place(1500, 800);
        let move_to = ["move-window", "--window-id", &id, "--x=-111", "--y=950"];
        desktop.run(&move_to).data();
        app.settle();
        assert_eq!(shot(&desktop, &flags).0.differing(&open), 0, "{toolkit}, off the screen");
    }
}

#[test]
fn a_compositing_manager_has_the_whole_window_already() {
    let desktop = Desktop::start();
    let _compositor = Process::spawn(&mut desktop.command("xcompmgr")).unwrap();
    let app = swatches(&desktop, "gtk3", &[]);
    let logo = Plain::start(&desktop, "xlogo");
    logo.place(100, 100);
    let cover = Plain::start(&desktop, "xeyes");
    app.settle();
    for id in [app.window_id(), logo.id()] {
        let flags = ["--window-id", id.as_str()];
        let seen = still(&desktop);
        let (open, data) = shot(&desktop, &flags);
        let place = bounds(&data["bounds"]);
        assert_eq!(open.differing(&seen.part(place)), 0, "{id}");
        cover.place(place[0] + 20, place[1] + 40);
        assert_eq!(shot(&desktop, &flags).0.differing(&open), 0, "{id}");
        // Not even the application is needed.
        let _stopped = (id == logo.id()).then(|| logo.process.stop());
        assert_eq!(shot(&desktop, &flags).0.differing(&open), 0, "{id}");
        cover.place(1500, 800);
    }
}

#[test]
fn what_is_not_drawn_is_refused_and_not_made_up() {
    let desktop = Desktop::start();
    let logo = Plain::start(&desktop, "xlogo");
    logo.place(500, 300);
    let cover = Plain::start(&desktop, "xcalc");
    let id = logo.id();
    let flags = ["--window-id", id.as_str()];
    let seen = still(&desktop);
    let (open, data) = shot(&desktop, &flags);
    let place = bounds(&data["bounds"]);
    cover.place(place[0] + 20, place[1] + 40);
    let stopped = logo.process.stop();
    let covered = still(&desktop);
    let outcome = desktop.run(&["screenshot", "--window-id", &id]);
    let error = outcome.on_time(Duration::from_secs(5)).error("APP_UNRESPONSIVE");
    assert!(error["message"].as_str().unwrap().contains("did not draw"), "{error}");
    // What was tried was not to be seen, and leaves no traces.
    assert_eq!(still(&desktop).differing(&covered), 0);
    drop(stopped);
    cover.place(1500, 800);
    wait::until("the window to be drawn", SOON, || match desktop.picture().differing(&seen) {
        0 => Ok(()),
        differing => Err(format!("{differing} pixels differ")),
    });
    assert_eq!(shot(&desktop, &flags).0.differing(&open), 0);
    desktop.run(&["minimize", "--window-id", &id]).data();
    let error = desktop.run(&["screenshot", "--window-id", &id]).error("ACTION_FAILED");
    assert!(error["suggestion"].as_str().unwrap().contains("`restore --window-id"), "{error}");
}

#[test]
fn refs_are_drawn_where_their_elements_are_now() {
    let desktop = Desktop::start();
    let app = swatches(&desktop, "gtk3", &[]);
    let snapshot = desktop.run(&["snapshot", "--window-id", &app.window_id(), "-i"]).data();
    let id = snapshot["snapshot_id"].as_str().unwrap();
    // Neither of these places is that of the snapshot.
    let move_to = ["move-window", "--window-id", &app.window_id(), "--x=31", "--y=57"];
    desktop.run(&move_to).data();
    app.settle();
    let check = |flags: &[&str], scale: f64| {
        let (picture, data) = shot(&desktop, flags);
        let [left, top, ..] = bounds(&data["bounds"]);
        let refs = data["refs"].as_array().unwrap();
        assert_eq!(refs.len() as u64, snapshot["ref_count"].as_u64().unwrap(), "{data}");
        assert!(refs.len() >= 4 && data.get("unplaced").is_none(), "{data}");
        for drawn in refs {
            let reference = drawn["ref_id"].as_str().unwrap();
            assert!(reference.starts_with(&format!("@{id}:e")), "{reference}");
            let told = desktop.run(&["get", reference, "--property", "bounds"]).data();
            let [x, y, width, height] = bounds(&told["value"]);
            let edge = |at: i32| (f64::from(at) * scale).round() as i32;
            let wanted =
                [edge(x - left), edge(y - top), edge(x - left + width), edge(y - top + height)];
            let [x, y, width, height] = bounds(&drawn["bounds"]);
            assert_eq!([x, y, x + width, y + height], wanted, "{reference}");
            // The box ends in its lower right corner, in a colour that the button has not.
            let corner = picture.at((x + width - 1) as usize, (y + height - 1) as usize);
            let inside = picture.at((x + width - 4) as usize, (y + height - 4) as usize);
            assert_ne!(corner, inside, "{reference}");
        }
    };
    check(&["--overlay-refs"], 1.0);
    check(&[&format!("--overlay-refs={id}"), "--screen", "0"], 1.0);
    let scale = {
        let (_, data) = shot(&desktop, &["--overlay-refs", "--max-size", "250"]);
        data["scale_factor"].as_f64().unwrap()
    };
    check(&["--overlay-refs", "--max-size", "250"], scale);

    let other = swatches(&desktop, "gtk3", &["title=Other"]);
    let mismatch = ["screenshot", "--overlay-refs", "--window-id", &other.window_id()];
    desktop.run(&mismatch).error("INVALID_ARGS");
    desktop.run(&["screenshot", "--overlay-refs=nosuch"]).error("SNAPSHOT_NOT_FOUND");
    desktop.run(&["screenshot", "--overlay-refs=a/b"]).error("INVALID_ARGS");
    drop(app);
    wait::until("the window to be gone", SOON, || {
        let gone = desktop.run(&["screenshot", "--overlay-refs"]).envelope();
        match gone["error"]["code"].as_str() {
            Some("WINDOW_NOT_FOUND") => Ok(()),
            _ => Err(gone.to_string()),
        }
    });
}
