//! A state root of its own, and what a test asks about the desktops in it.

use std::{
    fs,
    path::PathBuf,
    process::{Child, Output, Stdio},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::program::{Answer, Program};

/// The private desktops of one test.
pub(crate) struct Desktops {
    pub(crate) program: Program,
}

/// What `sandbox start` told of a desktop.
pub(crate) struct Desktop {
    pub(crate) data: Value,
}

impl Desktops {
    pub(crate) fn new() -> Self {
        let mut program = Program::new();
        let root = program.home().join("state");
        program.env("AGENT_DESKTOP_HOME", root.to_str().unwrap());
        Self { program }
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.program.home().join("state")
    }

    pub(crate) fn directory(&self, name: &str) -> PathBuf {
        self.root().join("sandboxes").join(name)
    }

    pub(crate) fn run(&self, args: &[&str]) -> Answer {
        self.program.run(&[&["sandbox"], args].concat())
    }

    /// Begins a command that the test goes on beside.
    pub(crate) fn begin(&self, args: &[&str]) -> Child {
        let mut command = self.program.command();
        command.arg("sandbox").args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    pub(crate) fn start(&self, args: &[&str]) -> Desktop {
        let answer = self.run(&[&["start"], args].concat());
        assert_eq!(answer.status, Some(0), "{answer:?}");
        Desktop { data: answer.envelope["data"].clone() }
    }

    pub(crate) fn stop(&self, name: &str) -> Value {
        let answer = self.run(&["stop", name]);
        assert_eq!(answer.status, Some(0), "{answer:?}");
        answer.envelope["data"].clone()
    }

    pub(crate) fn exec(&self, name: &str, words: &[&str]) -> Output {
        let mut command = self.program.command();
        command.args(["sandbox", "exec", name, "--"]).args(words).output().unwrap()
    }

    /// What `sandbox list` says, by name.
    pub(crate) fn entry(&self, name: &str) -> Value {
        let answer = self.run(&["list"]);
        assert_eq!(answer.status, Some(0), "{answer:?}");
        let list = answer.envelope["data"]["sandboxes"].as_array().unwrap().clone();
        list.into_iter().find(|entry| entry["name"] == name).unwrap_or_default()
    }

    pub(crate) fn state(&self, name: &str) -> String {
        self.entry(name)["state"].as_str().unwrap_or("none").to_owned()
    }

    /// Every living process whose variables name this state root, whatever we list ourselves.
    pub(crate) fn processes(&self) -> Vec<u32> {
        processes_with(&format!("AGENT_DESKTOP_HOME={}", self.root().display()))
    }

    /// That nothing of any desktop is left, or at most a supervisor that has reported already and
    /// is about to end.
    #[track_caller]
    pub(crate) fn assert_nothing_left(&self) {
        let until = Instant::now() + Duration::from_secs(5);
        while !self.processes().is_empty() && Instant::now() < until {
            std::thread::yield_now();
        }
        let alive: Vec<_> = self.processes().into_iter().map(command_line).collect();
        assert!(alive.is_empty(), "left running: {alive:?}");
        let files = fs::read_dir(self.root().join("sandboxes")).into_iter().flatten();
        let files: Vec<_> = files.map(|entry| entry.unwrap().file_name()).collect();
        assert!(files.is_empty(), "left behind: {files:?}");
    }
}

impl Drop for Desktops {
    fn drop(&mut self) {
        // Whatever the program under test can or cannot do: nothing of a test outlives it.
        let until = Instant::now() + Duration::from_secs(5);
        loop {
            let processes = self.processes();
            if processes.is_empty() || Instant::now() > until {
                break;
            }
            processes.into_iter().for_each(kill);
            std::thread::sleep(Duration::from_millis(10));
        }
        for entry in fs::read_dir(self.root().join("sandboxes")).into_iter().flatten().flatten() {
            if let Ok(runtime) = fs::read_link(entry.path().join("run"))
                && runtime.starts_with("/tmp")
            {
                let _ = fs::remove_dir_all(runtime);
            }
        }
    }
}

impl Desktop {
    pub(crate) fn text(&self, field: &str) -> &str {
        self.data[field].as_str().unwrap()
    }

    pub(crate) fn supervisor(&self) -> u32 {
        self.data["pid"].as_u64().unwrap().try_into().unwrap()
    }

    /// Every living process that carries the desktop's token.
    pub(crate) fn processes(&self) -> Vec<u32> {
        let token = self.data["env"]["AGENT_DESKTOP_SANDBOX_TOKEN"].as_str().unwrap();
        processes_with(&format!("AGENT_DESKTOP_SANDBOX_TOKEN={token}"))
    }

    /// Kills every process of the desktop and waits until none is left. A process that is about to
    /// end shows no environment any more, so they are looked for once.
    pub(crate) fn kill_all(&self) {
        let processes = self.processes();
        processes.iter().copied().for_each(kill);
        wait_until("all are dead", || !processes.iter().any(|pid| is_alive(*pid)));
    }

    /// The one process of the desktop that runs `program`.
    #[track_caller]
    pub(crate) fn process(&self, program: &str) -> u32 {
        let found: Vec<u32> = self
            .processes()
            .into_iter()
            .filter(|pid| command_line(*pid).split(' ').next().unwrap().ends_with(program))
            .collect();
        assert_eq!(found.len(), 1, "{program}: {found:?}");
        found[0]
    }
}

pub(crate) fn kill(pid: u32) {
    let _ = kill_process(Pid::from_raw(pid.try_into().unwrap()).unwrap(), Signal::KILL);
}

pub(crate) fn is_alive(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

pub(crate) fn start_time(pid: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    stat.rsplit_once(") ").unwrap().1.split(' ').nth(19).unwrap().parse().unwrap()
}

#[track_caller]
pub(crate) fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(20);
    while !condition() {
        assert!(Instant::now() < until, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn processes_with(variable: &str) -> Vec<u32> {
    let pids = fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let pid: u32 = entry.ok()?.file_name().to_str()?.parse().ok()?;
        let environ = fs::read(format!("/proc/{pid}/environ")).ok()?;
        let found = environ.split(|byte| *byte == 0).any(|entry| entry == variable.as_bytes());
        (found && is_alive(pid)).then_some(pid)
    });
    pids.collect()
}

fn command_line(pid: u32) -> String {
    let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&line).replace('\0', " ")
}
