//! A peer on a desktop, what commands are aimed at, and one command after the other.

use std::{
    fs,
    path::PathBuf,
    process::{Command as Process, Stdio},
    time::{Duration, Instant},
};

use serde::Deserialize;
use serde_json::Value;

use super::{
    Answer, Baseline, Cell,
    commands::{Aim, Command, Does},
    judge::{self, Facts},
    switches::Switch,
};
use crate::{
    Desktop,
    bus::{Call, Connection, Kind, Message},
    process, tree,
};

const NAME: &str = "misbehaving-peer";

/// What the peer says of a request that reached it.
#[derive(Debug, Deserialize)]
pub(super) struct Reached {
    /// The method, or `Harm`.
    pub(super) did: String,
    /// The hidden identity of the element.
    pub(super) to: String,
    /// What was asked for.
    pub(super) asked: String,
    /// What it holds since then.
    pub(super) holds: String,
}

pub(super) struct Stage<'a> {
    desktop: &'a Desktop,
    switch: &'static Switch,
    peer: Option<Peer>,
    log: PathBuf,
    /// How much of the log has been read.
    read: usize,
}

struct Peer {
    process: process::Process,
    bus_name: String,
    /// The tree that commands are aimed by.
    seen: Value,
}

impl<'a> Stage<'a> {
    pub(super) fn new(desktop: &'a Desktop, switch: &'static Switch) -> Self {
        let log = desktop.directory("peer").join("log");
        let read = fs::read_to_string(&log).unwrap_or_default().len();
        Self { desktop, switch, peer: None, log, read }
    }

    /// Runs `command` and judges what comes of it.
    pub(super) fn run(&mut self, command: &'static Command, baseline: &Baseline) -> Cell {
        if self.switch.fresh || command.does == Does::Ends {
            self.peer = None;
        }
        let peer = match self.peer.take() {
            Some(peer) => peer,
            None => self.start(),
        };
        let mut cell = Cell {
            command: command.title,
            switch: self.switch.name,
            answer: Answer::NotShown,
            elapsed: Duration::ZERO,
            peak: 0,
            beyond: 0,
            reached: Vec::new(),
            faults: Vec::new(),
        };
        let peer = self.peer.insert(peer);
        let aimed = command.aim.map(|aim| reference(self.switch, aim, &peer.seen));
        if aimed == Some(None) {
            if self.switch.truth.readable {
                cell.faults.push("what it acts on is not in the tree".to_owned());
            }
            return cell;
        }
        let reference = aimed.flatten().unwrap_or_default();
        let identities = command.aim.map(|aim| identities(self.switch, aim)).unwrap_or_default();
        let other = first_button(&peer.seen);
        let words = command.words(&|name| match name {
            "ref" => reference.clone(),
            "other" => other.clone(),
            "app" => NAME.to_owned(),
            "peer" => crate::built(NAME).to_string_lossy().into_owned(),
            other => panic!("`{other}` stands for nothing"),
        });
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        peer.process.tell("go");
        if self.switch.turns {
            peer.process.tell("turn");
        }
        let sent = peer.sent();
        let (outcome, peak) = self.desktop.run_measured(&words);
        // Its answer comes behind whatever the command has left to be done.
        let is_well = self.is_well();
        let served = self.peer.as_mut().map_or(0, Peer::sent).saturating_sub(sent);
        let log = self.reached();
        let is_there = self.peer.as_mut().is_some_and(|peer| peer.process.ended().is_none());
        let usual = baseline.get(command.title).copied().unwrap_or(peak);
        cell.elapsed = outcome.elapsed;
        cell.peak = peak;
        cell.beyond = peak.saturating_sub(usual).saturating_sub(served / 1024);
        cell.reached = log.iter().map(|one| format!("{}: {}", one.did, one.to)).collect();
        let envelope = outcome.read();
        if let Ok(envelope) = &envelope {
            end_launched(envelope, self.peer.as_ref());
        }
        let facts = Facts {
            command,
            switch: self.switch,
            outcome: &outcome,
            log: &log,
            identities: &identities,
            is_there,
        };
        (cell.answer, cell.faults) = judge::judge(&facts, envelope, &cell);
        if command.does == Does::Ends || !is_well {
            self.peer = None;
        }
        cell
    }

