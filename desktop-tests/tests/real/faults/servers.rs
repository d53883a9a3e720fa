//! A bus or the X server dies while commands wait for it, and before: every answer is typed, on time and
//! honest, and nothing that was there is told as an empty desktop.

use std::time::Duration;

use desktop_tests::Desktop;
use serde_json::Value;

use super::Run;

const BUSES: [&str; 2] = ["dbus-daemon --session", "dbus-daemon --config-file"];

/// What no command may take longer than that is given no other limit.
const LIMIT: Duration = Duration::from_secs(12);

#[test]
fn a_bus_that_dies_in_the_middle_is_told_by_every_command() {
    for bus in BUSES {
        let desktop = Desktop::start();
        let dialog = desktop.launch("zenity", &["--entry", "--text=Name"]);
        let find = ["find", "--app", "zenity", "--role", "textfield", "--first"];
        let found = desktop.run(&find).data();
        let field = found["match"]["ref_id"].as_str().unwrap();
        let commands = [
            &["list-apps"][..],
            &["list-windows"],
            &["list-surfaces"],
            &["snapshot", "--app", "zenity"],
            &["find", "--app", "zenity", "--role", "button", "--count"],
            &["get", field, "--property", "value"],
            &["click", field],
            &["set-value", field, "x"],
            &["wait", "--text", "none", "--app", "zenity", "--timeout", "8000"],
            &[
                "wait",
                "--element",
                field,
                "--predicate",
                "value",
                "--value",
                "y",
                "--timeout",
                "8000",
            ],
            &["close-app", "zenity"],
        ];
        let stopped = desktop.stop_server(bus);
        let mut runs: Vec<_> = commands
            .iter()
            .map(|arguments| Run::start(&mut desktop.agent_desktop(arguments)))
            .collect();
        for run in &mut runs {
            run.await_blocked();
        }
        desktop.kill_server(bus);
        drop(stopped);
        for (run, arguments) in runs.into_iter().zip(commands) {
            let answer = run.end(LIMIT).envelope.unwrap();
            honest(&answer, arguments);
        }
        // From now on it is not there.
        for arguments in commands {
            let answer = Run::start(&mut desktop.agent_desktop(arguments)).end(LIMIT).envelope;
            honest(&answer.unwrap(), arguments);
        }
        drop(dialog);
    }
}

/// That an answer after the death of a bus is one: an error that says what to do, or what is so.
#[track_caller]
fn honest(answer: &Value, arguments: &[&str]) {
    if answer["ok"] == true {
        // Only what needs nothing of the dead may be answered.
        let data = &answer["data"];
        let empty =
            ["apps", "windows", "matches"].iter().any(|list| data[list] == Value::Array(vec![]));
        let lost = data["count"] == 0 || data.as_array().is_some_and(Vec::is_empty);
        assert!(!empty && !lost, "{arguments:?}: {answer}");
        return;
    }
    let error = &answer["error"];
    let code = error["code"].as_str().unwrap();
    let known = ["PLATFORM_NOT_SUPPORTED", "APP_UNRESPONSIVE", "WINDOW_NOT_FOUND", "TIMEOUT"];
    assert!(known.contains(&code), "{arguments:?}: {answer}");
    assert!(error["suggestion"].as_str().is_some_and(|text| text.len() > 10), "{answer}");
    // Nothing had been sent when the bus stopped answering.
    assert_eq!(error["disposition"]["delivery"], "not_delivered", "{arguments:?}: {answer}");
}

