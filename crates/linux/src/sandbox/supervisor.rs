//! The process that owns a private desktop's servers: it starts them one after the other, reports
//! once, and then only reaps. It is a hidden command of this same program.

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions, Permissions},
    io::{self, Write},
    os::{
        fd::AsFd,
        unix::{
            fs::{OpenOptionsExt, PermissionsExt},
            net::UnixStream,
        },
    },
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use agent_desktop_engine::platform::{Deadline, Failure};
use agent_desktop_model::wire::sandbox::{Role, Size};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
    process::{WaitOptions, getpid, set_child_subreaper, wait},
};
use serde::{Deserialize, Serialize};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::{
    accessibility,
    manifest::{Desktop, Manifest, Socket},
    members,
    place::{self, Lock, Place, Token},
    trouble::Trouble,
    variables::{self, Home},
};
use crate::{
    environment::Environment,
    helper::{self, read_line},
    x11,
};

/// What a supervisor is asked to set up.
#[derive(Debug, Serialize, Deserialize)]
pub struct Plan {
    pub(super) root: String,
    pub(super) name: String,
    pub(super) size: Size,
    pub(super) window_manager: String,
    pub(super) home: Home,
    pub(super) limit_ms: u64,
}

impl Plan {
    /// The plan that `text` spells; none if it is something else.
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

/// What it reports, on one line.
pub(super) type Report = Result<(), Trouble>;

/// Runs a supervisor until nothing of its desktop is left. Its standard input is the lock of the
/// desktop, `report` the pipe to whoever started it.
pub fn supervise(plan: &Plan, report: &mut dyn Write) -> Result<(), String> {
    let deadline = Deadline::after_ms(plan.limit_ms);
    // The desktop outlives the terminal and the command that started it.
    helper::detach();
    // What services leave behind is reaped here, also where process 1 reaps nothing.
    set_child_subreaper(Some(getpid())).map_err(|error| error.to_string())?;
    let asked = Asked::listen().map_err(|error| error.to_string())?;
    let place = Place::new(Path::new(&plan.root), &plan.name).map_err(|error| error.message)?;
    let token = place.token().ok_or("the desktop has no runtime directory")?;
    members::mark(&token);

    let outcome =
        set_up(plan, &place, &token, deadline).and_then(|()| match asked.within(Duration::ZERO) {
            true => Err(Trouble::other("the supervisor", "it was told to end")),
            false => Ok(()),
        });
    let failed = outcome.is_err();
    if failed {
        tear_down(&place, &token);
    }
    let line = serde_json::to_string(&outcome).map_err(|error| error.to_string())?;
    let told = report.write_all((line + "\n").as_bytes()).and_then(|()| report.flush());
    if failed {
        // Whoever asked removes the lock's file, unless it is gone.
        if told.is_err() {
            place.forget(&held_lock()?);
        }
        return Ok(());
    }
    // Whoever asked may still work under the lock, so it is not given up but left to them.
    let nothing = File::open("/dev/null").map_err(|error| error.to_string())?;
    rustix::stdio::dup2_stdin(&nothing).map_err(|error| error.to_string())?;
    let manifest = Manifest::read(&place)?;
    reap(&place, &token, &manifest, &asked);
    Ok(())
}

fn held_lock() -> Result<Lock, String> {
    let lock = io::stdin().as_fd().try_clone_to_owned().map_err(|error| error.to_string())?;
    Ok(Lock(lock.into()))
}

/// Ends everything of a desktop that did not come up, at once: nobody has used it yet.
pub(super) fn tear_down(place: &Place, token: &Token) {
    let deadline = Deadline::after(Duration::from_secs(1));
    let _ = members::end(token, &[], Duration::ZERO, deadline, &mut Default::default());
    if let Ok(manifest) = Manifest::read(place) {
        manifest.remove_display_files();
    }
    place.remove();
}

/// The desktop's own servers, and what is needed to start one more.
struct Servers<'a> {
    place: &'a Place,
    env: BTreeMap<String, String>,
    clear: Vec<String>,
    manifest: Manifest,
    children: Vec<(Role, Child)>,
    deadline: Deadline,
}

fn set_up(plan: &Plan, place: &Place, token: &Token, deadline: Deadline) -> Report {
    let mut servers = Servers {
        place,
        env: variables::base(place, token, &plan.home),
        clear: variables::cleared(&plan.home),
        manifest: Manifest::new(token, plan.size),
        children: Vec::new(),
        deadline,
    };
    servers.manifest.add(Role::Supervisor, "agent-desktop", std::process::id());
    servers.manifest.write(place)?;

    let display = servers.start_display(plan.size)?;
    let bus_address = servers.start_bus(token)?;
    servers.start_window_manager(&plan.window_manager)?;
    let buses = accessibility::enable(&bus_address, deadline).map_err(|e| servers.cause(e))?;
    servers.manifest.add(Role::AccessibilityBus, "at-spi-bus-launcher", buses.launcher);
    servers.await_window_manager(&display)?;
    servers.check_all()?;

    let Servers { mut manifest, env, clear, .. } = servers;
    let bus_guid = buses.guid;
    manifest.desktop = Some(Desktop { display, bus_address, bus_guid, env, clear });
    manifest.write(place)
}

