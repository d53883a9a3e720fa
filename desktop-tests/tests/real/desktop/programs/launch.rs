//! Which window comes of a start, who has the focus then, and what is said where none comes.

use std::{
    fs,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    time::Duration,
};

use desktop_tests::{Desktop, applications};
use serde_json::Value;

use super::{Earlier, active, launch, lives, output};

/// What is started, by which name, and how its window's title begins.
struct Sample {
    arguments: Vec<String>,
    title: &'static str,
    app: &'static str,
    accessible: bool,
}

fn sample(arguments: &[&str], app: &'static str, title: &'static str) -> Sample {
    let arguments = arguments.iter().map(|word| (*word).to_owned()).collect();
    Sample { arguments, title, app, accessible: true }
}

/// What takes the focus although it is asked not to, and is not given back.
const TAKING_FOCUS: [&str; 2] = ["Chromium", "Firefox"];

/// A launch of each toolkit: by id, by name, by program and by path.
#[test]
fn twelve_applications_come_with_their_window_and_without_the_focus() {
    let desktop = Desktop::start();
    let earlier = Earlier::open(&desktop);
    let directory = desktop.state_root().parent().unwrap().join("swing");
    fs::create_dir(&directory).unwrap();
    let swing = (applications::others::SWING.prepare)(&directory);
    let swing: Vec<String> = swing.iter().map(|word| format!("--arg={word}")).collect();
    let mut java = sample(&["java"], "Swing window", "Swing window");
    java.arguments.extend(swing);
    let samples = [
        sample(&["org.xfce.mousepad"], "mousepad", "Untitled 1 - Mousepad"),
        sample(&["gedit"], "gedit", "Untitled Document 1"),
        sample(&["gtk3-widget-factory"], "gtk3-widget-factory", "gtk3-widget-factory"),
        sample(&["org.gnome.Calculator.desktop"], "gnome-calculator", "Calculator"),
        sample(&["gnome-text-editor"], "gnome-text-editor", "New Document"),
        sample(&["featherpad"], "FeatherPad", "Untitled"),
        sample(&["kcalc"], "kcalc", "KCalc"),
        sample(&["/usr/bin/qt6ct"], "qt6ct", "Qt6"),
        sample(&["LibreOffice Calc"], "soffice", "Untitled 1"),
        sample(&["chromium", "--arg=--no-sandbox", "--arg=--no-first-run"], "Chromium", ""),
        sample(&["Firefox ESR"], "Firefox", ""),
        java,
        Sample { accessible: false, ..sample(&["xterm"], "xterm", "") },
    ];
    for Sample { arguments, title, app, accessible } in &samples {
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let run = launch(&desktop, &words);
        let data = run.data();
        assert_eq!(data["app"], *app, "{run}");
        assert_eq!(data["attached"], false, "{run}");
        let window = &data["window"];
        assert_eq!(window["visible"], true, "{run}");
        assert_eq!(window["accessible"], *accessible, "{run}");
        assert!(window["title"].as_str().unwrap().starts_with(title), "{run}");
        // What xdotool finds of that process is on the screen.
        let shown = output(
            &desktop,
            "xdotool",
            &["search", "--onlyvisible", "--pid", &data["pid"].to_string()],
        );
        assert!(!shown.trim().is_empty(), "{run}");
        let renderer = if *app == "Chromium" { "chromium".into() } else { Value::Null };
        assert_eq!(data["renderer"], renderer, "{run}");
        // Browsers ask for the focus again and again until they have it.
        if TAKING_FOCUS.contains(app) {
            output(&desktop, "xdotool", &["windowactivate", "--sync", &earlier.xid]);
        } else {
            assert_eq!(window["is_focused"], false, "{run}");
            earlier.has_focus(app);
        }
        // A second time it is found.
        let again = launch(&desktop, &words);
        let found = again.data();
        assert_eq!(found["attached"], true, "{again}");
        assert_eq!(found["pid"], data["pid"], "{again}");
        assert_eq!(found["window"]["id"], window["id"], "{again}");
        if *accessible {
            let snapshot =
                ["snapshot", "--skeleton", "--window-id", window["id"].as_str().unwrap()];
            assert!(desktop.run(&snapshot).data()["ref_count"].as_u64() > Some(0), "{run}");
        }
    }
}

