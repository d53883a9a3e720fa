//! Saved snapshots: the only room that touches their files.
//!
//! ```text
//! <state root>/snapshots/<id>/refmap.json     one snapshot
//! <state root>/snapshots/.tmp-<pid>-<time>    being written, or left by a process that was killed
//! <state root>/latest_snapshot_id
//! <state root>/refstore.lock                  held by whoever writes
//! <state root>/sessions/<session>/…           the same for each session
//! <state root>/logs/launch-<time>-<pid>.log   what a program printed that was started
//! ```
//!
//! A snapshot is whole or absent, whatever is killed and whenever: a new one is written under a
//! temporary name and renamed, a changed one is renamed over the old one, a removed one is renamed
//! away first. Temporary names exist only while their owner holds the lock, and a lock ends with
//! its process. So whoever holds the lock and finds such a name knows that its owner is gone.
//!
//! Nothing is flushed to the disk. A rename cannot be seen half-done by any process, and what a
//! power failure may damage is of no use afterwards: it ends the desktop that the refs belong to.
//! A file that it leaves half-written counts as absent.

mod dir;
mod logs;
mod pictures;

#[cfg(test)]
mod tests;

use std::{
    fs::{File, TryLockError},
    path::PathBuf,
    time::{Duration, SystemTime},
};

use agent_desktop_model::{
    error::{Code, Details, Error},
    reference::SnapshotId,
};

use self::dir::{Cause, Dir, Failure};
use crate::{
    platform::Deadline,
    refs::{RefMap, SIZE_LIMIT, Unreadable},
};

/// How many snapshots a namespace keeps, and how many remain when there are more.
const KEPT: usize = 128;
const KEPT_AFTER_EVICTION: usize = 96;

/// How long a writer waits for the others.
const LOCK_WAIT: Duration = Duration::from_millis(2_000);

const SNAPSHOTS: &str = "snapshots";
const REF_MAP: &str = "refmap.json";
const LATEST: &str = "latest_snapshot_id";
const LOCK: &str = "refstore.lock";
const TEMPORARY: &str = ".tmp-";

/// Where the snapshots of one namespace are kept.
#[derive(Clone, Debug)]
pub struct Store {
    /// The state root.
    pub root: PathBuf,
    /// The session, or none for the namespace that all callers without one share.
    pub namespace: Option<String>,
}

impl Store {
    /// Saves a new snapshot, which becomes the latest.
    ///
    /// # Errors
    ///
    /// `TIMEOUT` if the lock is not free in time, `INTERNAL` if the file cannot be written.
    /// Nothing is saved then.
    pub fn create(&self, map: &RefMap, deadline: Deadline) -> Result<SnapshotId, Error> {
        let content = map.encode().map_err(|why| unwritable_map(&why))?;
        let home = self.create_home().map_err(io_error)?;
        let _lock = lock(&home, deadline)?;
        (|| {
            let snapshots = home.create_in(SNAPSHOTS)?;
            let mut kept = sweep(&snapshots)?;
            // What else another version of the program may keep here is its own.
            kept.retain(|name| SnapshotId::parse(name).is_some());
            let id = fresh_id(&snapshots)?;

            let temporary = temporary_name();
            let new = snapshots.create_in(&temporary)?;
            let named = new
                .write_new(REF_MAP, &content)
                .and_then(|()| snapshots.rename(&temporary, &snapshots, id.as_str()));
            if let Err(failure) = named {
                snapshots.remove(&temporary);
                return Err(failure);
            }
            replace(&snapshots, &home, LATEST, id.as_str().as_bytes())
                .inspect_err(|_| discard(&snapshots, id.as_str()))?;
            if kept.len() + 1 > KEPT {
                evict(&snapshots, kept);
            }
            Ok(id)
        })()
        .map_err(io_error)
    }

    /// The refs of a saved snapshot.
    ///
    /// # Errors
    ///
    /// `SNAPSHOT_NOT_FOUND` if there is no such snapshot or it cannot be understood, `INTERNAL` if
    /// the file cannot be read.
    pub fn load(&self, id: &SnapshotId) -> Result<RefMap, Error> {
        let home = self.open_home().map_err(|failure| load_error(id, failure))?;
        load_in(&home, id)
    }

