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

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use tempfile::TempDir;

use crate::{
    Outcome, Process,
    applications::{Application, Ready},
    bus::{self, Call, Connection, Monitor, Reader},
    process::{self, StoppedServer},
    reader,
    slot::Slot,
    tree, wait,
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
    /// What was started.
    pub process: Process,
    /// What is on the bus: the same process, or one that it started, as launchers do.
    pub pid: u32,
    /// Its name on the accessibility bus.
    pub bus_name: String,
    /// Object path of its first window.
    pub window: String,
}

impl App {
    /// The window's id, as the program under test spells it.
    pub fn window_id(&self) -> String {
        format!("w-{}{}", self.bus_name.trim_start_matches(':'), self.window.replace('/', "-"))
    }

    /// How long it has run on any processor.
    pub fn processor_time(&self) -> Duration {
        process::processor_time(self.pid)
    }

    /// Waits until it has worked off what there was to do.
    pub fn settle(&self) {
        process::settle(self.pid);
    }
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

    /// The same, with the most memory that it had, in kilobytes.
    pub fn run_measured(&self, arguments: &[&str]) -> (Outcome, u64) {
        const MEASURE: &str = "import os, subprocess, sys, time
start = time.monotonic()
child = subprocess.Popen(sys.argv[1:])
status, usage = os.wait4(child.pid, 0)[1:]
elapsed = time.monotonic() - start
print('\\n', usage.ru_maxrss, int(elapsed * 1e6), file=sys.stderr)
sys.exit(os.waitstatus_to_exitcode(status) & 0xFF)";
        let mut command = self.base("timeout");
        command.env("AGENT_DESKTOP_SANDBOX", self.name);
        command.args(["--signal=KILL", "60", "/usr/bin/python3", "-ISc", MEASURE]);
        command.arg(binary()).args(arguments);
        let start = Instant::now();
        let output = command.output().expect("timeout runs");
        let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        let mut outcome = Outcome::new(arguments, output, start.elapsed());
        // What hangs for a minute and is killed has not been measured.
        let mut most = 0;
        if let Some((said, figures)) = outcome.stderr.rsplit_once("\n ")
            && let Some((memory, time)) = figures.trim().split_once(' ')
        {
            most = memory.parse().expect("a number");
            outcome.elapsed = Duration::from_micros(time.parse().expect("a number"));
            outcome.stderr = said.to_owned();
        }
        (outcome, most)
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

    /// Starts an application of the catalogue and waits until it is ready.
    #[track_caller]
    pub fn open(&self, application: &Application) -> App {
        let directory = self.home.path().join(application.name);
        fs::create_dir_all(&directory).expect("a directory");
        let arguments = (application.prepare)(&directory);
        let mut command = self.command(application.program);
        let log = fs::File::create(directory.join("application.log")).expect("a log");
        command.args(arguments).stdout(Stdio::null()).stderr(log);
        let process = Process::spawn(&mut command).expect("the application starts");
        let app = self.await_window(application.name, process);
        let (what, is_so): (_, &dyn Fn(&reader::Node) -> bool) = match application.ready {
            Ready::AtOnce => return app,
            Ready::Titled(title) => {
                self.await_title(title);
                app.settle();
                self.await_elements(&app, application.least);
                app.settle();
                return app;
            }
            Ready::Has(role, name) => (format!("{role} {name:?}"), &move |tree| {
                tree.find(|node| node.role_name == role && node.raw_name == name).is_some()
            }),
            Ready::Lacks(name) => (format!("the end of {name:?}"), &move |tree| {
                tree.find(|node| node.raw_name == name).is_none()
            }),
        };
        wait::until(&what, Duration::from_secs(60), || {
            if is_so(&self.independent_tree(&app)) { Ok(()) } else { Err("not yet".into()) }
        });
        app.settle();
        app
    }

    #[track_caller]
    fn await_title(&self, title: &str) {
        let search = ["search", "--onlyvisible", "--name", &format!("^{title}")];
        wait::until(title, Duration::from_secs(60), || {
            let found = self.command("xdotool").args(search).output().expect("xdotool runs");
            if found.status.success() { Ok(()) } else { Err("no such window".to_owned()) }
        });
    }

    #[track_caller]
    fn await_elements(&self, app: &App, least: usize) {
        let window = app.window_id();
        let limit = ["--window-id", &window, "--timeout-ms", "50000"];
        let all = [&["snapshot", "--max-depth", "50"][..], &limit].concat();
        wait::until("all elements", Duration::from_secs(120), || {
            let count = tree::count(&self.run(&all).data()["tree"]);
            if count >= least { Ok(()) } else { Err(format!("{count} elements")) }
        });
    }

    /// Waits until `process` shows a window and has settled.
    #[track_caller]
    pub fn await_window(&self, what: &str, mut process: Process) -> App {
        let mut bus = self.accessibility_bus();
        let what = format!("a window of {what}");
        let (pid, bus_name, window) = wait::until(&what, Duration::from_secs(60), || {
            if let Some(status) = process.ended() {
                panic!("{what}: it ended with {status}");
            }
            shown_window(&mut bus, process.id()).map_err(|error| error.to_string())
        });
        process::settle(pid);
        App { process, pid, bus_name, window }
    }

    /// Starts the misbehaving peer; its own documentation explains the switches.
    #[track_caller]
    pub fn peer(&self, switches: &[&str]) -> App {
        let path = crate::built("misbehaving-peer");
        self.launch(path.to_str().expect("a path in UTF-8"), switches)
    }

    /// A private directory of that name, which is there.
    pub(crate) fn directory(&self, name: &str) -> PathBuf {
        let directory = self.home.path().join(name);
        fs::create_dir_all(&directory).expect("a directory");
        directory
    }

    /// A connection to the accessibility bus.
    pub fn accessibility_bus(&self) -> Connection {
        bus::accessibility_bus(&self.session_address()).expect("the accessibility bus answers").0
    }

    /// The address of the accessibility bus.
    pub(crate) fn accessibility_bus_address(&self) -> String {
        bus::accessibility_bus(&self.session_address()).expect("the bus answers").1
    }

    /// Starts to watch the accessibility bus.
    pub fn monitor(&self) -> Monitor {
        Monitor::start(&self.accessibility_bus_address()).expect("the bus can be watched")
    }

    /// Stops the desktop's server whose command line begins with `command`, until the result is dropped.
    #[track_caller]
    pub fn stop_server(&self, command: &str) -> StoppedServer {
        StoppedServer::stop(self.server(command))
    }

    /// Kills the desktop's server whose command line begins with `command`, and waits until it is gone.
    #[track_caller]
    pub fn kill_server(&self, command: &str) {
        let pid = self.server(command);
        kill_process(pid, Signal::KILL).expect("it can be killed");
        wait::until("the server to end", Duration::from_secs(5), || match test_kill_process(pid) {
            Err(_) => Ok(()),
            Ok(()) => Err("it is there".to_owned()),
        });
    }

    #[track_caller]
    fn server(&self, command: &str) -> Pid {
        let token = &self.environment["AGENT_DESKTOP_SANDBOX_TOKEN"];
        process::given(&format!("AGENT_DESKTOP_SANDBOX_TOKEN={token}"), command)
    }

    /// The directory that holds everything of it.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// The processes on it, with what the kernel calls them.
    pub fn members(&self) -> Vec<(u32, String)> {
        let token = &self.environment["AGENT_DESKTOP_SANDBOX_TOKEN"];
        process::with_variable(&format!("AGENT_DESKTOP_SANDBOX_TOKEN={token}"))
    }

    /// Processes of the program under test that keep their state where this desktop does.
    pub fn processes_of_ours(&self) -> Vec<u32> {
        let home = format!("AGENT_DESKTOP_HOME={}", self.state_root().display());
        let ours = process::with_variable(&home).into_iter().map(|(pid, _)| pid);
        let is_it = |pid: &u32| {
            fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|path| path == binary())
        };
        ours.filter(is_it).collect()
    }

