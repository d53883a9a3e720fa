//! Reading X servers: a real one with a window manager, and ones that misbehave. Needs Xvfb and
//! openbox.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::{
    io::{BufRead, BufReader},
    os::unix::net::{UnixListener, UnixStream},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use agent_desktop_engine::platform::{Deadline, Failure};
use agent_desktop_linux::{
    environment::Environment,
    x11::{self, Window},
};
use agent_desktop_model::geometry::Rect;
use rustix::{
    net::{AddressFamily, SocketAddrUnix, SocketType},
    process::{Pid, Signal, kill_process},
};
use x11rb::{
    COPY_FROM_PARENT,
    connection::Connection,
    properties::{WmSizeHints, WmSizeHintsSpecification},
    protocol::xproto::{
        AtomEnum, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, Gravity,
        PropMode, WindowClass,
    },
    rust_connection::RustConnection,
    wrapper::ConnectionExt as _,
};

/// A display without a screen, which ends when this is dropped.
struct Server {
    server: Child,
    manager: Option<Child>,
    environment: Environment,
    home: tempfile::TempDir,
}

impl Server {
    fn start() -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp", "-noreset"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        let display = Some(format!(":{}", number.trim()));
        let environment = Environment { display, ..Environment::default() };
        Self { server, manager: None, environment, home: tempfile::tempdir().unwrap() }
    }

    fn manage(&mut self) {
        let manager = Command::new("openbox")
            .env("DISPLAY", self.environment.display.as_ref().unwrap())
            .env("HOME", self.home.path())
            .envs(["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"].map(|key| (key, "")))
            .env_remove("DBUS_SESSION_BUS_ADDRESS")
            .stderr(Stdio::null())
            .spawn();
        self.manager = Some(manager.unwrap());
        let display = self.connect();
        until("a window manager", || display.has_window_manager(soon()).unwrap().then_some(()));
    }

    fn connect(&self) -> x11::Display {
        x11::Display::connect(&self.environment, soon()).unwrap()
    }

    fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(self.server.id().try_into().unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        for child in self.manager.iter_mut().chain([&mut self.server]) {
            // Asked to, the server takes its lock file along. One that is stopped must be woken.
            let pid = Pid::from_raw(child.id().try_into().unwrap()).unwrap();
            let _ = kill_process(pid, Signal::TERM);
            let _ = kill_process(pid, Signal::CONT);
            let _ = child.wait();
        }
    }
}

fn soon() -> Deadline {
    Deadline::after_ms(5_000)
}

