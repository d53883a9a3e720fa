//! Naming what is not there, or is there twice, or elsewhere.

use std::{fs, time::Duration};

use desktop_tests::{Desktop, applications::turns, wait};

#[test]
fn an_unknown_application_is_answered_with_near_names() {
    let desktop = Desktop::start();
    let _calculator = desktop.launch("gnome-calculator", &[]);
    let _dialog = desktop.launch("zenity", &["--info", "--text=Hello"]);
    let error = desktop.run(&["snapshot", "--app", "gnome-calculater"]).error("APP_NOT_FOUND");
    assert_eq!(error["details"]["kind"], "app_candidates");
    assert_eq!(error["details"]["apps"][0], "gnome-calculator", "{error:#}");
}

#[test]
fn two_windows_of_one_name_are_told_apart_by_their_ids() {
    let desktop = Desktop::start();
    let one = desktop.launch("zenity", &["--info", "--title=First", "--text=One"]);
    let two = desktop.launch("zenity", &["--info", "--title=Second", "--text=Two"]);
    await_focus(&desktop, "Second");
    // The one that the user works with stands out; without the focus, neither does.
    let focused = desktop.run(&["snapshot", "--app", "zenity"]).data();
    assert_eq!(focused["window"]["title"], "Second");
    let calculator = desktop.launch("gnome-calculator", &[]);
    await_focus(&desktop, "Calculator");
    let error = desktop.run(&["snapshot", "--app", "zenity"]).error("AMBIGUOUS_TARGET");
    assert_eq!(error["details"]["kind"], "window_candidates");
    let candidates = error["details"]["windows"].as_array().unwrap();
    let mut texts = Vec::new();
    for candidate in candidates {
        let id = candidate["id"].as_str().unwrap();
        let exact = desktop.run(&["snapshot", "--window-id", id]).data();
        assert_eq!(exact["window"]["title"], candidate["title"]);
        texts.push(exact["tree"].to_string());
    }
    assert_eq!(texts.len(), 2);
    assert!(texts.iter().any(|text| text.contains("One")));
    assert!(texts.iter().any(|text| text.contains("Two")));
    drop((one, two, calculator));
}

/// Two windows of one process, with one title and the same files.
#[test]
fn twin_windows_are_told_apart_by_their_ids_and_refs() {
    let desktop = Desktop::start();
    let folder = desktop.state_root().join("twins");
    fs::create_dir_all(&folder).unwrap();
    for name in ["one.txt", "two.txt", "three.txt"] {
        fs::write(folder.join(name), name).unwrap();
    }
    let folder = folder.to_str().unwrap();
    let app = desktop.launch("thunar", &[folder]);
    // In the view of details files have names; a new window shows what the first does.
    turns::key(&desktop, &app, "ctrl+2", ("one.txt", "showing"));
    let keys = desktop.command("xdotool").args(["key", "ctrl+n"]).status();
    assert!(keys.expect("xdotool runs").success());
    let ids = wait::until("two windows", Duration::from_secs(30), || {
        let windows = desktop.run(&["list-windows"]).data();
        let all = windows.as_array().unwrap();
        let of = |focused: bool| {
            let mut ids =
                all.iter().filter(|one| one["is_focused"] == focused && one["visible"] == true);
            ids.next().and_then(|one| one["id"].as_str()).map(str::to_owned)
        };
        let same = all.len() == 2 && all[0]["title"] == all[1]["title"];
        of(true).zip(of(false)).filter(|_| same).ok_or_else(|| windows.to_string())
    });
    app.settle();
    let (focused, other) = (ids.0.as_str(), ids.1.as_str());
    let selected = ["find", "--state", "selected", "--name", ".txt", "--count", "--window-id"];
    let selected = |id: &str| desktop.run(&[&selected[..], &[id]].concat()).data()["count"].clone();
    let refs = [focused, other].map(|id| {
        let find = ["find", "--name", "one.txt", "--exact", "--first", "--window-id", id];
        wait::until("the files", Duration::from_secs(30), || {
            let found = desktop.run(&find).envelope();
            let reference = found["data"]["match"]["ref_id"].as_str();
            reference.map(str::to_owned).ok_or_else(|| found.to_string())
        })
    });
    let is_selected = |reference: &str| {
        let run = desktop.run(&["get", reference, "--property", "states"]);
        run.data()["value"].as_array().unwrap().contains(&"selected".into())
    };

    // What is done in one is not seen in the other.
    let keys = desktop.command("xdotool").args(["key", "ctrl+a"]).status();
    assert!(keys.expect("xdotool runs").success());
    wait::until("all to be selected", Duration::from_secs(20), || {
        if selected(focused) == 3 { Ok(()) } else { Err(selected(focused).to_string()) }
    });
    assert_eq!(selected(other), 0);
    let truth = desktop.has(&app, "one.txt", "selected");
    assert_eq!(truth, app.window_id() == focused, "libatspi says otherwise");
    assert_eq!(refs.each_ref().map(|one| is_selected(one)), [true, false]);
    let this = desktop.run(&["snapshot", "--app", "thunar"]).data();
    assert_eq!(this["window"]["id"], focused, "the focused one stands out");

    let keys = desktop.command("xdotool").args(["key", "ctrl+w"]).status();
    assert!(keys.expect("xdotool runs").success());
    wait::until("one window", Duration::from_secs(20), || {
        let windows = desktop.run(&["list-windows"]).data();
        if windows.as_array().unwrap().len() == 1 { Ok(()) } else { Err(windows.to_string()) }
    });
    desktop.run(&["snapshot", "--window-id", focused]).error("WINDOW_NOT_FOUND");
    assert_eq!(desktop.run(&["get", &refs[0]]).envelope()["ok"], false);
    assert!(!is_selected(&refs[1]));
}

fn await_focus(desktop: &Desktop, title: &str) {
    wait::until("the focus", Duration::from_secs(10), || {
        let windows = desktop.run(&["list-windows"]).data();
        let mut focused =
            windows.as_array().into_iter().flatten().filter(|w| w["is_focused"] == true);
        match focused.next() {
            Some(window) if window["title"] == title => Ok(()),
            other => Err(format!("{other:?} has it")),
        }
    });
}

#[test]
fn a_ref_of_another_desktop_is_refused_naming_the_right_one() {
    let here = Desktop::start();
    let there = Desktop::start_beside(&here);
    let _one = here.launch("zenity", &["--info", "--text=Here"]);
    let _other = there.launch("zenity", &["--info", "--text=There"]);
    let found = here.run(&["find", "--app", "zenity", "--role", "button", "--first"]).data();
    let reference = found["match"]["ref_id"].as_str().unwrap();
    here.run(&["get", reference]).data();
    for command in [&["get", reference][..], &["is", reference], &["snapshot", "--root", reference]]
    {
        let error = there.run(command).error("STALE_REF");
        assert_eq!(error["details"]["kind"], "desktop_changed", "{error:#}");
        assert_eq!(error["details"]["sandbox"], here.name());
        let suggestion = error["suggestion"].as_str().unwrap();
        assert!(suggestion.contains(&format!("--sandbox {}", here.name())), "{suggestion}");
    }
}
