//! Desktops that something happened to: the list tells the truth, stopping cleans up, and nobody
//! else is harmed.

use std::{
    fs,
    os::unix::{
        fs::{PermissionsExt, chown},
        net::UnixStream,
    },
    path::Path,
    process::{Child, Command},
};

use serde_json::{Value, json};

use crate::desktops::{Desktop, Desktops, is_alive, kill, start_time, wait_until};

/// A process that has nothing to do with any desktop.
struct Innocent(Child);

impl Innocent {
    fn new() -> Self {
        Self(Command::new("sleep").arg("1000").spawn().unwrap())
    }

    fn pid(&self) -> u32 {
        self.0.id()
    }
}

impl Drop for Innocent {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn edit(manifest: &Path, change: impl FnOnce(&mut Value)) {
    let mut value = serde_json::from_slice(&fs::read(manifest).unwrap()).unwrap();
    change(&mut value);
    fs::write(manifest, value.to_string()).unwrap();
}

#[test]
fn a_killed_supervisor_is_told_and_cleaned_up_after() {
    let desktops = Desktops::new();
    let desktop = desktops.start(&["one"]);
    kill(desktop.supervisor());
    wait_until("it is dead", || !is_alive(desktop.supervisor()));

    let entry = desktops.entry("one");
    assert_eq!(entry["state"], "broken");
    let died = json!([
        {"part": "supervisor", "pid": desktop.supervisor(), "program": "agent-desktop"}
    ]);
    assert_eq!(entry["died"], died);
    // What one needs is alive, so programs still run; but it is not a desktop to start on.
    assert!(desktops.exec("one", &["true"]).status.success());
    let start = desktops.run(&["start", "one"]);
    start.assert_refused(1, "PLATFORM_NOT_SUPPORTED");
    assert_eq!(start.envelope["error"]["details"]["kind"], "sandbox");
    assert!(start.suggestion().contains("sandbox stop one"), "{start:?}");

    desktops.stop("one");
    desktops.assert_nothing_left();
    assert_eq!(desktops.start(&["one"]).data["started"], true);
}

#[test]
fn a_killed_display_server_is_told_and_its_display_freed() {
    let desktops = Desktops::new();
    let desktop = desktops.start(&["one"]);
    let server = desktop.process("Xvfb");
    kill(server);
    wait_until("it is told", || {
        let died = &desktops.entry("one")["died"];
        died.as_array().is_some_and(|died| died.iter().any(|part| part["part"] == "display_server"))
    });
    let run = desktops.run(&["exec", "one", "--", "true"]);
    run.assert_refused(1, "PLATFORM_NOT_SUPPORTED");
    assert!(run.message().contains("display server (Xvfb"), "{run:?}");
    desktops.stop("one");
    desktops.assert_nothing_left();
    assert_display_freed(&desktop);
}

/// That no socket is left on which nobody listens. Another server may have taken the display over.
#[track_caller]
fn assert_display_freed(desktop: &Desktop) {
    let number = desktop.text("display").trim_start_matches(':');
    let socket = format!("/tmp/.X11-unix/X{number}");
    let dead = UnixStream::connect(&socket)
        .is_err_and(|error| error.kind() == std::io::ErrorKind::ConnectionRefused);
    assert!(!dead, "{socket} is left");
}

#[test]
fn whatever_removes_a_dead_desktop_frees_its_display() {
    let ways: [fn(&Desktops); 3] = [
        |desktops| drop(desktops.stop("one")),
        |desktops| drop(desktops.start(&["one"])),
        |desktops| {
            // Its manifest alone is left: the desktop never got ready.
            let manifest = desktops.directory("one").join("manifest.json");
            edit(&manifest, |manifest| manifest["desktop"] = Value::Null);
            desktops.stop("one");
        },
    ];
    for way in ways {
        let desktops = Desktops::new();
        let desktop = desktops.start(&["one"]);
        desktop.kill_all();
        way(&desktops);
        assert_display_freed(&desktop);
    }
}

#[test]
fn a_place_that_others_can_change_is_refused() {
    let desktops = Desktops::new();
    let desktop = desktops.start(&["one"]);
    let everybody = |path: &Path, may: bool| {
        let mode = if may { 0o777 } else { 0o700 };
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let directories =
        [desktops.root(), desktops.root().join("sandboxes"), desktops.directory("one")];
    let nobodys = |path: &Path, is: bool| chown(path, Some(if is { 65_534 } else { 0 }), None);
    for (directory, of_others) in directories.iter().flat_map(|one| [(one, false), (one, true)]) {
        match of_others {
            true => nobodys(directory, true).unwrap(),
            false => everybody(directory, true),
        }
        for command in
            [&["start", "one"][..], &["stop", "one"], &["exec", "one", "--", "touch", "done"]]
        {
            let answer = desktops.run(command);
            answer.assert_refused(1, "INTERNAL");
            assert!(answer.message().contains("others can change it"), "{answer:?}");
            assert!(answer.suggestion().contains("chmod"), "{answer:?}");
        }
        everybody(directory, false);
        nobodys(directory, false).unwrap();
    }
    // The manifest says which variables programs get and which bus is the desktop's.
    let manifest = desktops.directory("one").join("manifest.json");
    everybody(&manifest, true);
    let entry = desktops.entry("one");
    assert_eq!(entry["state"], "broken");
    assert!(entry["reason"].as_str().unwrap().contains("others can change it"), "{entry}");
    desktops.run(&["exec", "one", "--", "true"]).assert_refused(1, "PLATFORM_NOT_SUPPORTED");
    assert!(!desktops.program.home().join("done").exists());
    assert!(is_alive(desktop.supervisor()));
    desktops.stop("one");
    desktops.assert_nothing_left();
}

#[test]
fn a_pid_that_came_to_mean_another_process_is_never_signalled() {
    let desktops = Desktops::new();
    let desktop = desktops.start(&["one"]);
    let manifest = desktops.directory("one").join("manifest.json");
    let (reused, exact) = (Innocent::new(), Innocent::new());
    edit(&manifest, |manifest| {
        for process in manifest["processes"].as_array_mut().unwrap() {
            match process["role"].as_str().unwrap() {
                "supervisor" => process["pid"] = reused.pid().into(),
                // Even one whose start time agrees.
                "window_manager" => {
                    process["pid"] = exact.pid().into();
                    process["started"] = start_time(exact.pid()).into();
                }
                _ => {}
            }
        }
    });
    let entry = desktops.entry("one");
    assert_eq!(entry["state"], "broken");
    assert_eq!(entry["died"][0]["pid"], reused.pid());
    desktops.stop("one");
    assert!(is_alive(reused.pid()));
    assert!(is_alive(exact.pid()));
    assert_eq!(desktop.processes(), Vec::<u32>::new());
    desktops.assert_nothing_left();
}

#[test]
fn a_manifest_of_another_boot_is_stale() {
    let desktops = Desktops::new();
    let desktop = desktops.start(&["one"]);
    // After a crash of the machine the files are there and no process is, though another process
    // may well have the pid and the start time.
    let innocent = Innocent::new();
    let manifest = desktops.directory("one").join("manifest.json");
    desktop.kill_all();
    edit(&manifest, |manifest| {
        manifest["boot"] = "00000000-0000-0000-0000-000000000000".into();
        let process = &mut manifest["processes"][0];
        process["pid"] = innocent.pid().into();
        process["started"] = start_time(innocent.pid()).into();
    });
    assert_eq!(desktops.state("one"), "stopped");
    let run = desktops.run(&["exec", "one", "--", "true"]);
    run.assert_refused(1, "PLATFORM_NOT_SUPPORTED");
    assert!(run.suggestion().contains("sandbox start one"), "{run:?}");

    assert_eq!(desktops.start(&["one"]).data["started"], true);
    assert_eq!(desktops.state("one"), "running");
    assert!(is_alive(innocent.pid()));
}

#[test]
fn a_damaged_manifest_is_told_and_its_desktop_still_stopped() {
    for damage in ["", "{", "[]", "{\"version\":9}", "\0\0\0\0"] {
        let desktops = Desktops::new();
        let desktop = desktops.start(&["one"]);
        fs::write(desktops.directory("one").join("manifest.json"), damage).unwrap();
        let entry = desktops.entry("one");
        assert_eq!(entry["state"], "broken", "{damage:?}");
        assert!(entry["reason"].as_str().unwrap().contains("manifest"), "{entry}");
        desktops.run(&["start", "one"]).assert_refused(1, "PLATFORM_NOT_SUPPORTED");
        desktops.stop("one");
        assert_eq!(desktop.processes(), Vec::<u32>::new());
        desktops.assert_nothing_left();
    }
}

#[test]
fn a_desktop_whose_files_are_removed_ends_by_itself() {
    let desktops = Desktops::new();
    let desktop = desktops.start(&["one"]);
    fs::remove_dir_all(desktops.root()).unwrap();
    wait_until("all has ended", || desktop.processes().is_empty());
    wait_until("no file is left", || !Path::new(desktop.text("runtime_dir")).exists());
}

#[test]
fn what_a_start_that_was_cut_short_left_is_no_obstacle() {
    let desktops = Desktops::new();
    fs::create_dir_all(desktops.directory("one")).unwrap();
    assert_eq!(desktops.state("one"), "stopped");
    assert_eq!(desktops.start(&["one"]).data["started"], true);
}

#[test]
fn a_desktop_whose_files_are_foreign_harms_nobody() {
    let desktops = Desktops::new();
    let innocent = Innocent::new();
    let directory = desktops.directory("forged");
    fs::create_dir_all(&directory).unwrap();
    let treasure = desktops.program.home().join("treasure");
    fs::create_dir(&treasure).unwrap();
    std::os::unix::fs::symlink(&treasure, directory.join("run")).unwrap();
    let manifest = json!({
        "version": 1, "boot": fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap().trim(),
        "token": "0123456789abcdef", "size": {"width": 1, "height": 1}, "desktop": null,
        "processes": [{"role": "supervisor", "program": "sleep", "pid": innocent.pid(),
                       "started": start_time(innocent.pid())}],
    });
    fs::write(directory.join("manifest.json"), manifest.to_string()).unwrap();
    // Its supervisor, so it says, is alive, though it never got ready.
    assert_eq!(desktops.state("forged"), "broken");
    desktops.stop("forged");
    assert!(is_alive(innocent.pid()));
    assert!(treasure.exists());
    desktops.assert_nothing_left();
}
