//! What a command says when there is no desktop, half of one, or one that does not answer.

mod program;

use std::{os::unix::net::UnixListener, thread, time::Duration};

use program::Program;

const READING: &[&str] = &["list-apps", "list-windows", "list-surfaces"];

/// How long the listing commands may take at most: their deadline of 5 s, and 2 s of grace.
const LIMIT: Duration = Duration::from_secs(7);

#[test]
fn nothing_at_all() {
    let program = Program::new();
    for command in READING.iter().chain(&["list-displays"]) {
        let answer = program.run(&[command]);
        answer.assert_refused(1, "PLATFORM_NOT_SUPPORTED");
        assert!(answer.suggestion().contains("sandbox start"), "{answer:?}");
    }
}

#[test]
fn a_bus_and_no_display() {
    let mut program = Program::new();
    let bus = program.socket("bus");
    let _held = UnixListener::bind(&bus.path).unwrap();
    program.env("DBUS_SESSION_BUS_ADDRESS", &bus.address);
    let answer = program.run(&["list-apps"]);
    answer.assert_refused(1, "PLATFORM_NOT_SUPPORTED");
    assert!(answer.message().contains("DISPLAY"), "{answer:?}");
    assert!(answer.suggestion().contains("sandbox start"), "{answer:?}");
}

#[test]
fn a_display_and_no_bus() {
    let mut program = Program::new();
    program.env("DISPLAY", ":4999");
    let answer = program.run(&["list-apps"]);
    answer.assert_refused(1, "PLATFORM_NOT_SUPPORTED");
    assert!(answer.message().contains("bus"), "{answer:?}");
    assert!(answer.suggestion().contains("sandbox start"), "{answer:?}");
}

#[test]
fn a_bus_address_that_leads_nowhere() {
    for address in ["unix:path=/dev/null/bus", "nonsense", "tcp:host=", ";", "unix:path="] {
        let mut program = Program::new();
        program.env("DISPLAY", ":4999");
        program.env("DBUS_SESSION_BUS_ADDRESS", address);
        let answer = program.run(&["list-apps"]);
        answer.assert_refused(1, "PLATFORM_NOT_SUPPORTED");
        assert!(answer.suggestion().contains("sandbox start"), "{answer:?}");
        assert_eq!(program.run(&["status"]).status, Some(0));
    }
}

#[test]
fn a_bus_that_hangs_up_or_stays_silent() {
    for hangs_up in [true, false] {
        let mut program = Program::new();
        let bus = program.socket("bus");
        let listener = UnixListener::bind(&bus.path).unwrap();
        thread::spawn(move || {
            let mut held = Vec::new();
            for stream in listener.incoming() {
                held.extend(stream.ok().filter(|_| !hangs_up));
            }
        });
        program.env("DISPLAY", ":4999");
        program.env("DBUS_SESSION_BUS_ADDRESS", &bus.address);
        let program = &program;
        thread::scope(|scope| {
            for command in READING {
                scope.spawn(move || {
                    let answer = program.run(&[command]);
                    answer.assert_refused(1, "PLATFORM_NOT_SUPPORTED");
                    assert!(answer.elapsed < LIMIT, "{answer:?}");
                });
            }
            for command in ["status", "permissions"] {
                scope.spawn(move || {
                    let answer = program.run(&[command]);
                    assert_eq!(answer.status, Some(0), "{answer:?}");
                    assert!(answer.elapsed < LIMIT, "{answer:?}");
                });
            }
        });
    }
}

#[test]
fn a_display_that_does_not_exist() {
    for display in [":4999", ":64999", ":99999", "nonsense", "unix:/dev/null/x"] {
        let mut program = Program::new();
        program.env("DISPLAY", display);
        let answer = program.run(&["list-displays"]);
        answer.assert_refused(1, "PLATFORM_NOT_SUPPORTED");
        assert!(answer.message().contains(display), "{answer:?}");
        assert!(answer.suggestion().contains("sandbox start"), "{answer:?}");
    }
}

#[test]
fn status_says_what_to_do() {
    let answer = Program::new().run(&["status"]);
    let data = &answer.envelope["data"];
    assert_eq!(data["permissions"]["accessibility"]["state"], "denied", "{answer:?}");
    let suggestion = data["permissions"]["accessibility"]["suggestion"].as_str().unwrap();
    assert!(suggestion.contains("sandbox start"), "{suggestion}");
    assert_eq!(data["supported_surfaces"], serde_json::json!([]));
    assert_eq!(data["snapshot_id"], serde_json::Value::Null);
    assert_eq!(data["tracing"], false);
    assert!(data["state_root"].as_str().unwrap().ends_with("/.agent-desktop"));
}
