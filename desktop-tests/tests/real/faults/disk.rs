//! A full disk, in a mount namespace that nobody else sees: what could not be written is told and is not
//! there in part, and what was saved before stays.

use std::{fs, process::Command};

use desktop_tests::Desktop;

use super::Run;

/// Runs the program with a file system of so many kilobytes in the place of `at`, which already holds
/// what it held before.
fn on_small_disk(desktop: &Desktop, at: &str, kilobytes: u32, arguments: &[&str]) -> Command {
    let program = desktop.agent_desktop(&[]).get_program().to_owned();
    let mut command = desktop.command("unshare");
    command.env("AGENT_DESKTOP_SANDBOX", desktop.name());
    command.args(["--mount", "sh", "-ec"]).arg(
        r#"at=$1; size=$2; shift 2
           copy=$(mktemp -d)
           cp -a "$at/." "$copy"
           mount -t tmpfs -o "size=${size}k,mode=0700" tmpfs "$at"
           cp -a "$copy/." "$at" 2>&-
           dd if=/dev/zero of="$at/filling" bs=512 2>&- || true
           before=$(find "$at" -type f | sort | xargs md5sum)
           "$@" || true
           after=$(find "$at" -type f | sort | xargs md5sum)
           rm -r "$copy"
           [ "$before" = "$after" ] || echo "changed: $before to $after" >&2"#,
    );
    command.args(["sh", at, &kilobytes.to_string()]).arg(program).args(arguments);
    command
}

#[test]
fn a_full_disk_is_told_and_changes_nothing() {
    let desktop = Desktop::start();
    let dialog = desktop.launch("zenity", &["--entry", "--text=Name"]);
    let window = dialog.window_id();
    let find = ["find", "--app", "zenity", "--role", "textfield", "--first"];
    let found = desktop.run(&find).data();
    let field = found["match"]["ref_id"].as_str().unwrap();
    let home = desktop.state_root().parent().unwrap().join("home");
    let picture = home.join("shot.png");
    let (state, home) = (desktop.state_root(), home.to_str().unwrap().to_owned());
    let state = state.to_str().unwrap();
    for (at, arguments) in [
        (state, &["snapshot", "--app", "zenity"][..]),
        (state, &find),
        (state, &["snapshot", "--root", field]),
        (state, &["sandbox", "start", "second"]),
        (&home, &["screenshot", picture.to_str().unwrap(), "--window-id", &window]),
    ] {
        let mut command = on_small_disk(&desktop, at, 256, arguments);
        let output = command.output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(!told.contains("changed"), "{arguments:?}: {told}");
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {output:?}"));
        let error = &answer["error"];
        assert_eq!(error["code"], "INTERNAL", "{arguments:?}: {answer}");
        assert!(error["message"].as_str().unwrap().contains("No space left"), "{answer}");
        assert!(
            error["suggestion"].as_str().unwrap().contains("space")
                || error["suggestion"].as_str().unwrap().contains("room"),
            "{answer}"
        );
        assert_eq!(error["disposition"]["delivery"], "not_delivered", "{arguments:?}: {answer}");
    }
    // What reads and acts needs no room.
    for arguments in [
        &["get", field, "--property", "role"][..],
        &["set-value", field, "x"],
        &["list-windows"],
        &["status"],
    ] {
        let mut command = on_small_disk(&desktop, state, 256, arguments);
        let answer = Run::start(&mut command).end(std::time::Duration::from_secs(20)).envelope;
        let answer = answer.unwrap_or_else(|| panic!("{arguments:?}"));
        assert_eq!(answer["ok"], true, "{arguments:?}: {answer}");
    }
    assert!(!picture.exists());
    assert!(fs::read_dir(desktop.state_root()).unwrap().count() > 2);
}
