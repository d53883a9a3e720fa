//! What the `sandbox` commands print.

use std::{collections::BTreeMap, str::FromStr};

use serde::{Deserialize, Serialize};

/// Data of `sandbox start`.
#[derive(Debug, Serialize)]
pub struct Started {
    /// D-Bus address of the desktop's session bus.
    pub bus_address: String,
    pub display: String,
    /// The variables that bring a program into the desktop; `sandbox exec` sets them, and clears
    /// those that would lead out of it.
    pub env: BTreeMap<String, String>,
    pub name: String,
    /// The supervisor, which owns the desktop's servers.
    pub pid: u32,
    pub runtime_dir: String,
    pub size: Size,
    /// False when the desktop was running already.
    pub started: bool,
    pub state: State,
}

/// Data of `sandbox list`, by name.
#[derive(Debug, Serialize)]
pub struct Sandboxes {
    pub sandboxes: Vec<Sandbox>,
}

/// One private desktop, as it is now.
#[derive(Debug, Serialize)]
pub struct Sandbox {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bus_address: Option<String>,
    /// The parts that have died, unless all of them have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub died: Vec<Part>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display: Option<String>,
    pub name: String,
    /// The supervisor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// Why it is broken, where no dead part explains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime_dir: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<Size>,
    pub state: State,
}

/// Data of `sandbox stop`.
#[derive(Debug, Serialize)]
pub struct Stopped {
    /// How many processes were ended, the desktop's own servers among them.
    pub ended: u64,
    /// How many of them had to be killed because they did not end when asked.
    pub killed: u64,
    pub name: String,
    /// What could not be removed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remaining: Vec<String>,
}

/// A process that a private desktop consists of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    pub part: Role,
    pub pid: u32,
    pub program: String,
}

/// What a process does for its desktop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Supervisor,
    DisplayServer,
    SessionBus,
    AccessibilityBus,
    WindowManager,
}

/// How a private desktop is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Somebody is starting it.
    Starting,
    /// Every part is alive.
    Running,
    /// Some parts are dead, or what is known of it is damaged.
    Broken,
    /// Somebody is stopping it.
    Stopping,
    /// Nothing of it is alive, but its files are still there.
    Stopped,
}

/// Size of a screen in pixels; written as `WIDTHxHEIGHT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    pub height: u16,
    pub width: u16,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let side = |text: &str| text.parse().ok().filter(|side| (64..=16384).contains(side));
        text.split_once('x')
            .and_then(|(width, height)| Some(Self { width: side(width)?, height: side(height)? }))
            .ok_or_else(|| {
                "a size is WIDTHxHEIGHT in pixels, each from 64 to 16384, such as 1280x800".into()
            })
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl Role {
    /// The part in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Supervisor => "supervisor",
            Self::DisplayServer => "display server",
            Self::SessionBus => "session bus",
            Self::AccessibilityBus => "accessibility bus",
            Self::WindowManager => "window manager",
        }
    }
}

impl State {
    /// The state as it is printed.
    pub fn token(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Running => "running",
            Self::Broken => "broken",
            Self::Stopping => "stopping",
            Self::Stopped => "stopped",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Size;

    #[test]
    fn sizes_are_two_sides_within_reason() {
        assert_eq!("1280x800".parse(), Ok(Size { width: 1280, height: 800 }));
        for bad in ["", "x", "1280", "1280x", "1280X800", "0x0", "20000x800", "-1x800", "1e3x800"] {
            assert!(bad.parse::<Size>().is_err(), "{bad:?}");
        }
    }
}
