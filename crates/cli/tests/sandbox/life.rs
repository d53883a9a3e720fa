//! Desktops that start, work and stop as they should.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use agent_desktop_engine::platform::Deadline;
use agent_desktop_linux::{environment::Environment, sandbox, x11};
use serde_json::json;

use crate::desktops::{Desktops, is_alive, wait_until};

#[test]
fn a_desktop_has_what_programs_need_and_only_its_owner_gets_in() {
    let desktops = Desktops::new();
    let desktop = desktops.start(&["one", "--size", "1024x700"]);
    assert_eq!(desktop.data["started"], true);
    assert_eq!(desktop.data["state"], "running");
    assert_eq!(desktop.data["size"], json!({"width": 1024, "height": 700}));

    let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(desktop.text("runtime_dir").into()), 0o700);
    assert_eq!(mode(desktops.directory("one")), 0o700);
    assert_eq!(mode(desktops.directory("one").join("manifest.json")), 0o600);
    assert_eq!(mode(desktops.directory("one").join("Xauthority")), 0o600);

    let deadline = Deadline::after_ms(10_000);
    let environment = sandbox::environment(&desktops.root(), "one").unwrap();
    assert_eq!(environment.display.as_deref(), Some(desktop.text("display")));
    assert_eq!(environment.session_bus.as_deref(), Some(desktop.text("bus_address")));
    let display = x11::Display::connect(&environment, deadline).unwrap();
    // On a busy machine it may not grant in time what it is asked to show that it works.
    wait_until("the window manager works", || display.has_window_manager(deadline).unwrap());
    let bounds = display.displays(deadline).unwrap()[0].bounds;
    assert_eq!((bounds.width, bounds.height), (1024, 700));

    // Without the cookie nobody gets in, and nobody is asked over the network.
    let stranger = Environment { xauthority: None, ..environment };
    assert!(x11::Display::connect(&stranger, deadline).is_err());
    let number: u16 = desktop.text("display").strip_prefix(':').unwrap().parse().unwrap();
    assert!(std::net::TcpStream::connect(("127.0.0.1", 6000 + number)).is_err());

    for property in ["IsEnabled", "ScreenReaderEnabled"] {
        assert!(accessibility(&desktops, "one", property).contains("boolean true"), "{property}");
    }
    desktops.stop("one");
    desktops.assert_nothing_left();
    assert!(!Path::new(desktop.text("runtime_dir")).exists());
}

#[test]
fn programs_run_as_if_they_were_called_directly() {
    let desktops = Desktops::new();
    let desktop = desktops.start(&[]);
    let sh = |script| desktops.exec("default", &["sh", "-c", script]);

    let output = sh("echo out; echo err >&2; exit 7");
    assert_eq!(output.stdout, b"out\n");
    assert_eq!(output.stderr, b"err\n");
    assert_eq!(output.status.code(), Some(7));
    let variables = sh("echo $DISPLAY $DBUS_SESSION_BUS_ADDRESS $XDG_RUNTIME_DIR $HOME");
    let expected = format!(
        "{} {} {} {}\n",
        desktop.text("display"),
        desktop.text("bus_address"),
        desktop.text("runtime_dir"),
        desktops.program.home().display(),
    );
    assert_eq!(String::from_utf8_lossy(&variables.stdout), expected);

    // A shell says 137 for a program that was killed, as it does without us.
    assert_eq!(sh("kill -9 $$").status.signal(), Some(9));
    let mut shell = Command::new("sh");
    desktops.program.prepare(&mut shell);
    let binary = env!("CARGO_BIN_EXE_agent-desktop");
    let line = format!("{binary} sandbox exec default -- sh -c 'kill -9 $$'; exit $?");
    assert_eq!(shell.args(["-c", &line]).output().unwrap().status.code(), Some(137));
    assert_eq!(desktops.exec("default", &["no-such-program"]).status.code(), Some(127));
    assert_eq!(desktops.exec("default", &["/etc/passwd"]).status.code(), Some(126));

    let mut cat = desktops.program.command();
    cat.args(["sandbox", "exec", "default", "--", "cat"]).stdin(Stdio::piped());
    let mut cat = cat.stdout(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut cat.stdin.take().unwrap(), b"a\0b").unwrap();
    assert_eq!(cat.wait_with_output().unwrap().stdout, b"a\0b");
}

#[test]
fn starting_twice_at_once_yields_one_desktop() {
    let desktops = Desktops::new();
    let starts: Vec<_> = (0..4).map(|_| desktops.begin(&["start", "same"])).collect();
    let answers: Vec<serde_json::Value> = starts
        .into_iter()
        .map(|start| serde_json::from_slice(&start.wait_with_output().unwrap().stdout).unwrap())
        .collect();
    let started = answers.iter().filter(|answer| answer["data"]["started"] == true).count();
    assert_eq!(started, 1, "{answers:?}");
    for answer in &answers {
        assert_eq!(answer["ok"], true, "{answer}");
        for field in ["pid", "display", "bus_address", "runtime_dir"] {
            assert_eq!(answer["data"][field], answers[0]["data"][field]);
        }
    }
    let again = desktops.start(&["same"]);
    assert_eq!(again.data["started"], false);
    // The one process that `process` finds is the only one.
    again.process("Xvfb");
    assert_eq!(desktops.processes().len(), again.processes().len());
}