/// The button of a dialog is pressed while the bus dies at any moment: what is told is held against what
/// the dialog did.
#[test]
fn a_click_in_which_the_bus_dies_says_truly_what_was_delivered() {
    for share in [0.2, 0.45, 0.6, 0.8] {
        let desktop = Desktop::start();
        let find = ["find", "--app", "zenity", "--role", "button", "--name", "Yes", "--first"];
        let press = |desktop: &Desktop| {
            let dialog = desktop.launch("zenity", &["--question", "--text=Sure?"]);
            let found = desktop.run(&find).data();
            (dialog, found["match"]["ref_id"].as_str().unwrap().to_owned())
        };
        // How long it takes up to its end, and once more for the real thing.
        let (mut dialog, button) = press(&desktop);
        let usual = desktop.run(&["click", &button]).elapsed;
        desktop_tests::wait::until("the dialog to end", Duration::from_secs(5), || {
            dialog.process.ended().map(|_| ()).ok_or("it is there".to_owned())
        });
        let (mut dialog, button) = press(&desktop);
        let run = Run::start(&mut desktop.agent_desktop(&["click", &button]));
        let at = run.start + usual.mul_f64(share);
        while std::time::Instant::now() < at {
            std::hint::spin_loop();
        }
        desktop.kill_server(BUSES[1]);
        let answer = run.end(LIMIT).envelope.unwrap();
        let of = if answer["ok"] == true { &answer["data"] } else { &answer["error"] };
        let delivery = of["disposition"]["delivery"].as_str().unwrap();
        // One that was pressed ends with status 0; without a bus a dialog goes on.
        std::thread::sleep(Duration::from_millis(300));
        let pressed = dialog.process.ended().is_some_and(|status| status.success());
        match delivery {
            "not_delivered" => assert!(!pressed, "{share}: {answer}"),
            "delivered_verified" => assert!(pressed, "{share}: {answer}"),
            _ => assert_eq!(of["disposition"]["retry"], "unsafe", "{share}: {answer}"),
        }
    }
}

#[test]
fn an_x_server_that_dies_in_the_middle_is_told_by_every_command() {
    let desktop = Desktop::start();
    let _dialog = desktop.launch("zenity", &["--entry", "--text=Name"]);
    let find = ["find", "--app", "zenity", "--role", "textfield", "--first"];
    let found = desktop.run(&find).data();
    let field = found["match"]["ref_id"].as_str().unwrap();
    let picture = desktop.state_root().join("shot.png");
    let variables = ["DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS"];
    let environment: Vec<_> = desktop
        .command("env")
        .get_envs()
        .filter(|(key, _)| variables.iter().any(|variable| key == variable))
        .filter_map(|(key, value)| Some((key.to_owned(), value?.to_owned())))
        .collect();
    let commands = [
        &["list-windows"][..],
        &["list-displays"],
        &["screenshot", picture.to_str().unwrap()],
        &["press", "a", "--app", "zenity"],
        &["--headed", "click", field],
        &["--headed", "type", field, "text"],
        &["--headed", "mouse-move", "--xy", "5,5"],
        &["clipboard-set", "x"],
        &["clipboard-get"],
        &["focus-window", "--app", "zenity"],
        &["wait", "--window", "none", "--timeout", "8000"],
        &["wait", "--event", "window-opened", "--timeout", "8000"],
    ];
    // Without the private desktop's name: what it knows of its servers would refuse before.
    let prepared = |arguments: &[&str]| {
        let mut command = desktop.agent_desktop(arguments);
        command.env_remove("AGENT_DESKTOP_SANDBOX").envs(environment.iter().cloned());
        command
    };
    let stopped = desktop.stop_server("Xvfb");
    let mut runs: Vec<_> = commands.iter().map(|words| Run::start(&mut prepared(words))).collect();
    for run in &mut runs {
        run.await_blocked();
    }
    desktop.kill_server("Xvfb");
    drop(stopped);
    for (run, arguments) in runs.into_iter().zip(commands) {
        refused(&run.end(LIMIT).envelope.unwrap(), arguments);
    }
    for arguments in commands {
        let answer = Run::start(&mut prepared(arguments)).end(LIMIT).envelope.unwrap();
        refused(&answer, arguments);
    }
    assert!(!picture.exists());
}

#[track_caller]
fn refused(answer: &Value, arguments: &[&str]) {
    let error = &answer["error"];
    let known = [
        "PLATFORM_NOT_SUPPORTED",
        "APP_NOT_FOUND",
        "APP_UNRESPONSIVE",
        "WINDOW_NOT_FOUND",
        "TIMEOUT",
    ];
    let code = error["code"].as_str().unwrap_or_default();
    assert!(known.contains(&code), "{arguments:?}: {answer}");
    assert!(error["suggestion"].as_str().is_some_and(|text| text.len() > 10), "{answer}");
    assert_eq!(error["disposition"]["delivery"], "not_delivered", "{arguments:?}: {answer}");
}
