//! Processes that the tests started, and nobody else's.

use std::{
    fs,
    io::{self, Read, Write},
    process::{Child, ChildStdin, ChildStdout, Command, ExitStatus},
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};

use crate::wait;

/// A child of ours; killed and reaped when dropped.
#[derive(Debug)]
pub struct Process {
    child: Child,
}

/// An application that is stopped; continued when dropped.
#[derive(Debug)]
pub struct Stopped<'a>(&'a Process);

impl Process {
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        Ok(Self { child: command.spawn()? })
    }

    /// What it reads and what it writes, where both are pipes.
    pub(crate) fn pipes(&mut self) -> (ChildStdin, ChildStdout) {
        let pipes = self.child.stdin.take().zip(self.child.stdout.take());
        pipes.expect("it was started with pipes")
    }

    /// What it reads, where that is a pipe.
    pub(crate) fn input(&mut self) -> ChildStdin {
        self.child.stdin.take().expect("it was started with a pipe")
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Says a line to a program that carries it out, and waits until it says that it has.
    #[track_caller]
    pub fn tell(&mut self, line: &str) {
        assert_eq!(self.ask(line), "done", "{line}");
    }

    /// Says a line to a program, and gives the line that it answers.
    #[track_caller]
    pub fn ask(&mut self, line: &str) -> String {
        let input = self.child.stdin.as_mut().expect("a program that listens");
        writeln!(input, "{line}").expect("the program listens");
        self.line()
    }

    /// The same; none if it has ended meanwhile.
    pub(crate) fn try_ask(&mut self, line: &str) -> Option<String> {
        writeln!(self.child.stdin.as_mut()?, "{line}").ok()?;
        self.try_line()
    }

    /// The next line that it prints.
    #[track_caller]
    pub fn line(&mut self) -> String {
        self.try_line().expect("a whole line")
    }

    fn try_line(&mut self) -> Option<String> {
        let output = self.child.stdout.as_mut()?;
        let mut answer = Vec::new();
        while !answer.ends_with(b"\n") {
            let mut byte = [0];
            output.read_exact(&mut byte).ok()?;
            answer.extend(byte);
        }
        answer.pop();
        String::from_utf8(answer).ok()
    }

    /// Sends `signal`. The child is not reaped before it is waited for, so its number cannot have
    /// gone to another process.
    pub fn signal(&self, signal: Signal) {
        // A child that has ended meanwhile needs no signal any more.
        _ = kill_process(Pid::from_child(&self.child), signal);
    }

    /// Stops the process as Ctrl+Z would, until the result is dropped.
    pub fn stop(&self) -> Stopped<'_> {
        self.signal(Signal::STOP);
        wait::until("the process to stop", Duration::from_secs(5), || match state(self.id()) {
            Some('T') => Ok(()),
            other => Err(format!("state {other:?}")),
        });
        Stopped(self)
    }

    /// How it ended, if it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("a child can be waited for")
    }
}

/// A process that is not our child, a server of a private desktop or one of a browser, and is
/// stopped; continued when dropped.
#[derive(Debug)]
pub struct StoppedServer(Pid);

/// The one process that `ancestor` or what it started has started and that the kernel knows as
/// `name`.
#[track_caller]
pub(crate) fn descendant(ancestor: u32, name: &str) -> Pid {
    let pids = fs::read_dir("/proc").expect("/proc").flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let is_called = |pid: &i32| {
        let comm = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
        comm.trim_end() == name && descends(pid.unsigned_abs(), ancestor)
    };
    let found = pids.filter(is_called).collect::<Vec<_>>();
    let [only] = found[..] else { panic!("{name} of {ancestor}: {found:?}") };
    Pid::from_raw(only).expect("a process")
}

