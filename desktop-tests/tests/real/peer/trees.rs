//! The misbehaving peer: whatever it shows and however it answers, one line of JSON that ordinary
//! readers parse, on time.

use std::{io::Write, process::Stdio, time::Duration};

use desktop_tests::{Desktop, Outcome, tree};
use serde_json::Value;

const PEER: &str = "misbehaving-peer";

/// How often the harness itself asks a peer before it is ready: for the windows of the
/// application and the state of the first.
const ASKED_BEFORE: u32 = 2;

#[test]
fn hostile_names_come_out_as_they_are() {
    let desktop = Desktop::start();
    for switches in shape("names") {
        let _peer = desktop.peer(&switches);
        let data = snapshot(&desktop, 3000).data();
        let buttons: Vec<_> = tree::all(&data["tree"]).filter(|n| n["role"] == "button").collect();
        let names: Vec<_> =
            buttons.iter().map(|node| node["name"].as_str().unwrap_or("")).collect();
        for name in [
            r#"say "hi" \ 'bye'"#,
            "two\nlines\r\nand\ttabs",
            "\u{1}\u{1b}[31mred\u{7f}\u{85}\u{2028}\u{2029}",
            "\u{202e}txt.exe\u{202c} \u{2067}עברית\u{2069}",
            "👩🏽‍💻 e\u{301} 𝔘𝔫𝔦 \u{fffd}\u{feff}",
            "</script>{\"ok\":true}",
        ] {
            assert!(names.contains(&name), "{name:?} is missing in {switches:?}");
        }
        let longest = buttons.last().unwrap();
        let text = longest["name"].as_str().unwrap();
        assert!(text.len() <= 64 * 1024 && text.len() > 60 * 1024, "{} bytes", text.len());
        assert!(text.chars().all(|c| c == 'ü'), "cut in the middle of a character");
        assert_eq!(longest["cut_fields"], serde_json::json!(["name"]));

        let reference = longest["ref_id"].as_str().unwrap();
        assert_eq!(
            desktop.run(&["get", reference, "--property", "role"]).data()["value"],
            "button"
        );
    }
}

#[test]
fn impossible_trees_are_read_as_far_as_they_make_sense() {
    let desktop = Desktop::start();
    for (shape_name, expected) in [
        ("empty", &[][..]),
        ("self-child", &["Ouroboros", "Beside"]),
        ("cycle", &["First", "Second", "Within"]),
        ("endless", &["Sheet", "Beside"]),
        ("endless-panel", &["Everything", "Beside"]),
        ("null-child", &["Beside"]),
    ] {
        for switches in shape(shape_name) {
            let _peer = desktop.peer(&switches);
            let run = snapshot(&desktop, 3000);
            let data = run.data();
            let names: Vec<_> =
                tree::all(&data["tree"]).filter_map(|node| node["name"].as_str()).collect();
            for name in expected {
                let times = names.iter().filter(|n| n == &name).count();
                assert_eq!(times, 1, "{name} in {switches:?}: {run}");
            }
            assert_eq!(tree::count(&data["tree"]), expected.len() + 1, "{switches:?}: {run}");
            if shape_name == "endless-panel" {
                let panel =
                    tree::all(&data["tree"]).find(|node| node["name"] == "Everything").unwrap();
                assert_eq!(panel["children_count"], i32::MAX, "{run}");
            }
            if shape_name == "endless" {
                let sheet = tree::all(&data["tree"]).find(|node| node["name"] == "Sheet").unwrap();
                // It claims as many children; the cells that it has are rows by columns.
                assert_eq!(sheet["children_count"], 46_340 * 46_340, "{run}");
            }
        }
    }
}

#[test]
fn a_chain_of_twenty_thousand_is_printed_as_deep_as_readers_go() {
    let desktop = Desktop::start();
    for switches in shape("chain:20000") {
        let _peer = desktop.peer(&switches);
        let run = snapshot(&desktop, 3000);
        let data = run.data();
        let depth = tree::depth(&data["tree"]);
        assert!((20..=60).contains(&depth), "{depth} nested nodes in {switches:?}");
        let deepest = tree::all(&data["tree"]).last().unwrap();
        assert!(
            deepest["children_count"].is_u64() || deepest["subtree_truncated"] == true,
            "the end of what is printed does not say so: {deepest}"
        );
        // The bulk answer has all of it, so what is at its bottom can be found.
        if switches.contains(&"--cache") {
            let find = desktop.run(&["find", "--app", PEER, "--name", "Bottom", "--first"]);
            assert_eq!(find.on_time(Duration::from_secs(5)).data()["match"]["name"], "Bottom");
        }
    }
}

