//! Naming what is not there, or is there twice, or elsewhere.

use std::time::Duration;

use desktop_tests::{Desktop, wait};

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
