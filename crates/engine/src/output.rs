//! Files that a command writes where its caller asks it to: whole or not at all, and for the user
//! alone.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use agent_desktop_model::error::{Code, Error};

/// Writes `content` to `path`, replacing what is there, and returns the path as an absolute one.
/// The directory has to exist.
///
/// # Errors
///
/// `INVALID_ARGS` if the path can be no file, `INTERNAL` if it cannot be written. Nothing is
/// changed then.
pub(crate) fn write(path: &Path, content: &[u8]) -> Result<PathBuf, Error> {
    let path = std::path::absolute(path).map_err(|error| unwritable(path, &error))?;
    let (Some(directory), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(Error::new(Code::InvalidArgs, format!("{} is no file", path.display()))
            .suggest("Name a file in a directory that exists."));
    };
    if !directory.is_dir() {
        return Err(Error::new(
            Code::InvalidArgs,
            format!("there is no directory {}", directory.display()),
        )
        .suggest("Create it first, or name a file in a directory that exists."));
    }
    if path.is_dir() {
        return Err(Error::new(Code::InvalidArgs, format!("{} is a directory", path.display()))
            .suggest("Name a file in it."));
    }
    if fs::symlink_metadata(&path).is_ok_and(|at| !at.is_file()) {
        return Err(Error::new(
            Code::InvalidArgs,
            format!("{} is there and no ordinary file", path.display()),
        )
        .suggest("Name another file: what is there would be replaced."));
    }
    let mut temporary = name.to_owned();
    temporary.push(format!(".{}.tmp", std::process::id()));
    let temporary = directory.join(temporary);
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&temporary)
        .and_then(|mut file| file.write_all(content))
        .and_then(|()| fs::rename(&temporary, &path));
    if let Err(error) = written {
        // Where it could not be made, it is somebody else's, or there is none.
        if error.kind() != io::ErrorKind::AlreadyExists {
            let _ = fs::remove_file(&temporary);
        }
        return Err(unwritable(&path, &error));
    }
    Ok(path)
}

fn unwritable(path: &Path, error: &io::Error) -> Error {
    Error::new(Code::Internal, format!("{} cannot be written: {error}", path.display()))
        .suggest("Make its directory writable and free space there, or name another file.")
        .platform(error.to_string())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_and_private() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a.png");
        fs::write(&path, "before").unwrap();
        assert_eq!(write(&path, b"after").unwrap(), path);
        assert_eq!(fs::read(&path).unwrap(), b"after");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_a_file_is_refused() {
        let place = tempfile::tempdir().unwrap();
        for path in [place.path(), &place.path().join("missing/a.png"), Path::new("/")] {
            assert_eq!(write(path, b"").unwrap_err().code, Code::InvalidArgs, "{path:?}");
        }
        // Nothing can be made below a file of the kernel.
        assert_eq!(write(Path::new("/proc/self/a.png"), b"").unwrap_err().code, Code::Internal);
    }
}