    /// Replaces a saved snapshot by what `change` makes of it, or leaves it untouched if `change`
    /// refuses. Nobody else changes it in between.
    ///
    /// # Errors
    ///
    /// Those of [`Store::load`], [`Store::create`] and `change`.
    pub fn update<T>(
        &self,
        id: &SnapshotId,
        deadline: Deadline,
        change: impl FnOnce(RefMap) -> Result<(RefMap, T), Error>,
    ) -> Result<T, Error> {
        let home = self.open_home().map_err(|failure| load_error(id, failure))?;
        // Without a snapshot there is nothing to wait for, and a lock would leave a file behind.
        home.open_in(SNAPSHOTS)
            .and_then(|snapshots| snapshots.open_in(id.as_str()))
            .map_err(|failure| load_error(id, failure))?;
        let _lock = lock(&home, deadline)?;
        let (map, result) = change(load_in(&home, id)?)?;
        let content = map.encode().map_err(|why| unwritable_map(&why))?;
        (|| {
            let snapshots = home.open_in(SNAPSHOTS)?;
            sweep(&snapshots)?;
            replace(&snapshots, &snapshots.open_in(id.as_str())?, REF_MAP, &content)
        })()
        .map_err(io_error)?;
        Ok(result)
    }

    /// The snapshot that was made last and how many refs it holds, if it still exists.
    ///
    /// # Errors
    ///
    /// `INTERNAL` if the state root cannot be read.
    pub fn latest(&self) -> Result<Option<(SnapshotId, usize)>, Error> {
        let content = self.open_home().and_then(|home| home.read(LATEST, 64));
        let id = match content {
            Ok(content) => SnapshotId::parse(String::from_utf8_lossy(&content).trim()),
            Err(Failure { cause: Cause::Absent, .. }) => None,
            Err(failure) => return Err(io_error(failure)),
        };
        let Some(id) = id else { return Ok(None) };
        match self.load(&id) {
            Ok(map) => Ok(Some((id, map.len()))),
            Err(error) if error.code == Code::SnapshotNotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn open_home(&self) -> Result<Dir, Failure> {
        let root = Dir::open(&self.root)?;
        match &self.namespace {
            None => Ok(root),
            Some(session) => root.open_in("sessions")?.open_in(session),
        }
    }

    fn create_home(&self) -> Result<Dir, Failure> {
        let root = Dir::create(&self.root)?;
        match &self.namespace {
            None => Ok(root),
            Some(session) => root.create_in("sessions")?.create_in(session),
        }
    }
}

/// Waits for the lock of the namespace. It is free again when the file is closed, by whatever end
/// of the process.
fn lock(home: &Dir, deadline: Deadline) -> Result<File, Error> {
    let file = home.lock_file(LOCK).map_err(io_error)?;
    let wait = deadline.within(LOCK_WAIT);
    let mut pause = Duration::from_millis(1);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if !wait.passed() => {
                std::thread::sleep(pause.min(wait.remaining()));
                pause = (pause * 2).min(Duration::from_millis(20));
            }
            Err(TryLockError::WouldBlock) => {
                let path = home.path.join(LOCK);
                return Err(Error::new(
                    Code::Timeout,
                    format!(
                        "another command has been writing snapshots for {} ms",
                        wait.elapsed_ms()
                    ),
                )
                .suggest("Repeat the command; nothing was saved.")
                .details(Details::LockTimeout {
                    path: path.display().to_string(),
                    waited_ms: wait.elapsed_ms(),
                }));
            }
            Err(TryLockError::Error(error)) => {
                let path = home.path.join(LOCK);
                return Err(io_error(Failure { path, cause: Cause::System(error) }));
            }
        }
    }
}

fn load_in(home: &Dir, id: &SnapshotId) -> Result<RefMap, Error> {
    let content = home
        .open_in(SNAPSHOTS)
        .and_then(|snapshots| snapshots.open_in(id.as_str()))
        .and_then(|snapshot| snapshot.read(REF_MAP, SIZE_LIMIT))
        .map_err(|failure| load_error(id, failure))?;
    RefMap::decode(&content).map_err(|why| {
        not_found(match why {
            Unreadable::Version(version) => {
                format!("snapshot {id} has form {version}, made by another version of the program")
            }
            Unreadable::TooLarge | Unreadable::Damaged(_) => {
                format!("snapshot {id} is damaged and cannot be used")
            }
        })
        .platform(format!("{why:?}"))
    })
}

