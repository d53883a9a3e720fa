//! A desktop without an X server: headless sway with a session bus of its own.

use std::{
    env, fs,
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use tempfile::TempDir;

use crate::{Outcome, Process, desktop, slot::Slot, wait};

/// A Wayland session in a directory of its own. It ends when it is dropped, in a panic too.
#[derive(Debug)]
pub struct Wayland {
    display: String,
    // In the order in which they end.
    _compositor: Process,
    _bus: Process,
    home: TempDir,
    _slot: Slot,
}

impl Wayland {
    /// Brings the session up. Where sway cannot start, this panics with what sway says: nothing
    /// that needs it may pass without it.
    pub fn start() -> Self {
        let slot = Slot::take();
        let home = tempfile::Builder::new().prefix("ad-").tempdir().expect("a directory");
        let runtime = home.path().join("run");
        fs::create_dir(&runtime).expect("a directory");
        fs::set_permissions(&runtime, fs::Permissions::from_mode(0o700)).expect("permissions");
        let mut bus = base(&home, "dbus-daemon");
        bus.args(["--session", "--nofork", "--nopidfile", "--address"]).arg(address(&home));
        let bus = Process::spawn(bus.stderr(Stdio::null())).expect("dbus-daemon starts");

        let settings = home.path().join("sway.conf");
        fs::write(&settings, "output HEADLESS-1 resolution 1280x800\nxwayland disable\n")
            .expect("a file");
        let log = home.path().join("sway.log");
        // Sway refuses to run as root, so root becomes somebody else in a namespace.
        let mut sway = match rustix::process::geteuid().is_root() {
            true => {
                let mut sway = base(&home, "unshare");
                sway.args(["--user", "--map-user=1000", "--map-group=1000", "sway"]);
                sway
            }
            false => base(&home, "sway"),
        };
        sway.arg("--config").arg(&settings).stderr(fs::File::create(&log).expect("a log")).envs([
            ("WLR_BACKENDS", "headless"),
            ("WLR_LIBINPUT_NO_DEVICES", "1"),
            ("WLR_RENDERER", "pixman"),
        ]);
        let mut sway = Process::spawn(&mut sway).expect("unshare starts");
        let display = wait::until("sway to listen", Duration::from_secs(20), || {
            let said = || fs::read_to_string(&log).unwrap_or_default();
            if let Some(status) = sway.ended() {
                panic!(
                    "sway ended with {status}. As root it needs user namespaces \
                     (/proc/sys/kernel/unprivileged_userns_clone, user.max_user_namespaces). {}",
                    said()
                );
            }
            let names = fs::read_dir(&runtime).expect("a directory").flatten();
            let names = names.filter_map(|entry| entry.file_name().into_string().ok());
            names
                .filter(|name| name.starts_with("wayland-") && !name.ends_with(".lock"))
                .min()
                .ok_or_else(said)
        });
        Self { display, _compositor: sway, _bus: bus, home, _slot: slot }
    }

    /// A program of the system, set up to run in this session, in which there is no DISPLAY.
    pub fn command(&self, program: &str) -> Command {
        let mut command = base(&self.home, program);
        command
            .env("WAYLAND_DISPLAY", &self.display)
            .env("DBUS_SESSION_BUS_ADDRESS", address(&self.home));
        command
    }

    /// Runs the program under test to its end, or to its death if it hangs for a minute.
    pub fn run(&self, arguments: &[&str]) -> Outcome {
        let mut command = self.command("timeout");
        command.args(["--signal=KILL", "60"]).arg(desktop::binary()).args(arguments);
        let start = Instant::now();
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let output = command.output().expect("timeout runs");
        let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        Outcome::new(arguments, output, start.elapsed())
    }
}

fn address(home: &TempDir) -> String {
    format!("unix:path={}", home.path().join("run/bus").display())
}

/// A program that knows nothing but directories of its own.
fn base(home: &TempDir, program: &str) -> Command {
    let mut command = Command::new(program);
    let path: PathBuf = home.path().into();
    command
        .env_clear()
        .env("PATH", env::var_os("PATH").unwrap_or_default())
        .env("LANG", "C.UTF-8")
        .env("HOME", &path)
        .env("XDG_RUNTIME_DIR", path.join("run"))
        .env("AGENT_DESKTOP_HOME", path.join("state"))
        .envs([("XDG_SESSION_TYPE", "wayland"), ("GTK_A11Y", "atspi"), ("GSK_RENDERER", "cairo")])
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    command
}