#[test]
fn with_activate_the_window_gets_the_focus() {
    let desktop = Desktop::start();
    let earlier = Earlier::open(&desktop);
    for program in ["mousepad", "kcalc", "xterm"] {
        let data = launch(&desktop, &[program]).data();
        assert_eq!(data["window"]["is_focused"], false);
        earlier.has_focus(program);
        // One that runs is given the focus, too.
        let data = launch(&desktop, &[program, "--activate"]).data();
        assert_eq!(data["window"]["is_focused"], true, "{data:#}");
        let pid = output(&desktop, "xdotool", &["getactivewindow", "getwindowpid"]);
        assert_eq!(pid.trim(), data["pid"].to_string(), "{program}");
        output(&desktop, "xdotool", &["windowactivate", "--sync", &earlier.xid]);
    }
    let data = launch(&desktop, &["gnome-calculator", "--activate"]).data();
    assert_eq!(data["window"]["is_focused"], true, "{data:#}");
    assert_ne!(active(&desktop), earlier.xid);
}

#[test]
fn what_comes_to_no_window_is_said_on_time() {
    let desktop = Desktop::start();
    let dies = script(&desktop, "dies", "echo the cause is this >&2; exit 3");
    let run = launch(&desktop, &[&dies]);
    let error = refused(&run.envelope(), "APP_UNRESPONSIVE", "delivered_unverified");
    run.on_time(Duration::from_secs(3));
    assert_eq!(error["details"]["exit_status"], 3, "{run}");
    let log = error["details"]["log"].as_str().unwrap();
    assert_eq!(fs::read_to_string(log).unwrap(), "the cause is this\n");
    assert_eq!(fs::metadata(log).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(error["suggestion"].as_str().unwrap().contains(log), "{run}");

    let run = launch(&desktop, &[&script(&desktop, "killed", "kill -SEGV $$")]);
    let error = refused(&run.envelope(), "APP_UNRESPONSIVE", "delivered_unverified");
    assert_eq!(error["details"]["signal"], 11, "{run}");

    // It ends well, and nobody took over.
    let run = launch(&desktop, &["true"]);
    let error = refused(&run.envelope(), "APP_UNRESPONSIVE", "delivered_unverified");
    run.on_time(Duration::from_secs(5));
    assert_eq!(error["details"]["exit_status"], 0, "{run}");

    // It hangs without a window; what it is, is told.
    let run =
        launch(&desktop, &[&script(&desktop, "hangs", "exec sleep 600"), "--timeout", "1000"]);
    let data = run.on_time(Duration::from_secs(1)).data();
    assert_eq!(data["window"], Value::Null, "{run}");
    assert!(data["suggestion"].as_str().unwrap().contains("1000 ms"), "{run}");
    assert!(lives(&data["pid"]), "{run}");
    let command = fs::read(format!("/proc/{}/cmdline", data["pid"])).unwrap();
    assert_eq!(command, b"sleep\x00600\x00");
}

#[test]
fn what_cannot_be_started_is_refused_before_anything_is() {
    let desktop = Desktop::start();
    let not_executable = desktop.state_root().parent().unwrap().join("note.txt");
    fs::write(&not_executable, "x").unwrap();
    let not_executable = not_executable.to_str().unwrap();
    let no_interpreter = script(&desktop, "broken", "");
    fs::write(&no_interpreter, "#!/no/such/interpreter\n").unwrap();
    for (arguments, code, said) in [
        (&["mosepad"][..], "APP_NOT_FOUND", "mousepad"),
        (&["/no/such/program"], "APP_NOT_FOUND", "/no/such/program"),
        (&["/no/such.desktop"], "APP_NOT_FOUND", "/no/such.desktop"),
        (&[not_executable], "INVALID_ARGS", "chmod +x"),
        (&["/usr"], "INVALID_ARGS", "directory"),
        (&[&no_interpreter], "INVALID_ARGS", "cannot be run"),
        (&["mousepad", "--cwd", "/no/such"], "INVALID_ARGS", "--cwd"),
        (&["mousepad", "--env", "novalue"], "INVALID_ARGS", "KEY=VALUE"),
        (&["mousepad", "--env", "=x"], "INVALID_ARGS", "KEY=VALUE"),
        (&[""], "INVALID_ARGS", "no application is named"),
    ] {
        let run = launch(&desktop, arguments);
        let error = run.on_time(Duration::from_secs(2)).error(code);
        assert!(error.to_string().contains(said), "{said}: {run}");
    }
    assert_eq!(desktop.run(&["list-windows"]).data(), serde_json::json!([]));
}

#[test]
fn arguments_variables_and_directory_arrive() {
    let desktop = Desktop::start();
    let home = desktop.state_root().parent().unwrap().to_owned();
    let program = script(
        &desktop,
        "tells",
        "echo \"$PWD|$NOTE|$#|$1|$2|$QT_LINUX_ACCESSIBILITY_ALWAYS_ON\"; readlink /proc/self/fd/0; \
         exec zenity --info --text=told",
    );
    let arguments =
        ["--arg", "a b", "--arg=--flag", "--env", "NOTE=x=y", "--cwd", home.to_str().unwrap()];
    let run = launch(&desktop, &[&[&*program][..], &arguments].concat());
    let data = run.data();
    let log = data["log"].as_str().unwrap();
    let told = fs::read_to_string(log).unwrap();
    let first = format!("{}|x=y|2|a b|--flag|1\n/dev/null\n", home.display());
    assert!(told.starts_with(&first), "{told}");
    // It has a session of its own, is no child of anybody who might end it, and is its wrapper no more.
    let stat = fs::read_to_string(format!("/proc/{}/stat", data["pid"])).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
    assert_eq!(fields[3], data["pid"].to_string(), "{stat}");
    // With other arguments it is started once more; with none, the one that runs is what is meant.
    let again = launch(&desktop, &[&*program, "--arg", "other"]).data();
    assert_eq!(again["attached"], false, "{again:#}");
    assert_ne!(again["pid"], data["pid"], "{again:#}");
    // The private desktop ends what was started in it.
    desktop.run(&["sandbox", "stop", desktop.name()]).data();
    assert!(!lives(&data["pid"]) && !lives(&again["pid"]));
    desktop.run(&["sandbox", "start", desktop.name(), "--home", "isolated"]).data();
}

#[test]
fn what_runs_is_found_and_not_started_again() {
    let desktop = Desktop::start();
    let first = launch(&desktop, &["gnome-text-editor", "--no-attach"]).data();
    let run = launch(&desktop, &["org.gnome.TextEditor", "--no-attach"]);
    run.error("ACTION_FAILED");
    // A second process hands over to the first one, and its window is what came of it.
    let home = desktop.state_root().parent().unwrap().to_owned();
    let file = home.join("note.txt");
    fs::write(&file, "one\n").unwrap();
    let second = launch(&desktop, &["gnome-text-editor", "--arg", file.to_str().unwrap()]);
    let data = second.data();
    assert_eq!(data["pid"], first["pid"], "{second}");
    assert!(data["window"]["title"].as_str().unwrap().contains("note.txt"), "{second}");
    // Two processes of one program, of which none stands out.
    let a = launch(&desktop, &["zenity", "--arg=--info", "--arg=--text=a"]).data();
    let b = launch(&desktop, &["zenity", "--arg=--info", "--arg=--text=b"]).data();
    assert_ne!(a["pid"], b["pid"]);
    let run = launch(&desktop, &["zenity"]);
    let error = run.error("AMBIGUOUS_TARGET");
    assert_eq!(error["details"]["windows"].as_array().unwrap().len(), 2, "{run}");
    // One of them was started with just that.
    let found = launch(&desktop, &["zenity", "--arg=--info", "--arg=--text=a"]).data();
    assert_eq!((&found["pid"], &found["attached"]), (&a["pid"], &true.into()), "{found:#}");
}

/// The endpoint is asked by the test itself, too.
#[test]
fn a_debugger_is_let_in_from_the_start() {
    let desktop = Desktop::start();
    let profile = desktop.state_root().parent().unwrap().join("profile");
    let profile = format!("--arg=--user-data-dir={}", profile.display());
    let plain = ["chromium", "--arg=--no-sandbox", "--arg=--no-first-run", &profile];
    let run = launch(&desktop, &[&plain[..], &["--cdp", "--arg=about:blank"]].concat());
    let data = run.data();
    let cdp = &data["cdp"];
    let port = u16::try_from(cdp["port"].as_u64().unwrap()).unwrap();
    assert_eq!(cdp["http_endpoint"], format!("http://127.0.0.1:{port}"), "{run}");
    let said = ask_endpoint(port);
    assert_eq!(said["webSocketDebuggerUrl"], cdp["websocket_url"], "{said:#}");
    assert_eq!(said["Browser"], cdp["product"], "{said:#}");
    // Nobody but this machine reaches it.
    let sockets = fs::read_to_string("/proc/net/tcp").unwrap();
    let listening =
        sockets.lines().filter(|line| line.contains(&format!(":{port:04X} 00000000:0000 0A")));
    let addresses: Vec<&str> =
        listening.filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert_eq!(addresses, [format!("0100007F:{port:04X}")]);

    let again = launch(&desktop, &[&plain[..], &["--cdp"]].concat());
    let error = again.error("ACTION_FAILED");
    assert_eq!(error["details"]["kind"], "cdp_requires_fresh_launch", "{again}");
    desktop.run(&["close-app", "chromium", "--force"]).data();

    let (_held, port) = port_in_use();
    let taken = launch(&desktop, &[&plain[..], &["--cdp", &port.to_string()]].concat());
    let error = taken.error("INVALID_ARGS");
    assert_eq!(error["details"]["kind"], "cdp_port_in_use", "{taken}");
    let conflict =
        launch(&desktop, &[&plain[..], &["--cdp", "--arg=--remote-allow-origins=*"]].concat());
    let error = conflict.error("INVALID_ARGS");
    assert_eq!(error["details"]["kind"], "cdp_switch_conflict", "{conflict}");

    // What takes the arguments and listens to nobody is left running.
    let deaf = script(&desktop, "deaf", "exec zenity --info --text=deaf");
    let run = launch(&desktop, &[&deaf, "--cdp", "--timeout", "4000"]);
    let error = refused(&run.envelope(), "ACTION_FAILED", "delivered_unverified");
    assert_eq!(error["details"]["kind"], "cdp_endpoint_unavailable", "{run}");
    run.on_time(Duration::from_secs(4));
    assert_eq!(
        desktop.run(&["list-apps", "--app", "zenity"]).data()["apps"][0]["responding"],
        true
    );
}

/// A port on which somebody listens, for as long as the first value lives.
fn port_in_use() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port)
}

