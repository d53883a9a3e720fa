//! Processes that the tests started, and nobody else's.

use std::{
    fs, io,
    process::{Child, Command, ExitStatus},
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

    pub fn id(&self) -> u32 {
        self.child.id()
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
        wait::until("the process to stop", Duration::from_secs(5), || match self.state() {
            Some('T') => Ok(()),
            other => Err(format!("state {other:?}")),
        });
        Stopped(self)
    }

    /// How it ended, if it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("a child can be waited for")
    }

    /// Waits until it has worked off what there was to do: for half a second it sleeps now and
    /// then when one looks, even if it draws an animation on a busy machine. How much processor
    /// time it gets says nothing there: one that starves looks idle.
    pub fn settle(&self) {
        let asleep_of_25 = || {
            let looks = std::iter::repeat_with(|| {
                std::thread::sleep(Duration::from_millis(10));
                self.state()
            });
            looks.take(25).filter(|state| *state == Some('S')).count()
        };
        wait::until("the application to settle", Duration::from_secs(20), || {
            match (asleep_of_25(), asleep_of_25()) {
                (8.., 8..) => Ok(()),
                times => Err(format!("asleep {times:?} times of 25")),
            }
        });
    }

    fn state(&self) -> Option<char> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.id())).ok()?;
        stat.rsplit_once(") ")?.1.chars().next()
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
