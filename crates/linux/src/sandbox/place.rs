//! Where a private desktop keeps its files, who may change them, and how they are removed.
//!
//! Everything is below `<state root>/sandboxes/<name>/`, except the runtime directory: it holds
//! sockets, whose paths have at most 107 bytes, so it stands in /tmp and a link named `run` points
//! to it. Its name is the desktop's token, so that a desktop whose manifest is lost can still be
//! found.

use std::{
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, symlink},
    path::{Path, PathBuf},
    time::Duration,
};

use agent_desktop_engine::platform::Deadline;
use agent_desktop_model::error::{Code, Details, Error};

use super::trouble::Trouble;

const RUNTIME_PREFIX: &str = "/tmp/agent-desktop-";

/// The files of one private desktop, which need not exist.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) name: String,
    /// The state root.
    pub(super) root: PathBuf,
    pub(super) directory: PathBuf,
}

/// The right to start or stop a desktop. It is given up when the value is dropped in every
/// process that shares it.
#[derive(Debug)]
pub(super) struct Lock(pub(super) File);

/// What all processes of one desktop carry in their environment, and no other process does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token(pub(super) String);

impl Place {
    /// The place of the desktop called `name`.
    pub(super) fn new(root: &Path, name: &str) -> Result<Self, Error> {
        if !is_name(name) {
            return Err(Error::new(
                Code::InvalidArgs,
                format!("{name:?} cannot be the name of a private desktop"),
            )
            .suggest(
                "Use 1 to 64 letters, digits, `-` and `_`, beginning with a letter or digit.",
            ));
        }
        if root.to_str().is_none() {
            // The path is handed to programs through variables that are printed as JSON.
            return Err(Error::new(
                Code::InvalidArgs,
                format!("the state root {root:?} is not valid UTF-8"),
            )
            .suggest("Set AGENT_DESKTOP_HOME to a path of valid UTF-8."));
        }
        let directory = root.join("sandboxes").join(name);
        // Whoever can write here decides which programs are run and which processes are ended.
        check_private(root, Links::Followed)?;
        check_private(&root.join("sandboxes"), Links::Refused)?;
        check_private(&directory, Links::Refused)?;
        Ok(Self { name: name.into(), root: root.into(), directory })
    }

