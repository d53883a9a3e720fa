//! Reading changes nothing and asks nothing that hurts an application.

use desktop_tests::{
    App, Desktop,
    bus::{Message, Monitor},
};

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
    assert!(assert_polite(monitor) > 100);
    drop((calculator, factory, dialog));
}

/// Its cache has crashed LibreOffice 7.4.7, which says with its GTK 3 face that it is GTK 3.
#[test]
fn what_calls_itself_libreoffice_is_never_asked_for_its_cache() {
    let desktop = Desktop::start();
    let face = ["--name", "soffice", "--toolkit", "gtk/3.24.38", "--cache", "--shape", "wide:30"];
    let peer = desktop.peer(&face);
    let mut references = Vec::new();
    let monitor = desktop.monitor();
    for command in [&["snapshot"][..], &["find", "--role", "button"]] {
        let data = desktop.run(&[command, &["--app", "soffice"]].concat()).data();
        references.push(format!("@{}:e1", data["snapshot_id"].as_str().unwrap()));
    }
    // These meet the application by its address alone.
    for reference in &references {
        for command in [&["get"][..], &["is"], &["snapshot", "--root"], &["find", "--root"]] {
            desktop.run(&[command, &[reference]].concat()).envelope();
        }
    }
    desktop.run(&["list-surfaces", "--app", "soffice"]).data();
    desktop.run(&["snapshot", "--window-id", &peer.window_id()]).data();
    let (calls, _) = monitor.newcomers().unwrap();
    let to_peer = calls.iter().filter(|call| call.destination == peer.bus_name);
    let members: Vec<_> = to_peer.map(|call| call.member.as_str()).collect();
    assert!(members.len() > 300, "only {} calls were seen", members.len());
    assert!(!members.contains(&"GetItems"), "it was asked for its cache");
}

/// Whatever a command has to know of applications, each is asked once who it is; and one whose process
/// is stopped is not asked at all, since it would be waited for.
#[test]
fn nobody_is_asked_twice_or_in_vain() {
    let desktop = Desktop::start();
    let calculator = desktop.launch("gnome-calculator", &[]);
    let dialog = desktop.launch("zenity", &["--info", "--text=Hello"]);
    let asked = |command: &str| {
        let monitor = desktop.monitor();
        let listed = desktop.run(&[command]).data().to_string();
        assert!(listed.contains("gnome-calculator") && listed.contains("zenity"), "{listed}");
        let (calls, _) = monitor.newcomers().unwrap();
        let of_root = |app: &App| {
            let about_it = |call: &&Message| {
                call.destination == app.bus_name
                    && call.path == "/org/a11y/atspi/accessible/root"
                    && call.member == "Get"
            };
            calls.iter().filter(about_it).count()
        };
        (of_root(&calculator), of_root(&dialog))
    };
    // Name, toolkit and its version.
    assert_eq!([asked("list-apps"), asked("list-windows")], [(3, 3), (3, 3)]);
    let _stopped = calculator.process.stop();
    assert_eq!([asked("list-apps"), asked("list-windows")], [(0, 3), (0, 3)]);
}

/// Fails if any connection made since the monitor began to watch asked what hurts; how many calls
/// there were.
#[track_caller]
pub(crate) fn assert_polite(monitor: Monitor) -> usize {
    let (calls, _) = monitor.newcomers().unwrap();
    let sins: Vec<_> = calls
        .iter()
        .filter(|call| NEVER.contains(&call.member.as_str()))
        .map(|call| format!("{}.{} on {}", call.interface, call.member, call.path))
        .collect();
    assert!(sins.is_empty(), "{sins:#?}");
    calls.len()
}
