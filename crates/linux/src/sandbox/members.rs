//! The processes that belong to a private desktop: those that carry its token, and their
//! descendants that carry none. Nothing else is ever signalled, whatever a manifest says.

use std::{
    collections::{HashMap, HashSet},
    os::fd::OwnedFd,
    os::unix::ffi::OsStrExt,
    time::Duration,
};

use agent_desktop_engine::platform::Deadline;
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal},
};

use super::place::Token;
use crate::proc;

/// A process that was found to belong to the desktop, held so that its number cannot come to mean
/// another.
#[derive(Debug)]
pub(super) struct Member {
    pid: u32,
    handle: OwnedFd,
}

/// How many processes ended, and how many of those had to be killed.
#[derive(Debug, Default)]
pub(super) struct Ended {
    pub(super) ended: u64,
    pub(super) killed: u64,
}

/// How many generations are searched for a token. Real trees are far shallower.
const GENERATIONS: usize = 256;

/// The processes of the desktop with this token, without this one.
pub(super) fn of(token: &Token) -> Vec<Member> {
    let own = std::process::id();
    let table: HashMap<u32, Seen> = proc::pids()
        .into_iter()
        .filter_map(|pid| Some((pid, Seen { parent: proc::parent(pid)?, token: token_of(pid) })))
        .collect();
    let looks_ours = |pid: u32| {
        // A program may overwrite its variables, as Chromium's children do for their titles; then
        // the nearest ancestor that still has them decides.
        std::iter::successors(Some(pid), |at| table.get(at).map(|seen| seen.parent))
            .take(GENERATIONS)
            .find_map(|at| table.get(&at)?.token.as_ref())
            .is_some_and(|found| found == token.0.as_bytes())
    };
    table
        .keys()
        .filter(|pid| **pid != own && looks_ours(**pid))
        .filter_map(|pid| member(*pid, token))
        .collect()
}

/// What was seen of a process at a glance.
struct Seen {
    parent: u32,
    token: Option<Vec<u8>>,
}

/// Ends every process of the desktop except those in `spared`: asks first, kills whatever is
/// still there after `grace`, and goes on until there are none. The error lists what outlived the
/// deadline.
pub(super) fn end(
    token: &Token,
    spared: &[u32],
    grace: Duration,
    deadline: Deadline,
    count: &mut Ended,
) -> Result<(), Vec<u32>> {
    let patience = deadline.within(grace);
    let mut held: Vec<Member> = Vec::new();
    let mut killed = HashSet::new();
    loop {
        held.retain(|member| is_alive(&member.handle));
        // Those found before stay, though the ancestor that told whose they are may be gone.
        let known: HashSet<u32> = held.iter().map(|member| member.pid).collect();
        let found = of(token).into_iter().filter(|m| !spared.contains(&m.pid));
        let new: Vec<Member> = found.filter(|member| !known.contains(&member.pid)).collect();
        if held.is_empty() && new.is_empty() {
            return Ok(());
        }
        if deadline.passed() {
            return Err(held.iter().chain(&new).map(|member| member.pid).collect());
        }
        count.ended += new.len() as u64;
        let impatient = patience.passed();
        // One that has just ended needs no signal, and one that may not be signalled shows up as
        // outliving the deadline.
        for member in &new {
            let _ = pidfd_send_signal(&member.handle, Signal::TERM);
        }
        held.extend(new);
        if impatient {
            for member in &held {
                count.killed += u64::from(killed.insert(member.pid));
                let _ = pidfd_send_signal(&member.handle, Signal::KILL);
            }
        }
        // Not longer at a time, because they may leave children behind that were not seen yet.
        let limit = if impatient { deadline } else { patience };
        wait_for(&held, limit.within(Duration::from_millis(250)));
    }
}

/// Waits until all of `members` have ended.
fn wait_for(members: &[Member], deadline: Deadline) {
    let mut left: Vec<&OwnedFd> = members.iter().map(|member| &member.handle).collect();
    while !left.is_empty() && !deadline.passed() {
        let Ok(limit) = Timespec::try_from(deadline.remaining()) else { return };
        let mut fds: Vec<PollFd<'_>> =
            left.iter().map(|handle| PollFd::new(handle, PollFlags::IN)).collect();
        if poll(&mut fds, Some(&limit)).is_err() {
            return;
        }
        left.retain(|handle| is_alive(handle));
    }
}

/// The process, if it belongs to the desktop.
fn member(pid: u32, token: &Token) -> Option<Member> {
    let handle = pidfd_open(Pid::from_raw(pid.try_into().ok()?)?, PidfdFlags::empty()).ok()?;
    // A zombie has ended.
    proc::start_time(pid)?;
    // The number may have come to mean another process before the question was answered, but not
    // if the process that is held still lives afterwards.
    (belongs(pid, token) && is_alive(&handle)).then_some(Member { pid, handle })
}

fn is_alive(handle: &OwnedFd) -> bool {
    let mut fds = [PollFd::new(handle, PollFlags::IN)];
    poll(&mut fds, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).is_ok_and(|ready| ready == 0)
}

/// Looks again, this time for good.
fn belongs(pid: u32, token: &Token) -> bool {
    let mut line = vec![pid];
    while let Some(&last) = line.last().filter(|_| line.len() <= GENERATIONS) {
        if let Some(found) = token_of(last) {
            // A number may have come to mean another process meanwhile; but whoever still is the
            // parent of a living process was it all the time.
            return found == token.0.as_bytes()
                && line.windows(2).all(|pair| match pair {
                    [child, parent] => proc::parent(*child) == Some(*parent),
                    _ => false,
                });
        }
        match proc::parent(last) {
            Some(parent) if parent > 1 => line.push(parent),
            _ => return false,
        }
    }
    false
}

fn token_of(pid: u32) -> Option<Vec<u8>> {
    proc::environ(pid)?.into_iter().find_map(|entry| {
        let value = entry.as_bytes().strip_prefix(Token::VARIABLE.as_bytes())?;
        Some(value.strip_prefix(b"=")?.to_vec())
    })
}