    /// Every desktop that has files below `root`, by name.
    pub(super) fn all(root: &Path) -> Result<Vec<Self>, Error> {
        let directory = root.join("sandboxes");
        check_private(root, Links::Followed)?;
        check_private(&directory, Links::Refused)?;
        let entries = match fs::read_dir(&directory) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(Trouble::files(&directory, &error).into()),
        };
        let mut places: Vec<Self> = entries
            .filter_map(|entry| Self::new(root, entry.ok()?.file_name().to_str()?).ok())
            .collect();
        places.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(places)
    }

    pub(super) fn exists(&self) -> bool {
        self.directory.symlink_metadata().is_ok()
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    fn lock_file(&self) -> PathBuf {
        // No desktop's name begins with a dot.
        self.root.join("sandboxes").join(format!(".{}.lock", self.name))
    }

    /// Waits for the right to start or stop the desktop.
    pub(super) fn lock(&self, deadline: Deadline) -> Result<Lock, Error> {
        let path = self.lock_file();
        let sandboxes = self.root.join("sandboxes");
        let failed = |error: io::Error| Error::from(Trouble::files(&path, &error));
        loop {
            DirBuilder::new().recursive(true).mode(0o700).create(&sandboxes).map_err(failed)?;
            let file = OpenOptions::new()
                .write(true)
                .create(true)
                .truncate(false)
                .mode(0o600)
                .open(&path)
                .map_err(failed)?;
            match file.try_lock() {
                // Whoever stopped the desktop may have removed the file that was just locked.
                Ok(()) if is_same(&file, &path) => return Ok(Lock(file)),
                Ok(()) => continue,
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
            if deadline.passed() {
                return Err(Error::new(
                    Code::Timeout,
                    format!(
                        "the private desktop {} is being started or stopped by somebody else",
                        self.name
                    ),
                )
                .suggest("Wait until `sandbox list` no longer shows it as starting or stopping.")
                .details(Details::LockTimeout {
                    path: path.display().to_string(),
                    waited_ms: deadline.elapsed_ms(),
                }));
            }
            std::thread::sleep(Duration::from_millis(10).min(deadline.remaining()));
        }
    }

    /// Whether somebody is starting or stopping the desktop at this moment.
    pub(super) fn is_locked(&self) -> bool {
        File::open(self.lock_file())
            .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// Creates the directories of a new desktop.
    pub(super) fn create(&self) -> Result<Token, Trouble> {
        let make = |path: &Path| {
            DirBuilder::new().mode(0o700).create(path).map_err(|e| Trouble::files(path, &e))
        };
        make(&self.directory)?;
        let token = Token(hex(&random::<8>()?));
        let runtime = token.runtime_dir();
        make(&runtime)?;
        let link = self.file("run");
        symlink(&runtime, &link).map_err(|e| Trouble::files(&link, &e))?;
        for directory in ["home", "config", "cache", "state"] {
            make(&self.file(directory))?;
        }
        Ok(token)
    }

    /// The token, as the link to the runtime directory tells it.
    pub(super) fn token(&self) -> Option<Token> {
        Token::of_runtime_dir(&fs::read_link(self.file("run")).ok()?)
    }

    /// Removes every file of the desktop and returns what could not be removed.
    pub(super) fn remove(&self) -> Vec<PathBuf> {
        let mut remaining = Vec::new();
        if let Some(token) = self.token() {
            remove_tree(&token.runtime_dir(), &mut remaining);
        }
        if remaining.is_empty() {
            remove_tree(&self.directory, &mut remaining);
        }
        remaining
    }

    /// Removes the lock's file. Only its holder may, and only when nothing else is left.
    pub(super) fn forget(&self, _lock: &Lock) {
        // A file that stays is reused.
        let _ = fs::remove_file(self.lock_file());
    }
}

impl Token {
    /// The variable that holds it.
    pub(super) const VARIABLE: &'static str = "AGENT_DESKTOP_SANDBOX_TOKEN";

    pub(super) fn runtime_dir(&self) -> PathBuf {
        format!("{RUNTIME_PREFIX}{}", self.0).into()
    }

    fn of_runtime_dir(path: &Path) -> Option<Self> {
        let token = path.to_str()?.strip_prefix(RUNTIME_PREFIX)?;
        let valid = token.len() == 16 && token.bytes().all(|byte| byte.is_ascii_hexdigit());
        valid.then(|| Self(token.into()))
    }
}

/// Whether a directory may be a link. The user may have put the state root elsewhere; what is in
/// it is ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Links {
    Followed,
    Refused,
}

/// Refuses a directory that belongs to somebody else or that others can change. One that is not
/// there is created private.
fn check_private(path: &Path, links: Links) -> Result<(), Error> {
    let metadata = match links {
        Links::Followed => path.metadata(),
        Links::Refused => path.symlink_metadata(),
    };
    // Whatever else keeps it from being used is told where it is used.
    let Ok(metadata) = metadata else { return Ok(()) };
    if is_private(&metadata) {
        return Ok(());
    }
    Err(Error::new(
        Code::Internal,
        format!("{} is a link, or others can change it", path.display()),
    )
    .suggest(
        "Make it belong to you alone (`chmod go-w`, `chown`), or set AGENT_DESKTOP_HOME to a \
             directory of your own.",
    ))
}

/// Whether only its owner, who is us, can change what has this metadata.
pub(super) fn is_private(metadata: &fs::Metadata) -> bool {
    const OTHERS_WRITE: u32 = 0o022;
    !metadata.is_symlink()
        && metadata.uid() == rustix::process::geteuid().as_raw()
        && metadata.mode() & OTHERS_WRITE == 0
}

/// Writes a file that only its owner can read: whole, or not at all.
pub(super) fn write(path: &Path, contents: &[u8]) -> Result<(), Trouble> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".new");
    let temporary = PathBuf::from(temporary);
    let written = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&temporary)
        .and_then(|mut file| {
            file.write_all(contents)?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&temporary, path));
    written.map_err(|error| {
        let _ = fs::remove_file(&temporary);
        Trouble::files(path, &error)
    })
}

/// Random bytes from the system.
pub(super) fn random<const N: usize>() -> Result<[u8; N], Trouble> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)
        .map_err(|error| Trouble::other("random numbers", &error.to_string()))?;
    Ok(bytes)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn is_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        && name.starts_with(|first: char| first.is_ascii_alphanumeric())
}

fn is_same(file: &File, path: &Path) -> bool {
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    file.metadata().map(identity).ok() == path.symlink_metadata().map(identity).ok()
}

/// Removes `top` with everything below it, but never goes into another file system: document
/// portals and gvfs mount a person's files inside a runtime directory.
pub(super) fn remove_tree(top: &Path, remaining: &mut Vec<PathBuf>) {
    let Ok(metadata) = top.symlink_metadata() else { return };
    let device = metadata.dev();
    // Each directory is met twice: first to look into it, then, emptied, to remove it.
    let mut pending = vec![(top.to_owned(), false)];
    while let Some((path, emptied)) = pending.pop() {
        let metadata = match path.symlink_metadata() {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(_) => {
                remaining.push(path);
                continue;
            }
        };
        let result = if !metadata.is_dir() {
            fs::remove_file(&path)
        } else if emptied {
            fs::remove_dir(&path)
        } else if metadata.dev() == device {
            fs::read_dir(&path).map(|entries| {
                pending.push((path.clone(), true));
                pending.extend(entries.filter_map(|entry| Some((entry.ok()?.path(), false))));
            })
        } else {
            Err(io::ErrorKind::CrossesDevices.into())
        };
        match result {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            // What keeps a directory from being removed has been named already.
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
            Err(_) => remaining.push(path),
            Ok(()) => {}
        }
    }
}