    /// Starts the peer and looks at what it shows before it begins to misbehave.
    fn start(&mut self) -> Peer {
        let mut command: Process = self.desktop.command(crate::built(NAME));
        command
            .args(["--on-word", "--furnished", "--window", "--log"])
            .arg(&self.log)
            .args(self.switch.switches.split(' ').filter(|word| !word.is_empty()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // It complains where the bus throws it off.
            .stderr(Stdio::null());
        // What the one before did in its last moment is nobody's business any more.
        self.reached();
        let mut process = process::Process::spawn(&mut command).expect("the peer starts");
        let bus_name = process.line();
        let window = window_id(&bus_name);
        let all = ["snapshot", "--window-id", &window, "--max-depth", "50", "--timeout-ms", "4000"];
        let looking = Instant::now();
        // The registry may list it a moment after it has come.
        let seen = loop {
            let envelope = self.desktop.run(&all).read();
            match envelope {
                Ok(mut envelope) if envelope["ok"] == true => break envelope["data"].take(),
                _ if looking.elapsed() > Duration::from_secs(2) => break Value::Null,
                _ => {}
            }
        };
        Peer { process, bus_name, seen }
    }

    /// What has been written to the log since it was last read.
    fn reached(&mut self) -> Vec<Reached> {
        let log = fs::read_to_string(&self.log).unwrap_or_default();
        let new = log.get(self.read..).unwrap_or_default();
        self.read = log.len();
        new.lines().map(|line| serde_json::from_str(line).expect("a line of the log")).collect()
    }

    /// Whether the peer still answers under its name.
    fn is_well(&mut self) -> bool {
        let Some(peer) = &mut self.peer else { return false };
        peer.process.ended().is_none()
            && answers(&self.desktop.accessibility_bus_address(), &peer.bus_name)
    }
}

impl Peer {
    /// Bytes that it has sent; none if it has ended.
    fn sent(&mut self) -> u64 {
        match self.process.ended() {
            None => self.process.try_ask("sent").and_then(|sent| sent.parse().ok()).unwrap_or(0),
            Some(_) => 0,
        }
    }
}

/// The id of the window of the application called `bus_name`, as the program spells it.
fn window_id(bus_name: &str) -> String {
    format!("w-{}-org-a11y-atspi-accessible-1", bus_name.trim_start_matches(':'))
}

/// The ref of what `aim` means in the tree that was `seen`.
fn reference(switch: &Switch, aim: Aim, seen: &Value) -> Option<String> {
    let (within, name, nth) = match aim {
        Aim::Button => (switch.button.within, switch.button.name, switch.button.nth),
        other => (None, identity(other), 0),
    };
    let holds = |node: &Value, name: &str| tree::all(node).any(|inner| inner["name"] == name);
    let root = match within {
        // The innermost that has both in it.
        Some(text) => {
            tree::all(&seen["tree"]).filter(|node| holds(node, text) && holds(node, name)).last()?
        }
        None => &seen["tree"],
    };
    let node = tree::all(root).filter(|node| node["name"] == name).nth(nth)?;
    Some(node["ref_id"].as_str()?.to_owned())
}

/// Who may be reached by a command that is aimed so.
fn identities(switch: &Switch, aim: Aim) -> Vec<&'static str> {
    match aim {
        Aim::Button => vec![switch.button.identity],
        Aim::Choice => vec!["Colour", "Green"],
        other => vec![identity(other)],
    }
}

/// What furniture is called, and who it is.
fn identity(aim: Aim) -> &'static str {
    match aim {
        Aim::Button => "Press me",
        Aim::Check => "Agree",
        Aim::Field => "Surname",
        Aim::Slider => "Volume",
        Aim::Choice => "Colour",
        Aim::Branch => "Branch",
    }
}

fn first_button(seen: &Value) -> String {
    let button = tree::all(&seen["tree"]).find(|node| node["name"] == "Press me");
    button.and_then(|node| node["ref_id"].as_str()).unwrap_or("@s0000:e1").to_owned()
}

/// Ends what `launch` has started, if it has started another one.
fn end_launched(envelope: &Value, ours: Option<&Peer>) {
    let pid = envelope["data"]["pid"].as_u64().and_then(|pid| u32::try_from(pid).ok());
    if envelope["command"] == "launch"
        && let Some(pid) = pid.filter(|pid| ours.is_none_or(|peer| peer.process.id() != *pid))
    {
        process::end_program(pid, NAME);
    }
}

/// Whether whoever owns `name` answers within a second.
fn answers(address: &str, name: &str) -> bool {
    let ask = || {
        let mut bus = Connection::open(address).ok()?;
        let call = Call::new(
            name,
            "/org/a11y/atspi/accessible/root",
            "org.a11y.atspi.Accessible",
            "GetRole",
        );
        bus.send(Message {
            serial: 1_000,
            destination: call.destination,
            path: call.path,
            interface: call.interface.into(),
            member: call.member.into(),
            ..Message::default()
        })
        .ok()?;
        loop {
            let message = bus.next(Some(Duration::from_secs(1))).ok()?;
            if message.reply_to == 1_000 {
                return Some(message.kind == Kind::Return);
            }
        }
    };
    ask().unwrap_or(false)
}