#[test]
fn two_desktops_stand_side_by_side() {
    let desktops = Desktops::new();
    let one = desktops.start(&["one"]);
    let two = desktops.start(&["two"]);
    for field in ["pid", "display", "bus_address", "runtime_dir"] {
        assert_ne!(one.data[field], two.data[field]);
    }
    let before = two.processes();
    let stopped = desktops.stop("one");
    assert!(stopped["ended"].as_u64().unwrap() >= 4, "{stopped}");
    assert_eq!(one.processes(), Vec::<u32>::new());
    assert_eq!(two.processes(), before);
    assert_eq!(desktops.state("one"), "none");
    assert_eq!(desktops.state("two"), "running");
}

#[test]
fn stopping_ends_whatever_was_started_inside() {
    let desktops = Desktops::new();
    let desktop = desktops.start(&["one"]);
    let marker = desktops.program.home().join("pids");
    // One that ignores being asked, one in a session of its own whose parent is gone, one that
    // hides its variables below a parent that does not, and one that has neither variables nor
    // parent nor open files.
    let script = format!(
        "trap '' TERM; setsid -f sleep 1000; env -i sleep 1001 & one=$!; \
         env -i setsid -f sh -c 'echo $$ > {0}.lost; exec sleep 1003' <&- >&- 2>&-; \
         until [ -s {0}.lost ]; do sleep 0.01; done; \
         echo $one $(cat {0}.lost) $$ > {0}; mv {0} {0}.done; while :; do sleep 1002; done",
        marker.display()
    );
    let mut program = desktops.begin(&["exec", "one", "--", "sh", "-c", &script]);
    let done = marker.with_extension("done");
    wait_until("the programs have started", || done.exists());
    wait_until("the orphan runs", || desktop.processes().iter().any(|pid| runs(*pid, "1000")));
    let pids: Vec<u32> = fs::read_to_string(&done)
        .unwrap()
        .split_whitespace()
        .map(|pid| pid.parse().unwrap())
        .collect();
    assert!(pids.iter().all(|pid| is_alive(*pid)));

    let stopped = desktops.stop("one");
    assert!(stopped["killed"].as_u64().unwrap() >= 1, "{stopped}");
    program.wait().unwrap();
    assert!(pids.iter().all(|pid| !is_alive(*pid)), "{pids:?}");
    assert_eq!(desktop.processes(), Vec::<u32>::new());
    desktops.assert_nothing_left();
}

#[test]
fn a_desktop_inside_another_outlives_it() {
    let desktops = Desktops::new();
    let outer = desktops.start(&["outer"]);
    let binary = env!("CARGO_BIN_EXE_agent-desktop");
    let output = desktops.exec("outer", &[binary, "sandbox", "start", "inner"]);
    assert!(output.status.success(), "{output:?}");
    desktops.stop("outer");
    assert_eq!(outer.processes(), Vec::<u32>::new());
    assert_eq!(desktops.state("inner"), "running");
}

#[test]
fn an_isolated_home_is_empty_and_ends_with_the_desktop() {
    let desktops = Desktops::new();
    desktops.start(&["one", "--home", "isolated"]);
    let script = "ls -A; echo kept > file; echo $HOME ${XDG_CONFIG_HOME-unset}";
    let output = desktops.exec("one", &["sh", "-c", &format!("cd; {script}")]);
    let home = desktops.directory("one").join("home");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> =
        text.lines().filter(|line| *line != ".config" && *line != ".cache").collect();
    assert_eq!(lines, [format!("{} unset", home.display())]);
    assert!(home.join("file").exists());
    desktops.stop("one");
    assert!(!home.exists());

    let own = desktops.program.home().join("mine");
    fs::create_dir(&own).unwrap();
    desktops.start(&["two", "--home", own.to_str().unwrap()]);
    desktops.exec("two", &["sh", "-c", "echo kept > ~/file"]);
    desktops.stop("two");
    assert_eq!(fs::read_to_string(own.join("file")).unwrap(), "kept\n");
}

fn runs(pid: u32, argument: &str) -> bool {
    let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    line.split(|byte| *byte == 0).any(|word| word == argument.as_bytes())
}

fn accessibility(desktops: &Desktops, name: &str, property: &str) -> String {
    let get = [
        "dbus-send",
        "--session",
        "--print-reply",
        "--dest=org.a11y.Bus",
        "/org/a11y/bus",
        "org.freedesktop.DBus.Properties.Get",
        "string:org.a11y.Status",
        &format!("string:{property}"),
    ];
    String::from_utf8(desktops.exec(name, &get).stdout).unwrap()
}
