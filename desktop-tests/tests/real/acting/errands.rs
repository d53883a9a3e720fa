//! A window made for it, once with GTK 3 and once with GTK 4: buttons that are alike in every row, a
//! password that is added to, a dialog that blocks, and what scrolls. Effects are read back by
//! libatspi and from the X server.

use std::{process::Stdio, time::Duration};

use desktop_tests::{App, Desktop, Process, tree, wait};
use serde_json::Value;

struct Errands {
    desktop: Desktop,
    app: App,
}

impl Errands {
    fn start(version: &str) -> Self {
        let desktop = Desktop::start();
        let mut python = desktop.command("/usr/bin/python3");
        python
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/programs/errands.py"))
            .arg(version)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let app =
            desktop.await_window("errands", Process::spawn(&mut python).expect("python3 runs"));
        Self { desktop, app }
    }

    fn snapshot(&self) -> Value {
        let run = self.desktop.run(&["snapshot", "--app", "errands", "-i", "--max-depth", "50"]);
        run.data()["tree"].take()
    }

    /// Whether libatspi reads that errand in the window.
    fn has(&self, errand: &str) -> bool {
        self.desktop.independent_tree(&self.app).find(|node| node.name == errand).is_some()
    }

    /// How many windows of that title the X server shows.
    fn windows(&self, title: &str) -> usize {
        let search = ["search", "--onlyvisible", "--name", title];
        let output = self.desktop.command("xdotool").args(search).output().expect("xdotool runs");
        String::from_utf8_lossy(&output.stdout).lines().count()
    }
}

/// The ref of the button that deletes `errand`.
fn delete(window: &Value, errand: &str) -> String {
    let is_it = |node: &&Value| node["name"] == "Delete" && node["within"] == errand;
    let button = tree::all(window).find(is_it);
    reference(button.unwrap_or_else(|| panic!("nothing deletes {errand} in {window:#}")))
}

fn named(window: &Value, name: &str) -> String {
    reference(tree::all(window).find(|node| node["name"] == name).expect(name))
}

fn reference(node: &Value) -> String {
    node["ref_id"].as_str().unwrap_or_else(|| panic!("no ref: {node}")).to_owned()
}

#[test]
fn of_gtk_3() {
    let errands = Errands::start("3");
    does_errands(&errands);
    let bars = || errands.desktop.said(&errands.app, "scroll bar");
    let position = || bars().iter().filter_map(|bar| bar.number).fold(0.0, f64::max);
    assert!(position().abs() < f64::EPSILON);
    let window = errands.snapshot();
    let scrolled = errands.desktop.run(&["scroll", &delete(&window, "errand 3"), "--amount", "2"]);
    let scrolled = scrolled.data();
    assert_eq!(scrolled["disposition"]["delivery"], "delivered_verified", "{scrolled:#}");
    assert_eq!(scrolled["details"]["via"]["role"], "scrollbar", "{scrolled:#}");
    assert_eq!(scrolled["steps"].as_array().unwrap().len(), 2, "{scrolled:#}");
    assert!(position() > 0.0, "as libatspi has it: {:?}", bars());
    let rest = errands.desktop.run(&["scroll", &delete(&window, "errand 3"), "--amount", "100"]);
    let rest = rest.data();
    let last = rest["steps"].as_array().unwrap().last().unwrap();
    assert_eq!(last["label"], "already at the end", "{rest:#}");
}

#[test]
fn of_gtk_4() {
    let errands = Errands::start("4");
    does_errands(&errands);
    // GTK 4.8.3 tells neither the position of a scroll bar nor lets it be set.
    let window = errands.snapshot();
    let refused = errands.desktop.run(&["scroll", &delete(&window, "errand 3")]);
    let refused = refused.error("ACTION_NOT_SUPPORTED");
    assert_eq!(refused["details"]["kind"], "capability_missing", "{refused:#}");
}

#[track_caller]
fn does_errands(errands: &Errands) {
    let desktop = &errands.desktop;
    let window = errands.snapshot();

    // The one button that is meant, of forty that are alike.
    assert!(errands.has("errand 7"));
    let deleted = desktop.run(&["click", &delete(&window, "errand 7")]).data();
    assert_eq!(deleted["disposition"]["delivery"], "delivered_verified", "{deleted:#}");
    assert!(!errands.has("errand 7"));
    assert!(errands.has("errand 6") && errands.has("errand 8"));

    // What is typed into a password goes to its end, and nobody tells what or how long it is.
    let password = tree::all(&window)
        .find(|node| node["states"].as_array().is_some_and(|all| all.contains(&"secure".into())))
        .expect("a password");
    let typed = desktop.run(&["type", &reference(password), "def"]).data();
    assert_eq!(typed["disposition"]["delivery"], "delivered_unverified", "{typed:#}");
    assert!(!typed.to_string().contains("abc") && !typed.to_string().contains("def"), "{typed:#}");
    assert_eq!(typed["post_state"]["value"], Value::Null, "{typed:#}");
    wait::until("the password", Duration::from_secs(5), || match errands.windows("^abcdef$") {
        1 => Ok(()),
        other => Err(format!("{other} windows of that title")),
    });

    // Behind a modal dialog nothing is done.
    let asked = desktop.run(&["click", &named(&window, "Ask"), "-w", "button:No"]).data();
    assert_eq!(errands.windows("Really"), 1, "{asked:#}");
    let line = ["click", &delete(&window, "errand 9"), "--timeout-ms", "700"];
    let blocked = desktop.run(&line).error("ACTION_FAILED");
    let checks = blocked["details"]["checks"].as_array().unwrap();
    let check = checks.iter().find(|check| check["check"] == "receives_events").unwrap();
    assert_eq!(check["occluder"]["name"], "Really?", "{blocked:#}");
    assert!(errands.has("errand 9"));
    let no = named(&asked["tree"], "No");
    desktop.run(&["click", &no, "--wait-for-gone", "button:No"]).data();
    assert_eq!(errands.windows("Really"), 0);
    desktop.run(&["click", &delete(&window, "errand 9")]).data();
    assert!(!errands.has("errand 9"));
}
