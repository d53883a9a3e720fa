//! Pressing keys and typing text: on any keyboard, into any application, and back to what it was.

use std::time::Duration;

use desktop_tests::{
    App, Desktop, Process,
    applications::libreoffice,
    wait,
    web::{Browser, Kind, Server},
};
use rustix::process::Signal;
use serde_json::Value;

/// Letters that change their places, letters with accents, what is no letter, what is more than one
/// unit in UTF-16, what is written from right to left, and what no keyboard has.
const TEXT: &str = "zY@é😀שלום中文";

const LAYOUTS: [&str; 4] = ["us", "de", "fr", "ru"];

fn set_layout(desktop: &Desktop, layout: &str) {
    assert!(desktop.command("setxkbmap").arg(layout).status().unwrap().success());
}

/// The whole keyboard, as xkbcomp writes it down.
fn keyboard(desktop: &Desktop) -> String {
    let mut command = desktop.command("sh");
    let output = command.args(["-c", "xkbcomp -w 0 \"$DISPLAY\" -"]).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// What `find` finds in a window, as its ref.
fn find(desktop: &Desktop, window: &str, what: &[&str]) -> String {
    wait::until("the element", Duration::from_secs(30), || {
        let line = [&["find", "--window-id", window, "--first"], what].concat();
        let found = desktop.run(&line).envelope();
        let reference = found["data"]["match"]["ref_id"].as_str();
        reference.map(str::to_owned).ok_or_else(|| found.to_string())
    })
}

fn types_on_every_layout(desktop: &Desktop, window: &str, what: &[&str]) {
    types_into(desktop, || find(desktop, window, what));
}

fn types_into(desktop: &Desktop, field: impl Fn() -> String) {
    for layout in LAYOUTS {
        set_layout(desktop, layout);
        let before = keyboard(desktop);
        let field = field();
        desktop.run(&["--headed", "clear", &field, "--timeout-ms", "30000"]).data();
        let typed =
            desktop.run(&["--headed", "type", &field, TEXT, "--timeout-ms", "30000"]).data();
        assert_eq!(typed["disposition"]["delivery"], "delivered_verified", "{layout}: {typed:#}");
        assert_eq!(typed["steps"][0]["mechanism"], "physical_synthetic", "{typed:#}");
        let value = desktop.run(&["get", &field, "--property", "value"]).data();
        assert_eq!(value["value"], TEXT, "{layout}");
        assert_eq!(keyboard(desktop), before, "{layout}");
    }
}

fn is_typed_into(app: &App, desktop: &Desktop, what: &[&str]) {
    types_on_every_layout(desktop, &app.window_id(), what);
    // Told by somebody else as well.
    wait::until("the text", Duration::from_secs(10), || {
        let said = ["text", "text box"].map(|role| desktop.said(app, role));
        let mut texts = said.iter().flatten().filter_map(|one| one.text.as_deref());
        if texts.any(|text| text == TEXT) { Ok(()) } else { Err(format!("{said:?}")) }
    });
}

#[test]
fn gtk3_gets_every_letter() {
    let desktop = Desktop::start();
    let app = desktop.launch("mousepad", &[]);
    is_typed_into(&app, &desktop, &["--role", "textfield"]);
}

#[test]
fn gtk4_gets_every_letter() {
    let desktop = Desktop::start();
    let app = desktop.launch("gnome-text-editor", &[]);
    is_typed_into(&app, &desktop, &["--role", "textfield", "--state", "visible"]);
}

#[test]
fn qt_gets_every_letter() {
    let desktop = Desktop::start();
    let app = desktop.launch("featherpad", &[]);
    is_typed_into(&app, &desktop, &["--role", "textfield", "--state", "visible"]);
}

/// It takes what is more than one unit in UTF-16 some turns before other letters.
#[test]
fn libreoffice_gets_every_letter() {
    let desktop = Desktop::start();
    let app = desktop.open(&libreoffice::LETTER);
    let window = app.window_id();
    types_into(&desktop, || {
        let tree = desktop.run(&["snapshot", "--window-id", &window, "--compact"]).data();
        let paragraph = first_paragraph(&tree["tree"]).and_then(|node| node["ref_id"].as_str());
        paragraph.unwrap_or_else(|| panic!("no paragraph: {tree:#}")).to_owned()
    });
}

/// The first text of the document in a printed tree.
fn first_paragraph(node: &Value) -> Option<&Value> {
    let children = node["children"].as_array()?;
    if node["role"] == "document" {
        return children.iter().find(|child| child["role"] == "textfield");
    }
    children.iter().find_map(first_paragraph)
}

#[test]
fn chromium_gets_every_letter() {
    let (desktop, server) = (Desktop::start(), Server::start());
    let mut browser = Browser::start(&desktop, Kind::Chromium, &[], &server.url("form.html"));
    types_on_every_layout(&desktop, &browser.app.window_id(), &["--name", "Notes"]);
    assert_eq!(browser.evaluate("document.getElementById('notes').value"), TEXT);
}

#[test]
fn firefox_gets_every_letter() {
    let (desktop, server) = (Desktop::start(), Server::start());
    let mut browser = Browser::start(&desktop, Kind::Firefox, &[], &server.url("form.html"));
    types_on_every_layout(&desktop, &browser.app.window_id(), &["--name", "Notes"]);
    assert_eq!(browser.evaluate("document.getElementById('notes').value"), TEXT);
}

/// Whoever is killed while keys mean something else leaves the keyboard as it was, within a moment,
/// and with no key held down.
#[test]
fn a_kill_leaves_the_keyboard_as_it_was() {
    let desktop = Desktop::start();
    let app = desktop.launch("mousepad", &[]);
    let field = find(&desktop, &app.window_id(), &["--role", "textfield"]);
    let before = keyboard(&desktop);
    let text: String = (0x4e00..0x4e00 + 4_000).filter_map(char::from_u32).collect();
    let (mut changed, mut times) = (0, 0);
    while changed < 5 {
        times += 1;
        assert!(times < 100, "the keyboard was never seen to be another");
        let mut typing = desktop.agent_desktop(&["--headed", "type", &field, &text]);
        let mut typing = Process::spawn(&mut typing).unwrap();
        wait::until("another keyboard", Duration::from_secs(20), || {
            match keyboard(&desktop) != before || typing.ended().is_some() {
                true => Ok(()),
                false => Err("the same".to_owned()),
            }
        });
        typing.signal(Signal::KILL);
        changed += u32::from(typing.ended().is_none() || keyboard(&desktop) != before);
        wait::until("the keyboard as it was", Duration::from_secs(3), || {
            let now = keyboard(&desktop);
            if now == before { Ok(()) } else { Err("another one".to_owned()) }
        });
    }
    // No key is held: nothing more is typed by itself.
    let value = |desktop: &Desktop| {
        desktop.run(&["get", &field, "--property", "value"]).data()["value"].to_string()
    };
    let then = wait::until("a text that stays", Duration::from_secs(20), || {
        let (one, two) = (value(&desktop), value(&desktop));
        if one == two { Ok(one) } else { Err("it changes".to_owned()) }
    });
    desktop.run(&["--headed", "press", "ctrl+end", "--app", "mousepad"]).data();
    assert_eq!(value(&desktop), then);
}

#[test]
fn keys_go_to_the_window_that_is_meant_or_nowhere() {
    let desktop = Desktop::start();
    let editor = desktop.launch("mousepad", &[]);
    let _other = desktop.launch("zenity", &["--entry", "--title=Other", "--text=other"]);
    let field = find(&desktop, &editor.window_id(), &["--role", "textfield"]);
    desktop.run(&["focus-window", "--title", "Other"]).data();
    let refused = desktop.run(&["press", "a", "--app", "mousepad"]).error("POLICY_DENIED");
    assert_eq!(refused["recovery"]["strategy"], "request_explicit_policy_then_retry_original");
    desktop.run(&["--headed", "press", "shift+b", "--app", "mousepad"]).data();
    for keys in ["é", "?", "c", "left", "x"] {
        desktop.run(&["press", keys, "--app", "mousepad"]).data();
    }
    wait::until("the keys", Duration::from_secs(10), || {
        let value = desktop.run(&["get", &field, "--property", "value"]).data();
        if value["value"] == "Bé?xc" { Ok(()) } else { Err(value.to_string()) }
    });
    for dangerous in ["alt+f4", "ctrl+alt+delete", "ctrl+q", "meta+l", "alt+tab", "ctrl+alt+f1"] {
        desktop.run(&["press", dangerous]).error("POLICY_DENIED");
    }
    desktop.run(&["press", "ctrl+"]).error("INVALID_ARGS");
    // It closes the window that has the focus.
    desktop.run(&["--headed", "press", "alt+f4", "--force", "--app", "zenity"]).data();
    wait::until("the end of the window", Duration::from_secs(10), || {
        let windows = desktop.run(&["list-windows", "--app", "mousepad"]).data();
        let all = desktop.run(&["list-windows"]).data().to_string();
        if all.contains("Other") { Err(windows.to_string()) } else { Ok(()) }
    });
}

/// An open menu of GTK 3 takes the whole keyboard.
#[test]
fn keys_that_a_menu_would_swallow_are_refused() {
    let desktop = Desktop::start();
    let app = desktop.launch("mousepad", &[]);
    desktop.press(&app, "menu", "File");
    wait::until("the menu", Duration::from_secs(10), || {
        let open = desktop.run(&["list-surfaces", "--app", "mousepad"]).data();
        if open.to_string().contains("\"menu\"") { Ok(()) } else { Err(open.to_string()) }
    });
    let refused = desktop.run(&["press", "a", "--app", "mousepad"]).error("ACTION_FAILED");
    assert!(refused["message"].as_str().unwrap().contains("menu"), "{refused:#}");
}

/// What several type at once does not get mixed.
#[test]
fn several_at_once_take_turns() {
    let desktop = Desktop::start();
    let app = desktop.launch("mousepad", &[]);
    let field = find(&desktop, &app.window_id(), &["--role", "textfield"]);
    let texts: Vec<String> = ('a'..='f').map(|letter| letter.to_string().repeat(300)).collect();
    let typing: Vec<_> = texts
        .iter()
        .map(|text| {
            let line = ["--headed", "type", &field, text, "--timeout-ms", "60000"];
            let mut command = desktop.agent_desktop(&line);
            std::thread::spawn(move || command.output().unwrap())
        })
        .collect();
    for one in typing {
        let output = one.join().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    let value = desktop.run(&["get", &field, "--property", "value"]).data();
    let mut rest = value["value"].as_str().unwrap().to_owned();
    for text in &texts {
        assert!(rest.contains(text), "{text} is torn apart: {rest}");
        rest = rest.replace(text, "");
    }
    assert_eq!(rest, "");
}
