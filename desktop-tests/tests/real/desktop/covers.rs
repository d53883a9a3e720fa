//! What lies over an element in the same window gets no click that is meant for it. Each program and
//! page says itself what it was told of.

use std::{path::Path, process::Stdio};

use desktop_tests::{
    App, Desktop, Process,
    web::{Browser, Kind, Server},
};
use serde_json::{Value, json};

/// A window with buttons, of which some are covered; see `programs/covers.py`.
struct Covers {
    desktop: Desktop,
    app: Shown,
    /// Whether it is known where clicks go through what is drawn over Seen.
    sees_through: bool,
}

enum Shown {
    Program(App),
    Page(Browser),
}

impl Covers {
    fn of(program: &str, arguments: &[&str]) -> Self {
        let desktop = Desktop::start();
        let mut command = desktop.command(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let process = Process::spawn(&mut command).expect("it runs");
        let app = Shown::Program(desktop.await_window("a window with covers", process));
        Self { desktop, app, sees_through: false }
    }

    fn python(toolkit: &str) -> Self {
        let program = concat!(env!("CARGO_MANIFEST_DIR"), "/programs/covers.py");
        Self::of("/usr/bin/python3", &["-W", "ignore", program, toolkit])
    }

    fn page(kind: Kind, flags: &[&str]) -> Self {
        let (desktop, server) = (Desktop::start(), Server::start());
        let browser = Browser::start(&desktop, kind, flags, &server.url("covers.html"));
        Self { desktop, app: Shown::Page(browser), sees_through: true }
    }

    fn window(&self) -> String {
        match &self.app {
            Shown::Program(app) => app.window_id(),
            Shown::Page(browser) => browser.app.window_id(),
        }
    }

    /// What was told of a click so far, in order.
    fn got(&mut self) -> Value {
        self.ask("got")
    }

    fn ask(&mut self, line: &str) -> Value {
        match &mut self.app {
            Shown::Program(app) => serde_json::from_str(&app.process.ask(line)).unwrap(),
            Shown::Page(browser) => {
                browser.evaluate(&format!("late.hidden = late.hidden && '{line}' !== 'late'"));
                browser.evaluate("got")
            }
        }
    }

    fn button(&self, name: &str) -> String {
        let window = self.window();
        let what = ["--role", "button", "--name", name, "--exact"];
        super::pointer::find(&self.desktop, &window, &what)
    }

    fn headed(&self, line: &[&str]) -> Value {
        self.desktop.run(&[&["--headed"], line].concat()).data()
    }

    /// The refusal of `line`, of which nothing arrived.
    fn refused(&mut self, line: &[&str]) -> Value {
        let before = self.got();
        let line = [&["--headed"], line, &["--timeout-ms", "4000"]].concat();
        let refused = self.desktop.run(&line).error("ACTION_FAILED");
        assert_eq!(refused["disposition"]["delivery"], "not_delivered", "{refused:#}");
        assert_eq!(self.got(), before, "{refused:#}");
        refused
    }

    /// By what a click on the button is said to be kept from it.
    fn cover(&mut self, name: &str) -> Value {
        let button = self.button(name);
        let refused = self.refused(&["click", &button]);
        let checks = refused["details"]["checks"].as_array().expect("checks").clone();
        let check = checks.into_iter().find(|check| check["check"] == "receives_events").unwrap();
        assert_eq!(check["status"], "fail", "{refused:#}");
        check["occluder"].clone()
    }
}

fn nothing_that_is_covered_is_clicked(mut covers: Covers) {
    assert_eq!(covers.cover("Under")["name"], "Over");
    let behind = covers.cover("Behind");
    assert_eq!(behind["role"], "group", "{behind:#}");
    assert!(covers.cover("Noted").is_object());

    let under = covers.button("Under");
    for line in [
        &["right-click", under.as_str()][..],
        &["double-click", &under],
        &["hover", &under],
        &["scroll", &under],
        &["drag", "--from", &under, "--to-xy", "5,5"],
        &["drag", "--from", &covers.button("Plain"), "--to", &under],
    ] {
        let refused = covers.refused(line);
        assert!(refused["message"].as_str().unwrap().contains("Over"), "{refused:#}");
    }
    let scrolled_out = covers.button("Second");
    let refused = covers.refused(&["click", &scrolled_out]);
    assert!(refused["suggestion"].as_str().unwrap().contains("scroll-to"), "{refused:#}");

    let mut wanted = Vec::new();
    for name in ["Plain", "Over", "Late", "First"] {
        let clicked = covers.headed(&["click", &covers.button(name)]);
        assert!(clicked["details"]["receives_events"].is_null(), "{clicked:#}");
        wanted.push(name);
        assert_eq!(covers.got(), json!(wanted));
    }
    if covers.sees_through {
        covers.headed(&["click", &covers.button("Seen")]);
        wanted.push("Seen");
    } else {
        covers.cover("Seen");
    }
    assert_eq!(covers.ask("late"), json!(wanted));
    assert_eq!(covers.cover("Late")["name"], "Latecomer");
}

#[test]
fn gtk3() {
    nothing_that_is_covered_is_clicked(Covers::python("gtk3"));
}

#[test]
fn gtk4() {
    let covers = Covers::python("gtk4");
    nothing_that_is_covered_is_clicked(Covers { sees_through: true, ..covers });
}

#[test]
fn qt5() {
    nothing_that_is_covered_is_clicked(Covers::python("qt5"));
}

#[test]
fn qt6() {
    nothing_that_is_covered_is_clicked(Covers::python("qt6"));
}

#[test]
fn swing() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/Covers.java");
    let wrapper = [
        "-Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility.AtkWrapper",
        "-Xbootclasspath/a:/usr/share/java/java-atk-wrapper.jar",
        program.to_str().expect("a path in UTF-8"),
    ];
    nothing_that_is_covered_is_clicked(Covers::of("java", &wrapper));
}

#[test]
fn chromium() {
    nothing_that_is_covered_is_clicked(Covers::page(Kind::Chromium, &[]));
}

#[test]
fn chromium_in_twice_the_scale() {
    let scale = ["--force-device-scale-factor=2"];
    nothing_that_is_covered_is_clicked(Covers::page(Kind::Chromium, &scale));
}

#[test]
fn firefox() {
    nothing_that_is_covered_is_clicked(Covers::page(Kind::Firefox, &[]));
}

/// What an author hides from the accessibility tree, such as the backdrop of a dialog, and what a style
/// draws gets clicks all the same. Firefox 153 does not tell of it.
#[test]
fn what_is_in_no_tree_covers_in_chromium() {
    let mut covers = Covers::page(Kind::Chromium, &[]);
    for name in ["Veiled", "Styled"] {
        covers.cover(name);
    }
    covers.headed(&["click", &covers.button("Plain")]);
    assert_eq!(covers.got(), json!(["Plain"]));
}

/// Nothing tells of the tabs and tool bars of a browser, which are no page.
#[test]
fn what_is_not_known_is_said() {
    let covers = Covers::page(Kind::Chromium, &[]);
    let reload = covers.button("Reload");
    let hovered = covers.headed(&["hover", &reload]);
    assert_eq!(hovered["details"]["receives_events"], "unknown", "{hovered:#}");
    let plain = covers.headed(&["hover", &covers.button("Plain")]);
    assert!(plain["details"]["receives_events"].is_null(), "{plain:#}");
}
