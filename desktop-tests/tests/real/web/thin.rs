//! A browser that shows less than a person sees says why; one that is still loading says that.

use std::time::Duration;

use desktop_tests::{
    Desktop, tree, wait,
    web::{Browser, Kind, Server},
};
use serde_json::Value;

use super::{has, page, read, snapshot};

#[test]
fn chromium_that_builds_no_tree_says_why() {
    let desktop = Desktop::start();
    let server = Server::start();
    // What Chromium and Electron were like before they built a tree for whoever asks.
    let forbidden = ["--disable-platform-accessibility-integration"];
    let url = server.url("rich.html");
    let browser = Browser::start(&desktop, Kind::Chromium, &forbidden, &url);
    let run = read(&desktop, &browser, &[]);
    let data = run.data();
    assert_eq!((tree::count(&data["tree"]), &data["complete"]), (1, &true.into()), "{run}");
    let advice = data["suggestion"].as_str().unwrap_or_else(|| panic!("no suggestion: {run}"));
    assert!(
        advice.contains(&browser.app.pid.to_string()) && advice.contains(forbidden[0]),
        "{run}"
    );
    let known = read(&desktop, &browser, &["--force-electron-a11y"]).data();
    assert!(known["suggestion"].is_null(), "{known:#}");
    let window = browser.app.window_id();
    let found =
        desktop.run(&["find", "--window-id", &window, "--role", "button", "--first"]).data();
    assert_eq!(found["suggestion"], advice);
    // A reading that was cut short knows nothing of what is missing.
    let hurried = read(&desktop, &browser, &["--timeout-ms", "1"]);
    let data = hurried.data();
    assert!(data["complete"] == true || data["suggestion"].is_null(), "{hurried}");
}

#[test]
fn chromium_says_which_frames_are_missing() {
    let desktop = Desktop::start();
    let server = Server::start();
    let url = server.url("rich.html");
    let mut browser = Browser::start(&desktop, Kind::Chromium, &[], &url);
    let before = snapshot(&desktop, &browser);
    let says = |data: &Value| {
        tree::all(&data["tree"]).any(|node| node["name"] == "Inside the other origin")
    };
    // Whether such a frame is built is up to Chromium; not to say it would be ours.
    let advice = before["suggestion"].as_str().unwrap_or_default();
    assert!(says(&before) || advice.contains("1 frame"), "{before:#}");

    // The remedy is one.
    browser.evaluate("void document.getElementById('frame-cross').scrollIntoView()");
    wait::until("what is in the frame", Duration::from_secs(30), || {
        let after = snapshot(&desktop, &browser);
        if says(&after) && after["suggestion"].is_null() { Ok(()) } else { Err(after.to_string()) }
    });
}

#[test]
fn firefox_whose_page_hangs_says_so() {
    let desktop = Desktop::start();
    let server = Server::start();
    let browser = Browser::start(&desktop, Kind::Firefox, &[], &server.url("long.html"));
    let stopped = browser.stop_page();
    let limit = ["--timeout-ms", "20000"];
    let data = read(&desktop, &browser, &[&["--max-depth", "50"], &limit[..]].concat()).data();
    assert!(has(page(&data, "Long"), "busy"), "{data:#}");
    let window = browser.app.window_id();
    let find = ["find", "--window-id", &window, "--role", "button", "--name", "Finish", "--first"];
    let find = [&find[..], &limit].concat();
    let found = desktop.run(&find).data();
    let advice = found["suggestion"].as_str().unwrap_or_default();
    assert!(found["match"].is_null() && data["suggestion"] == advice, "{data:#} {found:#}");
    let process = format!("process {}", browser.app.pid);
    assert!(advice.contains(&process) && advice.contains("has not answered"), "{advice}");

    drop(stopped);
    let found = desktop.run(&find).data();
    assert_eq!(found["match"]["name"], "Finish", "{found:#}");
    assert!(!has(page(&snapshot(&desktop, &browser), "Long"), "busy"));
}

#[test]
fn a_page_that_is_still_loading_is_busy() {
    for kind in Kind::ALL {
        let desktop = Desktop::start();
        let server = Server::start();
        let mut browser = Browser::start(&desktop, kind, &[], &server.url("next.html"));
        browser.evaluate(&format!("void (location.href = {:?})", server.url("slow")));
        // Firefox shows the half that is there; Chromium shows nothing of a page before it is whole.
        let half = wait::until("the first half", Duration::from_secs(60), || {
            let data = snapshot(&desktop, &browser);
            let busy =
                tree::all(&data["tree"]).any(|node| node["role"] == "webarea" && has(node, "busy"));
            let first = tree::all(&data["tree"]).any(|node| node["name"] == "First half");
            let next = tree::all(&data["tree"]).any(|node| node["name"] == "Next page");
            let half = busy && !next && (first || kind == Kind::Chromium);
            if half { Ok(data) } else { Err(data.to_string()) }
        });
        assert!(half["suggestion"].is_null(), "{kind:?}: {half:#}");
        // What is not found may be about to come.
        let window = browser.app.window_id();
        let find = ["find", "--window-id", &window, "--name", "Second half", "--exact"];
        let found = desktop.run(&find).data();
        let advice = found["suggestion"].as_str().unwrap_or_default();
        assert!(found["total_matches"] == 0 && advice.contains("is busy"), "{kind:?}: {found:#}");
        server.release();
        wait::until("the second half", Duration::from_secs(60), || {
            let data = snapshot(&desktop, &browser);
            let page = page(&data, "Slow");
            let second = tree::all(page).any(|node| node["name"] == "Second half");
            if second && !has(page, "busy") { Ok(()) } else { Err(page.to_string()) }
        });
    }
}
