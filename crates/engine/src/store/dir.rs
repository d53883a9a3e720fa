//! Private directories, by descriptor: what is checked once cannot be swapped by a symbolic link
//! afterwards. Everything below the state root belongs to the user alone.

use std::{
    fs::{DirBuilder, File},
    io::{self, Read, Write},
    os::{fd::OwnedFd, unix::fs::DirBuilderExt},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use rustix::{
    fs::{AtFlags, Dir as Listing, FileType, Mode, OFlags},
    io::Errno,
    process::geteuid,
};

/// An open directory.
#[derive(Debug)]
pub(super) struct Dir {
    fd: OwnedFd,
    pub(super) path: PathBuf,
}

/// What went wrong, and where.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) path: PathBuf,
    pub(super) cause: Cause,
}

#[derive(Debug)]
pub(super) enum Cause {
    /// There is no such file or directory.
    Absent,
    /// It is a link, or somebody else can change it.
    NotPrivate,
    /// It has more bytes than are ever written.
    TooLarge,
    System(io::Error),
}

const DIRECTORY: Mode = Mode::RWXU;
const FILE: Mode = Mode::RUSR.union(Mode::WUSR);

impl Dir {
    /// Opens the directory at `path`, which may be a link that its owner made.
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let fd = rustix::fs::open(path, flags, Mode::empty()).map_err(|e| failure(path, e))?;
        Self { fd, path: path.to_owned() }.checked()
    }

    /// The same, after creating it and its parents if need be.
    pub(super) fn create(path: &Path) -> Result<Self, Failure> {
        match Self::open(path) {
            Err(Failure { cause: Cause::Absent, .. }) => {}
            opened => return opened,
        }
        DirBuilder::new()
            .recursive(true)
            .mode(DIRECTORY.bits())
            .create(path)
            .map_err(|error| Failure { path: path.to_owned(), cause: Cause::System(error) })?;
        Self::open(path)
    }

    /// Opens the directory `name` in this one.
    pub(super) fn open_in(&self, name: &str) -> Result<Self, Failure> {
        let path = self.path.join(name);
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let fd = rustix::fs::openat(&self.fd, name, flags, Mode::empty()).map_err(|error| {
            // A link to a directory is told as something that is no directory.
            let is_link = error == Errno::NOTDIR && self.is_link(name);
            failure(&path, if is_link { Errno::LOOP } else { error })
        })?;
        Self { fd, path }.checked()
    }

    /// The same, after creating it if need be.
    pub(super) fn create_in(&self, name: &str) -> Result<Self, Failure> {
        match rustix::fs::mkdirat(&self.fd, name, DIRECTORY) {
            Ok(()) | Err(Errno::EXIST) => self.open_in(name),
            Err(error) => Err(failure(&self.path.join(name), error)),
        }
    }

    /// The file `name`, opened for its lock alone; created if need be.
    pub(super) fn lock_file(&self, name: &str) -> Result<File, Failure> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        rustix::fs::openat(&self.fd, name, flags, FILE)
            .map(File::from)
            .map_err(|e| failure(&self.path.join(name), e))
    }

    /// The content of the file `name`, if it has no more than `limit` bytes.
    pub(super) fn read(&self, name: &str, limit: usize) -> Result<Vec<u8>, Failure> {
        let path = self.path.join(name);
        // Without NONBLOCK, opening a pipe that somebody put there would wait for its writer.
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let fd = rustix::fs::openat(&self.fd, name, flags, Mode::empty())
            .map_err(|e| failure(&path, e))?;
        let stat = rustix::fs::fstat(&fd).map_err(|e| failure(&path, e))?;
        let is_file = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
        if !is_file || stat.st_uid != geteuid().as_raw() {
            return Err(Failure { path, cause: Cause::NotPrivate });
        }
        let size = usize::try_from(stat.st_size).unwrap_or(usize::MAX);
        if size > limit {
            return Err(Failure { path, cause: Cause::TooLarge });
        }
        let mut content = Vec::with_capacity(size + 1);
        match File::from(fd).take(limit as u64).read_to_end(&mut content) {
            Ok(_) => Ok(content),
            Err(error) => Err(Failure { path, cause: Cause::System(error) }),
        }
    }

    /// Writes a new file `name`. If that fails, the file is gone again.
    pub(super) fn write_new(&self, name: &str, content: &[u8]) -> Result<(), Failure> {
        let path = self.path.join(name);
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let fd = rustix::fs::openat(&self.fd, name, flags, FILE).map_err(|e| failure(&path, e))?;
        File::from(fd).write_all(content).map_err(|error| {
            let _ = rustix::fs::unlinkat(&self.fd, name, AtFlags::empty());
            Failure { path, cause: Cause::System(error) }
        })
    }

    /// A new file `name`, opened for being added to.
    pub(super) fn append_new(&self, name: &str) -> Result<File, Failure> {
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::APPEND | OFlags::CLOEXEC;
        rustix::fs::openat(&self.fd, name, flags, FILE)
            .map(File::from)
            .map_err(|e| failure(&self.path.join(name), e))
    }

    /// Moves `from` in this directory to `name` in `to`, replacing a file of that name.
    pub(super) fn rename(&self, from: &str, to: &Self, name: &str) -> Result<(), Failure> {
        rustix::fs::renameat(&self.fd, from, &to.fd, name)
            .map_err(|e| failure(&to.path.join(name), e))
    }

    /// The names of everything in the directory.
    pub(super) fn names(&self) -> Result<Vec<String>, Failure> {
        let failed = |error| failure(&self.path, error);
        let mut names = Vec::new();
        for entry in Listing::read_from(&self.fd).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            // Nothing here has a name that is not UTF-8 but what others put here.
            names.extend(entry.file_name().to_str().ok().map(str::to_owned));
        }
        names.retain(|name| name != "." && name != "..");
        Ok(names)
    }

    /// When the content of the directory `name` last changed, in nanoseconds, for an order by age; none if
    /// it is gone. What seems to come from the future is older than the rest: the clock was set back
    /// since, and what is written from now on must not be taken for the oldest.
    pub(super) fn changed(&self, name: &str) -> Option<i128> {
        let stat = rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        let changed = i128::from(stat.st_mtime) * 1_000_000_000 + i128::from(stat.st_mtime_nsec);
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        // A clock that is only being adjusted moves by less.
        const SLACK: Duration = Duration::from_secs(60);
        let is_ahead = i128::try_from((now + SLACK).as_nanos()).is_ok_and(|now| changed > now);
        Some(if is_ahead { changed - (1 << 100) } else { changed })
    }

    /// How many bytes the file `name` has; none if it is gone.
    pub(super) fn size(&self, name: &str) -> Option<u64> {
        let stat = rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        u64::try_from(stat.st_size).ok()
    }

    /// Removes the file `name`, or the directory `name` and the files in it. What cannot be
    /// removed stays.
    pub(super) fn remove(&self, name: &str) {
        if rustix::fs::unlinkat(&self.fd, name, AtFlags::empty()).is_ok() {
            return;
        }
        if let Ok(inner) = self.open_in(name) {
            for file in inner.names().unwrap_or_default() {
                let _ = rustix::fs::unlinkat(&inner.fd, &*file, AtFlags::empty());
            }
        }
        let _ = rustix::fs::unlinkat(&self.fd, name, AtFlags::REMOVEDIR);
    }

    fn is_link(&self, name: &str) -> bool {
        let stat = rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW);
        stat.is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Symlink)
    }

    fn checked(self) -> Result<Self, Failure> {
        let stat = rustix::fs::fstat(&self.fd).map_err(|e| failure(&self.path, e))?;
        let others_write = Mode::WGRP | Mode::WOTH;
        let private = stat.st_uid == geteuid().as_raw()
            && !Mode::from_raw_mode(stat.st_mode).intersects(others_write);
        if private { Ok(self) } else { Err(Failure { path: self.path, cause: Cause::NotPrivate }) }
    }
}

fn failure(path: &Path, error: Errno) -> Failure {
    let cause = match error {
        Errno::NOENT => Cause::Absent,
        Errno::LOOP => Cause::NotPrivate,
        other => Cause::System(other.into()),
    };
    Failure { path: path.to_owned(), cause }
}
