//! A ref of a page's element is refused, or speaks of that element. The page itself judges which
//! element that is, by marks that no reader can see.

use std::time::Duration;

use desktop_tests::{
    Desktop, tree, wait,
    web::{Browser, Kind, Server},
};

use super::snapshot;

/// Puts the only Delete into another row: the same element.
const MOVE: &str = "void document.querySelector('#food .slot')
    .append(document.querySelector('[data-secret=first]'))";

/// The same for whoever looks, but another element.
const REMAKE_ELSEWHERE: &str = "void (document.querySelector('[data-secret=first]').remove(),
    document.querySelector('#heat .slot').innerHTML = '<button data-secret=other>Delete</button>')";

/// An equal element in the same place, as frameworks make it when they render again.
const REMAKE: &str = "void (document.querySelector('[data-secret=first]').outerHTML =
    '<button data-secret=again>Delete</button>')";

/// An equal one beside it.
const DOUBLE: &str = "void document.querySelector('[data-secret=first]')
    .insertAdjacentHTML('afterend', '<button data-secret=twin>Delete</button>')";

/// Firefox 153 has what is written in a field in the name of the label around it.
#[test]
fn a_field_in_its_label_is_the_same_whatever_is_written_there() {
    for kind in [Kind::Chromium, Kind::Firefox] {
        let desktop = Desktop::start();
        let server = Server::start();
        let mut browser = Browser::start(&desktop, kind, &[], &server.url("tasks.html"));
        let field = wait::until("the field", Duration::from_secs(20), || {
            let window = snapshot(&desktop, &browser);
            let field = tree::all(&window["tree"])
                .find(|node| node["role"] == "textfield" && node["name"] == "Name");
            let reference = field.and_then(|node| node["ref_id"].as_str().map(str::to_owned));
            reference.ok_or_else(|| window.to_string())
        });
        browser.evaluate("void (by('name').value = 'Eve')");
        wait::until("the new value", Duration::from_secs(20), || {
            let said = desktop.run(&["get", &field, "--property", "value"]).envelope();
            if said["data"]["value"] == "Eve" { Ok(()) } else { Err(said.to_string()) }
        });
    }
}

fn keeps_to_its_element(kind: Kind) {
    let desktop = Desktop::start();
    let server = Server::start();
    let mut visit = 0;
    let mut fresh = || {
        visit += 1;
        (server.url(&format!("rows.html?{visit}")), format!("Rows?{visit}"))
    };
    let (url, _) = fresh();
    let mut browser = Browser::start(&desktop, kind, &[], &url);
    let mut visit = |browser: &mut Browser| {
        let (url, title) = fresh();
        browser.navigate(&url);
        arrive(&desktop, browser, &title);
    };
    let refused = |reference: &str, after: &str| {
        for arguments in [&["get", reference][..], &["is", reference, "--property", "enabled"]] {
            let run = desktop.run(arguments);
            let envelope = run.envelope();
            let code = envelope["error"]["code"].as_str().unwrap_or("none");
            assert!(
                matches!(code, "STALE_REF" | "AMBIGUOUS_TARGET"),
                "{kind:?}, after {after}: not refused: {run}"
            );
        }
    };
    let answers = |reference: &str| desktop.run(&["get", reference]).envelope()["ok"] == true;

    for (change, after) in [(MOVE, "a move"), (REMAKE_ELSEWHERE, "a new one in another row")] {
        visit(&mut browser);
        let (delete, help) = refs(&desktop, &browser);
        assert!(answers(&delete), "{kind:?}: {delete} is refused at once");
        browser.evaluate(change);
        browser.app.settle();
        refused(&delete, after);
        assert!(answers(&help), "{kind:?}: what did not change is refused after {after}");
    }

    // One that is equal in all that can be seen, in the same row, may be taken for it while it is
    // the only one.
    visit(&mut browser);
    let (delete, _) = refs(&desktop, &browser);
    browser.evaluate(REMAKE);
    browser.app.settle();
    if answers(&delete) {
        assert_eq!(browser.evaluate("document.querySelectorAll('#rent button').length"), 1);
    }

    visit(&mut browser);
    let (delete, _) = refs(&desktop, &browser);
    browser.evaluate(DOUBLE);
    browser.app.settle();
    refused(&delete, "an equal one appeared beside it");

    // Nothing of the old document is left, so whatever would answer is another element.
    visit(&mut browser);
    let (delete, help) = refs(&desktop, &browser);
    visit(&mut browser);
    refused(&delete, "another page of the same shape");
    refused(&help, "another page of the same shape");

    let (delete, help) = refs(&desktop, &browser);
    browser.reload();
    refused(&delete, "a reload");
    refused(&help, "a reload");
    // A new search finds what there is now.
    assert!(answers(&refs(&desktop, &browser).0));
}

/// Waits until the page with that title is the one that is read: a browser builds what readers
/// see after the page itself.
#[track_caller]
fn arrive(desktop: &Desktop, browser: &Browser, title: &str) {
    wait::until(title, Duration::from_secs(60), || {
        let data = snapshot(desktop, browser);
        let there = tree::all(&data["tree"])
            .find(|node| node["role"] == "webarea" && node["name"] == title)
            .is_some_and(|page| tree::all(page).any(|node| node["name"] == "Help"));
        if there { Ok(()) } else { Err(data["window"].to_string()) }
    });
}

/// Refs of the buttons Delete and Help.
#[track_caller]
fn refs(desktop: &Desktop, browser: &Browser) -> (String, String) {
    let window = browser.app.window_id();
    let find = |name| {
        let button = ["--role", "button", "--name", name, "--exact", "--first"];
        let found = desktop.run(&[&["find", "--window-id", &window][..], &button].concat()).data();
        found["match"]["ref_id"].as_str().unwrap_or_else(|| panic!("no {name}: {found}")).to_owned()
    };
    (find("Delete"), find("Help"))
}

#[test]
fn a_chromium_ref_keeps_to_its_element() {
    keeps_to_its_element(Kind::Chromium);
}

#[test]
fn a_firefox_ref_keeps_to_its_element() {
    keeps_to_its_element(Kind::Firefox);
}
