//! Windows that cannot be read say why: the process, the cause and the remedy, by evidence.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    time::{Duration, Instant},
};

use desktop_tests::{
    Desktop, Process,
    applications::others,
    bus::{Body, Call, Connection},
    wait,
};
use serde_json::Value;

/// What is run, with which variables set and which not there, and parts of what is said of it.
type Case<'a> = (&'a [&'a str], Set<'a>, &'a [&'a str], &'a str, &'a str);
type Set<'a> = &'a [(&'a str, &'a str)];

/// Says on the private session bus whether assistive technology is there.
fn announce(desktop: &Desktop, on: bool) {
    let mut session = Connection::open(&desktop.session_address()).unwrap();
    for name in ["IsEnabled", "ScreenReaderEnabled"] {
        let sin = "org.freedesktop.DBus.Properties";
        let body = Body::default()
            .text("org.a11y.Status")
            .text(name)
            .variant(&Body::default().boolean(on));
        let set = Call::new("org.a11y.Bus", "/org/a11y/bus", sin, "Set").with(body);
        session.call(set).unwrap();
    }
}

/// Starts a program with some variables set and others not there.
fn start(desktop: &Desktop, words: &[&str], set: Set<'_>, unset: &[&str]) -> Process {
    let mut command = desktop.command(words[0]);
    command.args(&words[1..]).envs(set.iter().copied());
    for variable in unset {
        command.env_remove(variable);
    }
    let log = std::fs::File::create(desktop.state_root().join("application.log")).unwrap();
    Process::spawn(command.stdout(std::process::Stdio::null()).stderr(log)).unwrap()
}

/// The window of a process as `list-windows` has it, once it is there.
#[track_caller]
fn window(desktop: &Desktop, pid: u32) -> Value {
    wait::until("a window", Duration::from_secs(60), || {
        let listed = desktop.run(&["list-windows"]).data();
        let mut windows = listed.as_array().unwrap().iter();
        windows.find(|window| window["pid"] == pid).cloned().ok_or(listed.to_string())
    })
}

#[test]
fn a_window_that_is_not_on_the_bus_says_why() {
    let desktop = Desktop::start();
    announce(&desktop, false);
    let java = others::swing(&desktop.state_root());
    let accesskit = others::accesskit();
    let info = ["zenity", "--info", "--text=x"];
    let qt = "QT_LINUX_ACCESSIBILITY_ALWAYS_ON";
    let elsewhere = "unix:path=/nonexistent";
    let cases: [Case<'_>; 7] = [
        (&["xterm"][..], &[], &[], "Athena widgets", "another program"),
        (&info, &[("NO_AT_BRIDGE", "1")], &[], "NO_AT_BRIDGE=\"1\"", "env -u NO_AT_BRIDGE zenity"),
        (&info, &[("AT_SPI_BUS_ADDRESS", elsewhere)], &[], elsewhere, "env -u AT_SPI_BUS_ADDRESS"),
        (
            &["gnome-calculator"],
            &[("GTK_A11Y", "none")],
            &[],
            "GTK_A11Y=\"none\"",
            "env -u GTK_A11Y",
        ),
        (&["qt6ct"], &[], &[qt], qt, "QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1 qt6ct"),
        (&["java", &java], &[], &[], "ATK wrapper", "libatk-wrapper-java"),
        (&[&accesskit], &[], &[], "AccessKit", "sandbox exec NAME -- accesskit-window"),
    ];
    let mut running = Vec::new();
    for (words, set, unset, cause, remedy) in cases {
        let process = start(&desktop, words, set, unset);
        let window = window(&desktop, process.id());
        assert_eq!(window["accessible"], false, "{window:#}");
        let pid = format!("(pid {})", process.id());
        let said = |text: &Value, part: &str| text.as_str().unwrap_or_default().contains(part);
        for part in [cause, &pid] {
            assert!(said(&window["reason"], part), "{part:?}: {window:#}");
        }
        assert!(said(&window["suggestion"], remedy), "{remedy:?}: {window:#}");
        // However it is named, the answer is the same.
        let id = window["id"].as_str().unwrap();
        let name = window["app_name"].as_str().unwrap();
        let mut ways = vec![["--window-id", id]];
        if name != "zenity" {
            ways.push(["--app", name]);
        }
        for flags in ways {
            let run = desktop.run(&[&["snapshot"][..], &flags].concat());
            let error = run.error("ACTION_NOT_SUPPORTED");
            assert!(said(&error["message"], cause) && said(&error["suggestion"], remedy), "{run}");
            assert_eq!(error["details"]["window_id"], id, "{run}");
        }
        running.push(process);
    }
    // The remedy is one: AccessKit publishes once it is told to.
    announce(&desktop, true);
    let pid = running.last().unwrap().id();
    wait::until("AccessKit to publish", Duration::from_secs(30), || {
        let listed = window(&desktop, pid);
        if listed["accessible"] == true { Ok(()) } else { Err(listed.to_string()) }
    });
}