impl Servers<'_> {
    /// Starts the X server and returns its display.
    fn start_display(&mut self, size: Size) -> Result<String, Trouble> {
        prepare_socket_directory();
        let authority = self.place.file("Xauthority");
        let cookie = place::random::<16>()?;
        // Which display it will be is not known yet.
        place::write(&authority, &x11::authority::file_for(None, &cookie))?;
        let mut command = Command::new("Xvfb");
        command
            .args(["-displayfd", "1", "-screen", "0", &format!("{size}x24")])
            .args(["-nolisten", "tcp", "-noreset", "-dpi", "96", "-s", "0", "-auth"])
            .arg(&authority);
        let (told, tell) = io::pipe().map_err(|e| Trouble::other("a pipe", &e.to_string()))?;
        self.spawn(Role::DisplayServer, "Xvfb", command, Some(tell))?;
        let number = self.first_line(Role::DisplayServer, told)?;
        let number: u16 =
            number.parse().map_err(|_| Trouble::other("the display server says", &number))?;
        // Some clients want the number and the machine's name in the file.
        place::write(&authority, &x11::authority::file_for(Some(number), &cookie))?;
        // Should it never be stopped in an orderly way, its socket is found by this.
        self.manifest.display_socket = Socket::of_display(number);
        self.manifest.write(self.place)?;
        let display = format!(":{number}");
        self.env.insert("DISPLAY".into(), display.clone());
        Ok(display)
    }

    /// Starts the session bus and returns its address.
    fn start_bus(&mut self, token: &Token) -> Result<String, Trouble> {
        let socket = variables::bus_socket(token);
        let address = variables::bus_address(token);
        let mut command = Command::new("dbus-daemon");
        command
            .args(["--session", "--nofork", "--nopidfile", "--nosyslog"])
            .arg(format!("--address={address}"));
        self.spawn(Role::SessionBus, "dbus-daemon", command, None)?;
        // It could print its address when it is ready, but the services that it starts would
        // inherit that pipe as their output.
        self.wait_until(Role::SessionBus, || Ok(UnixStream::connect(&socket).is_ok()))?;
        Ok(address)
    }

    fn start_window_manager(&mut self, line: &str) -> Result<(), Trouble> {
        let mut words = line.split_whitespace();
        let program = words.next().unwrap_or_default();
        let mut command = Command::new(program);
        command.args(words);
        self.spawn(Role::WindowManager, program, command, None)
    }

    /// Waits until the window manager says that it manages.
    fn await_window_manager(&mut self, display: &str) -> Result<(), Trouble> {
        let environment = Environment {
            display: Some(display.into()),
            xauthority: Some(self.place.file("Xauthority")),
            ..Environment::default()
        };
        let failed = |failure| match failure {
            Failure::NoDesktop { cause, .. } => Trouble::other("the display server", &cause),
            failure => Trouble::other("the display server", &format!("{failure:?}")),
        };
        let limit = self.deadline;
        let server = x11::Display::connect(&environment, limit)
            .map_err(|failure| self.cause(failed(failure)))?;
        self.wait_until(Role::WindowManager, || match server.has_window_manager(limit) {
            Err(Failure::Timeout) => Ok(false),
            answer => answer.map_err(failed),
        })
    }

    /// Waits until a part is ready, as long as every part lives.
    fn wait_until(
        &mut self,
        role: Role,
        ready: impl Fn() -> Result<bool, Trouble>,
    ) -> Result<(), Trouble> {
        loop {
            match ready() {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(trouble) => return Err(self.cause(trouble)),
            }
            self.check_all()?;
            if self.deadline.passed() {
                return Err(self.late(role));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Starts a server in the desktop as far as it exists, and notes it. Its messages go to a log,
    /// and what it prints to `output` or there as well.
    fn spawn(
        &mut self,
        role: Role,
        program: &str,
        mut command: Command,
        output: Option<io::PipeWriter>,
    ) -> Result<(), Trouble> {
        let log = self.log(role);
        let messages = OpenOptions::new()
            .append(true)
            .create(true)
            .mode(0o600)
            .open(&log)
            .map_err(|error| Trouble::files(&log, &error))?;
        let output = match output {
            Some(pipe) => pipe.into(),
            None => Stdio::from(messages.try_clone().map_err(|e| Trouble::files(&log, &e))?),
        };
        for name in &self.clear {
            command.env_remove(name);
        }
        let child = command
            .envs(&self.env)
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(messages)
            .spawn()
            .map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => Trouble::missing(program),
                _ => Trouble::other(program, &error.to_string()),
            })?;
        self.manifest.add(role, program, child.id());
        self.children.push((role, child));
        Ok(())
    }

    /// The first line that a server prints.
    fn first_line(&mut self, role: Role, mut output: io::PipeReader) -> Result<String, Trouble> {
        match read_line(&mut output, self.deadline) {
            Ok(Some(line)) => Ok(line),
            Ok(None) => Err(self.late(role)),
            Err(error) => {
                self.await_end(role);
                Err(self.cause(Trouble::other(role.name(), &error.to_string())))
            }
        }
    }

    /// Gives a server that has closed its output the time to end.
    fn await_end(&mut self, role: Role) {
        let deadline = self.deadline.within(Duration::from_secs(1));
        while let Some((_, child)) = self.children.iter_mut().find(|(other, _)| *other == role)
            && matches!(child.try_wait(), Ok(None))
            && !deadline.passed()
        {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// That a server ended, if one did, as the cause of `trouble`; else `trouble` itself.
    fn cause(&mut self, trouble: Trouble) -> Trouble {
        self.check_all().err().unwrap_or(trouble)
    }

    fn check_all(&mut self) -> Result<(), Trouble> {
        for (role, child) in &mut self.children {
            if let Ok(Some(status)) = child.try_wait() {
                return Err(Trouble::Died {
                    part: role.name().into(),
                    status: status.to_string(),
                    log: tail(&log(self.place, *role)),
                });
            }
        }
        Ok(())
    }

    fn late(&mut self, role: Role) -> Trouble {
        let late = Trouble::late(role.name(), self.deadline, tail(&self.log(role)));
        self.cause(late)
    }

    fn log(&self, role: Role) -> std::path::PathBuf {
        log(self.place, role)
    }
}

fn log(place: &Place, role: Role) -> std::path::PathBuf {
    place.file(&format!("{}.log", role.name().replace(' ', "-")))
}

/// X servers put their sockets here. One that is not root's cannot create the directory itself,
/// which fresh containers lack.
fn prepare_socket_directory() {
    let directory = Path::new("/tmp/.X11-unix");
    if fs::create_dir(directory).is_ok() {
        // If it stays unwritable, the server says so in its log.
        let _ = fs::set_permissions(directory, Permissions::from_mode(0o1777));
    }
}

/// The end of a log.
pub(super) fn tail(log: &Path) -> String {
    const LINES: usize = 12;
    let text = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let mut lines: Vec<&str> = text.lines().rev().take(LINES).collect();
    lines.reverse();
    lines.join("\n")
}

/// Hears the signals that ask this process to end.
struct Asked(UnixStream);

impl Asked {
    fn listen() -> io::Result<Self> {
        let (heard, told) = UnixStream::pair()?;
        for signal in [SIGTERM, SIGINT, SIGHUP] {
            signal_hook::low_level::pipe::register(signal, told.try_clone()?)?;
        }
        Ok(Self(heard))
    }

    /// Whether it is asked to, by now or within `limit`.
    fn within(&self, limit: Duration) -> bool {
        let limit = Timespec::try_from(limit).ok();
        poll(&mut [PollFd::new(&self.0, PollFlags::IN)], limit.as_ref())
            .is_ok_and(|ready| ready > 0)
    }
}

/// Collects children until there are none, which is when the desktop was stopped. Asked to end by
/// itself, it ends the desktop as `sandbox stop` does. One whose files were removed behind its back
/// can no longer be stopped by name, so it ends by itself, too.
fn reap(place: &Place, token: &Token, manifest: &Manifest, asked: &Asked) {
    loop {
        match wait(WaitOptions::NOHANG) {
            Err(Errno::CHILD) => return,
            Ok(Some(_)) => continue,
            Ok(None) | Err(_) => {}
        }
        if place.token().as_ref() != Some(token) {
            let deadline = Deadline::after(Duration::from_secs(10));
            let _ =
                members::end(token, &[], members::PROGRAM_GRACE, deadline, &mut Default::default());
            manifest.remove_display_files();
            place::remove_tree(&token.runtime_dir(), &mut Vec::new());
            return;
        }
        if asked.within(Duration::from_secs(1)) {
            // Whoever stops the desktop at this moment has the lock, and asks this process last.
            let lock = place.lock(Deadline::after(Duration::ZERO));
            let deadline = Deadline::after(Duration::from_secs(10));
            let _ = members::end_all(token, Some(manifest), deadline, &mut Default::default());
            if let Ok(lock) = lock {
                manifest.remove_display_files();
                place.remove();
                place.forget(&lock);
            }
            return;
        }
    }
}
