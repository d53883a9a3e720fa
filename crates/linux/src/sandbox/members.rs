//! The processes that belong to a private desktop: those that carry its token, and their
//! descendants that carry none. Nothing else is ever signalled, whatever a manifest says.
//!
//! The token stands in the environment, and once more where a program that empties its environment
//! and leaves its parent still has it: in a resource limit, which every process inherits from the
//! one that started it. A limit of 4 EiB and more for the size of files limits nothing, so its
//! lower bits are free to hold most of the token, and nobody else comes by the same number.

use std::{
    collections::{HashMap, HashSet},
    os::fd::OwnedFd,
    os::unix::ffi::OsStrExt,
    time::Duration,
};

use agent_desktop_engine::platform::Deadline;
use agent_desktop_model::wire::sandbox::Role;
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    process::{
        Pid, PidfdFlags, Resource, Rlimit, Signal, getrlimit, pidfd_open, pidfd_send_signal,
        setrlimit,
    },
};

use super::{manifest::Manifest, place::Token};
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

/// Marks this process, and so all that it starts from now on, as members of the desktop. Where a
/// stricter limit is set already, the token in the environment has to do.
pub(super) fn mark(token: &Token) {
    let Some(mark) = mark_of(token) else { return };
    let Rlimit { maximum, .. } = getrlimit(Resource::Fsize);
    // Only the lower of the two limits, so that a program may still have it as it was.
    let _ = setrlimit(Resource::Fsize, Rlimit { current: Some(mark), maximum });
}

/// The number that stands for the token in a resource limit.
fn mark_of(token: &Token) -> Option<u64> {
    /// From here on a limit of the size of files is beyond any file.
    const BEYOND: u64 = 1 << 62;
    Some(BEYOND | u64::from_str_radix(&token.0, 16).ok()? & (BEYOND - 1))
}

/// The processes of the desktop with this token, without this one.
pub(super) fn of(token: &Token) -> Vec<Member> {
    let own = std::process::id();
    let table: HashMap<u32, Seen> = proc::pids()
        .into_iter()
        .filter_map(|pid| {
            Some((pid, Seen { parent: proc::parent(pid)?, token: token_of(pid, token) }))
        })
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

/// How long programs get to end when they are asked to, and the desktop's own servers.
pub(super) const PROGRAM_GRACE: Duration = Duration::from_secs(3);
const SERVER_GRACE: Duration = Duration::from_secs(1);

/// Ends every process of the desktop but this one. The error lists what outlived the deadline.
pub(super) fn end_all(
    token: &Token,
    manifest: Option<&Manifest>,
    deadline: Deadline,
    count: &mut Ended,
) -> Result<(), Vec<u32>> {
    let servers = [Role::Supervisor, Role::DisplayServer, Role::SessionBus, Role::WindowManager]
        .map(|role| manifest.and_then(|manifest| manifest.pid(role)));
    let [supervisor, ..] = servers;
    // Programs first, while what they may need in order to end well is still there. The
    // supervisor ends by itself when its last child has.
    let spared = [
        (servers.into_iter().flatten().collect::<Vec<u32>>(), PROGRAM_GRACE),
        (supervisor.into_iter().collect(), SERVER_GRACE),
        (Vec::new(), SERVER_GRACE),
    ];
    spared.iter().try_for_each(|(spared, grace)| end(token, spared, *grace, deadline, count))
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
        if let Some(found) = token_of(last, token) {
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

/// The token that a process carries: in its environment, or `asked` if its limit stands for that.
fn token_of(pid: u32, asked: &Token) -> Option<Vec<u8>> {
    let variables = proc::environ(pid)?;
    let carried = variables.into_iter().find_map(|entry| {
        let value = entry.as_bytes().strip_prefix(Token::VARIABLE.as_bytes())?;
        Some(value.strip_prefix(b"=")?.to_vec())
    });
    carried.or_else(|| {
        let marked = proc::file_size_limit(pid).is_some_and(|limit| Some(limit) == mark_of(asked));
        marked.then(|| asked.0.clone().into_bytes())
    })
}
