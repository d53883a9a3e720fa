//! Acting with the pointer: it goes to the element that is meant, or nowhere.

use std::{fs, time::Duration};

use desktop_tests::{
    Desktop, Process, wait,
    web::{Browser, Kind, Server},
};
use serde_json::Value;

pub(super) fn find(desktop: &Desktop, window: &str, what: &[&str]) -> String {
    wait::until("the element", Duration::from_secs(30), || {
        let line = [&["find", "--window-id", window, "--first"], what].concat();
        let found = desktop.run(&line).envelope();
        let reference = found["data"]["match"]["ref_id"].as_str();
        reference.map(str::to_owned).ok_or_else(|| found.to_string())
    })
}

fn headed(desktop: &Desktop, line: &[&str]) -> Value {
    desktop.run(&[&["--headed"], line].concat()).data()
}

/// Waits until the page says so.
fn says(browser: &mut Browser, expression: &str, wanted: &Value) {
    wait::until(expression, Duration::from_secs(10), || {
        let now = browser.evaluate(expression);
        if now == *wanted { Ok(()) } else { Err(now.to_string()) }
    });
}

fn fills_a_form(kind: Kind) {
    let (desktop, server) = (Desktop::start(), Server::start());
    let mut browser = Browser::start(&desktop, kind, &[], &server.url("form.html"));
    let window = browser.app.window_id();
    let find = |what: &[&str]| find(&desktop, &window, what);
    let name = find(&["--role", "textfield", "--name", "Name"]);
    let set = headed(&desktop, &["set-value", &name, "Zoë 文"]);
    assert_eq!(set["disposition"]["delivery"], "delivered_verified", "{set:#}");
    assert_eq!(set["steps"][0]["mechanism"], "physical_synthetic");
    let notes = find(&["--role", "textfield", "--name", "Notes"]);
    headed(&desktop, &["type", &notes, "one"]);
    headed(&desktop, &["type", &notes, " two"]);
    let agree = find(&["--role", "checkbox", "--name", "Agree"]);
    let clicked = headed(&desktop, &["click", &agree]);
    assert_eq!(clicked["disposition"]["delivery"], "delivered_verified", "{clicked:#}");
    let secret = find(&["--role", "textfield", "--name", "Word"]);
    let typed = desktop.run(&["--headed", "type", &secret, "hush!"]);
    assert!(!typed.envelope().to_string().contains("hush"));
    typed.data();
    headed(&desktop, &["click", &find(&["--role", "button", "--name", "Send"])]);
    let sent = serde_json::json!(
        {"name": "Zoë 文", "agree": "on", "notes": "one two", "secret": "hush!"}
    );
    says(&mut browser, "sent", &sent);
    headed(&desktop, &["double-click", &find(&["--role", "button", "--name", "Twice"])]);
    says(&mut browser, "doubled", &1.into());
}

#[test]
fn chromium_gets_a_form_filled_and_sent() {
    fills_a_form(Kind::Chromium);
}

#[test]
fn firefox_gets_a_form_filled_and_sent() {
    fills_a_form(Kind::Firefox);
}

