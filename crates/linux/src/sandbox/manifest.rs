//! What is written down of a private desktop, and how it is judged against what lives.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{FileTypeExt, MetadataExt},
    path::{Path, PathBuf},
};

use agent_desktop_model::wire::sandbox::{Part, Role, Sandbox, Size, State};
use serde::{Deserialize, Serialize};

use super::{
    members,
    place::{self, Place, Token},
    trouble::Trouble,
};
use crate::proc;

const VERSION: u32 = 1;

/// A desktop as its supervisor wrote it down.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Manifest {
    version: u32,
    /// The boot during which it was started: pids and start times of another mean nothing.
    boot: String,
    pub(super) token: String,
    pub(super) size: Size,
    pub(super) processes: Vec<Process>,
    /// The socket of its X server, once it has one.
    #[serde(default)]
    pub(super) display_socket: Option<Socket>,
    /// Absent until everything is ready.
    pub(super) desktop: Option<Desktop>,
}

/// How a ready desktop is reached.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Desktop {
    pub(super) display: String,
    pub(super) bus_address: String,
    /// Identifies the session bus, as refs record it.
    pub(super) bus_guid: String,
    pub(super) env: BTreeMap<String, String>,
    /// Variables of the surroundings that would lead out of the desktop.
    pub(super) clear: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Process {
    pub(super) role: Role,
    pub(super) program: String,
    pub(super) pid: u32,
    /// Start time in clock ticks since boot.
    pub(super) started: u64,
}

/// A socket in a directory that everybody may write to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Socket {
    path: PathBuf,
    inode: u64,
    /// When it was made, in seconds and nanoseconds: numbers of removed files are used again.
    changed: (i64, i64),
}

impl Socket {
    /// The socket of the X server with this number.
    pub(super) fn of_display(number: u16) -> Option<Self> {
        Self::at(Path::new(&format!("/tmp/.X11-unix/X{number}")))
    }

    fn at(path: &Path) -> Option<Self> {
        let file = path.symlink_metadata().ok()?;
        file.file_type().is_socket().then(|| Self {
            path: path.to_owned(),
            inode: file.ino(),
            changed: (file.ctime(), file.ctime_nsec()),
        })
    }
}

impl Manifest {
    pub(super) fn new(token: &Token, size: Size) -> Self {
        Self {
            version: VERSION,
            boot: boot(),
            token: token.0.clone(),
            size,
            processes: Vec::new(),
            display_socket: None,
            desktop: None,
        }
    }

    /// Reads the manifest; the error says what is wrong with it.
    pub(super) fn read(place: &Place) -> Result<Self, String> {
        let path = place.file("manifest.json");
        let failed = |error| format!("its manifest: {error}");
        let foreign = path.symlink_metadata().is_ok_and(|metadata| !place::is_private(&metadata));
        if foreign {
            return Err("its manifest is a link, or others can change it".to_owned());
        }
        Self::decode(&fs::read(&path).map_err(failed)?)
    }

    /// The manifest in a file's content, which anybody may have written.
    pub(super) fn decode(text: &[u8]) -> Result<Self, String> {
        let manifest: Self = serde_json::from_slice(text)
            .map_err(|error| format!("its manifest is damaged: {error}"))?;
        if manifest.version != VERSION {
            return Err(format!("its manifest has version {}", manifest.version));
        }
        Ok(manifest)
    }

    pub(super) fn write(&self, place: &Place) -> Result<(), Trouble> {
        let path = place.file("manifest.json");
        let text = serde_json::to_vec(self)
            .map_err(|error| Trouble::other("the manifest", &error.to_string()))?;
        place::write(&path, &text)
    }

    /// Notes a process that was just started.
    pub(super) fn add(&mut self, role: Role, program: &str, pid: u32) {
        let program = Path::new(program).file_name().map(|name| name.to_string_lossy().into());
        self.processes.push(Process {
            role,
            program: program.unwrap_or_default(),
            pid,
            // One that is gone already counts as dead: no process has started at tick 0.
            started: proc::start_time(pid).unwrap_or(0),
        });
    }

