//! Everything that is kept belongs to the user alone: it is looked at as another user, and written with
//! a umask that forbids nothing.

use std::{
    collections::HashMap,
    fs,
    os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use desktop_tests::{Desktop, Outcome, Process, wait};

/// The user `nobody`.
const STRANGER: &str = "--reuid=65534";

#[test]
fn nobody_else_reads_what_is_kept() {
    let desktop = Desktop::start();
    let dialog = desktop.launch("zenity", &["--question", "--text=Sure?"]);
    let directory = desktop.state_root().parent().unwrap().join("home");
    let picture = directory.join("shot.png");
    let window = dialog.window_id();
    for arguments in [
        &["snapshot", "--app", "zenity"][..],
        &["snapshot", "--app", "zenity", "--session", "run"],
        &["screenshot", picture.to_str().unwrap(), "--window-id", &window],
        &["clipboard-set", "--image", picture.to_str().unwrap()],
        &["clipboard-get", "--format", "image"],
        &["launch", "true"],
        &["sandbox", "start", "second"],
    ] {
        let output = openly(&desktop, arguments).output().unwrap();
        assert!(output.status.code().is_some_and(|code| code <= 1), "{arguments:?}: {output:?}");
    }

    let root = desktop.state_root();
    let runtime = fs::read_link(root.join("sandboxes/second/run")).unwrap();
    let mut looked_at = 0;
    for path in made_by_us(&root).into_iter().chain([runtime.clone(), picture]) {
        let metadata = fs::symlink_metadata(&path).unwrap();
        let allowed = if metadata.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(metadata.permissions().mode() & 0o777, allowed, "{}", path.display());
        assert_eq!(metadata.uid(), rustix::process::geteuid().as_raw(), "{}", path.display());
        looked_at += 1;
    }
    assert!(looked_at > 20, "{looked_at} files");
    // Where the way there is open, each of them is closed by itself.
    let top = root.parent().unwrap();
    for open in [top, &root] {
        fs::set_permissions(open, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let seen = as_stranger(Path::new("find"))
        .args([&root, &runtime])
        .args(["-readable", "-not", "-path"])
        .arg(&root)
        .output()
        .unwrap();
    assert_eq!(text(&seen.stdout), "", "{seen:?}");
    // Another user with this state root is refused, and says so.
    let copy = top.join("agent-desktop");
    fs::copy(desktop.agent_desktop(&[]).get_program(), &copy).unwrap();
    for command in [&["snapshot"][..], &["get", "@s123:e1"], &["sandbox", "list"], &["status"]] {
        let mut stranger = as_stranger(&copy);
        stranger.env("AGENT_DESKTOP_HOME", &root).env("AGENT_DESKTOP_SANDBOX", desktop.name());
        let output = stranger.args(command).output().unwrap();
        let answer = text(&output.stdout);
        assert!(answer.contains("\"ok\":false"), "{command:?}: {output:?}");
        assert!(answer.contains("belong to you alone") || answer.contains("Make"), "{answer}");
    }
    desktop.run(&["sandbox", "stop", "second"]).data();
}

/// The environment of a process says which private desktop it belongs to, but only one of the same user is
/// believed, also by root, who could read all of them.
#[test]
fn what_processes_of_others_say_of_themselves_is_not_looked_at() {
    let desktop = Desktop::start();
    let started = desktop.run(&["sandbox", "start", "second"]).data();
    let sleeping = |program: &mut Command| {
        let variables: HashMap<String, String> =
            serde_json::from_value(started["env"].clone()).unwrap();
        Process::spawn(program.args(["1000"]).envs(variables)).unwrap()
    };
    let mut foreign = sleeping(&mut as_stranger(Path::new("sleep")));
    let mut own = sleeping(&mut Command::new("sleep"));
    wait::until("both to sleep", Duration::from_secs(5), || {
        let asleep = |process: &Process| {
            let name = fs::read_to_string(format!("/proc/{}/comm", process.id()));
            name.is_ok_and(|name| name == "sleep\n")
        };
        if asleep(&foreign) && asleep(&own) { Ok(()) } else { Err("not yet".to_owned()) }
    });
    desktop.run(&["sandbox", "stop", "second"]).data();
    assert!(own.ended().is_some(), "it was a member");
    assert!(foreign.ended().is_none(), "it only said so");
}

#[test]
fn links_are_not_followed() {
    let desktop = Desktop::start();
    let _dialog = desktop.launch("zenity", &["--question", "--text=Sure?"]);
    let snapshot = ["snapshot", "--app", "zenity"];
    desktop.run(&snapshot).data();
    let root = desktop.state_root();
    let elsewhere = root.parent().unwrap().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let victim = elsewhere.join("victim");
    fs::write(&victim, "as it was").unwrap();

    let refused = |outcome: &Outcome| {
        let error = outcome.error("INTERNAL");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains("is a link, or others can change it"), "{message}");
    };
    for (name, target) in [("snapshots", &elsewhere), ("refstore.lock", &victim)] {
        let path = root.join(name);
        let aside = root.join("aside");
        fs::rename(&path, &aside).unwrap();
        symlink(target, &path).unwrap();
        refused(&desktop.run(&snapshot));
        fs::remove_file(&path).unwrap();
        fs::rename(&aside, &path).unwrap();
    }
    // A new file takes the place of a link and leaves alone what that leads to.
    let latest = root.join("latest_snapshot_id");
    fs::remove_file(&latest).unwrap();
    symlink(&victim, &latest).unwrap();
    desktop.run(&snapshot).data();
    assert!(fs::symlink_metadata(&latest).unwrap().is_file());
    let output = elsewhere.join("shot.png");
    symlink(&victim, &output).unwrap();
    desktop.run(&["screenshot", output.to_str().unwrap()]).error("INVALID_ARGS");
    assert_eq!(fs::read_to_string(&victim).unwrap(), "as it was");
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 2);
}

/// The program, with a umask of 0.
fn openly(desktop: &Desktop, arguments: &[&str]) -> Command {
    let program = desktop.agent_desktop(&[]).get_program().to_owned();
    let mut command = desktop.command("sh");
    command.env("AGENT_DESKTOP_SANDBOX", desktop.name());
    command.args(["-c", "umask 0; exec \"$@\"", "sh"]).arg(program).args(arguments);
    command
}

fn as_stranger(program: &Path) -> Command {
    assert!(rustix::process::geteuid().is_root(), "only root can look at it as another user");
    let mut command = Command::new("setpriv");
    command.args([STRANGER, "--regid=65534", "--clear-groups"]).arg(program).env("HOME", "/");
    command
}

/// What the program itself has made below the state root. What programs of a private desktop make in
/// their directories there is theirs.
fn made_by_us(root: &Path) -> Vec<PathBuf> {
    let mut made = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).unwrap().flatten() {
            let kind = entry.file_type().unwrap();
            if kind.is_symlink() || kind.is_socket() {
                continue;
            }
            let of_programs =
                entry.path().parent().unwrap().parent() == Some(&root.join("sandboxes"));
            made.push(entry.path());
            if kind.is_dir() && !of_programs {
                open.push(entry.path());
            }
        }
    }
    made
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