/// Removes what killed processes left behind; the lock must be held. Returns the other names.
fn sweep(snapshots: &Dir) -> Result<Vec<String>, Failure> {
    let (left, kept): (Vec<_>, Vec<_>) =
        snapshots.names()?.into_iter().partition(|name| name.starts_with(TEMPORARY));
    for name in left {
        snapshots.remove(&name);
    }
    Ok(kept)
}

/// Removes the snapshots that have not changed for the longest time.
fn evict(snapshots: &Dir, kept: Vec<String>) {
    let mut by_age: Vec<(i128, String)> =
        kept.into_iter().filter_map(|name| Some((snapshots.changed(&name)?, name))).collect();
    by_age.sort_unstable();
    // The one that was just made is not among them and remains, too.
    let surplus = (by_age.len() + 1).saturating_sub(KEPT_AFTER_EVICTION);
    for (_, name) in by_age.into_iter().take(surplus) {
        discard(snapshots, &name);
    }
}

/// Removes a snapshot, which at no moment is there in part.
fn discard(snapshots: &Dir, name: &str) {
    let temporary = temporary_name();
    if snapshots.rename(name, snapshots, &temporary).is_ok() {
        snapshots.remove(&temporary);
    }
}

/// Gives the file `name` in `place` a new content at once.
fn replace(snapshots: &Dir, place: &Dir, name: &str, content: &[u8]) -> Result<(), Failure> {
    let temporary = temporary_name();
    snapshots.write_new(&temporary, content)?;
    snapshots.rename(&temporary, place, name).inspect_err(|_| snapshots.remove(&temporary))
}

fn fresh_id(snapshots: &Dir) -> Result<SnapshotId, Failure> {
    let bits = getrandom::u64().map_err(|error| Failure {
        path: snapshots.path.clone(),
        cause: Cause::System(std::io::Error::other(error.to_string())),
    })?;
    Ok(SnapshotId::from_bits(bits))
}

/// A name that says who began to write when. One process writes one file at a time.
fn temporary_name() -> String {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    format!("{TEMPORARY}{}-{}", std::process::id(), since.as_nanos())
}

fn load_error(id: &SnapshotId, failure: Failure) -> Error {
    match failure.cause {
        Cause::Absent => not_found(format!("there is no snapshot {id}")),
        Cause::TooLarge => not_found(format!("snapshot {id} is damaged and cannot be used")),
        Cause::NotPrivate | Cause::System(_) => io_error(failure),
    }
}

fn not_found(message: String) -> Error {
    Error::new(Code::SnapshotNotFound, message).suggest(
        "Take a new snapshot. The 96 latest are kept at least, in the session (--session) in which \
         they were taken.",
    )
}

fn io_error(Failure { path, cause }: Failure) -> Error {
    let path = path.display();
    let (message, suggestion, detail) = match cause {
        Cause::Absent => (
            format!("{path} has vanished"),
            "Repeat the command; something else removes files of the state root.",
            None,
        ),
        Cause::NotPrivate => (
            format!("{path} is a link, or others can change it"),
            "Make it belong to you alone (`chmod go-w`, `chown`), or set AGENT_DESKTOP_HOME to a \
             directory of your own.",
            None,
        ),
        Cause::TooLarge => (format!("{path} is too large"), "Remove the file.", None),
        Cause::System(error) => (
            format!("{path} cannot be used: {error}"),
            "Make it readable and writable and free space on its file system, or set \
             AGENT_DESKTOP_HOME to another directory. Nothing was saved.",
            Some(error.to_string()),
        ),
    };
    let error = Error::new(Code::Internal, message).suggest(suggestion);
    match detail {
        Some(detail) => error.platform(detail),
        None => error,
    }
}

fn unwritable_map(why: &Unreadable) -> Error {
    Error::new(Code::Internal, "the snapshot has more refs than can be saved")
        .suggest("Read less at once: --skeleton, --max-depth, or --root on a part of the window.")
        .platform(format!("{why:?}"))
}
