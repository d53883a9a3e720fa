//! Programs: what is installed, what of it runs, how it is started and ended.

use std::{fs::File, path::PathBuf};

use agent_desktop_model::error::Error;

use super::{App, Deadline, Failure, Handle, Process, Window};

/// A program that can be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// What names it and no other: the id of its entry, else the path of its file.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// Its file and the arguments that it is always given.
    pub command: Vec<String>,
    /// Where its entry wants it to be run.
    pub directory: Option<PathBuf>,
    /// The kind that its windows say they are of, where its entry tells.
    pub class: Option<String>,
    /// The engine by which it draws, where that decides what else can be done with it.
    pub renderer: Option<&'static str>,
}

/// How a program shall be started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Start {
    pub arguments: Vec<String>,
    pub variables: Vec<(String, String)>,
    pub directory: Option<PathBuf>,
    /// Whether its window may take the focus.
    pub activate: bool,
}

/// A process of a program that runs already.
#[derive(Clone, Debug)]
pub struct Instance {
    pub app: App,
    pub process: Process,
    /// Its windows, as far as they are of that program.
    pub windows: Vec<Window>,
    /// Whether it has no others: one process may be several programs.
    pub is_whole: bool,
    /// Whether it was started with all that is asked for now.
    pub is_as_asked: bool,
}

/// A program that was started.
pub trait Started {
    fn process(&self) -> Process;

    /// What has become of it by now. Whoever asks again and again does so until a window shows.
    fn look(&mut self, deadline: Deadline) -> Result<Progress, Failure>;
}

/// What has become of a program that was started.
#[derive(Clone, Debug)]
pub enum Progress {
    /// It runs and shows nothing yet.
    Runs,
    /// A window that has come since shows, be it of the process itself, of one that it started, or
    /// of another instance that it handed over to.
    Shows(Box<Window>),
    /// Nothing of it runs any more.
    Ended(Ending),
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Status(i32),
    Signal(i32),
}

/// How a process is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urge {
    /// It is asked, and may save what there is first.
    Ask,
    /// It has no say in it.
    Kill,
}

/// What a platform must offer for programs; handed out by [`super::Platform::programs`].
pub trait Programs {
    /// Every program that goes by `name`: the id of its entry, its path (from `directory` on), the
    /// name that people call it, or that of its file; the first of these that leads to any.
    ///
    /// # Errors
    ///
    /// `INVALID_ARGS` and others where there is one that cannot be started, with the reason.
    fn named(&self, name: &str) -> Result<Vec<Program>, Error>;

    /// The names that [`Programs::named`] may be asked for, for whoever mistook one.
    fn names(&self) -> Vec<String>;

    /// The processes of `program` that run on this desktop.
    fn instances(
        &self,
        program: &Program,
        start: &Start,
        deadline: Deadline,
    ) -> Result<Vec<Instance>, Failure>;

    /// Starts `program`, whose output goes to `output`.
    fn start(
        &self,
        program: &Program,
        start: &Start,
        output: File,
        deadline: Deadline,
    ) -> Result<Box<dyn Started + '_>, Error>;

    /// The applications that run and go by `name`, one for each process, with all their windows.
    fn running(&self, name: &str, deadline: Deadline) -> Result<Vec<Instance>, Failure>;

    /// What the process `process`, or whatever is called `name`, is, if nobody may end it through
    /// us; as it stands in "NAME is …".
    fn protection(
        &self,
        name: &str,
        process: Option<Process>,
        deadline: Deadline,
    ) -> Option<&'static str>;

    /// Asks for a window to be closed, once, as a click on its close button does.
    fn close(&self, window: Handle, deadline: Deadline) -> Result<(), Failure>;

    /// Ends a process. One that has ended is no failure.
    fn end(&self, process: Process, urge: Urge) -> Result<(), Failure>;

    fn lives(&self, process: Process) -> bool;
}
