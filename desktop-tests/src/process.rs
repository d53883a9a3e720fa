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

    /// Waits until it has worked off what there was to do: it sleeps now and then for half a
    /// second, or it has had two seconds of processor time from now on. The latter is for what
    /// draws an animation on a machine so busy that it never gets to sleep.
    pub fn settle(&self) {
        let start = self.processor_time();
        let asleep_of_25 = || {
            let looks = std::iter::repeat_with(|| {
                std::thread::sleep(Duration::from_millis(10));
                self.state()
            });
            looks.take(25).filter(|state| *state == Some('S')).count()
        };
        wait::until("the application to settle", Duration::from_secs(60), || {
            match (asleep_of_25(), asleep_of_25()) {
                (8.., 8..) => Ok(()),
                _ if self.processor_time() >= start + Duration::from_secs(2) => Ok(()),
                times => Err(format!("asleep {times:?} times of 25")),
            }
        });
    }

    fn state(&self) -> Option<char> {
        self.stat()?.split(' ').next()?.chars().next()
    }

    /// How long it has run on any processor.
    fn processor_time(&self) -> Duration {
        let stat = self.stat().unwrap_or_default();
        // From the state on, in hundredths of a second: user time, then system time.
        let ticks: u64 = stat.split(' ').skip(11).take(2).flat_map(str::parse::<u64>).sum();
        Duration::from_millis(ticks * 10)
    }

    /// What the kernel says of it, from its state on.
    fn stat(&self) -> Option<String> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.id())).ok()?;
        Some(stat.rsplit_once(") ")?.1.to_owned())
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
