//! Which processes and windows belong to a program: to one that was started just now, with all
//! that it started itself, or to one that may run already.

use std::{fs, path::Path};

use agent_desktop_engine::platform::{Process, Program, Start};
use agent_desktop_model::text::fold;

use crate::proc;

/// The processes that one start led to: those of its session, which stays when parents end, and
/// those that were handed its mark, which stays when a session is left.
#[derive(Clone, Debug)]
pub(crate) struct Family {
    pub(super) leader: Process,
    /// `KEY=VALUE`.
    pub(super) mark: String,
}

impl Family {
    /// Whether the process `pid` belongs to it.
    pub(crate) fn has(&self, pid: u32) -> bool {
        let is_later = proc::start_time(pid).is_some_and(|time| time >= self.leader.started);
        let in_session = || proc::session(pid) == Some(self.leader.pid);
        let marked = || {
            let variables = proc::environ(pid).unwrap_or_default();
            variables.iter().any(|entry| entry == self.mark.as_str())
        };
        is_later && (in_session() || marked())
    }

    /// Whether any process of it runs.
    pub(crate) fn lives(&self) -> bool {
        proc::pids().into_iter().any(|pid| self.has(pid))
    }
}

/// Whether a window that gives these as its class is one of `program`.
pub(crate) fn matches_class(program: &Program, class: &[String]) -> bool {
    let names = match &program.class {
        Some(class) => vec![fold(class)],
        None => names(program),
    };
    class.iter().any(|class| names.contains(&fold(class)))
}

/// Whether the application `name` with the process `pid` is `program`.
pub(crate) fn is_program(program: &Program, name: &str, pid: u32) -> bool {
    let Some(file) = program_of(&program.command).map(Path::new) else { return false };
    let whole = file.canonicalize().ok();
    let runs = || whole.is_some() && proc::program(pid) == whole;
    // An interpreter's own file says nothing of what it runs, and its arguments do.
    let is_named = || {
        let arguments = proc::arguments(pid).unwrap_or_default();
        arguments
            .iter()
            .take(2)
            .map(Path::new)
            .any(|one| one == file || Some(one) == whole.as_deref())
    };
    names(program).contains(&fold(name)) || runs() || is_named()
}

/// Whether the process `pid` was started with all that `start` asks for.
pub(crate) fn is_as_asked(start: &Start, pid: u32) -> bool {
    let arguments = proc::arguments(pid).unwrap_or_default();
    let variables = proc::environ(pid).unwrap_or_default();
    let directory = || fs::read_link(format!("/proc/{pid}/cwd")).ok();
    start.arguments.iter().all(|one| arguments.contains(one))
        && start.variables.iter().all(|(key, value)| {
            let entry = format!("{key}={value}");
            variables.iter().any(|one| one == entry.as_str())
        })
        && start.directory.as_ref().is_none_or(|wanted| wanted.canonicalize().ok() == directory())
}

/// The word of a command that names the program which is to run in the end.
pub(crate) fn program_of(command: &[String]) -> Option<&str> {
    let (first, rest) = command.split_first()?;
    let is_env = Path::new(first).file_name().is_some_and(|name| name == "env");
    let inner = rest.iter().find(|word| !word.contains('=') && !word.starts_with('-'));
    Some(inner.filter(|_| is_env).unwrap_or(first))
}

/// What the program may be called by others.
fn names(program: &Program) -> Vec<String> {
    let id = Path::new(&program.id).file_name().map(|name| name.to_string_lossy().into_owned());
    let id = id.unwrap_or_default();
    let id = id.trim_end_matches(".desktop");
    let file = program_of(&program.command).and_then(|file| Path::new(file).file_name());
    let file = file.map(|file| file.to_string_lossy().into_owned()).unwrap_or_default();
    // A reversed domain name ends in what the program is called.
    let last = id.rsplit('.').next().unwrap_or_default();
    let mut names = vec![fold(id), fold(last), fold(&file), fold(&program.name)];
    names.retain(|name| !name.is_empty());
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(id: &str, command: &[&str], class: Option<&str>) -> Program {
        Program {
            id: id.to_owned(),
            name: "A name".to_owned(),
            command: command.iter().map(|word| (*word).to_owned()).collect(),
            directory: None,
            class: class.map(str::to_owned),
            renderer: None,
        }
    }

    #[test]
    fn a_window_is_known_by_its_class() {
        let class =
            |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let calculator =
            program("org.gnome.Calculator.desktop", &["/usr/bin/gnome-calculator"], None);
        assert!(matches_class(&calculator, &class(&["gnome-calculator", "gnome-calculator"])));
        assert!(matches_class(&calculator, &class(&["calculator", "Calculator"])));
        assert!(!matches_class(&calculator, &class(&["calc", "Calc"])));
        assert!(!matches_class(&calculator, &[]));
        let office = program(
            "libreoffice-calc.desktop",
            &["libreoffice", "--calc"],
            Some("libreoffice-calc"),
        );
        assert!(matches_class(&office, &class(&["libreoffice", "libreoffice-calc"])));
        assert!(!matches_class(&office, &class(&["libreoffice", "libreoffice-writer"])));
    }

    #[test]
    fn env_is_not_the_program_that_is_meant() {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(program_of(&words("/usr/bin/env -i A=b /snap/bin/x --y")), Some("/snap/bin/x"));
        assert_eq!(program_of(&words("env A=b")), Some("env"));
        assert_eq!(program_of(&words("demo --x")), Some("demo"));
        assert_eq!(program_of(&[]), None);
    }
}
