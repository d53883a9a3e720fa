//! SIGTERM and SIGINT at any moment: a command ends at once, by the signal, and leaves nothing half done.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use desktop_tests::{Desktop, wait};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::Run;

/// How soon it has ended after a signal.
const SOON: Duration = Duration::from_secs(2);

/// Sends the signal when about `share` of the usual time is over; the run's answer if it was faster.
#[track_caller]
fn interrupt(run: Run, usual: Duration, share: f64, signal: Signal) -> Option<Value> {
    let at = run.start + usual.mul_f64(share);
    while Instant::now() < at {
        std::hint::spin_loop();
    }
    let sent = Instant::now();
    _ = kill_process(Pid::from_child(&run.child), signal);
    let words = run.words.clone();
    let ended = run.end(usual + Duration::from_secs(30));
    assert!(
        ended.envelope.is_some() || sent.elapsed() < SOON,
        "{words:?} took {:?}",
        ended.elapsed
    );
    if ended.envelope.is_none() {
        assert_eq!(ended.signal, Some(signal.as_raw()), "{words:?}");
    }
    ended.envelope
}

#[test]
fn a_signal_in_any_phase_ends_a_command_at_once_and_leaves_nothing_half_done() {
    let desktop = Desktop::start();
    let dialog = desktop.launch("zenity", &["--entry", "--text=Name"]);
    let window = dialog.window_id();
    let find = ["find", "--app", "zenity", "--role", "textfield", "--first"];
    let found = desktop.run(&find).data();
    let field = found["match"]["ref_id"].as_str().unwrap();
    let picture = desktop.state_root().parent().unwrap().join("home/shot.png");
    let shot = picture.to_str().unwrap();
    let commands = [
        &["snapshot", "--app", "zenity"][..],
        &["set-value", field, "x"],
        &["wait", "--text", "none", "--app", "zenity", "--timeout", "600"],
        &["screenshot", shot, "--window-id", &window],
        &["clipboard-set", "text"],
        &["--headed", "type", field, "a longer text, with CAPITALS and ümläuts"],
        &["--headed", "mouse-move", "--xy", "50,50"],
        &["list-windows"],
    ];
    let mut met = 0;
    for arguments in commands {
        let usual = desktop.run(arguments).elapsed;
        for round in 0..8 {
            let signal = if round % 2 == 0 { Signal::TERM } else { Signal::INT };
            let share = 0.05 + f64::from(round) * 0.13;
            let run = Run::start(&mut desktop.agent_desktop(arguments));
            met += u32::from(interrupt(run, usual, share, signal).is_none());
            if let Ok(content) = fs::read(&picture) {
                assert!(content.ends_with(b"IEND\xaeB`\x82"), "{} bytes", content.len());
            }
        }
        // No key is held and no lease: the next one has the pointer and the keys at once.
        let next = desktop.run(&["--headed", "mouse-move", "--xy", "9,9", "--timeout-ms", "3000"]);
        next.data();
    }
    assert!(met > 20, "{met} signals met a command");
    wait::until("no key to be down", Duration::from_secs(5), || {
        let script = "from Xlib.display import Display; print(sum(Display().query_keymap()))";
        let output = desktop.command("/usr/bin/python3").args(["-c", script]).output().unwrap();
        match String::from_utf8_lossy(&output.stdout).trim() {
            "0" => Ok(()),
            other => Err(format!("{other}: {output:?}")),
        }
    });
    let status = desktop.run(&["status"]).data();
    assert!(status["snapshot_id"].is_string(), "{status}");
    desktop.run(&["snapshot", "--app", "zenity"]).data();
    let left = left_in(&desktop.state_root().join("snapshots"));
    assert!(left.is_empty(), "{left:?}");
}

fn left_in(directory: &Path) -> Vec<String> {
    let names = fs::read_dir(directory).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    names.filter(|name| name.contains(".tmp")).collect()
}

