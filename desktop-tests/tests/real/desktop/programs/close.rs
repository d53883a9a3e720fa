//! Having applications end, with what the kernel and xdotool say of it.

use std::{fs, time::Duration};

use desktop_tests::{Desktop, Outcome, applications, wait};
use serde_json::Value;

use super::{launch, lives, output};

fn close(desktop: &Desktop, arguments: &[&str]) -> Outcome {
    desktop.run(&[&["close-app"], arguments].concat())
}

/// The answer about an application that has ended, checked against the kernel and the X server.
#[track_caller]
fn closed(desktop: &Desktop, run: &Outcome, pid: &Value, method: &str) {
    let data = run.data();
    assert_eq!(data["closed"], true, "{run}");
    assert_eq!(data["method"], method, "{run}");
    assert_eq!(data["disposition"]["delivery"], "delivered_verified", "{run}");
    assert_eq!(data["pid"], *pid, "{run}");
    assert!(!lives(pid), "{run}");
    let shown = output(desktop, "xdotool", &["search", "--onlyvisible", "--pid", &pid.to_string()]);
    assert_eq!(shown.trim(), "", "{run}");
}

/// One application after the other: each is asked by its window manager and ends.
#[test]
fn twelve_applications_end_when_they_are_asked() {
    let desktop = Desktop::start();
    let directory = desktop.state_root().parent().unwrap().join("swing");
    fs::create_dir(&directory).unwrap();
    let swing = (applications::others::SWING.prepare)(&directory);
    let swing: Vec<String> = swing.iter().map(|word| format!("--arg={word}")).collect();
    let java: Vec<&str> = ["java"].into_iter().chain(swing.iter().map(String::as_str)).collect();
    let samples: &[(&[&str], &str)] = &[
        (&["mousepad"], "mousepad"),
        (&["gedit"], "gedit"),
        (&["gtk3-widget-factory"], "gtk3-widget-factory"),
        (&["gnome-calculator"], "org.gnome.Calculator"),
        (&["gnome-text-editor"], "gnome-text-editor"),
        (&["featherpad"], "FeatherPad"),
        (&["kcalc"], "kcalc"),
        (&["qt6ct"], "qt6ct"),
        (&["libreoffice-calc"], "soffice"),
        (&["chromium", "--arg=--no-sandbox", "--arg=--no-first-run"], "chromium"),
        (&["firefox-esr"], "Firefox"),
        (&java, "Swing window"),
        (&["xterm"], "xterm"),
    ];
    for (arguments, name) in samples {
        let data = launch(&desktop, arguments).data();
        let run = close(&desktop, &[name, "--timeout-ms", "30000"]);
        closed(&desktop, &run, &data["pid"], "graceful");
        assert_eq!(run.data()["details"]["mechanism"], "window_manager", "{run}");
        close(&desktop, &[name]).error("APP_NOT_FOUND");
    }
}

