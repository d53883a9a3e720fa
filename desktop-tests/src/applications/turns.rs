//! What is done to applications, by libatspi and by keys, each until its effect is there.

use std::time::Duration;

use crate::{App, Desktop, wait};

/// What libatspi says of an element: its name or description, and a state.
pub type Sign = (&'static str, &'static str);

/// Presses the first element of that role name and name or description, and waits for `sign`.
#[track_caller]
pub fn press(desktop: &Desktop, app: &App, element: (&str, &str), sign: Sign) {
    desktop.press(app, element.0, element.1);
    until_there(desktop, app, sign, true);
}

/// Presses an element, and waits until `sign` is gone.
#[track_caller]
pub fn press_away(desktop: &Desktop, app: &App, element: (&str, &str), sign: Sign) {
    desktop.press(app, element.0, element.1);
    until_there(desktop, app, sign, false);
}

/// Sends a key to the active window, and waits for `sign`.
#[track_caller]
pub fn key(desktop: &Desktop, app: &App, keys: &str, sign: Sign) {
    send(desktop, keys);
    until_there(desktop, app, sign, true);
}

/// Sends a key to the active window, and waits until `sign` is gone.
#[track_caller]
pub fn key_away(desktop: &Desktop, app: &App, keys: &str, sign: Sign) {
    send(desktop, keys);
    until_there(desktop, app, sign, false);
}

#[track_caller]
fn send(desktop: &Desktop, keys: &str) {
    let sent = desktop.command("xdotool").args(["key", keys]).status().expect("xdotool runs");
    assert!(sent.success(), "{keys} was not sent");
}

#[track_caller]
fn until_there(desktop: &Desktop, app: &App, (text, state): Sign, there: bool) {
    let what = format!("{text:?} to be {}{state}", if there { "" } else { "no longer " });
    wait::until(&what, Duration::from_secs(30), || {
        if desktop.has(app, text, state) == there { Ok(()) } else { Err("not yet".into()) }
    });
    app.settle();
}
