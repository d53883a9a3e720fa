//! Clicks by refs whose address has come to mean another element meanwhile. Each lands on the
//! element that the ref was made for, or is refused with nothing sent; who was hit is told by the
//! application, the page or libatspi.

use std::{collections::BTreeMap, fs, time::Duration};

use desktop_tests::{
    App, Desktop,
    applications::turns,
    reader::Node,
    tree, wait,
    web::{Browser, Kind, Server},
};
use rustix::process::Signal;
use serde_json::{Value, json};

/// Qt 5.15.8 gives the path of a closed tab to the next one.
#[test]
fn tabs_of_featherpad_are_clicked() {
    let desktop = Desktop::start();
    let directory = desktop.state_root().join("../home");
    let files = ["a.txt", "b.txt", "c.txt"].map(|name| {
        let path = directory.join(name);
        fs::write(&path, name).unwrap();
        path.display().to_string()
    });
    let app = desktop.launch("featherpad", &files.each_ref().map(String::as_str));
    wait::until("three tabs", Duration::from_secs(30), || {
        if desktop.has(&app, "c.txt", "visible") { Ok(()) } else { Err("not yet".into()) }
    });
    app.settle();
    turns::press(&desktop, &app, ("page tab", "a.txt"), ("a.txt", "focused"));
    let refs: BTreeMap<String, String> = ["a.txt", "b.txt", "c.txt"]
        .map(|name| (name.to_owned(), find(&desktop, &app, "tab", name)))
        .into();
    turns::press_away(&desktop, &app, ("menu item", "Close"), ("a.txt", "visible"));
    let mut hits = 0;
    for (name, reference) in &refs {
        let answer = desktop.run(&["click", reference]).envelope();
        if is_refused(&answer) {
            continue;
        }
        assert_eq!(answer["data"]["disposition"]["delivery"], "delivered_verified", "{answer:#}");
        assert_ne!(name, "a.txt", "what was closed was clicked: {answer:#}");
        let current = |node: &Node| node.role_name == "page tab" && node.is("focused");
        let tree = desktop.independent_tree(&app);
        let current = tree.find(|node| current(node)).map(|tab| tab.raw_name.clone());
        assert_eq!(current.as_deref(), Some(&**name), "another tab was clicked: {answer:#}");
        hits += 1;
    }
    println!("tabs of FeatherPad: {hits} of 2 hit, the others refused");
}

/// The only Delete of a page moves to another row, and keeps path, role and name.
#[test]
fn a_moving_button_is_clicked() {
    for kind in Kind::ALL {
        let desktop = Desktop::start();
        let server = Server::start();
        let mut browser = Browser::start(&desktop, kind, &[], &server.url("rows.html?1"));
        browser.evaluate(
            "void (window.clicked = [], addEventListener('click', \
             event => clicked.push(event.target.dataset.secret ?? null), true))",
        );
        let delete = find(&desktop, &browser.app, "button", "Delete");
        browser.evaluate(
            "void document.querySelector('#food .slot')\
             .append(document.querySelector('[data-secret=first]'))",
        );
        browser.app.settle();
        let answer = desktop.run(&["click", &delete]).envelope();
        assert!(is_refused(&answer), "{kind:?}: {answer:#}");
        assert_eq!(browser.evaluate("clicked"), json!([]), "{kind:?}");

        let again = find(&desktop, &browser.app, "button", "Delete");
        let answer = desktop.run(&["click", &again]).envelope();
        assert_eq!(answer["ok"], true, "{kind:?}: {answer:#}");
        wait::until("the click", Duration::from_secs(10), || {
            let clicked = browser.evaluate("clicked");
            if clicked == json!(["first"]) { Ok(()) } else { Err(clicked.to_string()) }
        });
    }
}

/// GTK 4.8.3 keeps the widgets of a list and gives them other rows.
#[test]
fn buttons_in_recycled_rows_are_clicked() {
    let desktop = Desktop::start();
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/programs/recycling.py");
    let log = desktop.state_root().join("deleted");
    let app = desktop.launch("/usr/bin/python3", &[program, log.to_str().unwrap()]);
    let whole =
        desktop.run(&["snapshot", "--window-id", &app.window_id(), "--max-depth", "50"]).data();
    // The ref of each button, by the label of its row.
    let mut refs = BTreeMap::new();
    let mut row = String::new();
    for node in tree::all(&whole["tree"]) {
        match (node["name"].as_str().unwrap_or_default(), node["ref_id"].as_str()) {
            (name, _) if name.starts_with("row ") => row = name.to_owned(),
            ("Delete", Some(reference)) => {
                refs.insert(row.clone(), reference.to_owned());
            }
            _ => {}
        }
    }
    let deleted = || fs::read_to_string(&log).unwrap_or_default();
    let (first, reference) = refs.iter().next().expect("a button");
    desktop.run(&["click", reference]).data();
    wait::until("the click", Duration::from_secs(10), || match deleted().trim_end() {
        now if now == first => Ok(()),
        now => Err(now.to_owned()),
    });

    app.process.signal(Signal::USR1);
    wait::until("the end of the list", Duration::from_secs(30), || {
        match desktop.has(&app, "row 500", "visible") {
            true => Ok(()),
            false => Err("not yet".to_owned()),
        }
    });
    app.settle();
    let mut refused = 0;
    for (row, reference) in refs.iter().take(12) {
        let before = deleted();
        let answer = desktop.run(&["click", reference, "--timeout-ms", "2000"]).envelope();
        if is_refused(&answer) {
            assert_eq!(deleted(), before, "refused, and yet clicked: {answer:#}");
            refused += 1;
        } else {
            assert_eq!(deleted(), format!("{before}{row}\n"), "another row was hit: {answer:#}");
        }
    }
    println!("recycled rows: {refused} of 12 refused, the others hit");
}

#[track_caller]
fn find(desktop: &Desktop, app: &App, role: &str, name: &str) -> String {
    let filters = ["--role", role, "--name", name, "--exact", "--first"];
    let window = app.window_id();
    let arguments = [&["find", "--window-id", &window][..], &filters].concat();
    let run = wait::until(name, Duration::from_secs(20), || {
        let run = desktop.run(&arguments);
        if run.data()["match"].is_object() { Ok(run) } else { Err(run.to_string()) }
    });
    run.data()["match"]["ref_id"].as_str().unwrap_or_else(|| panic!("{run}")).to_owned()
}

/// Whether nothing was sent because the element is not there any more, or cannot be told.
#[track_caller]
fn is_refused(answer: &Value) -> bool {
    if answer["ok"] == true {
        return false;
    }
    let error = &answer["error"];
    assert_eq!(error["disposition"]["delivery"], "not_delivered", "{answer:#}");
    assert!(
        matches!(
            error["code"].as_str(),
            Some("STALE_REF" | "AMBIGUOUS_TARGET" | "ACTION_FAILED" | "ELEMENT_NOT_FOUND")
        ),
        "{answer:#}"
    );
    true
}
