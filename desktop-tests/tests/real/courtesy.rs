//! Reading changes nothing and asks nothing that hurts an application.

use desktop_tests::Desktop;

/// Calls that throw applications off the bus, crash them, or change something: `GetAll` ends a Qt
/// application's connection (5.15 and 6.4), `GetActions` is translated, empty or fatal by toolkit,
/// and the rest has effects.
const NEVER: &[&str] = &[
    "GetAll",
    "GetActions",
    "Set",
    "DoAction",
    "GrabFocus",
    "RegisterEvent",
    "RegisterKeystrokeListener",
    "SetCurrentValue",
    "SelectChild",
    "ScrollTo",
    "ScrollToPoint",
    "SetCaretOffset",
];

#[test]
fn reading_never_asks_what_hurts() {
    let desktop = Desktop::start();
    let calculator = desktop.launch("gnome-calculator", &[]);
    let factory = desktop.launch("gtk3-widget-factory", &[]);
    let dialog = desktop.launch("zenity", &["--entry", "--hide-text", "--text=Word"]);
    let monitor = desktop.monitor();
    for app in ["gnome-calculator", "gtk3-widget-factory", "zenity"] {
        desktop.run(&["snapshot", "--app", app, "--include-bounds"]).data();
        desktop.run(&["snapshot", "--app", app, "-i", "--compact"]).data();
        desktop.run(&["snapshot", "--app", app, "--skeleton"]).data();
        let found = desktop.run(&["find", "--app", app, "--role", "button", "--first"]).data();
        let reference = found["match"]["ref_id"].as_str().unwrap();
        for property in ["text", "value", "title", "bounds", "role", "states"] {
            desktop.run(&["get", reference, "--property", property]).envelope();
        }
        for property in ["visible", "enabled", "checked", "focused", "expanded"] {
            desktop.run(&["is", reference, "--property", property]).envelope();
        }
        desktop.run(&["list-surfaces", "--app", app]).data();
    }
    for command in ["list-apps", "list-windows", "list-displays", "status"] {
        desktop.run(&[command]).data();
    }
    let (calls, _) = monitor.newcomers().unwrap();
    assert!(calls.len() > 100, "only {} calls were seen", calls.len());
    let sins: Vec<_> = calls
        .iter()
        .filter(|call| NEVER.contains(&call.member.as_str()))
        .map(|call| format!("{}.{} on {}", call.interface, call.member, call.path))
        .collect();
    assert!(sins.is_empty(), "{sins:#?}");
    drop((calculator, factory, dialog));
}
