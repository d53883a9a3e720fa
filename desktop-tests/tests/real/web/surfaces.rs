//! What opens in a browser, of the page's and of its own, is found, read on its own and operated.

use std::time::Duration;

use desktop_tests::{
    Desktop, tree, wait,
    web::{Browser, Kind, Server},
};
use serde_json::Value;

fn what_opens_is_a_surface(kind: Kind) {
    let desktop = Desktop::start();
    let server = Server::start();
    let mut browser = Browser::start(&desktop, kind, &[], &server.url("asking.html"));
    assert_eq!(open(&desktop, &browser), Vec::<&str>::new(), "at first");

    desktop.press(&browser.app, "combo box", "Colour");
    let list = read_surface(&desktop, &browser, "menu", "Green");
    let items: Vec<&Value> = tree::all(&list).skip(1).map(|item| &item["name"]).collect();
    assert_eq!(items, ["Red", "Green", "Blue"], "{list:#}");
    press(&desktop, "Escape");
    closes(&desktop, &browser, "menu");

    // The page's own, then one that the browser asks for the page.
    click(&desktop, &browser, &[], "Ask in the page");
    read_surface(&desktop, &browser, "sheet", "Really everything?");
    click(&desktop, &browser, &["--surface", "sheet"], "Close it");
    closes(&desktop, &browser, "sheet");

    let behind = reference_of(&desktop, &browser, &[], "Ask in the page");
    click(&desktop, &browser, &[], "Ask");
    read_surface(&desktop, &browser, "sheet", "Delete everything?");
    let refused = desktop.run(&["click", &behind, "--timeout-ms", "1000"]).envelope();
    assert_eq!(refused["error"]["disposition"]["delivery"], "not_delivered", "{refused:#}");
    if kind == Kind::Firefox {
        assert!(refused.to_string().contains("says: Delete everything?"), "{refused:#}");
    }
    answers(&desktop, &browser, "OK");
    assert_eq!(browser.evaluate("document.title"), "Deleted");

    press(&desktop, "alt+f");
    read_surface(&desktop, &browser, "menu", "New tab");
    press(&desktop, "Escape");
    closes(&desktop, &browser, "menu");

    if kind == Kind::Chromium {
        // It stands in the window that it is about, and beside it.
        press(&desktop, "F7");
        read_surface(&desktop, &browser, "sheet", "caret browsing");
        assert_eq!(open(&desktop, &browser), ["sheet"]);
        press(&desktop, "Escape");
        closes(&desktop, &browser, "sheet");
    }
}

#[test]
fn what_opens_in_chromium_is_a_surface() {
    what_opens_is_a_surface(Kind::Chromium);
}

#[test]
fn what_opens_in_firefox_is_a_surface() {
    what_opens_is_a_surface(Kind::Firefox);
}

/// Waits until a surface of that kind is open, and reads it: it holds that, and not what is behind.
#[track_caller]
fn read_surface(desktop: &Desktop, browser: &Browser, kind: &str, holds: &str) -> Value {
    let app = name(browser);
    let what = format!("a {kind} with {holds:?}");
    let top = wait::until(&what, Duration::from_secs(30), || {
        let read = desktop.run(&["snapshot", "--app", app, "--surface", kind]);
        let mut envelope = read.envelope();
        let top = envelope["data"]["tree"].take();
        let says = |node: &Value| {
            ["name", "value"].iter().any(|field| {
                let said = node[*field].as_str().unwrap_or_default().to_lowercase();
                said.contains(&holds.to_lowercase())
            })
        };
        if tree::all(&top).any(says) { Ok(top) } else { Err(read.to_string()) }
    });
    assert!(!top.to_string().contains("Behind everything"), "{top:#}");
    let find = ["find", "--app", app, "--surface", kind, "--text", holds, "--count"];
    assert_ne!(desktop.run(&find).data()["count"], 0, "{what}");
    assert!(open(desktop, browser).iter().any(|one| one == kind), "{what}");
    top
}

/// Clicks the button of that name.
#[track_caller]
fn click(desktop: &Desktop, browser: &Browser, surface: &[&str], button: &str) {
    desktop.run(&["click", &reference_of(desktop, browser, surface, button)]).data();
}

/// The ref of the button of that name.
#[track_caller]
fn reference_of(desktop: &Desktop, browser: &Browser, surface: &[&str], button: &str) -> String {
    let app = ["--app", name(browser), "--role", "button", "--name", button];
    let find = [&["find"][..], &app, &["--exact", "--first"], surface].concat();
    let found = desktop.run(&find).data();
    found["match"]["ref_id"].as_str().unwrap_or_else(|| panic!("{found:#}")).to_owned()
}

/// Answers what the browser asks. Chromium takes no answer in the first half second, in which
/// nobody has read the question.
#[track_caller]
fn answers(desktop: &Desktop, browser: &Browser, button: &str) {
    wait::until("an answer that is taken", Duration::from_secs(30), || {
        let app = ["--app", name(browser), "--surface", "sheet", "--role", "button"];
        let find = [&["find"][..], &app, &["--name", button, "--exact", "--first"]].concat();
        let found = desktop.run(&find).envelope();
        match found["data"]["match"]["ref_id"].as_str() {
            Some(reference) => {
                desktop.run(&["click", reference]);
                Err("it was there to be asked".to_owned())
            }
            None => Ok(()),
        }
    });
    closes(desktop, browser, "sheet");
}

/// Waits until no surface of that kind is open.
#[track_caller]
fn closes(desktop: &Desktop, browser: &Browser, kind: &str) {
    wait::until(&format!("the {kind} to close"), Duration::from_secs(30), || {
        let open = open(desktop, browser);
        if open.iter().all(|one| one != kind) { Ok(()) } else { Err(format!("{open:?}")) }
    });
    browser.app.settle();
}

/// The kinds of what is open besides the window and bars of the browser.
fn open(desktop: &Desktop, browser: &Browser) -> Vec<String> {
    let listed = desktop.run(&["list-surfaces", "--app", name(browser)]).envelope();
    let surfaces = listed["data"]["surfaces"].as_array();
    let kinds = surfaces.into_iter().flatten().map(|one| one["type"].as_str().unwrap().to_owned());
    let mut kinds: Vec<String> =
        kinds.filter(|kind| kind != "menubar" && kind != "alert").collect();
    if let Some(window) = kinds.iter().position(|kind| kind == "window") {
        kinds.remove(window);
    }
    kinds
}

fn name(browser: &Browser) -> &'static str {
    if browser.kind() == Kind::Chromium { "chromium" } else { "firefox" }
}

fn press(desktop: &Desktop, keys: &str) {
    let pressed = desktop.command("xdotool").args(["key", keys]).status();
    assert!(pressed.expect("xdotool runs").success());
}