/// What is not saved is asked for, and the question is named; both answers work.
#[test]
fn unsaved_changes_are_asked_for_and_force_asks_nobody() {
    let desktop = Desktop::start();
    let home = desktop.state_root().parent().unwrap().to_owned();
    let file = home.join("note.txt");
    let edited = || {
        fs::write(&file, "one\n").unwrap();
        let data = launch(&desktop, &["mousepad", "--arg", file.to_str().unwrap()]).data();
        let find = ["find", "--app", "mousepad", "--role", "textfield", "--first"];
        let field = wait::until("the text", Duration::from_secs(10), || {
            let run = desktop.run(&find);
            let found = run.envelope()["data"]["match"]["ref_id"].as_str().map(str::to_owned);
            found.ok_or_else(|| run.to_string())
        });
        desktop.run(&["set-value", &field, "two"]).data();
        data["pid"].clone()
    };
    let ask = |pid: &Value| {
        let run = close(&desktop, &["mousepad"]);
        let data = run.data();
        assert_eq!(data["closed"], false, "{run}");
        assert_eq!(data["disposition"]["delivery"], "delivered_unverified", "{run}");
        assert!(lives(pid), "{run}");
        let surfaces = data["surfaces"].as_array().unwrap();
        let question =
            surfaces.iter().find(|one| one["type"] == "alert").unwrap_or_else(|| panic!("{run}"));
        let id = question["id"].as_str().unwrap().to_owned();
        assert!(data["suggestion"].as_str().unwrap().contains(&id), "{run}");
        let named = ["--window-id", &id, "--role", "button", "--name", "Don't Save", "--first"];
        desktop.run(&[&["find"][..], &named].concat()).data()["match"]["ref_id"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let pid = edited();
    let button = ask(&pid);
    desktop.run(&["click", &button]).envelope();
    wait::until("the end", Duration::from_secs(5), || match lives(&pid) {
        false => Ok(()),
        true => Err("it lives".to_owned()),
    });

    let pid = edited();
    ask(&pid);
    let run = close(&desktop, &["mousepad", "--force"]);
    closed(&desktop, &run, &pid, "force");
    assert_eq!(fs::read_to_string(&file).unwrap(), "one\n");
}

#[test]
fn what_heeds_nothing_is_killed() {
    let desktop = Desktop::start();
    // It is stopped, so that it heeds nothing but the signal that nobody can ignore.
    let pid = launch(&desktop, &["zenity", "--arg=--info"]).data()["pid"].clone();
    let number = pid.to_string();
    output(&desktop, "sh", &["-c", &format!("kill -STOP {number}")]);
    let run = close(&desktop, &["zenity", "--timeout-ms", "2000"]);
    let data = run.on_time(Duration::from_secs(2)).data();
    assert_eq!(data["closed"], false, "{run}");
    assert!(data["suggestion"].as_str().unwrap().contains("--force"), "{run}");
    let run = close(&desktop, &["zenity", "--force", "--timeout-ms", "2000"]);
    run.on_time(Duration::from_secs(2));
    closed(&desktop, &run, &pid, "force");
}

#[test]
fn of_several_none_is_chosen_but_by_its_window() {
    let desktop = Desktop::start();
    let a = launch(&desktop, &["zenity", "--arg=--info", "--arg=--text=a"]).data();
    let b = launch(&desktop, &["zenity", "--arg=--info", "--arg=--text=b"]).data();
    let run = close(&desktop, &["zenity", "--force"]);
    let error = run.error("AMBIGUOUS_TARGET");
    assert_eq!(error["details"]["windows"].as_array().unwrap().len(), 2, "{run}");
    assert!(lives(&a["pid"]) && lives(&b["pid"]));
    let run = close(&desktop, &["--window-id", a["window"]["id"].as_str().unwrap()]);
    closed(&desktop, &run, &a["pid"], "graceful");
    assert!(lives(&b["pid"]));
    close(&desktop, &["--window-id", a["window"]["id"].as_str().unwrap()])
        .error("WINDOW_NOT_FOUND");
}

/// A document of one application and one of another in the same process.
#[test]
fn of_one_process_that_is_two_applications_the_other_stays() {
    let desktop = Desktop::start();
    let calc = launch(&desktop, &["libreoffice-calc"]).data();
    let writer = launch(&desktop, &["libreoffice-writer"]).data();
    assert_eq!(calc["pid"], writer["pid"]);
    assert_ne!(calc["window"]["id"], writer["window"]["id"]);
    let run = close(&desktop, &["libreoffice-calc", "--timeout-ms", "20000"]);
    assert_eq!(run.data()["closed"], true, "{run}");
    let windows = desktop.run(&["list-windows"]).data();
    let titles: Vec<&str> =
        windows.as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap()).collect();
    assert!(titles.iter().any(|title| title.contains("Writer")), "{titles:?}");
    assert!(!titles.iter().any(|title| title.contains("Calc")), "{titles:?}");
    closed(&desktop, &close(&desktop, &["soffice", "--force"]), &calc["pid"], "force");
}

/// What the session lives by, and where this command runs, is not closed.
#[test]
fn what_a_session_lives_by_is_refused() {
    let desktop = Desktop::start();
    for name in [
        "Xvfb",
        "openbox",
        "dbus-daemon",
        "at-spi-bus-launcher",
        "at-spi2-registryd",
        "systemd",
        "agent-desktop",
    ] {
        for force in [&[][..], &["--force"]] {
            let run = close(&desktop, &[&[name], force].concat());
            run.on_time(Duration::from_secs(1)).error("POLICY_DENIED");
        }
    }
    assert_eq!(desktop.run(&["sandbox", "list"]).data()["sandboxes"][0]["state"], "running");
    // A terminal in which the command runs is one of its ancestors; the answer goes to a file.
    let answer = desktop.state_root().parent().unwrap().join("answer");
    let line = format!(
        "{} close-app xterm --force > {}; sleep 600",
        std::env::var("AGENT_DESKTOP_BINARY").unwrap_or_else(|_| "agent-desktop".to_owned()),
        answer.display()
    );
    let terminal =
        launch(&desktop, &["xterm", "--arg=-e", "--arg=sh", "--arg=-c", "--arg", &line]).data();
    let text = wait::until("the answer", Duration::from_secs(10), || {
        let text = fs::read_to_string(&answer).unwrap_or_default();
        if text.ends_with('\n') { Ok(text) } else { Err(text) }
    });
    let envelope: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(envelope["error"]["code"], "POLICY_DENIED", "{text}");
    assert!(lives(&terminal["pid"]));
    // From elsewhere it is closed.
    closed(&desktop, &close(&desktop, &["xterm"]), &terminal["pid"], "graceful");
}
