//! A state root that can be read and not written. Root may write wherever modes forbid it, so it
//! is a file system that forbids it, in a mount namespace that nobody else sees.

use desktop_tests::Desktop;
use serde_json::Value;

#[test]
fn what_saves_is_refused_and_what_reads_is_answered() {
    let desktop = Desktop::start();
    let _dialog = desktop.launch("zenity", &["--question", "--text=Sure?"]);
    let found = desktop.run(&["find", "--app", "zenity", "--role", "button", "--first"]).data();
    let reference = found["match"]["ref_id"].as_str().unwrap();
    let picture = desktop.state_root().parent().unwrap().join("home/shot.png");
    let shot = picture.to_str().unwrap();
    desktop.run(&["screenshot", shot, "--max-size", "50"]).data();
    desktop.run(&["clipboard-set", "--image", shot]).data();

    for arguments in [
        &["snapshot", "--app", "zenity"][..],
        &["find", "--app", "zenity", "--role", "button"],
        &["snapshot", "--root", reference],
        &["wait", "--text", "Sure?", "--app", "zenity"],
        &["launch", "gnome-calculator"],
        &["clipboard-get", "--format", "image"],
        &["sandbox", "start", "second"],
    ] {
        let error = &read_only(&desktop, arguments)["error"];
        assert_eq!(error["code"], "INTERNAL", "{arguments:?}: {error:#}");
        assert_eq!(error["disposition"]["retry"], "safe");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains("Read-only file system"), "{message}");
        assert!(message.contains(desktop.state_root().to_str().unwrap()), "{message}");
        let suggestion = error["suggestion"].as_str().unwrap();
        assert!(suggestion.contains("AGENT_DESKTOP_HOME"), "{arguments:?}: {suggestion}");
    }
    for arguments in [
        &["find", "--app", "zenity", "--role", "button", "--count"][..],
        &["list-apps"],
        &["list-surfaces"],
        &["list-displays"],
        &["permissions"],
        &["screenshot", "--max-size", "50"],
        &["clipboard-get", "--format", "image", "--out", picture.to_str().unwrap()],
        &["clipboard-set", "text"],
        &["sandbox", "list"],
        &["focus-window", "--app", "zenity"],
        &["get", reference, "--property", "role"],
        &["is", reference],
        &["list-windows", "--app", "zenity"],
        &["status"],
    ] {
        let envelope = read_only(&desktop, arguments);
        assert_eq!(envelope["ok"], true, "{arguments:?}: {envelope:#}");
    }
    assert_eq!(desktop.run(&["status"]).data()["snapshot_id"], found["snapshot_id"]);
}

fn read_only(desktop: &Desktop, arguments: &[&str]) -> Value {
    let program = desktop.agent_desktop(&[]).get_program().to_owned();
    let mut command = desktop.command("unshare");
    command.env("AGENT_DESKTOP_SANDBOX", desktop.name()).args(["--mount", "sh", "-ec"]);
    command.arg(
        r#"mount --bind "$AGENT_DESKTOP_HOME" "$AGENT_DESKTOP_HOME"
           mount -o remount,bind,ro "$AGENT_DESKTOP_HOME"
           exec "$@""#,
    );
    let output = command.arg("sh").arg(program).args(arguments).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}