/// A program that was started goes on, whatever becomes of the command, and is found and closed as any.
#[test]
fn a_signal_while_a_program_is_started_leaves_it_to_be_found() {
    let desktop = Desktop::start();
    for (round, signal) in [Signal::TERM, Signal::INT, Signal::TERM].into_iter().enumerate() {
        let run = Run::start(&mut desktop.agent_desktop(&["launch", "gnome-calculator"]));
        let share = 0.1 + 0.3 * round as f64;
        interrupt(run, Duration::from_millis(900), share, signal);
        // The first one may still be starting, and then this is another.
        let again = desktop.run(&["launch", "gnome-calculator"]).data();
        assert!(again["window"]["id"].is_string(), "{again}");
        wait::until("all of them to be closed", Duration::from_secs(30), || {
            let listed = desktop.run(&["list-windows", "--app", "gnome-calculator"]);
            let listed = listed.envelope()["data"].clone();
            for window in listed.as_array().into_iter().flatten() {
                let id = window["id"].as_str().unwrap();
                desktop.run(&["close-app", "--window-id", id, "--force"]);
            }
            let running = desktop.command("pgrep").args(["-f", "^gnome-calculator"]).output();
            let ours = String::from_utf8_lossy(&running.unwrap().stdout)
                .split_whitespace()
                .filter(|pid| is_on(&desktop, pid))
                .count();
            if ours == 0 { Ok(()) } else { Err(format!("{ours} run: {listed}")) }
        });
    }
}

/// Whether a process runs on this desktop.
fn is_on(desktop: &Desktop, pid: &str) -> bool {
    let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    let bus = format!("DBUS_SESSION_BUS_ADDRESS={}", desktop.session_address());
    environment.split(|byte| *byte == 0).any(|one| one == bus.as_bytes())
}

/// What is interrupted is the group of a terminal: all of it has the signal.
#[test]
fn a_signal_while_a_private_desktop_is_started_leaves_it_running_or_gone() {
    use std::os::unix::process::CommandExt;
    let desktop = Desktop::start();
    let usual = desktop.run(&["sandbox", "start", "usual"]).elapsed;
    desktop.run(&["sandbox", "stop", "usual"]).data();
    for round in 0..5 {
        let mut command = desktop.agent_desktop(&["sandbox", "start", "cut"]);
        let run = Run::start(command.process_group(0));
        let at = run.start + usual.mul_f64(0.04 + 0.22 * f64::from(round));
        while Instant::now() < at {
            std::hint::spin_loop();
        }
        _ = rustix::process::kill_process_group(Pid::from_child(&run.child), Signal::INT);
        run.end(usual + Duration::from_secs(30));
        let state = wait::until("a state that stays", Duration::from_secs(30), || {
            let listed = desktop.run(&["sandbox", "list"]).data();
            let all = listed["sandboxes"].as_array().unwrap();
            let entry = all.iter().find(|entry| entry["name"] == "cut");
            match entry.map(|entry| entry["state"].as_str().unwrap()) {
                Some("starting" | "stopping") => Err(listed.to_string()),
                other => Ok(other.map(str::to_owned)),
            }
        });
        match state.as_deref() {
            None => {}
            Some("running" | "stopped") => drop(desktop.run(&["sandbox", "start", "cut"]).data()),
            other => panic!("round {round}: {other:?}"),
        }
        if state.is_some() {
            desktop.run(&["sandbox", "stop", "cut"]).data();
        }
    }
}

/// A supervisor that is asked to end ends its desktop, as `sandbox stop` does.
#[test]
fn a_supervisor_that_is_asked_to_end_takes_its_desktop_with_it() {
    let desktop = Desktop::start();
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let started = desktop.run(&["sandbox", "start", "second"]).data();
        let token = started["env"]["AGENT_DESKTOP_SANDBOX_TOKEN"].as_str().unwrap();
        let sleeping = ["sandbox", "exec", "second", "--", "setsid", "-f", "sleep", "1000"];
        assert!(desktop.agent_desktop(&sleeping).status().unwrap().success());
        assert!(members(token) >= 5, "{}", members(token));
        let pid = i32::try_from(started["pid"].as_u64().unwrap()).unwrap();
        kill_process(Pid::from_raw(pid).unwrap(), signal).unwrap();
        wait::until("all of it to end", Duration::from_secs(15), || {
            let listed = desktop.run(&["sandbox", "list"]).data();
            let there =
                listed["sandboxes"].as_array().unwrap().iter().any(|one| one["name"] == "second");
            match (members(token), there) {
                (0, false) => Ok(()),
                other => Err(format!("{other:?}: {listed}")),
            }
        });
        assert!(!Path::new(started["runtime_dir"].as_str().unwrap()).exists());
        assert!(!desktop.state_root().join("sandboxes/second").exists());
    }
}

/// How many processes were given this token.
fn members(token: &str) -> usize {
    let variable = format!("AGENT_DESKTOP_SANDBOX_TOKEN={token}");
    let pids = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let has_it = |path: &Path| {
        let environment = fs::read(path.join("environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|one| one == variable.as_bytes())
    };
    pids.filter(|path| has_it(path)).count()
}
