//! Desktops that cannot come up: a clear error in time, and nothing left.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use serde_json::json;

use crate::desktops::{Desktops, kill, wait_until};

/// A directory to be the whole PATH: links to the programs that desktops need, except `without`.
fn programs(desktops: &Desktops, without: &str) -> PathBuf {
    let directory = desktops.program.home().join("bin");
    fs::create_dir(&directory).unwrap();
    for name in ["Xvfb", "dbus-daemon", "openbox", "sh", "sleep", "xkbcomp"] {
        if name != without {
            symlink(Path::new("/usr/bin").join(name), directory.join(name)).unwrap();
        }
    }
    directory
}

fn script(path: &Path, text: &str) {
    fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_missing_program_is_named_with_its_package() {
    for (program, package) in [("Xvfb", "xvfb"), ("dbus-daemon", "dbus"), ("openbox", "openbox")] {
        let mut desktops = Desktops::new();
        let path = programs(&desktops, program);
        desktops.program.env("PATH", path.to_str().unwrap());
        let answer = desktops.run(&["start", "one"]);
        answer.assert_refused(1, "PLATFORM_NOT_SUPPORTED");
        let details = json!({"kind": "missing_program", "package": package, "program": program});
        assert_eq!(answer.envelope["error"]["details"], details);
        assert!(answer.message().contains(program), "{answer:?}");
        assert!(answer.suggestion().contains("apt-get install"), "{answer:?}");
        assert!(answer.suggestion().contains(package), "{answer:?}");
        desktops.assert_nothing_left();
    }
}

#[test]
fn a_part_that_dies_is_named_with_the_end_of_its_log() {
    for (program, part) in
        [("Xvfb", "display server"), ("dbus-daemon", "session bus"), ("openbox", "window manager")]
    {
        let mut desktops = Desktops::new();
        let path = programs(&desktops, program);
        script(&path.join(program), "echo the reason >&2; exit 3");
        desktops.program.env("PATH", path.to_str().unwrap());
        let answer = desktops.run(&["start", "one"]);
        answer.assert_refused(1, "ACTION_FAILED");
        assert!(answer.message().contains(part), "{answer:?}");
        assert!(answer.message().contains("exit status: 3"), "{answer:?}");
        assert_eq!(answer.envelope["error"]["platform_detail"], "the reason");
        desktops.assert_nothing_left();
    }
}

#[test]
fn a_part_that_never_gets_ready_ends_the_start_on_time() {
    for (program, part) in
        [("Xvfb", "display server"), ("dbus-daemon", "session bus"), ("openbox", "window manager")]
    {
        let mut desktops = Desktops::new();
        let path = programs(&desktops, program);
        script(&path.join(program), "exec sleep 1000");
        desktops.program.env("PATH", path.to_str().unwrap());
        let answer = desktops.run(&["start", "one", "--timeout-ms", "3000"]);
        answer.assert_refused(1, "TIMEOUT");
        assert!(answer.message().contains(part), "{answer:?}");
        assert_eq!(answer.envelope["error"]["details"]["kind"], "deadline");
        assert!(answer.elapsed < Duration::from_secs(5), "{:?}", answer.elapsed);
        desktops.assert_nothing_left();
    }
}

#[test]
fn a_start_whose_supervisor_is_killed_fails_at_once() {
    let desktops = Desktops::new();
    let start = desktops.begin(&["start", "one", "--wm", "sleep 1000"]);
    wait_until("it is starting", || desktops.state("one") == "starting");
    wait_until("the window manager runs", || desktops.processes().len() > 3);
    let supervisor = desktops.entry("one")["pid"].as_u64().unwrap();
    kill(supervisor.try_into().unwrap());
    let output = start.wait_with_output().unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("supervisor"), "{answer}");
    desktops.assert_nothing_left();
}

#[test]
fn a_start_that_is_killed_leaves_nothing_half_made() {
    let desktops = Desktops::new();
    let mut start = desktops.begin(&["start", "one", "--wm", "sleep 1000", "--timeout-ms", "3000"]);
    wait_until("the supervisor works", || desktops.entry("one")["pid"].is_number());
    assert_eq!(desktops.state("one"), "starting");
    start.kill().unwrap();
    start.wait().unwrap();
    // The supervisor notices by itself that the desktop does not get ready.
    wait_until("all is removed", || desktops.state("one") == "none");
    wait_until("all has ended", || desktops.processes().is_empty());
    desktops.assert_nothing_left();
}

/// A small disk; it is taken away again when this is dropped.
struct Disk(PathBuf);

impl Disk {
    fn mount(at: PathBuf, kilobytes: u32) -> Self {
        fs::create_dir_all(&at).unwrap();
        let size = format!("size={kilobytes}k,mode=0700");
        let status =
            Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(&at).status();
        assert!(status.unwrap().success(), "mounting needs root");
        Self(at)
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_is_told_and_leaves_nothing_running() {
    // Each size fails at another file.
    let mut failures = 0;
    for kilobytes in [4, 8, 12, 16, 20, 24] {
        let desktops = Desktops::new();
        let _disk = Disk::mount(desktops.root(), kilobytes);
        let answer = desktops.run(&["start", "one"]);
        if answer.status == Some(0) {
            desktops.stop("one");
        } else {
            failures += 1;
            answer.assert_refused(1, "INTERNAL");
            assert!(answer.message().contains("No space left on device"), "{answer:?}");
            assert!(answer.suggestion().contains("room"), "{answer:?}");
        }
        desktops.assert_nothing_left();
    }
    assert!(failures >= 2, "{failures}");
}

#[test]
fn a_state_root_that_cannot_be_written_is_told() {
    let mut desktops = Desktops::new();
    let file = desktops.program.home().join("file");
    fs::write(&file, "").unwrap();
    desktops.program.env("AGENT_DESKTOP_HOME", file.to_str().unwrap());
    let answer = desktops.run(&["start", "one"]);
    answer.assert_refused(1, "INTERNAL");
    assert!(answer.message().contains("Not a directory"), "{answer:?}");
    assert!(answer.suggestion().contains("AGENT_DESKTOP_HOME"), "{answer:?}");
}

#[test]
fn names_that_do_not_exist_or_cannot_are_refused() {
    let desktops = Desktops::new();
    for command in [&["stop", "two"][..], &["exec", "two", "--", "true"]] {
        let answer = desktops.run(command);
        answer.assert_refused(1, "PLATFORM_NOT_SUPPORTED");
        let details = json!({"kind": "sandbox_candidates", "name": "two", "sandboxes": []});
        assert_eq!(answer.envelope["error"]["details"], details);
    }
    desktops.start(&["one"]);
    let answer = desktops.run(&["stop", "two"]);
    assert_eq!(answer.envelope["error"]["details"]["sandboxes"], json!(["one"]));
    assert!(answer.message().contains("one"), "{answer:?}");

    let long = "x".repeat(65);
    for name in ["", ".", "..", "../one", "a/b", "a b", ".one", "_a", "é", "a\nb", &long] {
        for command in ["start", "stop"] {
            desktops.run(&[command, "--", name]).assert_refused(1, "INVALID_ARGS");
        }
    }
    assert_eq!(desktops.state("one"), "running");
}
