//! The variables that bring a program into a private desktop, and those of the surroundings that
//! would lead it out again.

use std::{collections::BTreeMap, path::PathBuf};

use serde::{Deserialize, Serialize};

use super::place::{Place, Token};
use crate::programs::toolkit;

/// Whose files the programs of a desktop work with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Home {
    /// The caller's: documents are at hand, but settings, caches and running instances are not
    /// shared with the real session. A program that finds its real profile in use would hand its
    /// window over to that session, as Chromium and LibreOffice do.
    #[default]
    Own,
    /// An empty one that is removed with the desktop.
    Isolated,
    /// This directory, wholly: settings that programs write there stay.
    Directory(PathBuf),
}

/// Variables that name parts of the surrounding session.
const SURROUNDINGS: &[&str] = &[
    // Other displays, buses and session managers.
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "WAYLAND_SOCKET",
    "AT_SPI_BUS_ADDRESS",
    "DBUS_STARTER_ADDRESS",
    "DBUS_STARTER_BUS_TYPE",
    "SESSION_MANAGER",
    "GNOME_DESKTOP_SESSION_ID",
    "GNOME_KEYRING_CONTROL",
    "KDE_FULL_SESSION",
    "KDE_SESSION_VERSION",
    "SWAYSOCK",
    "I3SOCK",
    "HYPRLAND_INSTANCE_SIGNATURE",
    "XDG_CURRENT_DESKTOP",
    "XDG_SESSION_DESKTOP",
    "DESKTOP_SESSION",
    "XDG_SESSION_ID",
    "XDG_SESSION_PATH",
    "XDG_SEAT",
    "XDG_SEAT_PATH",
    "XDG_VTNR",
    // The launch that this process itself came from.
    "DESKTOP_STARTUP_ID",
    "XDG_ACTIVATION_TOKEN",
    "WINDOWID",
    // Choices of a display system that is not there.
    "GDK_BACKEND",
    "QT_QPA_PLATFORM",
    "CLUTTER_BACKEND",
    "SDL_VIDEODRIVER",
    "MOZ_ENABLE_WAYLAND",
    "ELECTRON_OZONE_PLATFORM_HINT",
    // Scales of another screen.
    "GDK_SCALE",
    "GDK_DPI_SCALE",
    "QT_SCALE_FACTOR",
    "QT_SCREEN_SCALE_FACTORS",
    "QT_AUTO_SCREEN_SCALE_FACTOR",
    // Input methods whose servers run in another session.
    "GTK_IM_MODULE",
    "QT_IM_MODULE",
    "XMODIFIERS",
    // It loads bridges that no longer exist.
    "GTK_MODULES",
];

/// What suits a desktop without a screen, besides what every program is told.
const OF_OURS: &[(&str, &str)] = &[
    // With GL in software, gtk4-widget-factory took more than 20 s to appear, with cairo 0.7 s;
    // measured on GTK 4.8.3, Debian 12, Xvfb.
    ("GSK_RENDERER", "cairo"),
    // LibreOffice's own drawing has no accessibility.
    ("SAL_USE_VCLPLUGIN", "gtk3"),
    ("XDG_SESSION_TYPE", "x11"),
    // gvfs would mount remote files inside the runtime directory, which is removed in the end.
    ("GVFS_DISABLE_FUSE", "1"),
];

const BASE_DIRECTORIES: &[(&str, &str)] =
    &[("XDG_CONFIG_HOME", "config"), ("XDG_CACHE_HOME", "cache"), ("XDG_STATE_HOME", "state")];

/// Where the session bus listens.
pub(super) fn bus_socket(token: &Token) -> PathBuf {
    token.runtime_dir().join("bus")
}

/// The D-Bus address of that socket.
pub(super) fn bus_address(token: &Token) -> String {
    // No byte of this path means anything in an address.
    format!("unix:path={}", bus_socket(token).display())
}

/// Variables to set; DISPLAY is added once there is one.
pub(super) fn base(place: &Place, token: &Token, home: &Home) -> BTreeMap<String, String> {
    let text = |path: PathBuf| path.to_string_lossy().into_owned();
    let mut env: BTreeMap<String, String> = toolkit::VARIABLES
        .iter()
        .chain(OF_OURS)
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    let mut set = |name: &str, value: String| env.insert(name.to_owned(), value);
    set(Token::VARIABLE, token.0.clone());
    // Programs inside that are ours find the same state, and the desktop by its name.
    set("AGENT_DESKTOP_HOME", text(place.root.clone()));
    set("AGENT_DESKTOP_SANDBOX", place.name.clone());
    set("DBUS_SESSION_BUS_ADDRESS", bus_address(token));
    set("XDG_RUNTIME_DIR", text(token.runtime_dir()));
    set("XAUTHORITY", text(place.file("Xauthority")));
    match home {
        Home::Own => {
            for (name, directory) in BASE_DIRECTORIES {
                set(name, text(place.file(directory)));
            }
        }
        Home::Isolated => {
            set("HOME", text(place.file("home")));
        }
        Home::Directory(path) => {
            set("HOME", text(path.clone()));
        }
    }
    env
}

/// Variables to remove.
pub(super) fn cleared(home: &Home) -> Vec<String> {
    let mut cleared: Vec<String> =
        SURROUNDINGS.iter().chain(toolkit::HIDING).map(|name| (*name).to_owned()).collect();
    if *home != Home::Own {
        // They then follow from HOME.
        cleared.extend(BASE_DIRECTORIES.iter().map(|(name, _)| (*name).to_owned()));
        cleared.push("XDG_DATA_HOME".into());
    }
    cleared
}