#[test]
fn a_slow_application_costs_the_deadline_and_no_more() {
    let desktop = Desktop::start();
    let switches = ["--shape", "wide:2000", "--delay-ms", "20"];
    let peer = desktop.peer(&switches);
    let run = snapshot(&desktop, 1000);
    let data = run.data();
    assert_eq!(data["complete"], false, "{run}");
    assert_eq!(data["truncated"], true, "{run}");
    // That one is still busy with what it was asked and nobody waits for any more.
    drop(peer);
    let _peer = desktop.peer(&switches);
    let find =
        desktop.run(&["find", "--app", PEER, "--name", "Button 1999", "--timeout-ms", "1000"]);
    find.on_time(Duration::from_secs(1)).error("TIMEOUT");
}

#[test]
fn an_application_may_hang_at_any_call() {
    let desktop = Desktop::start();
    for at in [1, 2, 3, 4, 5, 6, 8, 10, 15, 25, 40, 80] {
        let call = (ASKED_BEFORE + at).to_string();
        for mut switches in shape("wide:30") {
            switches.extend(["--hang-at", &call]);
            let _peer = desktop.peer(&switches);
            let run = snapshot(&desktop, 1000);
            let envelope = run.envelope();
            let fine = match envelope["error"]["code"].as_str() {
                None => at > 1,
                Some(code) => code == "APP_UNRESPONSIVE" || code == "TIMEOUT",
            };
            assert!(fine, "{switches:?}: {run}");
            let listed = desktop.run(&["list-apps"]);
            listed.on_time(Duration::from_secs(2)).data();
        }
    }
}

#[test]
fn an_application_may_vanish_at_any_call() {
    let desktop = Desktop::start();
    for at in [1, 2, 3, 4, 5, 6, 8, 10, 15, 25, 40, 80] {
        let call = (ASKED_BEFORE + at).to_string();
        for mut switches in shape("wide:30") {
            switches.extend(["--vanish-at", &call]);
            let _peer = desktop.peer(&switches);
            let run = snapshot(&desktop, 1000);
            let envelope = run.envelope();
            let fine = match envelope["error"]["code"].as_str() {
                // It outlived the reading; a part of what is gone is of no use.
                None => envelope["data"]["complete"] == true,
                Some(code) => code == "WINDOW_NOT_FOUND" || code == "APP_NOT_FOUND",
            };
            assert!(fine, "{switches:?}: {run}");
        }
    }
}

/// As toolkits that are read in one bulk answer, after waking it or before listing children.
const BULK: [[&str; 3]; 2] =
    [["--toolkit", "gtk/3.24.38", "--cache"], ["--toolkit", "GTK/4.8.3", "--cache"]];

/// The switches that show `name`, walked and in bulk.
fn shape(name: &str) -> [Vec<&str>; 3] {
    let [waked, lazy] = BULK;
    [&[][..], &waked, &lazy].map(|bulk| [&["--shape", name], bulk].concat())
}

/// A snapshot of the peer that ended on time with something that jq and Python read as we do.
#[track_caller]
fn snapshot(desktop: &Desktop, timeout_ms: u64) -> Outcome {
    let timeout = timeout_ms.to_string();
    let run =
        desktop.run(&["snapshot", "--app", PEER, "--timeout-ms", &timeout, "--max-depth", "50"]);
    // Finding the window may take another second.
    run.on_time(Duration::from_millis(timeout_ms + 1000));
    let ours = run.envelope();
    let jq = filter(desktop, "jq", &["-c", "."], &run.stdout);
    assert_eq!(jq, ours, "jq reads something else");
    let script = "import json, sys; print(json.dumps(json.load(sys.stdin)))";
    let python = filter(desktop, "/usr/bin/python3", &["-c", script], &run.stdout);
    assert_eq!(python, ours, "Python reads something else");
    run
}

#[track_caller]
fn filter(desktop: &Desktop, program: &str, arguments: &[&str], input: &[u8]) -> Value {
    let mut command = desktop.command(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{program}: {error}"));
    let mut stdin = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        // A program that does not read to the end is caught by its exit status.
        scope.spawn(move || _ = stdin.write_all(input));
        child.wait_with_output().unwrap()
    });
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} cannot read it: {complaint}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{program}: {error}"))
}
