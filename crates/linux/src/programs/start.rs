//! Starting a program so that it lives on its own: in a session of its own, without anything of
//! ours open, told what its toolkit needs, and its windows asked not to take the focus.
//!
//! Between us and the program stands, for a moment, this same program under a hidden command: it
//! sets itself up and then becomes the program. It tells through a pipe if it cannot.

use std::{
    env,
    ffi::OsString,
    fs::File,
    io::{self, PipeReader, Read, Write},
    os::{
        fd::AsFd,
        unix::process::{CommandExt, ExitStatusExt},
    },
    path::Path,
    process::{Command, ExitStatus},
    time::{Duration, SystemTime},
};

use agent_desktop_engine::platform::{Deadline, Ending, Process, Program, Start};
use agent_desktop_model::error::{Code, Error};
use agent_desktop_model::text::quoted;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::{family::Family, toolkit};
use crate::{environment::Environment, helper, proc, sandbox};

/// A program that this process has started.
#[derive(Debug)]
pub(crate) struct Child {
    child: std::process::Child,
    ended: Option<Ending>,
    pub(crate) family: Family,
}

/// What follows this program's name where it shall become another; no command for callers.
const BECOME: [&str; 2] = ["sandbox", "become"];

/// By which processes that a start led to are known.
const MARK: &str = "AGENT_DESKTOP_LAUNCH";

/// What the window manager is asked by: a start at a time before any other, so that the window is
/// one that nobody waits for. GTK 3.24.38 and GTK 4.8.3 take the time from here and make it the
/// `_NET_WM_USER_TIME` of their windows; of time 0 they make nothing.
const LONG_AGO: &str = "_TIME1";

impl Child {
    pub(crate) fn process(&self) -> Process {
        self.family.leader
    }

    /// How it ended, if it has.
    pub(crate) fn ended(&mut self) -> Option<Ending> {
        if self.ended.is_none() {
            // One of which nothing can be learned any more has ended in a way that nobody knows.
            let status = self.child.try_wait().unwrap_or_else(|_| Some(ExitStatus::from_raw(0)));
            self.ended = status.map(|status| match (status.code(), status.signal()) {
                (Some(code), _) => Ending::Status(code),
                (None, signal) => Ending::Signal(signal.unwrap_or_default()),
            });
        }
        self.ended
    }
}

/// Starts `program`. It has been started when this returns, and is the program and nothing else.
pub(crate) fn spawn(
    program: &Program,
    start: &Start,
    output: File,
    environment: &Environment,
    deadline: Deadline,
) -> Result<Child, Error> {
    let internal = |what: &str, error: &dyn std::fmt::Display| {
        Error::new(
            Code::Internal,
            format!("{} could not be started: {what}", quoted(&program.name)),
        )
        .suggest("Repeat the command; see what the system is short of.")
        .platform(error.to_string())
    };
    let directory = directory(program, start)?;
    let own = env::current_exe().map_err(|error| internal("this program has no file", &error))?;
    let (told, tell) = io::pipe().map_err(|error| internal("there is no pipe", &error))?;
    let errors = output.try_clone().map_err(|error| internal("its output", &error))?;
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let id = format!("agent-desktop-{}-{}", std::process::id(), since.as_nanos());

    let mut command = helper::command(&own);
    let given: Vec<String> =
        program.command.iter().skip(1).chain(&start.arguments).cloned().collect();
    command
        .args(BECOME)
        .args(program.command.first())
        .args(toolkit::arguments(program.renderer, &given))
        .args(&given)
        .stdin(tell)
        .stdout(output)
        .stderr(errors);
    if let Some(directory) = directory {
        command.current_dir(directory);
    }
    for name in
        environment.programs.clear.iter().map(String::as_str).chain(toolkit::HIDING.iter().copied())
    {
        command.env_remove(name);
    }
    command.env_remove("XDG_ACTIVATION_TOKEN").envs(toolkit::VARIABLES.iter().copied());
    command.envs(&environment.programs.set).env(MARK, &id);
    match start.activate {
        true => command.env_remove("DESKTOP_STARTUP_ID"),
        false => command.env("DESKTOP_STARTUP_ID", format!("{id}{LONG_AGO}")),
    };
    command.envs(start.variables.iter().map(|(key, value)| (key, value)));

    let child = command.spawn().map_err(|error| internal("no process", &error))?;
    // The other end is the child's alone from here on.
    drop(command);
    let pid = child.id();
    match report(told, deadline) {
        Ok(None) => {}
        Ok(Some(error)) => return Err(unfit(program, &error)),
        Err(error) => return Err(internal("it does not say what became of it", &error)),
    }
    // A zombie has a start time no more, and nothing else will be known by this number until it
    // has been waited for.
    let started = proc::start_time(pid).unwrap_or_default();
    let leader = Process { pid, started };
    Ok(Child { child, ended: None, family: Family { leader, mark: format!("{MARK}={id}") } })
}

/// Where the program is to run; where the caller is if nobody says otherwise.
fn directory<'a>(program: &'a Program, start: &'a Start) -> Result<Option<&'a Path>, Error> {
    let Some(wanted) = &start.directory else {
        // An entry may name what is not there, and its program is to be started all the same.
        return Ok(program.directory.as_deref().filter(|path| path.is_dir()));
    };
    match wanted.is_dir() {
        true => Ok(Some(wanted)),
        false => Err(Error::new(
            Code::InvalidArgs,
            format!("--cwd: there is no directory {}", wanted.display()),
        )
        .suggest("Create it first, or name one that exists.")),
    }
}

/// What the child says: nothing, by closing the pipe as it becomes the program, or the error
/// number why it could not.
fn report(told: PipeReader, deadline: Deadline) -> io::Result<Option<io::Error>> {
    loop {
        let limit = Timespec::try_from(deadline.remaining().max(Duration::from_millis(1)));
        let limit = limit.map_err(io::Error::other)?;
        let mut fds = [PollFd::new(&told, PollFlags::IN)];
        match poll(&mut fds, Some(&limit)) {
            Ok(0) if deadline.passed() => return Err(io::ErrorKind::TimedOut.into()),
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            Ok(_) => break,
            Err(error) => return Err(error.into()),
        }
    }
    let mut text = String::new();
    told.take(64).read_to_string(&mut text)?;
    Ok(text.trim().parse().ok().map(io::Error::from_raw_os_error))
}

fn unfit(program: &Program, error: &io::Error) -> Error {
    let file = program.command.first().map_or("", String::as_str);
    Error::new(Code::InvalidArgs, format!("{file} cannot be run: {error}"))
        .suggest(
            "Give the path of a program for this machine; a script begins with a line such as \
             #!/bin/sh that names its interpreter.",
        )
        .platform(error.to_string())
}

/// Becomes another program, if that is what [`spawn`] runs this program for. Returns only where it
/// cannot, having said so.
pub fn become_program(args: &[OsString]) -> Option<()> {
    let [_, first, second, program, rest @ ..] = args else { return None };
    if [first, second] != BECOME {
        return None;
    }
    // It is closed by the kernel at the very moment in which this becomes the program.
    let mut report = File::from(io::stdin().as_fd().try_clone_to_owned().ok()?);
    let outcome = set_up().map(|()| Command::new(program).args(rest).exec());
    let (Ok(error) | Err(error)) = outcome;
    let number = error.raw_os_error().unwrap_or_default();
    let _ = write!(report, "{number}");
    Some(())
}

fn set_up() -> io::Result<()> {
    let nothing = File::open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    helper::detach();
    sandbox::mark_by_environment();
    Ok(())
}
