//! A private desktop, its applications, and the program under test in it.

use std::{
    collections::BTreeMap,
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use tempfile::TempDir;

use crate::{
    Outcome, Process,
    bus::{self, Call, Connection, Monitor, Reader},
    slot::Slot,
    wait,
};

const ROOT: &str = "/org/a11y/atspi/accessible/root";
const ACCESSIBLE: &str = "org.a11y.atspi.Accessible";

/// A private desktop of the program under test. It ends when it is dropped, in a panic too.
#[derive(Debug)]
pub struct Desktop {
    name: &'static str,
    /// Shared with a second desktop, which therefore knows the snapshots of the first.
    home: Arc<TempDir>,
    /// What programs in it need besides [`Desktop::base`].
    environment: BTreeMap<String, String>,
    _slot: Option<Slot>,
}

/// An application on a desktop; it ends when this is dropped.
#[derive(Debug)]
pub struct App {
    pub process: Process,
    /// Its name on the accessibility bus.
    pub bus_name: String,
    /// Object path of its first window.
    pub window: String,
}

impl Desktop {
    /// Brings a desktop up, once few enough others exist.
    pub fn start() -> Self {
        let slot = Slot::take();
        let home = tempfile::Builder::new().prefix("ad-").tempdir().expect("a directory");
        for directory in ["home", "state"] {
            fs::create_dir(home.path().join(directory)).expect("a directory");
        }
        Self::bring_up("one", Arc::new(home), Some(slot))
    }

    /// Brings a second desktop up for a test that has one. Both keep their state in one place.
    pub fn start_beside(first: &Self) -> Self {
        Self::bring_up("two", first.home.clone(), None)
    }

    fn bring_up(name: &'static str, home: Arc<TempDir>, slot: Option<Slot>) -> Self {
        let mut desktop = Self { name, home, environment: BTreeMap::new(), _slot: slot };
        let started = desktop.run(&["sandbox", "start", name, "--home", "isolated"]).data();
        assert_eq!(started["name"], name);
        desktop.environment =
            serde_json::from_value(started["env"].clone()).expect("the variables of the desktop");
        desktop
    }

    /// A program that knows nothing but its own directories: no display, no bus.
    fn base(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", env::var_os("PATH").unwrap_or_default())
            .env("LANG", "C.UTF-8")
            .env("HOME", self.home.path().join("home"))
            .env("AGENT_DESKTOP_HOME", self.state_root())
            .stdin(Stdio::null());
        command
    }

    /// A program of the system, set up to run on this desktop.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = self.base(program);
        command.envs(&self.environment);
        command
    }

    /// The program under test. It finds the desktop by its name alone.
    pub fn agent_desktop(&self, arguments: &[&str]) -> Command {
        let mut command = self.base(binary());
        command.env("AGENT_DESKTOP_SANDBOX", self.name);
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the program under test to its end, or to its death if it hangs for a minute.
    pub fn run(&self, arguments: &[&str]) -> Outcome {
        let mut command = self.base("timeout");
        command.env("AGENT_DESKTOP_SANDBOX", self.name);
        command.args(["--signal=KILL", "60"]).arg(binary()).args(arguments);
        let start = Instant::now();
        let output = command.output().expect("timeout runs");
        let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        Outcome::new(arguments, output, start.elapsed())
    }

    /// Starts an application and waits until its window shows and it has settled. Nothing below
    /// the window is read, so its caches stay as cold as they start.
    #[track_caller]
    pub fn launch(&self, program: &str, arguments: &[&str]) -> App {
        let mut command = self.command(program);
        let log = fs::File::create(self.home.path().join("application.log")).expect("a log");
        command.args(arguments).stdout(Stdio::null()).stderr(log);
        self.await_window(program, Process::spawn(&mut command).expect("the application starts"))
    }

    /// Waits until `process` shows a window and has settled.
    #[track_caller]
    pub fn await_window(&self, what: &str, mut process: Process) -> App {
        let mut bus = self.accessibility_bus();
        let what = format!("a window of {what}");
        let (bus_name, window) = wait::until(&what, Duration::from_secs(30), || {
            if let Some(status) = process.ended() {
                panic!("{what}: it ended with {status}");
            }
            shown_window(&mut bus, process.id()).map_err(|error| error.to_string())
        });
        process.settle();
        App { process, bus_name, window }
    }

    /// Starts the misbehaving peer; its own documentation explains the switches.
    #[track_caller]
    pub fn peer(&self, switches: &[&str]) -> App {
        let path = crate::built("misbehaving-peer");
        self.launch(path.to_str().expect("a path in UTF-8"), switches)
    }

    /// A connection to the accessibility bus.
    pub fn accessibility_bus(&self) -> Connection {
        bus::accessibility_bus(&self.session_address()).expect("the accessibility bus answers").0
    }

    /// Starts to watch the accessibility bus.
    pub fn monitor(&self) -> Monitor {
        let (_, address) =
            bus::accessibility_bus(&self.session_address()).expect("the bus answers");
        Monitor::start(&address).expect("the bus can be watched")
    }

    /// The name by which `--sandbox` finds it.
    pub fn name(&self) -> &str {
        self.name
    }

    /// The directory in which the program under test keeps its state.
    pub fn state_root(&self) -> PathBuf {
        self.home.path().join("state")
    }

    /// Address of the session bus.
    pub fn session_address(&self) -> String {
        self.environment["DBUS_SESSION_BUS_ADDRESS"].clone()
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        let stopped = self.run(&["sandbox", "stop", self.name]);
        // A second panic would hide the first one's story.
        if !std::thread::panicking() {
            stopped.data();
        }
    }
}

/// Bus name and first showing window of the application with this process id.
fn shown_window(bus: &mut Connection, pid: u32) -> Result<(String, String), bus::Error> {
    let registry = Call::new("org.a11y.atspi.Registry", ROOT, ACCESSIBLE, "GetChildren");
    for (name, _) in accessibles(&bus.call(registry)?)? {
        let ask = Call::bus("GetConnectionUnixProcessID").with(bus::Body::default().text(&name));
        let Ok(answer) = bus.call(ask) else { continue };
        if Reader::new(&answer.body.bytes).u32()? != pid {
            continue;
        }
        let windows = bus.call(Call::new(&name, ROOT, ACCESSIBLE, "GetChildren"))?;
        for (_, path) in accessibles(&windows)? {
            let states = bus.call(Call::new(&name, &path, ACCESSIBLE, "GetState"))?;
            let states = Reader::new(&states.body.bytes).array(4, Reader::u32)?;
            const SHOWING: u32 = 1 << 25;
            if states.first().is_some_and(|low| low & SHOWING != 0) {
                return Ok((name, path));
            }
        }
        return Err(bus::Error::Shape("on the bus without a showing window"));
    }
    Err(bus::Error::Shape("not on the bus"))
}

fn accessibles(message: &bus::Message) -> Result<Vec<(String, String)>, bus::Error> {
    Reader::new(&message.body.bytes).array(8, Reader::accessible)
}

static BINARY: OnceLock<PathBuf> = OnceLock::new();

/// Puts `path` to the test; only before the first desktop.
pub fn put_to_the_test(path: PathBuf) {
    BINARY.set(path).expect("another program is under test already");
}

/// The program under test: what `AGENT_DESKTOP_BINARY` names, else what cargo builds in the
/// target directory that this test runs from.
fn binary() -> &'static Path {
    BINARY.get_or_init(|| {
        if let Some(path) = env::var_os("AGENT_DESKTOP_BINARY") {
            return path.into();
        }
        let mut build = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        // All of them together, so that dependencies are built with the features they have already.
        build.args(["build", "--quiet", "--workspace", "--bins"]);
        assert!(build.status().expect("cargo runs").success(), "the program does not build");
        crate::built("agent-desktop")
    })
}
