//! Reading an X server: windows, the active one, displays. Requests are pipelined, so that a
//! question about every window costs one round trip; every method ends by its deadline, whatever
//! the server does.

pub(crate) mod authority;
mod capture;
mod control;
pub mod input;
mod manager;
#[cfg(any(test, fuzzing))]
pub(crate) mod properties;
pub mod selection;
mod stream;
mod windows;

use agent_desktop_engine::platform::{Deadline, Failure};
use agent_desktop_model::{geometry::Rect, wire};
use x11rb::{
    connection::{Connection, RequestConnection},
    errors::{ConnectError, ConnectionError, ReplyError, ReplyOrIdError},
    protocol::{
        randr::{self, ConnectionExt as _},
        xproto::{self, AtomEnum, ConnectionExt as _},
    },
    reexports::x11rb_protocol::parse_display::{self, ConnectAddress},
    rust_connection::RustConnection,
};

use crate::environment::Environment;
use stream::Timed;
pub use windows::Window;

/// A connection to an X server.
pub struct Display {
    connection: RustConnection<Timed>,
    root: xproto::Window,
    atoms: Atoms,
    /// What names it.
    environment: Environment,
}

/// The TCP port of display 0.
const FIRST_PORT: u16 = 6000;

x11rb::atom_manager! {
    Atoms: AtomsCookie {
        UTF8_STRING,
        _AGENT_DESKTOP_INPUT,
        WM_CHANGE_STATE,
        WM_CLIENT_MACHINE,
        WM_PROTOCOLS,
        _GTK_FRAME_EXTENTS,
        _NET_ACTIVE_WINDOW,
        _NET_CLIENT_LIST,
        _NET_CLIENT_LIST_STACKING,
        _NET_CLOSE_WINDOW,
        _NET_CURRENT_DESKTOP,
        _NET_FRAME_EXTENTS,
        _NET_MOVERESIZE_WINDOW,
        _NET_SUPPORTED,
        _NET_SUPPORTING_WM_CHECK,
        _NET_WM_DESKTOP,
        _NET_WM_NAME,
        _NET_WM_PID,
        _NET_WM_PING,
        _NET_WM_STATE,
        _NET_WM_STATE_HIDDEN,
        _NET_WM_STATE_MAXIMIZED_HORZ,
        _NET_WM_STATE_MAXIMIZED_VERT,
        _NET_WM_STATE_MODAL,
        _NET_WM_WINDOW_TYPE,
        _NET_WM_WINDOW_TYPE_SPLASH,
    }
}

impl Display {
    /// Connects to the display that `environment` names, with the cookie that its file holds for
    /// it.
    pub fn connect(environment: &Environment, deadline: Deadline) -> Result<Self, Failure> {
        let name = environment.display.as_deref().ok_or_else(no_display)?;
        let unreachable = |cause: String| unreachable(environment, &cause);
        let parsed = parse_display::parse_display(Some(name))
            .map_err(|error| unreachable(error.to_string()))?;
        // x11rb-protocol 0.14.0 adds the number to a port without a check.
        if parsed.display > u16::MAX - FIRST_PORT {
            return Err(unreachable("there is no display of that number".to_owned()));
        }

        let mut last = String::from("no such address");
        // Where the display is a socket's path, x11rb 0.14.0 would go to display 0 instead.
        let addresses: Vec<_> = if parsed.host.starts_with('/') {
            vec![ConnectAddress::Socket(parsed.host.clone())]
        } else {
            parsed.connect_instruction().collect()
        };
        for address in addresses {
            let stream = match Timed::connect(&address, deadline) {
                Ok(stream) => stream,
                Err(error) => {
                    last = error.to_string();
                    continue;
                }
            };
            let cookie = environment
                .xauthority
                .as_deref()
                .and_then(|file| authority::cookie(file, &parsed.host, parsed.display));
            let (protocol, data) = match cookie {
                Some(cookie) => (authority::COOKIE.to_vec(), cookie),
                None => Default::default(),
            };
            let screen = usize::from(parsed.screen);
            return RustConnection::connect_to_stream_with_auth_info(
                stream, screen, protocol, data,
            )
            .map_err(|error| match error {
                ConnectError::SetupFailed(setup) => {
                    unreachable(String::from_utf8_lossy(&setup.reason).trim().to_owned())
                }
                ConnectError::IoError(error) if stream::is_timeout(&error) => {
                    unreachable(format!("no answer within {} ms", deadline.limit_ms()))
                }
                error => unreachable(error.to_string()),
            })
            .and_then(|connection| Self::prepare(connection, screen, environment));
        }
        Err(unreachable(last))
    }

    fn prepare(
        connection: RustConnection<Timed>,
        screen: usize,
        environment: &Environment,
    ) -> Result<Self, Failure> {
        let root = connection
            .setup()
            .roots
            .get(screen)
            .map(|screen| screen.root)
            .ok_or_else(|| Failure::System(format!("the X server has no screen {screen}")))?;
        connection.prefetch_extension_information(randr::X11_EXTENSION_NAME).map_err(lost)?;
        let atoms = Atoms::new(&connection).map_err(lost)?.reply().map_err(refused)?;
        Ok(Self { connection, root, atoms, environment: environment.clone() })
    }

