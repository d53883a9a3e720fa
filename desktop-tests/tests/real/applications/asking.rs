//! Everything that can be asked of an application, with the bus watched meanwhile.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use desktop_tests::{App, Desktop, applications::Application, tree, wait};
use serde_json::Value;

use crate::reading::courtesy;

/// So many roles of a window are searched for: each costs a reading.
const ROLES: usize = 8;

/// Asks for everything and checks that the answers are about the same window. Returns the kinds
/// of its surfaces.
#[track_caller]
pub(super) fn ask_everything(
    desktop: &Desktop,
    app: &App,
    application: &Application,
) -> BTreeSet<String> {
    let monitor = desktop.monitor();
    let window = app.window_id();
    let limit = ["--timeout-ms", "20000"];
    let ask = |arguments: &[&str]| {
        let this = ["--window-id", &window];
        desktop.run(&[arguments, &this, &limit].concat()).data()
    };

    let whole = ask(&["snapshot", "--max-depth", "50", "--include-bounds"]);
    assert_eq!(whole["complete"], true);
    let mut roles: BTreeMap<&str, usize> = BTreeMap::new();
    for node in tree::all(&whole["tree"]) {
        *roles.entry(node["role"].as_str().unwrap()).or_default() += 1;
    }
    for arguments in [&["snapshot", "-i", "--compact"][..], &["snapshot", "--skeleton"]] {
        let part = ask(arguments);
        assert_eq!(part["complete"], true, "{arguments:?}");
        assert!(tree::count(&part["tree"]) <= tree::count(&whole["tree"]), "{arguments:?}");
    }
    for (role, count) in roles.iter().take(ROLES) {
        let found = ask(&["find", "--role", role, "--count"]);
        assert_eq!(found["count"], *count, "{role} in {}", application.title);
    }
    // What was rebuilt meanwhile is found again, as the error suggests: the places of a file
    // dialog of GTK 3 are, some seconds after its start.
    wait::until("refs that last", Duration::from_secs(30), || {
        one_by_one(desktop, &ask(&["find", "--state", "visible", "--limit", "0"]))
    });

    let listed = desktop.run(&["list-surfaces", "--app", application.name]).data();
    let surfaces = listed["surfaces"].as_array().unwrap();
    assert!(surfaces.iter().any(|one| one["id"] == *window), "{listed}");
    courtesy::assert_polite(monitor);
    surfaces.iter().map(|one| one["type"].as_str().unwrap().to_owned()).collect()
}

/// Asks for the properties of some that were found, each by its ref: they say what was found, or
/// the ref is refused because there are others like it. An error: one was gone meanwhile.
#[track_caller]
fn one_by_one(desktop: &Desktop, found: &Value) -> Result<(), String> {
    const FEW: usize = 3;
    let matches = found["matches"].as_array().unwrap();
    let mut known = BTreeSet::new();
    for one in matches.iter().filter(|one| one["ref_id"].is_string()) {
        // One of each role, those with a name.
        if known.len() == FEW || one["name"] == "" || !known.insert(one["role"].to_string()) {
            continue;
        }
        let reference = one["ref_id"].as_str().unwrap();
        for property in ["role", "title", "states", "text", "value", "bounds"] {
            let run = desktop.run(&["get", reference, "--property", property]);
            let envelope = run.envelope();
            match envelope["error"]["details"]["kind"].as_str() {
                None if envelope["ok"] == true => {}
                Some("identity_not_unique") => continue,
                Some("saved_ref_absent" | "context_changed") => return Err(run.to_string()),
                _ => panic!("{run}"),
            }
            let value = &envelope["data"]["value"];
            match property {
                "role" => assert_eq!(value, &one["role"], "{run}"),
                "title" => assert_eq!(value, &one["name"], "{run}"),
                "states" => assert_eq!(value, &one["states"], "{run}"),
                _ => {}
            }
        }
        for property in ["visible", "enabled", "checked", "focused", "expanded"] {
            let run = desktop.run(&["is", reference, "--property", property]);
            let envelope = run.envelope();
            if envelope["ok"] == true && property == "enabled" {
                let states = one["states"].as_array().unwrap();
                let enabled = !states.contains(&"disabled".into());
                assert_eq!(envelope["data"]["result"], enabled, "{run}");
            }
        }
    }
    assert!(!known.is_empty(), "nothing with a name was found: {found}");
    Ok(())
}
