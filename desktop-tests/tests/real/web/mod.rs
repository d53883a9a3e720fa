//! Web pages in Chromium and Firefox, judged by what the pages say of themselves.

mod dense;
mod identity;
mod scroll;
mod surfaces;
mod thin;
mod truth;

use desktop_tests::{Desktop, Outcome, tree, web::Browser};
use serde_json::Value;

/// Reads the window of a browser, all of it.
#[track_caller]
fn snapshot(desktop: &Desktop, browser: &Browser) -> Value {
    let run = read(desktop, browser, &["--max-depth", "50", "--timeout-ms", "20000"]);
    let data = run.data();
    assert_eq!(data["complete"], true, "{run}");
    data
}

fn read(desktop: &Desktop, browser: &Browser, arguments: &[&str]) -> Outcome {
    let window = browser.app.window_id();
    desktop.run(&[&["snapshot", "--window-id", &window][..], arguments].concat())
}

/// The page that shows.
#[track_caller]
fn page<'a>(snapshot: &'a Value, title: &str) -> &'a Value {
    tree::all(&snapshot["tree"])
        .find(|node| node["role"] == "webarea" && node["name"] == title)
        .unwrap_or_else(|| panic!("no page {title}: {snapshot:#}"))
}

fn has(node: &Value, state: &str) -> bool {
    node["states"].as_array().is_some_and(|states| states.contains(&state.into()))
}