    /// The name by which `--sandbox` finds it.
    pub fn name(&self) -> &str {
        self.name
    }

    /// The directory in which the program under test keeps its state.
    pub fn state_root(&self) -> PathBuf {
        self.home.path().join("state")
    }

    /// The directory of its sockets.
    pub fn runtime_dir(&self) -> PathBuf {
        PathBuf::from(&self.environment["XDG_RUNTIME_DIR"])
    }

    /// Address of the session bus.
    pub fn session_address(&self) -> String {
        self.environment["DBUS_SESSION_BUS_ADDRESS"].clone()
    }

    /// Name of the X display, and the file with its cookie.
    pub fn display(&self) -> (String, PathBuf) {
        let variable = |name: &str| self.environment[name].clone();
        (variable("DISPLAY"), variable("XAUTHORITY").into())
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

/// Process id, bus name and first showing window of the application that this process, or one
/// that it started, has on the bus. Qt applications may be there twice, once without a window.
fn shown_window(bus: &mut Connection, started: u32) -> Result<(u32, String, String), bus::Error> {
    let registry = Call::new("org.a11y.atspi.Registry", ROOT, ACCESSIBLE, "GetChildren");
    let mut missing = "not on the bus";
    for (name, _) in accessibles(&bus.call(registry)?)? {
        let ask = Call::bus("GetConnectionUnixProcessID").with(bus::Body::default().text(&name));
        let Ok(answer) = bus.call(ask) else { continue };
        let pid = Reader::new(&answer.body.bytes).u32()?;
        if !process::descends(pid, started) {
            continue;
        }
        missing = "on the bus without a showing window";
        let windows = bus.call(Call::new(&name, ROOT, ACCESSIBLE, "GetChildren"))?;
        for (_, path) in accessibles(&windows)? {
            let states = bus.call(Call::new(&name, &path, ACCESSIBLE, "GetState"))?;
            let states = Reader::new(&states.body.bytes).array(4, Reader::u32)?;
            const SHOWING: u32 = 1 << 25;
            if states.first().is_some_and(|low| low & SHOWING != 0) {
                return Ok((pid, name, path));
            }
        }
    }
    Err(bus::Error::Shape(missing))
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
pub(crate) fn binary() -> &'static Path {
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
