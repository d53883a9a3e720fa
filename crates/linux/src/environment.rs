//! Which desktop is meant: the addresses of its servers, as values. Everything that connects
//! takes them from here, so that a private desktop is reached without touching the process's own
//! variables.

use std::{
    collections::BTreeMap,
    env,
    ffi::OsString,
    os::unix::{ffi::OsStringExt, fs::FileTypeExt},
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
            session_bus: text("DBUS_SESSION_BUS_ADDRESS").or_else(|| match &runtime_dir {
                Some(runtime_dir) => user_bus(runtime_dir),
                None => user_bus(&usual_runtime_dir()),
            }),
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

/// Where login managers make the directory that `XDG_RUNTIME_DIR` names. Shells that a container
/// or `ssh` starts may not be told of it.
fn usual_runtime_dir() -> PathBuf {
    PathBuf::from(format!("/run/user/{}", rustix::process::geteuid().as_raw()))
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

/// The socket of the first alternative of a D-Bus address that is one in the file system.
pub(crate) fn socket_of(address: &str) -> Option<PathBuf> {
    let alternatives = address.split(';').filter_map(|one| one.strip_prefix("unix:"));
    let mut options = alternatives.flat_map(|one| one.split(','));
    let escaped = options.find_map(|option| option.strip_prefix("path="))?;
    let mut path = Vec::with_capacity(escaped.len());
    let mut bytes = escaped.bytes();
    while let Some(byte) = bytes.next() {
        path.push(match byte {
            b'%' => {
                let digits = [bytes.next()?, bytes.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            byte => byte,
        });
    }
    Some(PathBuf::from(OsString::from_vec(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_escape_what_their_syntax_uses() {
        let address = |path| address_of(Path::new(path)).unwrap();
        assert_eq!(address("/run/user/0/bus"), "unix:path=/run/user/0/bus");
        assert_eq!(address("/tmp/a b,c=d;é/bus"), "unix:path=/tmp/a%20b%2cc%3dd%3b%c3%a9/bus");
        for path in ["/run/user/0/bus", "/tmp/a b,c=d;é/bus"] {
            let listed = format!("tcp:host=a;{},guid=0", address(path));
            assert_eq!(socket_of(&listed).unwrap(), Path::new(path));
        }
        assert_eq!(socket_of("unix:abstract=/tmp/x,path%=/y;unix:path=%4"), None);
    }
}
