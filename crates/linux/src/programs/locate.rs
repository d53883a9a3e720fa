//! Files of programs, as a shell would find them.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use agent_desktop_model::error::{Code, Error};
use rustix::fs::Access;

use super::absent;
use crate::environment::Environment;

/// Where programs are looked for that nobody says where to look for.
const USUAL: &str = "/usr/local/bin:/usr/bin:/bin";

/// The program `name`: a path, or what is on PATH.
pub(super) fn find(name: &str, environment: &Environment) -> Option<PathBuf> {
    match name.contains('/') {
        true => Some(PathBuf::from(name)).filter(|path| executable(path).is_ok()),
        false => on_path(name, environment),
    }
}

/// The program `name` of PATH.
pub(super) fn on_path(name: &str, environment: &Environment) -> Option<PathBuf> {
    if name.is_empty() || name == "." || name == ".." {
        return None;
    }
    directories(environment).map(|path| path.join(name)).find(|path| executable(path).is_ok())
}

/// The names of all programs on PATH.
pub(super) fn names(environment: &Environment) -> Vec<String> {
    let items = directories(environment).flat_map(|path| fs::read_dir(path).into_iter().flatten());
    items.filter_map(|item| item.ok()?.file_name().into_string().ok()).collect()
}

fn directories(environment: &Environment) -> impl Iterator<Item = PathBuf> {
    let path = environment.text("PATH").unwrap_or_else(|| USUAL.to_owned());
    // An empty or relative one would depend on where this program happens to be run.
    let all: Vec<PathBuf> = std::env::split_paths(&path).filter(|one| one.is_absolute()).collect();
    all.into_iter()
}

/// Whether the file at `path` can be run, and if not, why.
pub(super) fn executable(path: &Path) -> Result<(), Error> {
    let unfit = |why: String, remedy: String| {
        Error::new(Code::InvalidArgs, format!("{} {why}", path.display())).suggest(remedy)
    };
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(absent(path)),
        Err(error) => {
            return Err(unfit(
                format!("cannot be used: {error}"),
                "Give the path of a program that you may run.".to_owned(),
            ));
        }
    };
    if metadata.is_dir() {
        return Err(unfit(
            "is a directory".to_owned(),
            "Give the path of the program in it.".to_owned(),
        ));
    }
    // Root may do everything but run what nobody may.
    let may = rustix::fs::access(path, Access::EXEC_OK).is_ok()
        && metadata.permissions().mode() & 0o111 != 0;
    match metadata.is_file() && may {
        true => Ok(()),
        false => Err(unfit(
            "is not executable".to_owned(),
            format!(
                "If it is a program: `chmod +x {path}`. To open a document, launch the application \
                 for it with --arg {path}.",
                path = path.display()
            ),
        )),
    }
}
