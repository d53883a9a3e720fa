//! Which desktop is meant: the addresses of its servers, as values. Everything that connects
//! takes them from here, so that a private desktop is reached without touching the process's own
//! variables.

use std::{
    collections::BTreeMap,
    env,
    os::unix::fs::FileTypeExt,
    path::{Path, PathBuf},
};

/// Where the servers of one desktop are. What is absent does not exist or is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// X display, as in `DISPLAY`.
    pub display: Option<String>,
    /// File with the access cookies of X displays.
    pub xauthority: Option<PathBuf>,
    /// Wayland socket, as in `WAYLAND_DISPLAY`.
    pub wayland_display: Option<String>,
    /// D-Bus address of the session bus.
    pub session_bus: Option<String>,
    pub runtime_dir: Option<PathBuf>,
    /// D-Bus address of the accessibility bus, when it is given instead of asked for.
    pub a11y_bus: Option<String>,
    /// What programs that are started in it get besides this process's own variables.
    pub programs: Variables,
}

/// How the variables of a program differ from those of this process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variables {
    pub set: BTreeMap<String, String>,
    pub clear: Vec<String>,
}

impl Environment {
    /// The desktop that this process was started in. This is the one place that reads the
    /// process's variables for it; an empty variable counts as unset.
    pub fn from_process() -> Self {
        let text = |key| env::var(key).ok().filter(|value| !value.is_empty());
        let path = |key| env::var_os(key).filter(|value| !value.is_empty()).map(PathBuf::from);
        let runtime_dir = path("XDG_RUNTIME_DIR");
        Self {
            display: text("DISPLAY"),
            xauthority: path("XAUTHORITY").or_else(|| Some(path("HOME")?.join(".Xauthority"))),
            wayland_display: text("WAYLAND_DISPLAY"),
            session_bus: text("DBUS_SESSION_BUS_ADDRESS")
                .or_else(|| runtime_dir.as_deref().and_then(user_bus)),
            runtime_dir,
            a11y_bus: text("AT_SPI_BUS_ADDRESS"),
            programs: Variables::default(),
        }
    }

    /// A variable as programs that are started in it have it; none if it is empty or no text.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        let own = || match self.programs.clear.iter().any(|cleared| cleared == name) {
            true => None,
            false => env::var(name).ok(),
        };
        let value = self.programs.set.get(name).cloned().or_else(own);
        value.filter(|value| !value.is_empty())
    }
}

/// The user's bus where login managers put it; libdbus and GDBus look there as well when no
/// address is given.
fn user_bus(runtime_dir: &Path) -> Option<String> {
    let socket = runtime_dir.join("bus");
    socket.metadata().ok()?.file_type().is_socket().then(|| address_of(&socket)).flatten()
}

/// The D-Bus address of a socket: every byte that the address syntax does not allow as it is, is
/// escaped.
fn address_of(socket: &Path) -> Option<String> {
    use std::fmt::Write;
    let mut address = String::from("unix:path=");
    for byte in socket.to_str()?.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_/.\\*".contains(&byte) {
            address.push(char::from(byte));
        } else {
            write!(address, "%{byte:02x}").ok()?;
        }
    }
    Some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_escape_what_their_syntax_uses() {
        let address = |path| address_of(Path::new(path)).unwrap();
        assert_eq!(address("/run/user/0/bus"), "unix:path=/run/user/0/bus");
        assert_eq!(address("/tmp/a b,c=d;é/bus"), "unix:path=/tmp/a%20b%2cc%3dd%3b%c3%a9/bus");
    }
}
