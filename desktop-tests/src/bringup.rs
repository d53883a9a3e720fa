//! Brings up the private desktop itself.

use std::{
    ffi::OsString,
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
};

use crate::{
    Process,
    bus::{Body, Call, Connection},
};

/// The servers of a private desktop.
#[derive(Debug)]
pub(crate) struct Bringup {
    _servers: Vec<Process>,
    pub(crate) environment: Vec<(String, OsString)>,
}

impl Bringup {
    pub(crate) fn start(directory: &Path, base: &[(String, OsString)]) -> Self {
        let mut environment = base.to_vec();
        let mut x = Command::new("Xvfb");
        x.args(["-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]);
        let (x, display) = announce(x, base);
        environment.push(("DISPLAY".into(), format!(":{display}").into()));

        let socket = format!("unix:path={}/bus", directory.display());
        let mut daemon = Command::new("dbus-daemon");
        daemon.args(["--session", "--nofork", "--print-address=1", "--address"]).arg(&socket);
        let (daemon, address) = announce(daemon, &environment);
        environment.push(("DBUS_SESSION_BUS_ADDRESS".into(), address.clone().into()));
        let mut bus = Connection::open(&address).expect("the session bus answers");
        let enable =
            Call::new("org.a11y.Bus", "/org/a11y/bus", "org.freedesktop.DBus.Properties", "Set")
                .with(
                    Body::default()
                        .text("org.a11y.Status")
                        .text("IsEnabled")
                        .variant(&Body::default().boolean(true)),
                );
        bus.call(enable).expect("accessibility can be switched on");

        let mut manager = Command::new("openbox");
        manager.env_clear().envs(environment.clone()).stderr(Stdio::null());
        let manager = Process::spawn(&mut manager).expect("openbox starts");
        Self { _servers: vec![manager, daemon, x], environment }
    }
}

fn announce(mut command: Command, environment: &[(String, OsString)]) -> (Process, String) {
    let (read, write) = std::io::pipe().expect("a pipe");
    command.env_clear().envs(environment.iter().cloned()).stdout(write).stderr(Stdio::null());
    let server = Process::spawn(&mut command).expect("the server starts");
    drop(command);
    let mut line = String::new();
    BufReader::new(read).read_line(&mut line).expect("the server announces itself");
    (server, line.trim().to_owned())
}