/// What the page itself is told of: which button, how often, with which keys, on what.
#[test]
fn a_page_is_told_of_everything_that_the_pointer_does() {
    let (desktop, server) = (Desktop::start(), Server::start());
    let mut browser = Browser::start(&desktop, Kind::Chromium, &[], &server.url("form.html"));
    let window = browser.app.window_id();
    let name = find(&desktop, &window, &["--role", "textfield", "--name", "Name"]);
    headed(&desktop, &["triple-click", &name]);
    says(&mut browser, "getSelection().toString()", &"before".into());
    let focused = "document.activeElement.id";
    headed(&desktop, &["focus", &find(&desktop, &window, &["--name", "Notes"])]);
    says(&mut browser, focused, &"notes".into());

    let over = find(&desktop, &window, &["--role", "button", "--name", "Over"]);
    let hinted = headed(&desktop, &["hover", &over, "--wait-for", ":A hint"]);
    assert_eq!(hinted["after_action"]["operation"], "hover", "{hinted:#}");
    assert!(hinted["already"].is_null(), "{hinted:#}");
    says(&mut browser, "hovered", &1.into());
    let bounds = desktop.run(&["get", &over, "--property", "bounds"]).data()["value"].clone();
    let middle =
        |at: &str, size: &str| bounds[at].as_i64().unwrap() + bounds[size].as_i64().unwrap() / 2;
    let (x, y) = (middle("x", "width"), middle("y", "height"));
    let xy = format!("{x},{y}");
    browser.evaluate("pressed = []");
    let line =
        ["mouse-click", "--xy", &xy, "--button", "middle", "--count", "2", "--modifiers", "ctrl"];
    let clicked = headed(&desktop, &line);
    assert_eq!(clicked["target"]["window"]["id"], window.as_str(), "{clicked:#}");
    let told = serde_json::json!([[1, 1, true, "over"], [1, 2, true, "over"]]);
    says(&mut browser, "pressed", &told);

    let scrolled = "document.getElementById('box').scrollTop > 0";
    let on_box = find(&desktop, &window, &["--name", "Box"]);
    headed(&desktop, &["scroll", &on_box, "--direction", "down", "--amount", "2"]);
    says(&mut browser, scrolled, &true.into());
    // Scrolling is smooth: it goes on for a while.
    says(&mut browser, "ended > 0", &true.into());
    headed(&desktop, &["hover", &on_box]);
    let place = desktop.run(&["get", &on_box, "--property", "bounds"]).data()["value"].clone();
    let at = |at: &str, size: &str| {
        (place[at].as_i64().unwrap() + place[size].as_i64().unwrap() / 2).to_string()
    };
    let (x, y) = (at("x", "width"), at("y", "height"));
    headed(&desktop, &["mouse-wheel", "--x", &x, "--y", &y, "--dy", "20"]);
    says(&mut browser, scrolled, &false.into());
}

/// Nothing of a drawing is on the accessibility bus but where it is.
#[test]
fn a_line_is_drawn_in_a_page() {
    let (desktop, server) = (Desktop::start(), Server::start());
    let mut browser = Browser::start(&desktop, Kind::Chromium, &[], &server.url("form.html"));
    let canvas = find(&desktop, &browser.app.window_id(), &["--name", "Canvas"]);
    let bounds = desktop.run(&["get", &canvas, "--property", "bounds"]).data();
    let corner = |dx: i64, dy: i64| {
        let at = |key: &str| bounds["value"][key].as_i64().unwrap();
        format!("{},{}", at("x") + dx, at("y") + dy)
    };
    let (from, to) = (corner(20, 20), corner(220, 70));
    headed(&desktop, &["drag", "--from-xy", &from, "--to-xy", &to]);
    says(
        &mut browser,
        "drawn.length > 5 && drawn.every(([x, y]) => Math.abs((x - 20) / 4 - (y - 20)) < 3)",
        &true.into(),
    );
    says(&mut browser, "drawn.at(-1)[0] > 200", &true.into());
}

#[test]
fn gtk4_check_boxes_without_any_action_are_checked() {
    let desktop = Desktop::start();
    let app = desktop.launch("gtk4-widget-factory", &[]);
    let check = find(
        &desktop,
        &app.window_id(),
        &[
            "--role",
            "checkbox",
            "--state",
            "visible",
            "--state",
            "enabled",
            "--state",
            "checked=false",
        ],
    );
    desktop.run(&["check", &check]).error("ACTION_NOT_SUPPORTED");
    let done = headed(&desktop, &["check", &check]);
    assert_eq!(done["disposition"]["delivery"], "delivered_verified", "{done:#}");
    assert_eq!(done["steps"][0]["mechanism"], "physical_synthetic");
    assert_eq!(desktop.run(&["is", &check, "--property", "checked"]).data()["result"], true);
    let again = headed(&desktop, &["check", &check]);
    assert_eq!(again["disposition"]["delivery"], "not_delivered", "{again:#}");
}

