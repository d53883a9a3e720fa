//! Programs: which one is meant, how it is started so that it can be read, and what comes of it.

mod catalogue;
mod entry;
mod family;
mod locate;
#[cfg(any(test, fuzzing))]
pub(crate) mod properties;
mod protected;
mod start;
pub(crate) mod toolkit;

use std::path::Path;

use agent_desktop_engine::platform::Program;
use agent_desktop_model::{
    error::{Code, Error},
    text::{fold, quoted},
};

use crate::environment::Environment;
use catalogue::{Catalogue, Found};
use entry::{BadCommand, Entry};

pub(crate) use family::{is_as_asked, is_program, matches_class};
pub(crate) use protected::part_of_session;
pub use start::become_program;
pub(crate) use start::{Child, spawn};

/// Every program that goes by `name`; see [`agent_desktop_engine::platform::Programs::named`].
pub(crate) fn named(name: &str, environment: &Environment) -> Result<Vec<Program>, Error> {
    if name.contains('/') {
        return at_path(Path::new(name), environment).map(|program| vec![program]);
    }
    let catalogue = Catalogue::read(environment);
    let hidden = |found: &Found| found.entry.as_ref().is_none_or(|entry| entry.hidden);
    if let Some((id, found)) = catalogue.by_id(name).filter(|(_, found)| !hidden(found))
        && let Some(entry) = &found.entry
    {
        return of_entry(id, &found.path, entry, environment).map(|program| vec![program]);
    }
    let wanted = fold(name);
    let is_called = |entry: &Entry| {
        fold(&entry.name) == wanted
            || entry.local_name.as_ref().is_some_and(|name| fold(name) == wanted)
    };
    let called = catalogue.shown().filter(|(.., entry)| is_called(entry));
    let mut programs = Vec::new();
    let mut unfit = None;
    for (id, found, entry) in called {
        match of_entry(id, &found.path, entry, environment) {
            Ok(program) => programs.push(program),
            Err(error) => unfit = Some(error),
        }
    }
    if !programs.is_empty() {
        return Ok(programs);
    }
    match locate::on_path(name, environment) {
        Some(path) => Ok(vec![of_file(&path, environment)]),
        None => unfit.map_or_else(|| Ok(Vec::new()), Err),
    }
}

/// What people and entries call the programs that are installed.
pub(crate) fn names(environment: &Environment) -> Vec<String> {
    let catalogue = Catalogue::read(environment);
    let entries = catalogue.shown().flat_map(|(id, _, entry)| {
        [id.trim_end_matches(".desktop").to_owned(), entry.name.clone()]
    });
    entries.chain(locate::names(environment)).collect()
}

fn at_path(path: &Path, environment: &Environment) -> Result<Program, Error> {
    let path = std::path::absolute(path).map_err(|error| {
        Error::new(Code::InvalidArgs, format!("{} is no path", path.display()))
            .suggest("Give the path of a program or of a desktop entry.")
            .platform(error.to_string())
    })?;
    if path.extension().is_some_and(|extension| extension == "desktop") {
        let entry = Entry::read(&path, &catalogue::languages(environment));
        let Some(entry) = entry else {
            return Err(match path.exists() {
                true => Error::new(
                    Code::InvalidArgs,
                    format!("{} is no entry of an application", path.display()),
                )
                .suggest("An entry has a group [Desktop Entry] with Type=Application."),
                false => absent(&path),
            });
        };
        return of_entry(&path.to_string_lossy(), &path, &entry, environment);
    }
    locate::executable(&path).map(|()| of_file(&path, environment))
}

fn absent(path: &Path) -> Error {
    Error::new(Code::AppNotFound, format!("there is no file {}", path.display()))
        .suggest("Give the path of a program, its name, or the id of its desktop entry.")
}

fn of_file(path: &Path, environment: &Environment) -> Program {
    let text = path.to_string_lossy().into_owned();
    let name = path.file_name().map_or(text.clone(), |name| name.to_string_lossy().into_owned());
    Program {
        id: text.clone(),
        name,
        renderer: toolkit::renderer(path, environment),
        command: vec![text],
        directory: None,
        class: None,
    }
}

fn of_entry(
    id: &str,
    path: &Path,
    entry: &Entry,
    environment: &Environment,
) -> Result<Program, Error> {
    let name = entry.local_name.clone().unwrap_or_else(|| entry.name.clone());
    let missing = |program: &str| {
        Error::new(
            Code::AppNotFound,
            format!(
                "the entry {id} is there, but its program {} is not installed",
                quoted(program)
            ),
        )
        .suggest(format!(
            "Install the package that provides {}, or launch another program.",
            quoted(program)
        ))
    };
    if let Some(needed) = &entry.try_exec
        && locate::find(needed, environment).is_none()
    {
        return Err(missing(needed));
    }
    let mut command = entry.command(path).map_err(|bad| bad_command(id, bad))?;
    if entry.terminal {
        return Err(Error::new(
            Code::ActionNotSupported,
            format!("the entry {id} is one of a program for a terminal, and has no window"),
        )
        .suggest(format!(
            "Start it in a terminal that you choose, such as: \
             `agent-desktop launch xterm --arg=-e --arg={}`",
            command.first().map_or("", String::as_str)
        )));
    }
    let first = command.first_mut().ok_or_else(|| bad_command(id, BadCommand::Absent))?;
    let file = locate::find(first, environment).ok_or_else(|| missing(first))?;
    *first = file.to_string_lossy().into_owned();
    let program = family::program_of(&command)
        .map_or(file.clone(), |program| locate::find(program, environment).unwrap_or(file));
    Ok(Program {
        id: id.to_owned(),
        name,
        renderer: toolkit::renderer(&program, environment),
        command,
        directory: entry.directory.clone(),
        class: entry.class.clone(),
    })
}

fn bad_command(id: &str, bad: BadCommand) -> Error {
    let why = match bad {
        BadCommand::Absent => "it names no command (Exec)".to_owned(),
        BadCommand::OpenQuote => "a quote in its command (Exec) is never closed".to_owned(),
        BadCommand::Code(code) => format!("its command (Exec) has the unknown field code %{code}"),
        BadCommand::Nul => "its command (Exec) has a zero byte".to_owned(),
    };
    Error::new(
        Code::ActionNotSupported,
        format!("the application {id} cannot be started by its entry: {why}"),
    )
    .suggest("Launch its program by name or path instead.")
}