fn ask_endpoint(port: u16) -> Value {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    write!(stream, "GET /json/version HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    let mut part = [0; 1024];
    loop {
        let text = String::from_utf8_lossy(&answer).into_owned();
        let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        if let Ok(value) = serde_json::from_str(body) {
            return value;
        }
        let count = stream.read(&mut part).unwrap();
        assert!(count > 0, "{text}");
        answer.extend(&part[..count]);
    }
}

/// A wrapper that stays, one that leaves, and a window of a process far below.
#[test]
fn windows_of_other_processes_than_the_one_that_was_started_are_found() {
    let desktop = Desktop::start();
    for (name, does) in [
        ("stays", "zenity --info --text=stays --title=stays; true"),
        ("leaves", "zenity --info --text=leaves --title=leaves & exit 0"),
        ("flees", "setsid sh -c 'sleep 0.3; setsid zenity --info --title=flees & ' & exit 0"),
    ] {
        let run = launch(&desktop, &[&script(&desktop, name, does)]);
        let data = run.data();
        assert_eq!(data["window"]["title"], name, "{run}");
        let comm = fs::read_to_string(format!("/proc/{}/comm", data["pid"])).unwrap();
        assert_eq!(comm, "zenity\n", "{run}");
    }
}

/// An entry of the user's, with quotes, codes and a class of its own.
#[test]
fn entries_of_the_user_are_honoured() {
    let desktop = Desktop::start();
    let home = output(&desktop, "sh", &["-c", "echo ${XDG_DATA_HOME:-$HOME/.local/share}"]);
    let directory = PathBuf::from(home.trim()).join("applications/own");
    fs::create_dir_all(&directory).unwrap();
    let entry = |name: &str, lines: &str| {
        let text = format!("[Desktop Entry]\nType=Application\n{lines}");
        fs::write(directory.join(name), text).unwrap();
    };
    entry(
        "note.desktop",
        "Name=My Note\nExec=env A=b zenity --info \"--text=two words\" --title=%c %U\nPath=/usr\n",
    );
    entry("gone.desktop", "Name=Gone\nExec=no-such-program\nTryExec=no-such-program\n");
    entry("broken.desktop", "Name=Broken\nExec=zenity \"--info\n");
    entry("empty.desktop", "Name=Empty\nDBusActivatable=true\n");
    let run = launch(&desktop, &["my note"]);
    let data = run.data();
    assert_eq!(data["window"]["title"], "My Note", "{run}");
    let pid = &data["pid"];
    let command = fs::read(format!("/proc/{pid}/cmdline")).unwrap();
    let command = String::from_utf8(command).unwrap();
    assert_eq!(command, "zenity\0--info\0--text=two words\0--title=My Note\0");
    assert_eq!(fs::read_link(format!("/proc/{pid}/cwd")).unwrap(), Path::new("/usr"));
    assert_eq!(launch(&desktop, &["own-note"]).data()["pid"], *pid);
    entry("twin.desktop", "Name=My note\nExec=zenity --info --text=twin\n");
    let run = launch(&desktop, &["MY NOTE"]);
    let error = run.error("AMBIGUOUS_TARGET");
    assert_eq!(error["details"]["apps"], serde_json::json!(["own-note", "own-twin"]), "{run}");
    launch(&desktop, &["own-gone"]).error("APP_NOT_FOUND");
    launch(&desktop, &["own-broken"]).error("ACTION_NOT_SUPPORTED");
    launch(&desktop, &["own-empty"]).error("ACTION_NOT_SUPPORTED");
    entry("tool.desktop", "Name=Tool\nExec=cat\nTerminal=true\n");
    let run = launch(&desktop, &["Tool"]);
    let error = run.error("ACTION_NOT_SUPPORTED");
    assert!(error["suggestion"].as_str().unwrap().contains("--arg=cat"), "{run}");
}

fn script(desktop: &Desktop, name: &str, does: &str) -> String {
    let path = desktop.state_root().parent().unwrap().join(name);
    fs::write(&path, format!("#!/bin/sh\n{does}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[track_caller]
fn refused(envelope: &Value, code: &str, delivery: &str) -> Value {
    let error = &envelope["error"];
    assert_eq!(error["code"], code, "{envelope:#}");
    assert_eq!(error["disposition"]["delivery"], delivery, "{envelope:#}");
    error.clone()
}