#[test]
fn each_toolkit_takes_a_click_in_every_scale() {
    for (program, scale) in [("gnome-calculator", "1"), ("gnome-calculator", "2"), ("kcalc", "1")] {
        let desktop = Desktop::start();
        let mut command = desktop.command(program);
        let process = Process::spawn(command.env("GDK_SCALE", scale)).unwrap();
        let started = desktop.await_window(program, process);
        let window = started.window_id();
        let seven = find(&desktop, &window, &["--role", "button", "--name", "7", "--exact"]);
        headed(&desktop, &["click", &seven]);
        headed(&desktop, &["click", &seven]);
        wait::until("two digits", Duration::from_secs(10), || {
            let line = ["find", "--window-id", &window, "--text", "77", "--count"];
            let found = desktop.run(&line).data();
            if found["count"].as_u64() > Some(0) { Ok(()) } else { Err(found.to_string()) }
        });
    }
}

#[test]
fn a_double_click_opens_and_a_right_click_offers() {
    let desktop = Desktop::start();
    let folder = desktop.state_root().join("folder");
    fs::create_dir_all(folder.join("inner")).unwrap();
    fs::write(folder.join("inner/deep.txt"), "deep").unwrap();
    let app = desktop.launch("thunar", &[folder.to_str().unwrap()]);
    let window = app.window_id();
    // In the view of details files have names.
    headed(&desktop, &["press", "ctrl+2", "--app", "thunar"]);
    let item = find(&desktop, &window, &["--name", "inner", "--exact"]);
    headed(&desktop, &["right-click", &item]);
    let menu_is = |open: bool| {
        wait::until("a menu or none", Duration::from_secs(10), || {
            let surfaces = desktop.run(&["list-surfaces", "--app", "thunar"]).data().to_string();
            if surfaces.contains("\"menu\"") == open { Ok(()) } else { Err(surfaces) }
        });
    };
    menu_is(true);
    let escape = desktop.command("xdotool").args(["key", "Escape"]).status();
    assert!(escape.unwrap().success());
    menu_is(false);
    let item = find(&desktop, &window, &["--name", "inner", "--exact"]);
    headed(&desktop, &["double-click", &item]);
    wait::until("the folder", Duration::from_secs(10), || {
        let found =
            desktop.run(&["find", "--app", "thunar", "--text", "deep.txt", "--count"]).data();
        if found["count"].as_u64() > Some(0) { Ok(()) } else { Err(found.to_string()) }
    });
}

/// Another window is in front, which is of nobody that could be asked to go behind.
#[test]
fn what_is_covered_is_not_clicked() {
    let desktop = Desktop::start();
    let app = desktop.launch("gnome-calculator", &[]);
    let window = app.window_id();
    let button = find(&desktop, &window, &["--role", "button", "--name", "7", "--exact"]);
    let bounds = desktop.run(&["get", &button, "--property", "bounds"]).data()["value"].clone();
    let at = |key: &str| bounds[key].as_i64().unwrap();
    let script = format!(
        "import Xlib.display, Xlib.X, time\n\
         d = Xlib.display.Display()\n\
         s = d.screen()\n\
         w = s.root.create_window({}, {}, 60, 60, 0, s.root_depth, override_redirect=1)\n\
         w.set_wm_name('Cover')\n\
         w.map()\n\
         d.sync()\n\
         print('up', flush=True)\n\
         time.sleep(600)\n",
        at("x") - 5,
        at("y") - 5
    );
    let mut cover = desktop.command("/usr/bin/python3");
    cover
        .args(["-c", &script])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped());
    let mut cover = desktop_tests::Process::spawn(&mut cover).unwrap();
    assert_eq!(cover.line(), "up");
    let outcome = desktop.run(&["--headed", "click", &button, "--timeout-ms", "2000"]);
    let refused = outcome.error("ACTION_FAILED");
    assert!(refused.to_string().contains("Cover"), "{refused:#}");
    drop(cover);
    headed(&desktop, &["click", &button]);
}