    pub(super) fn pid(&self, role: Role) -> Option<u32> {
        self.processes.iter().find(|process| process.role == role).map(|process| process.pid)
    }

    /// Removes the socket that an X server leaves behind when it is killed, unless it lives or
    /// another server has put its own in that place. There is no lock file to tell: Xvfb writes
    /// none where it chooses the display itself.
    pub(super) fn remove_display_files(&self) {
        let server = self.processes.iter().find(|process| process.role == Role::DisplayServer);
        let (Some(socket), Some(server)) = (&self.display_socket, server) else { return };
        if !self.is_alive(server) && Socket::at(&socket.path).as_ref() == Some(socket) {
            // What stays is in nobody's way: servers replace the sockets of dead ones.
            let _ = fs::remove_file(&socket.path);
        }
    }

    pub(super) fn is_alive(&self, process: &Process) -> bool {
        self.boot == boot() && proc::start_time(process.pid) == Some(process.started)
    }
}

/// A desktop as it is at this moment.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) manifest: Option<Manifest>,
    pub(super) state: State,
    pub(super) died: Vec<Part>,
    pub(super) reason: Option<String>,
}

/// Compares what is written down with the processes that there are. `busy` says whether somebody
/// is starting or stopping the desktop.
pub(super) fn judge(place: &Place, busy: bool) -> Judged {
    let manifest = match Manifest::read(place) {
        Ok(manifest) => manifest,
        Err(reason) => {
            let state = if busy {
                State::Starting
            } else if place.token().is_none_or(|token| members::of(&token).is_empty()) {
                State::Stopped
            } else {
                State::Broken
            };
            return Judged { manifest: None, state, died: Vec::new(), reason: Some(reason) };
        }
    };
    let (alive, dead): (Vec<_>, Vec<_>) =
        manifest.processes.iter().partition(|process| manifest.is_alive(process));
    let died: Vec<Part> = dead
        .into_iter()
        .map(|process| Part {
            part: process.role,
            pid: process.pid,
            program: process.program.clone(),
        })
        .collect();
    let ready = manifest.desktop.is_some();
    let (state, reason) = match (ready, busy) {
        (true, _) if died.is_empty() => (State::Running, None),
        (true, true) => (State::Stopping, None),
        (false, true) => (State::Starting, None),
        (_, false)
            if alive.is_empty() && members::of(&Token(manifest.token.clone())).is_empty() =>
        {
            (State::Stopped, None)
        }
        (true, false) => (State::Broken, None),
        (false, false) => (State::Broken, Some("its start was interrupted".into())),
    };
    let died = if state == State::Broken { died } else { Vec::new() };
    Judged { manifest: Some(manifest), state, died, reason }
}

impl Judged {
    pub(super) fn entry(self, place: &Place) -> Sandbox {
        let manifest = self.manifest.as_ref();
        let desktop = manifest.and_then(|manifest| manifest.desktop.as_ref());
        Sandbox {
            bus_address: desktop.map(|desktop| desktop.bus_address.clone()),
            died: self.died,
            display: desktop.map(|desktop| desktop.display.clone()),
            name: place.name.clone(),
            pid: manifest.and_then(|manifest| manifest.pid(Role::Supervisor)),
            reason: self.reason,
            runtime_dir: place.token().map(|token| token.runtime_dir().display().to_string()),
            size: manifest.map(|manifest| manifest.size),
            state: self.state,
        }
    }

    /// What is wrong, in words.
    pub(super) fn complaint(&self) -> String {
        let died: Vec<String> = self
            .died
            .iter()
            .map(|part| {
                format!("its {} ({}, pid {}) died", part.part.name(), part.program, part.pid)
            })
            .collect();
        match (&self.reason, died.is_empty()) {
            (Some(reason), _) => reason.clone(),
            (None, false) => died.join(", "),
            (None, true) => format!("it is {}", self.state.token()),
        }
    }
}

fn boot() -> String {
    fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default().trim().to_owned()
}