/// The one process whose command line begins with `command` and that was given `variable`, as
/// `KEY=VALUE`.
#[track_caller]
pub(crate) fn given(variable: &str, command: &str) -> Pid {
    let entries = fs::read_dir("/proc").expect("/proc").flatten();
    let found: Vec<i32> = entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid: &i32| {
            let file = |name| fs::read(format!("/proc/{pid}/{name}")).unwrap_or_default();
            let line = String::from_utf8_lossy(&file("cmdline")).replace('\0', " ");
            line.trim_start_matches("/usr/bin/").starts_with(command)
                && file("environ").split(|byte| *byte == 0).any(|one| one == variable.as_bytes())
        })
        .collect();
    let [only] = found[..] else { panic!("{command} with {variable}: {found:?}") };
    Pid::from_raw(only).expect("a process")
}

/// Every process that was given `variable`, as `KEY=VALUE`, with what the kernel calls it.
pub(crate) fn with_variable(variable: &str) -> Vec<(u32, String)> {
    let entries = fs::read_dir("/proc").expect("/proc").flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let given = |pid: &u32| {
        let variables = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        variables.split(|byte| *byte == 0).any(|one| one == variable.as_bytes())
    };
    let name = |pid| fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    pids.filter(given).map(|pid| (pid, name(pid).trim_end().to_owned())).collect()
}

impl StoppedServer {
    pub(crate) fn stop(pid: Pid) -> Self {
        kill_process(pid, Signal::STOP).expect("it can be stopped");
        let number = pid.as_raw_nonzero().get().unsigned_abs();
        wait::until("the server to stop", Duration::from_secs(5), || match state(number) {
            Some('T') => Ok(()),
            other => Err(format!("state {other:?}")),
        });
        Self(pid)
    }
}

impl Drop for StoppedServer {
    fn drop(&mut self) {
        _ = kill_process(self.0, Signal::CONT);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both fail only when it has ended already.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

impl Drop for Stopped<'_> {
    fn drop(&mut self) {
        self.0.signal(Signal::CONT);
    }
}

/// Ends the process `pid`, if that is the program that cargo has built as `name`.
pub(crate) fn end_program(pid: u32, name: &str) {
    let program = fs::read_link(format!("/proc/{pid}/exe"));
    if program.is_ok_and(|program| program == crate::built(name))
        && let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw)
    {
        // It may have ended by itself.
        _ = kill_process(pid, Signal::KILL);
    }
}

/// Waits until a process has worked off what there was to do: it sleeps now and then for half a
/// second, or it has had two seconds of processor time from now on. The latter is for what draws
/// an animation on a machine so busy that it never gets to sleep.
pub(crate) fn settle(pid: u32) {
    let start = processor_time(pid);
    let asleep_of_25 = || {
        let looks = std::iter::repeat_with(|| {
            std::thread::sleep(Duration::from_millis(10));
            state(pid)
        });
        looks.take(25).filter(|state| *state == Some('S')).count()
    };
    wait::until("the application to settle", Duration::from_secs(60), || {
        match (asleep_of_25(), asleep_of_25()) {
            (8.., 8..) => Ok(()),
            _ if processor_time(pid) >= start + Duration::from_secs(2) => Ok(()),
            times => Err(format!("asleep {times:?} times of 25")),
        }
    });
}

/// Whether `pid` is `ancestor` or was started by it or by a process that it started.
pub(crate) fn descends(mut pid: u32, ancestor: u32) -> bool {
    while pid != ancestor {
        // From the state on: the parent comes second.
        let parent = stat(pid).and_then(|stat| stat.split(' ').nth(1)?.parse().ok());
        match parent {
            Some(parent) if parent > 1 => pid = parent,
            _ => return false,
        }
    }
    true
}

fn state(pid: u32) -> Option<char> {
    stat(pid)?.split(' ').next()?.chars().next()
}

/// How long it has run on any processor.
pub(crate) fn processor_time(pid: u32) -> Duration {
    let stat = stat(pid).unwrap_or_default();
    // From the state on, in hundredths of a second: user time, then system time.
    let ticks: u64 = stat.split(' ').skip(11).take(2).flat_map(str::parse::<u64>).sum();
    Duration::from_millis(ticks * 10)
}

/// What the kernel says of a process, from its state on.
fn stat(pid: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    Some(stat.rsplit_once(") ")?.1.to_owned())
}