/// A popover of the same application, which is a window of its own to the display server.
#[test]
fn what_is_under_an_open_popover_is_not_clicked() {
    let desktop = Desktop::start();
    let app = desktop.launch("gnome-calculator", &[]);
    let window = app.window_id();
    let display = find(&desktop, &window, &["--role", "textfield", "--state", "visible"]);
    let mode = find(&desktop, &window, &["--role", "button", "--name", "Basic"]);
    headed(&desktop, &["click", &mode]);
    wait::until("the popover", Duration::from_secs(10), || {
        let open = desktop.run(&["list-surfaces", "--app", "gnome-calculator"]).data();
        if open.to_string().contains("\"menu\"") { Ok(()) } else { Err(open.to_string()) }
    });
    let line = ["--headed", "click", &display, "--timeout-ms", "3000"];
    let refused = desktop.run(&line).error("ACTION_FAILED");
    assert!(refused["details"]["checks"].to_string().contains("occluded"), "{refused:#}");
}

/// The pointer would stay at the edge of the screen, over another button.
#[test]
fn what_is_off_the_screen_is_not_clicked() {
    let desktop = Desktop::start();
    let app = desktop.launch("gnome-calculator", &[]);
    let window = app.window_id();
    let one = find(&desktop, &window, &["--role", "button", "--name", "1", "--exact"]);
    desktop.run(&["move-window", "--window-id", &window, "--x", "300", "--y", "850"]).data();
    for line in [
        &["click", one.as_str()][..],
        &["hover", &one],
        &["drag", "--from", &one, "--to-xy", "5,5"],
    ] {
        let refused = desktop.run(&[&["--headed"], line, &["--timeout-ms", "3000"]].concat());
        let refused = refused.error("ACTION_FAILED");
        assert!(refused["suggestion"].as_str().unwrap().contains("move-window"), "{refused:#}");
    }
    desktop.run(&["move-window", "--window-id", &window, "--x", "300", "--y", "100"]).data();
    headed(&desktop, &["click", &one]);
}

/// A click beside an open menu of GTK 4 only closes it; Escape does that, too.
#[test]
fn what_an_open_menu_would_swallow_is_refused() {
    let desktop = Desktop::start();
    let app = desktop.launch("gnome-calculator", &[]);
    let window = app.window_id();
    let one = find(&desktop, &window, &["--role", "button", "--name", "1", "--exact"]);
    headed(
        &desktop,
        &["click", &find(&desktop, &window, &["--role", "button", "--name", "Basic"])],
    );
    let is_open = |open: bool| {
        wait::until("the menu or none", Duration::from_secs(10), || {
            let all = desktop.run(&["list-surfaces", "--app", "gnome-calculator"]).data();
            if all.to_string().contains("\"menu\"") == open { Ok(()) } else { Err(all.to_string()) }
        });
    };
    is_open(true);
    let line = ["--headed", "click", &one, "--timeout-ms", "4000"];
    desktop.run(&line).error("ACTION_FAILED");
    is_open(true);
    desktop.run(&["press", "escape"]).data();
    is_open(false);
    headed(&desktop, &["click", &one]);
}