#[test]
fn what_hangs_says_what_holds_it() {
    let desktop = Desktop::start();
    let dialog = desktop.launch("zenity", &["--info", "--text=Hello"]);
    let _stopped = dialog.process.stop();
    let window = window(&desktop, dialog.process.id());
    let id = window["id"].as_str().unwrap();
    let again = format!("kill -CONT {}", dialog.process.id());
    assert!(window["suggestion"].as_str().unwrap().contains(&again), "{window:#}");
    let accessible = dialog.window_id();
    for flags in [["--app", "zenity"], ["--window-id", &accessible]] {
        let run = desktop.run(&[&["snapshot"][..], &flags].concat());
        let error = run.on_time(Duration::from_secs(2)).error("APP_UNRESPONSIVE");
        assert!(error["message"].as_str().unwrap().contains("is stopped"), "{run}");
        assert!(error["suggestion"].as_str().unwrap().contains(&again), "{run}");
    }
    let run = desktop.run(&["snapshot", "--window-id", id]);
    assert!(run.error("ACTION_NOT_SUPPORTED")["message"].as_str().unwrap().contains("stopped"));
}

/// Seen as an ordinary session, which nobody watches over as a private desktop is.
#[test]
fn a_bus_that_died_in_a_session_is_not_an_empty_desktop() {
    let desktop = Desktop::start();
    let dialog = desktop.launch("zenity", &["--info", "--text=Hello"]);
    let program = program(&desktop);
    let in_session =
        |arguments: &[&str]| in_session(&desktop, &[&[program.as_str()], arguments].concat());
    let listed = in_session(&["list-apps"]);
    assert_eq!(listed["data"]["apps"][0]["name"], "zenity", "{listed:#}");
    desktop.kill_server("dbus-daemon --config-file");
    let who = format!("\"zenity\" (pid {})", dialog.process.id());
    for command in [&["list-apps"][..], &["snapshot", "--app", "zenity"]] {
        wait::until("the dead bus to be named", Duration::from_secs(20), || {
            let answer = in_session(command);
            let message = answer["error"]["message"].as_str().unwrap_or_default();
            let named = message.contains("accessibility bus") && message.contains(&who);
            if named { Ok(()) } else { Err(answer.to_string()) }
        });
    }
}

#[test]
fn an_accessibility_bus_that_cannot_be_reached_is_told_with_who_keeps_it() {
    let desktop = Desktop::start();
    let own = program(&desktop);
    let denied = |words: &[&str], cause: &[&str], remedy: &str| {
        let start = Instant::now();
        let answer = in_session(&desktop, &[words, &["list-apps"]].concat());
        assert!(start.elapsed() < Duration::from_secs(7), "{:?}", start.elapsed());
        let error = &answer["error"];
        assert_eq!(error["code"], "PLATFORM_NOT_SUPPORTED", "{answer:#}");
        let message = error["message"].as_str().unwrap();
        assert!(cause.iter().all(|part| message.contains(part)), "{cause:?}: {answer:#}");
        assert!(error["suggestion"].as_str().unwrap().contains(remedy), "{remedy}: {answer:#}");
    };

    // That user may not look into where it was built.
    let open = tempfile::tempdir().unwrap();
    fs::set_permissions(open.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let copy = open.path().join("agent-desktop");
    fs::copy(&own, &copy).unwrap();
    let other_user = ["setpriv", "--reuid=65534", "--clear-groups", copy.to_str().unwrap()];
    denied(&other_user, &["the user with the id 0", "runs as 65534"], "sudo -u '#0'");

    let keeper = "/usr/libexec/at-spi-bus-launcher";
    let stopped = desktop.stop_server(keeper);
    denied(&[&own], &["at-spi-bus-launcher (pid", "is stopped"], "kill -CONT");
    let launched = desktop.run(&["launch", "zenity", "--arg=--info", "--timeout-ms", "2000"]);
    launched.on_time(Duration::from_secs(2)).error("PLATFORM_NOT_SUPPORTED");
    drop(stopped);
    assert_eq!(in_session(&desktop, &[&own, "list-apps"])["ok"], true);

    for socket in fs::read_dir(desktop.runtime_dir().join("at-spi")).unwrap() {
        fs::remove_file(socket.unwrap().path()).unwrap();
    }
    denied(&[&own], &["at-spi/bus_", "was removed", "at-spi-bus-launcher (pid"], "End the keeper");
}

/// Shells that a container or `ssh` starts may have a display and not be told of the rest.
#[test]
fn a_session_bus_is_found_in_its_usual_place() {
    let desktop = Desktop::start();
    let _dialog = desktop.launch("zenity", &["--info", "--text=Hello"]);
    let bus = desktop.runtime_dir().join("bus");
    // A file system that nobody else sees, in the place of the one that login managers fill.
    let script = "mount -t tmpfs none /run; mkdir -p /run/user/$(id -u); \
                  ln -s \"$1\" /run/user/$(id -u)/bus; shift; \
                  exec env -u DBUS_SESSION_BUS_ADDRESS -u XDG_RUNTIME_DIR \"$@\"";
    let place = ["unshare", "--mount", "sh", "-c", script, "sh", bus.to_str().unwrap()];
    let listed = in_session(&desktop, &[&place[..], &[&program(&desktop), "list-apps"]].concat());
    assert_eq!(listed["data"]["apps"][0]["name"], "zenity", "{listed:#}");
}

/// What `words` print, as JSON, as in an ordinary session.
#[track_caller]
fn in_session(desktop: &Desktop, words: &[&str]) -> Value {
    let mut command = desktop.command("env");
    let output = command.args(["-u", "AGENT_DESKTOP_SANDBOX"]).args(words).output().unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// The program under test.
fn program(desktop: &Desktop) -> String {
    desktop.agent_desktop(&[]).get_program().to_str().unwrap().to_owned()
}