#[track_caller]
fn until<T>(what: &str, mut condition: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + Duration::from_secs(10);
    loop {
        if let Some(found) = condition() {
            return found;
        }
        assert!(Instant::now() < end, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A client that shows windows.
struct Client {
    connection: RustConnection,
    root: u32,
}

impl Client {
    fn connect(server: &Server) -> Self {
        let display = server.environment.display.as_deref();
        let (connection, screen) = RustConnection::connect(display).unwrap();
        let root = connection.setup().roots[screen].root;
        Self { connection, root }
    }

    fn atom(&self, name: &str) -> u32 {
        self.connection.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom
    }

    /// A window whose client area the manager is asked to put exactly there.
    fn window(&self, bounds: Rect) -> u32 {
        let id = self.connection.generate_id().unwrap();
        let (x, y) = (bounds.x.try_into().unwrap(), bounds.y.try_into().unwrap());
        let (width, height) = (bounds.width.try_into().unwrap(), bounds.height.try_into().unwrap());
        let (class, look) = (WindowClass::INPUT_OUTPUT, CreateWindowAux::new());
        self.connection
            .create_window(0, id, self.root, x, y, width, height, 0, class, COPY_FROM_PARENT, &look)
            .unwrap();
        let mut hints = WmSizeHints::new();
        hints.position = Some((WmSizeHintsSpecification::UserSpecified, bounds.x, bounds.y));
        hints.win_gravity = Some(Gravity::STATIC);
        hints.set_normal_hints(&self.connection, id).unwrap();
        id
    }

    fn text(&self, window: u32, property: u32, kind: u32, text: &[u8]) {
        self.connection.change_property8(PropMode::REPLACE, window, property, kind, text).unwrap();
    }

    fn pid(&self, window: u32, pid: u32) {
        let (property, kind) = (self.atom("_NET_WM_PID"), AtomEnum::CARDINAL);
        self.connection
            .change_property32(PropMode::REPLACE, window, property, kind, &[pid])
            .unwrap();
    }

    fn show(&self, window: u32) {
        self.connection.map_window(window).unwrap().check().unwrap();
    }
}

fn seen(display: &x11::Display, xid: u32) -> Window {
    until("the window to be managed", || {
        display.windows(soon()).unwrap().into_iter().find(|window| window.xid == xid)
    })
}

#[test]
fn windows_are_told_as_they_are() {
    let mut server = Server::start();
    let display = server.connect();
    assert!(!display.has_window_manager(soon()).unwrap());
    assert_eq!(display.windows(soon()), Ok(Vec::new()));
    assert_eq!(display.active_window(soon()), Ok(None));
    server.manage();

    let client = Client::connect(&server);
    let utf8 = client.atom("UTF8_STRING");
    let bounds = Rect { x: 100, y: 120, width: 300, height: 200 };
    let one = client.window(bounds);
    client.text(one, client.atom("_NET_WM_NAME"), utf8, "naïve 日本 \u{202e}x".as_bytes());
    client.pid(one, std::process::id());
    client.show(one);
    let window = seen(&display, one);
    assert_eq!(window.title, "naïve 日本 \u{202e}x");
    assert_eq!(window.pid, Some(std::process::id()));
    // It is moved while it gets its frame.
    until("the window in its place", || (seen(&display, one).bounds == bounds).then_some(()));
    until("the window to be visible", || seen(&display, one).visible.then_some(()));
    until("it to be active", || (display.active_window(soon()) == Ok(Some(one))).then_some(()));

    // From before Unicode, and from another machine, where the pid means another process.
    let two = client.window(Rect { x: 50, y: 60, width: 80, height: 70 });
    client.text(two, AtomEnum::WM_NAME.into(), AtomEnum::STRING.into(), b"caf\xe9");
    client.text(two, AtomEnum::WM_CLIENT_MACHINE.into(), AtomEnum::STRING.into(), b"elsewhere");
    client.pid(two, std::process::id());
    client.show(two);
    let window = seen(&display, two);
    assert_eq!((window.title.as_str(), window.pid), ("café", None));
    until("the newer window above the older", || {
        let order: Vec<u32> = display.windows(soon()).ok()?.iter().map(|w| w.xid).collect();
        (order == [one, two]).then_some(())
    });

    // Minimised.
    let kind = client.atom("WM_CHANGE_STATE");
    let message = ClientMessageEvent::new(32, one, kind, [3, 0, 0, 0, 0]);
    let mask = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
    client.connection.send_event(false, client.root, mask, message).unwrap();
    client.connection.flush().unwrap();
    until("the window to be hidden", || (!seen(&display, one).visible).then_some(()));

    // One that closes is gone from the list, and no error.
    client.connection.destroy_window(one).unwrap();
    client.connection.flush().unwrap();
    until("the window to be gone", || {
        display.windows(soon()).unwrap().iter().all(|window| window.xid != one).then_some(())
    });
}

#[test]
fn the_one_display_is_the_primary_one() {
    let server = Server::start();
    let displays = server.connect().displays(soon()).unwrap();
    assert_eq!(displays.len(), 1);
    assert_eq!(displays[0].bounds, Rect { x: 0, y: 0, width: 800, height: 600 });
    assert!(displays[0].is_primary);
}

#[test]
fn a_server_that_stops_answering_costs_no_more_than_the_deadline() {
    let server = Server::start();
    let display = server.connect();
    server.signal(Signal::STOP);
    let start = Instant::now();
    assert_eq!(display.windows(Deadline::after_ms(200)), Err(Failure::Timeout));
    let connecting = x11::Display::connect(&server.environment, Deadline::after_ms(200));
    assert!(matches!(connecting, Err(Failure::NoDesktop { .. })), "{connecting:?}");
    assert!(start.elapsed() < Duration::from_millis(2400), "{:?}", start.elapsed());
}

#[test]
fn a_socket_that_is_silent_or_takes_nobody_costs_no_more_than_the_deadline() {
    let directory = tempfile::tempdir().unwrap();
    let connect = |path: &Path| {
        let display = Some(path.to_str().unwrap().to_owned());
        let start = Instant::now();
        let environment = Environment { display, ..Environment::default() };
        let failure = x11::Display::connect(&environment, Deadline::after_ms(200)).unwrap_err();
        let Failure::NoDesktop { cause, .. } = failure else { panic!("{failure:?}") };
        assert!(start.elapsed() >= Duration::from_millis(200), "{cause}");
        assert!(start.elapsed() < Duration::from_millis(2200), "{:?}", start.elapsed());
    };
    let silent = directory.path().join("silent");
    let _listener = UnixListener::bind(&silent).unwrap();
    connect(&silent);

    // One whose queue is full: an ordinary connect would wait for ever.
    let full = directory.path().join("full");
    let socket = rustix::net::socket(AddressFamily::UNIX, SocketType::STREAM, None).unwrap();
    rustix::net::bind(&socket, &SocketAddrUnix::new(&full).unwrap()).unwrap();
    rustix::net::listen(&socket, 0).unwrap();
    let _waiting = UnixStream::connect(&full).unwrap();
    connect(&full);
}

#[test]
fn without_a_display_the_error_says_what_to_do() {
    let failure = x11::Display::connect(&Environment::default(), soon()).unwrap_err();
    let Failure::NoDesktop { cause, remedy } = failure else { panic!("{failure:?}") };
    assert!(cause.contains("DISPLAY"), "{cause}");
    assert!(remedy.contains("sandbox start"), "{remedy}");
}