    /// The window that has the window manager's focus; none while there is none or no manager.
    pub fn active_window(&self, deadline: Deadline) -> Result<Option<u32>, Failure> {
        self.connection.stream().ends_at(deadline);
        Ok(self
            .root_list(self.atoms._NET_ACTIVE_WINDOW, AtomEnum::WINDOW)?
            .first()
            .copied()
            .filter(|window| *window != x11rb::NONE))
    }

    /// Displays in pixels of the X screen, primary first. Scale is 1: the X server itself knows
    /// none, and positions and sizes are in its pixels.
    pub fn displays(&self, deadline: Deadline) -> Result<Vec<wire::Display>, Failure> {
        self.connection.stream().ends_at(deadline);
        let geometry = self.connection.get_geometry(self.root).map_err(lost)?;
        let mut displays = self.monitors()?;
        let root = geometry.reply().map_err(refused)?;
        if displays.is_empty() {
            displays.push(wire::Display {
                bounds: Rect { x: 0, y: 0, width: root.width.into(), height: root.height.into() },
                id: "screen".into(),
                is_primary: true,
                scale: 1.0,
            });
        }
        displays.sort_by_key(|display| !display.is_primary);
        // A server need not name a primary one; the first is as good as any.
        if let Some(first) = displays.first_mut() {
            first.is_primary = true;
        }
        Ok(displays)
    }

    fn monitors(&self) -> Result<Vec<wire::Display>, Failure> {
        let randr = self
            .connection
            .extension_information(randr::X11_EXTENSION_NAME)
            .map_err(lost)?
            .is_some();
        if !randr {
            return Ok(Vec::new());
        }
        // The server answers requests of the version that the client last named, and none before.
        let version = self.connection.randr_query_version(1, 5).map_err(lost)?;
        let monitors = self.connection.randr_get_monitors(self.root, true).map_err(lost)?;
        let version = version.reply().map_err(refused)?;
        if (version.major_version, version.minor_version) < (1, 5) {
            return Ok(Vec::new());
        }
        let monitors = monitors.reply().map_err(refused)?.monitors;
        let names = monitors
            .iter()
            .map(|monitor| self.connection.get_atom_name(monitor.name))
            .collect::<Result<Vec<_>, _>>()
            .map_err(lost)?;
        monitors
            .into_iter()
            .zip(names)
            .map(|(monitor, name)| {
                let name = name.reply().map_err(refused)?.name;
                Ok(wire::Display {
                    bounds: Rect {
                        x: monitor.x.into(),
                        y: monitor.y.into(),
                        width: monitor.width.into(),
                        height: monitor.height.into(),
                    },
                    id: String::from_utf8_lossy(&name).into_owned(),
                    is_primary: monitor.primary,
                    scale: 1.0,
                })
            })
            .collect()
    }

    fn root_list(&self, property: u32, kind: AtomEnum) -> Result<Vec<u32>, Failure> {
        let reply = self.list(self.root, property, kind)?.reply().map_err(refused)?;
        Ok(reply.value32().map(Iterator::collect).unwrap_or_default())
    }

    fn list(
        &self,
        window: xproto::Window,
        property: u32,
        kind: AtomEnum,
    ) -> Result<x11rb::cookie::Cookie<'_, RustConnection<Timed>, xproto::GetPropertyReply>, Failure>
    {
        self.connection.get_property(false, window, property, kind, 0, u32::MAX / 4).map_err(lost)
    }
}

/// That no X server is named at all.
pub(crate) fn no_display() -> Failure {
    Failure::NoDesktop {
        cause: "there is no X display: DISPLAY is not set".into(),
        remedy: "Run inside a graphical session, or start a private desktop with \
                 `agent-desktop sandbox start` and pass --sandbox."
            .into(),
    }
}

/// That the X server which `environment` names cannot be reached, or does not answer any more.
pub(crate) fn unreachable(environment: &Environment, cause: &str) -> Failure {
    let name = environment.display.as_deref().unwrap_or_default();
    Failure::NoDesktop {
        cause: format!("the X display {name} cannot be reached: {cause}"),
        remedy: "Check DISPLAY and XAUTHORITY and whether its X server runs, or start a private \
                 desktop with `agent-desktop sandbox start` and pass --sandbox."
            .into(),
    }
}

impl std::fmt::Debug for Display {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Display").field("root", &self.root).finish_non_exhaustive()
    }
}

fn lost(error: ConnectionError) -> Failure {
    match error {
        ConnectionError::IoError(error) if stream::is_timeout(&error) => Failure::Timeout,
        error => Failure::System(format!("X server: {error}")),
    }
}

fn refused(error: ReplyError) -> Failure {
    match error {
        ReplyError::ConnectionError(error) => lost(error),
        error => Failure::System(format!("X server: {error}")),
    }
}

fn unidentified(error: ReplyOrIdError) -> Failure {
    match error {
        ReplyOrIdError::ConnectionError(error) => lost(error),
        error => Failure::System(format!("X server: {error}")),
    }
}