#[test]
fn nothing_is_moved_without_leave() {
    let desktop = Desktop::start();
    let app = desktop.launch("mousepad", &[]);
    let field = find(&desktop, &app.window_id(), &["--role", "textfield"]);
    let place = |desktop: &Desktop| {
        let output = desktop.command("xdotool").arg("getmouselocation").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let before = place(&desktop);
    for line in [
        &["hover", field.as_str()][..],
        &["hover", "--xy", "1,1"],
        &["drag", "--from", &field, "--to-xy", "5,5"],
        &["mouse-move", "--xy", "1,1"],
        &["mouse-click", "--xy", "1,1"],
        &["mouse-wheel", "--x", "1", "--y", "1"],
        &["double-click", &field],
        &["triple-click", &field],
        &["focus", &field],
    ] {
        desktop.run(line).error("POLICY_DENIED");
    }
    assert_eq!(place(&desktop), before);
    headed(&desktop, &["mouse-move", "--xy", "33,44"]);
    assert!(place(&desktop).starts_with("x:33 y:44 "));
    desktop.run(&["--headed", "mouse-move", "--xy", "90000,1"]).error("INVALID_ARGS");
}

/// A program that has taken the pointer may keep it in its own window.
#[test]
fn a_pointer_that_is_held_elsewhere_is_told() {
    let desktop = Desktop::start();
    let script = "import Xlib.display, Xlib.X\n\
         d = Xlib.display.Display()\n\
         s = d.screen()\n\
         w = s.root.create_window(300, 300, 60, 60, 0, s.root_depth, override_redirect=1)\n\
         w.map()\n\
         d.sync()\n\
         kind = Xlib.X.GrabModeAsync\n\
         print(w.grab_pointer(True, 0, kind, kind, w, 0, Xlib.X.CurrentTime), flush=True)\n\
         input()\n";
    let mut holder = desktop.command("/usr/bin/python3");
    let pipe = std::process::Stdio::piped;
    holder.args(["-c", script]).stdin(pipe()).stdout(pipe());
    let mut holder = Process::spawn(&mut holder).unwrap();
    assert_eq!(holder.line(), "0", "it has the pointer");
    for line in [
        &["mouse-move", "--xy", "20,20"][..],
        &["mouse-click", "--xy", "20,20"],
        &["drag", "--from-xy", "20,20", "--to-xy", "40,40"],
        &["drag", "--from-xy", "320,320", "--to-xy", "40,40"],
    ] {
        let told = desktop.run(&[&["--headed"], line].concat()).envelope()["error"].clone();
        let message = told["message"].as_str().unwrap();
        assert!(message.contains("is at 3"), "{told:#}");
        assert_eq!(told["code"], "ACTION_FAILED", "{told:#}");
        assert_eq!(told["disposition"]["delivery"], "delivery_uncertain", "{told:#}");
    }
    drop(holder);
    headed(&desktop, &["mouse-move", "--xy", "20,20"]);
}

#[test]
fn a_file_is_dragged_into_a_folder() {
    let desktop = Desktop::start();
    let folder = desktop.state_root().join("folder");
    fs::create_dir_all(folder.join("inner")).unwrap();
    fs::write(folder.join("note.txt"), "a note").unwrap();
    let app = desktop.launch("nautilus", &[folder.to_str().unwrap()]);
    let window = app.window_id();
    let file = find(&desktop, &window, &["--name", "note.txt"]);
    let target = find(&desktop, &window, &["--name", "inner", "--exact"]);
    headed(&desktop, &["drag", "--from", &file, "--to", &target]);
    wait::until("the file in the folder", Duration::from_secs(20), || {
        let moved = fs::read_to_string(folder.join("inner/note.txt"));
        match moved.is_ok_and(|text| text == "a note") && !folder.join("note.txt").exists() {
            true => Ok(()),
            false => Err("it is where it was".to_owned()),
        }
    });
}

#[test]
fn a_column_is_dragged_before_another() {
    let desktop = Desktop::start();
    let app = desktop.launch("gtk3-widget-factory", &[]);
    let window = app.window_id();
    let place = |name: &str| {
        let tree = desktop.independent_tree(&app);
        let is_it = |node: &desktop_tests::reader::Node| {
            node.role_name == "table column header" && node.raw_name == name
        };
        tree.find(is_it).and_then(|node| node.bounds).map(|bounds| bounds[0])
    };
    let last = find(&desktop, &window, &["--role", "column", "--name", "Nick"]);
    let first = find(&desktop, &window, &["--role", "column", "--name", "Icon"]);
    assert!(place("Nick") > place("Name"), "it is the last one");
    headed(&desktop, &["drag", "--from", &last, "--to", &first]);
    wait::until("another order", Duration::from_secs(10), || {
        let (nick, name) = (place("Nick"), place("Name"));
        if nick < name { Ok(()) } else { Err(format!("{nick:?} and {name:?}")) }
    });
}
