//! The user's own session, for which a private bus and home stand in: a private desktop neither
//! changes it nor reaches into it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use crate::desktops::{Desktops, wait_until};

struct Session {
    bus: Child,
    address: String,
}

impl Session {
    fn new(desktops: &Desktops) -> Self {
        let socket = desktops.program.home().join("bus");
        let address = format!("unix:path={}", socket.display());
        let mut bus = Command::new("dbus-daemon");
        desktops.program.prepare(&mut bus);
        bus.args(["--session", "--nofork", "--nopidfile", &format!("--address={address}")]);
        let bus = bus.stderr(Stdio::null()).spawn().unwrap();
        wait_until("the bus answers", || std::os::unix::net::UnixStream::connect(&socket).is_ok());
        Self { bus, address }
    }

    /// What the session's accessibility bus says, in which it also is started.
    fn status(&self, desktops: &Desktops) -> [String; 2] {
        ["IsEnabled", "ScreenReaderEnabled"].map(|property| {
            let mut get = Command::new("dbus-send");
            desktops.program.prepare(&mut get);
            get.args(["--session", "--print-reply=literal", "--dest=org.a11y.Bus"])
                .args(["/org/a11y/bus", "org.freedesktop.DBus.Properties.Get"])
                .args(["string:org.a11y.Status", &format!("string:{property}")])
                .env("DBUS_SESSION_BUS_ADDRESS", &self.address);
            let output = get.output().unwrap();
            assert!(output.status.success(), "{output:?}");
            String::from_utf8(output.stdout).unwrap().split_whitespace().collect()
        })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.bus.kill();
        let _ = self.bus.wait();
    }
}

/// Every file of the home directory with its contents, except those of private desktops.
fn files(home: &Path, state: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    let mut pending = vec![home.to_owned()];
    while let Some(directory) = pending.pop() {
        for entry in fs::read_dir(directory).unwrap().flatten() {
            let kind = entry.file_type().unwrap();
            if kind.is_dir() && entry.path() != state {
                pending.push(entry.path());
            } else if kind.is_file() {
                files.push((entry.path(), fs::read(entry.path()).unwrap()));
            }
        }
    }
    files.sort();
    files
}

#[test]
fn the_users_session_and_settings_stay_as_they_are() {
    let mut desktops = Desktops::new();
    let session = Session::new(&desktops);
    desktops.program.env("DBUS_SESSION_BUS_ADDRESS", &session.address);
    // Surroundings that must not be inherited.
    desktops.program.env("SESSION_MANAGER", "local/nowhere:/tmp/.ICE-unix/1");
    desktops.program.env("WAYLAND_DISPLAY", "wayland-0");
    desktops.program.env("DISPLAY", ":4711");
    desktops.program.env("AT_SPI_BUS_ADDRESS", "unix:path=/nowhere");
    let before = session.status(&desktops);
    assert_eq!(before, ["variantbooleanfalse", "variantbooleanfalse"]);
    let files_before = files(desktops.program.home(), &desktops.root());

    let desktop = desktops.start(&["one"]);
    let script =
        "echo ${SESSION_MANAGER-unset} ${WAYLAND_DISPLAY-unset} ${AT_SPI_BUS_ADDRESS-unset}";
    let output = desktops.exec("one", &["sh", "-c", script]);
    assert_eq!(output.stdout, b"unset unset unset\n");
    for pid in desktop.processes() {
        let environ = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        let supervisor = pid == desktop.supervisor();
        let leaks =
            environ.windows(session.address.len()).any(|part| part == session.address.as_bytes());
        assert!(supervisor || !leaks, "process {pid} knows the user's bus");
    }
    // The setting that announces assistive technology persists somewhere, but not in the user's
    // home.
    let settings = desktops.directory("one").join("config");
    wait_until("the settings are written", || !files(&settings, Path::new("")).is_empty());
    assert_eq!(session.status(&desktops), before);
    assert_eq!(files(desktops.program.home(), &desktops.root()), files_before);

    desktops.stop("one");
    assert_eq!(session.status(&desktops), before);
    assert_eq!(files(desktops.program.home(), &desktops.root()), files_before);
}
