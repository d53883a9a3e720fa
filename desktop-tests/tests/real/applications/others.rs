//! Swing and AccessKit. Both windows hold one of each kind of element, with the same names.

use desktop_tests::{
    Desktop,
    applications::{Application, others},
};
use serde_json::json;

use super::{Asked, visit_open};

#[test]
fn swing() {
    check(&others::SWING);
}

#[test]
fn accesskit() {
    check(&others::ACCESSKIT);
}

#[track_caller]
fn check(application: &Application) {
    let desktop = Desktop::start();
    let app = desktop.open(application);
    visit_open(&desktop, &app, application, Asked::Everything);
    reads(&desktop, application.name);
}

/// That every command tells the same of what is in the window.
#[track_caller]
fn reads(desktop: &Desktop, app: &str) {
    let find = |role: &str, name: &str| {
        let found = desktop.run(&["find", "--app", app, "--role", role, "--name", name, "--first"]);
        let found = found.data()["match"].clone();
        assert!(found["ref_id"].is_string(), "no {role} {name:?}");
        found
    };
    let get = |element: &serde_json::Value, property: &str| {
        let reference = element["ref_id"].as_str().unwrap();
        desktop.run(&["get", reference, "--property", property]).data()["value"].clone()
    };
    let is = |element: &serde_json::Value, property: &str| {
        let reference = element["ref_id"].as_str().unwrap();
        desktop.run(&["is", reference, "--property", property]).data()["result"].clone()
    };
    let press = find("button", "Press");
    assert_eq!([get(&press, "text"), get(&press, "role")], [json!("Press"), json!("button")]);
    assert_eq!([is(&press, "enabled"), is(&press, "visible")], [true, true]);
    assert!(get(&press, "bounds")["width"].as_i64().is_some_and(|width| width > 20));
    assert_eq!(is(&find("button", "Out of order"), "enabled"), false);
    assert_eq!(is(&find("checkbox", "Choose"), "checked"), true);
    assert_eq!(get(&find("textfield", "Name"), "value"), "Ada");
    assert_eq!(find("slider", "")["value"], "30");

    let secret = desktop.run(&["find", "--app", app, "--state", "secure", "--first"]).data();
    assert_eq!(secret["match"]["value"], json!(null), "{secret:#}");
    let surfaces = desktop.run(&["list-surfaces", "--app", app]).data();
    assert_eq!(surfaces["surfaces"][0]["type"], "window", "{surfaces:#}");
    let whole = desktop.run(&["snapshot", "--app", app]);
    assert!(!whole.to_string().contains("hidden word"), "{whole}");
}
