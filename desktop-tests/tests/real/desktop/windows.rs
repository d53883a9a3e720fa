//! Arranging windows: what is said of them is what xwininfo and xprop see.

use std::time::Duration;

use desktop_tests::{Desktop, wait};

/// What xwininfo says of a line such as `Width`, and of states what xprop says, of the X window that
/// has the focus or this title.
fn seen(desktop: &Desktop, title: &str) -> (Vec<i64>, String) {
    let told = |program: &str, arguments: &[&str]| {
        let output = desktop.command(program).args(["-name", title]).args(arguments).output();
        String::from_utf8(output.expect("it runs").stdout).unwrap()
    };
    let info = told("xwininfo", &[]);
    let number = |label: &str| {
        let line = info.lines().find_map(|line| line.trim().strip_prefix(label));
        line.unwrap_or_else(|| panic!("{title}: no {label}: {info}")).trim().parse().unwrap()
    };
    let labels = ["Absolute upper-left X:", "Absolute upper-left Y:", "Width:", "Height:"];
    let state = told("xprop", &["_NET_WM_STATE", "_GTK_FRAME_EXTENTS"]);
    (labels.map(number).to_vec(), state)
}

/// The width of the shadow on each side: left, right, top, bottom.
fn shadow(state: &str) -> [i64; 4] {
    let line = state.lines().find_map(|line| line.strip_prefix("_GTK_FRAME_EXTENTS(CARDINAL) = "));
    let numbers = line.unwrap_or("0, 0, 0, 0").split(", ").map(|number| number.parse().unwrap());
    <[i64; 4]>::try_from(numbers.collect::<Vec<_>>()).unwrap()
}

fn arrange(desktop: &Desktop, title: &str, app: &str, line: &[&str]) {
    let target = ["--app", app];
    let done = desktop.run(&[line, &target].concat()).data();
    assert_eq!(done["disposition"]["delivery"], "delivered_verified", "{line:?}: {done:#}");
    let told = &done["target"];
    let (place, state) = seen(desktop, title);
    let [left, right, top, bottom] = shadow(&state);
    let bounds = ["x", "y", "width", "height"].map(|key| told["bounds"][key].as_i64().unwrap());
    let inner = [place[0] + left, place[1] + top, place[2] - left - right, place[3] - top - bottom];
    assert_eq!(bounds, inner, "{line:?} {state}");
    assert_eq!(told["minimized"], state.contains("_NET_WM_STATE_HIDDEN"), "{state}");
    assert_eq!(told["maximized"], state.contains("_NET_WM_STATE_MAXIMIZED_VERT"), "{state}");
    let active = desktop.command("xdotool").args(["getactivewindow", "getwindowname"]).output();
    let active = String::from_utf8(active.unwrap().stdout).unwrap();
    assert_eq!(told["is_focused"], active.trim_end() == title, "{line:?}: {active}");
}

/// The application has another idea of its size.
fn contradicted(desktop: &Desktop, line: &[&str]) {
    let error = desktop.run(line).envelope()["error"].clone();
    assert_eq!(error["code"], "ACTION_FAILED", "{line:?}: {error:#}");
    assert_eq!(error["details"]["kind"], "post_action_verification", "{error:#}");
    assert_eq!(error["disposition"]["delivery"], "delivered_unverified", "{error:#}");
}

fn is_arranged(program: &str, title: &str, app: &str, arguments: &[&str]) {
    let desktop = Desktop::start();
    let _other = desktop.launch("zenity", &["--info", "--title=Other", "--text=other"]);
    let _app = desktop.launch(program, arguments);
    let _ = wait::until("the window", Duration::from_secs(30), || {
        let windows = desktop.run(&["list-windows", "--app", app]).data();
        let is_it = |window: &&serde_json::Value| window["title"] == title;
        let windows = windows.as_array().unwrap();
        windows.iter().find(is_it).cloned().ok_or_else(|| format!("{windows:?}"))
    });
    arrange(&desktop, "Other", "zenity", &["focus-window"]);
    arrange(&desktop, title, app, &["focus-window"]);
    arrange(&desktop, title, app, &["resize-window", "--width", "640", "--height", "520"]);
    arrange(&desktop, title, app, &["move-window", "--x", "60", "--y=70"]);
    let (before, _) = seen(&desktop, title);
    arrange(&desktop, title, app, &["maximize"]);
    arrange(&desktop, title, app, &["minimize"]);
    arrange(&desktop, title, app, &["restore"]);
    arrange(&desktop, title, app, &["restore"]);
    let (after, _) = seen(&desktop, title);
    assert_eq!(after[2], before[2], "it has its width again");
    let again = desktop.run(&["restore", "--app", app]).data();
    assert_eq!(again["disposition"]["delivery"], "not_delivered");
    contradicted(&desktop, &["resize-window", "--app", app, "--width", "1", "--height", "1"]);
}

#[test]
fn of_gtk4() {
    is_arranged("gnome-calculator", "Calculator", "gnome-calculator", &[]);
}

#[test]
fn of_gtk3() {
    is_arranged("mousepad", "Untitled 1 - Mousepad", "mousepad", &[]);
}

#[test]
fn of_qt() {
    is_arranged("featherpad", "Untitled", "FeatherPad", &[]);
}

/// Nothing of it is on the accessibility bus.
#[test]
fn of_an_application_without_accessibles() {
    let desktop = Desktop::start();
    let mut terminal = desktop.command("xterm");
    let _terminal = desktop_tests::Process::spawn(terminal.args(["-T", "shell"])).unwrap();
    let find = || {
        let windows = desktop.run(&["list-windows"]).data();
        let is_it = |window: &&serde_json::Value| window["title"] == "shell";
        windows.as_array().unwrap().iter().find(is_it).cloned().ok_or(String::new())
    };
    wait::until("the terminal", Duration::from_secs(30), find);
    arrange(&desktop, "shell", "xterm", &["move-window", "--x", "60", "--y", "70"]);
    arrange(&desktop, "shell", "xterm", &["maximize"]);
    arrange(&desktop, "shell", "xterm", &["restore"]);
    // It only takes whole lines and columns.
    contradicted(&desktop, &["resize-window", "--app=xterm", "--width=501", "--height=301"]);
}

/// Its application hangs; its window manager does not.
#[test]
fn of_an_application_that_hangs() {
    let desktop = Desktop::start();
    let app = desktop.launch("mousepad", &[]);
    let _stopped = app.process.stop();
    let windows = desktop.run(&["list-windows"]).data();
    let id = windows[0]["id"].as_str().unwrap();
    assert_eq!(windows[0]["accessible"], false, "{windows:#}");
    let done = desktop.run(&["minimize", "--window-id", id]).data();
    assert_eq!(done["target"]["minimized"], true, "{done:#}");
}

#[test]
fn without_a_window_manager() {
    let desktop = Desktop::start();
    let _app = desktop.launch("mousepad", &[]);
    desktop.kill_server("openbox");
    let id = wait::until("the window", Duration::from_secs(30), || {
        let windows = desktop.run(&["list-windows", "--app", "mousepad"]).data();
        windows[0]["id"].as_str().map(str::to_owned).ok_or_else(|| windows.to_string())
    });
    for command in ["maximize", "minimize"] {
        desktop.run(&[command, "--window-id", &id]).error("PLATFORM_NOT_SUPPORTED");
    }
}
