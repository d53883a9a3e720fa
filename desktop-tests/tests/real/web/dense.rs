//! Pages of thousands of elements: read whole where there is time, on time where there is not, in
//! little memory, and without harm to the browser.

use std::{collections::BTreeMap, time::Duration};

use desktop_tests::{
    Desktop, tree, wait,
    web::{Browser, Kind, Server},
};
use serde_json::Value;

use super::{has, read};

/// Rows that come to more than 20,000 elements in Chromium, which makes seven of each, and to more
/// than 5,000 in Firefox, which makes five.
const MANY: usize = 2_900;
const SOME: usize = 1_000;

/// What our own process may take for a window of [`MANY`] rows, in kilobytes.
const MEMORY: u64 = 40 * 1024;

/// How much of what the page holds there is of each.
const COUNTS: &str =
    "['li', 'a', 'button', 'input'].map(tag => document.querySelectorAll(tag).length)";

#[test]
fn chromium_is_read_whole_with_twenty_thousand_elements() {
    let desktop = Desktop::start();
    let server = Server::start();
    let url = server.url(&format!("dense/{MANY}"));
    let mut browser = Browser::start(&desktop, Kind::Chromium, &[], &url);
    let (whole, memory) = read_whole(&desktop, &mut browser, MANY);
    assert!(tree::count(&whole["tree"]) >= 20_000, "{}", tree::count(&whole["tree"]));
    assert!(memory <= MEMORY, "{memory} kB");
    is_read_in_part(&desktop, &browser, &named(&whole));
    // The first readers met a page that was there, so that one answer holds all of it.
    let questions = find_the_last(&desktop, &browser, MANY);
    assert!(questions < 4 * MANY, "{questions} questions");
    has_come_to_no_harm(&desktop, &mut browser, MANY);

    // One that is gone to later is not in that answer.
    browser.navigate(&server.url(&format!("dense/{SOME}")));
    read_whole(&desktop, &mut browser, SOME);
}

#[test]
fn firefox_is_read_whole_with_five_thousand_elements() {
    let desktop = Desktop::start();
    let server = Server::start();
    let url = server.url(&format!("dense/{SOME}"));
    let mut browser = Browser::start(&desktop, Kind::Firefox, &[], &url);
    let (whole, _) = read_whole(&desktop, &mut browser, SOME);
    assert!(tree::count(&whole["tree"]) >= 5_000, "{}", tree::count(&whole["tree"]));
    is_read_in_part(&desktop, &browser, &named(&whole));
    find_the_last(&desktop, &browser, SOME);
    has_come_to_no_harm(&desktop, &mut browser, SOME);
}

/// Reads a page of so many rows, and checks it against what the page says of itself. Returns it,
/// and the memory that it took.
#[track_caller]
fn read_whole(desktop: &Desktop, browser: &mut Browser, rows: usize) -> (Value, u64) {
    assert_eq!(browser.evaluate(COUNTS), serde_json::json!([rows, rows, rows, rows]));
    let window = browser.app.window_id();
    let page = ["snapshot", "--window-id", &window, "--max-depth", "50", "--timeout-ms", "50000"];
    // A browser takes seconds to build that; until then its page is busy, and so may it be itself.
    let (whole, memory) = wait::until("the page", Duration::from_secs(120), || {
        let (run, memory) = desktop.run_measured(&page);
        let data = run.envelope()["data"].take();
        let is_there =
            tree::all(&data["tree"]).any(|node| node["role"] == "webarea" && !has(node, "busy"));
        if is_there { Ok((data, memory)) } else { Err(run.stdout.len().to_string()) }
    });
    assert_eq!(whole["complete"], true);
    let named = named(&whole);
    for (role, distinct) in
        [("layoutitem", None), ("link", Some(rows)), ("button", Some(1)), ("checkbox", Some(rows))]
    {
        let counts: Vec<usize> =
            named.iter().filter(|((one, _), _)| one == role).map(|(_, count)| *count).collect();
        assert_eq!(counts.iter().sum::<usize>(), rows, "{role}");
        assert!(distinct.is_none_or(|distinct| distinct == counts.len()), "{role}");
    }
    (whole, memory)
}

/// What is read in part is true as far as it goes, on time, and says that there is more.
#[track_caller]
fn is_read_in_part(desktop: &Desktop, browser: &Browser, whole: &Named) {
    // Of the default time nearly all goes into reading; a build without optimisation then needs
    // more to print so much, on a busy machine.
    for (limit, allowed) in [("3000", 8), ("150", 2)] {
        let run = read(desktop, browser, &["--max-depth", "50", "--timeout-ms", limit]);
        run.on_time(Duration::from_secs(allowed));
        let part = run.data();
        let told = named(&part);
        for (what, count) in &told {
            assert!(whole.get(what).is_some_and(|all| count <= all), "{count} of {what:?}");
        }
        let truncated = part["truncated"] == true && part["nodes_observed"].is_u64();
        assert_ne!(truncated, part["complete"] == true, "{limit} ms");
        assert!(truncated || &told == whole, "{limit} ms");
    }
}

/// Finds the link of the last row; how many questions that took.
#[track_caller]
fn find_the_last(desktop: &Desktop, browser: &Browser, rows: usize) -> usize {
    let monitor = desktop.monitor();
    // It may still work at what nobody waits for any more.
    browser.app.settle();
    let last = format!("Open {}", rows - 1);
    let window = browser.app.window_id();
    let find = ["find", "--window-id", &window, "--name", &last, "--exact", "--first"];
    let found = desktop.run(&[&find[..], &["--timeout-ms", "50000"]].concat()).data();
    let (calls, _) = monitor.newcomers().unwrap();
    assert_eq!((&found["match"]["role"], &found["match"]["name"]), (&"link".into(), &last.into()));
    calls.len()
}

#[track_caller]
fn has_come_to_no_harm(desktop: &Desktop, browser: &mut Browser, rows: usize) {
    assert_eq!(browser.evaluate(COUNTS), serde_json::json!([rows, rows, rows, rows]));
    let apps = desktop.run(&["list-apps"]).data();
    let still = apps["apps"].as_array().unwrap().iter().find(|one| one["pid"] == browser.app.pid);
    assert!(still.is_some_and(|one| one["responding"] == true), "{apps}");
}

/// How often each role and name occurs.
type Named = BTreeMap<(String, String), usize>;

/// What is in the page, as far as it was read.
fn named(snapshot: &Value) -> Named {
    let mut counts = Named::new();
    let page = tree::all(&snapshot["tree"]).find(|node| node["role"] == "webarea");
    for node in page.into_iter().flat_map(tree::all) {
        let text = |field: &str| node[field].as_str().unwrap_or_default().to_owned();
        *counts.entry((text("role"), text("name"))).or_default() += 1;
    }
    counts
}
